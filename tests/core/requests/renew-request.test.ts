/** A contract whose term ends (rules 2, 12): told before, never silent, renewed once on every surface, or settled by a person. */
import { expect, test } from 'vitest';
import { commandLine } from '../../../src/core/commands.js';
import { expireContracts } from '../../../src/core/contracts/expire-contracts.js';
import { explain } from '../../../src/core/explain/explain.js';
import { listNeeds } from '../../../src/core/needs/needs.js';
import { enterOffer } from '../../../src/core/offers/offers.js';
import { eraseUser } from '../../../src/core/personal-data/erase-user.js';
import { cancelRequest } from '../../../src/core/requests/cancel-request.js';
import { deleteRequest } from '../../../src/core/requests/delete-request.js';
import { renewRequest } from '../../../src/core/requests/renew-request.js';
import { settleRequest } from '../../../src/core/requests/settle-request.js';
import { requireUser } from '../../../src/db/users/users.js';
import type { RequestRow } from '../../../src/db/schema.js';
import { json, jsonList, startCli } from '../../cli/support.js';
import { officeOn, startOffice } from '../../server/admin/support.js';
import { rejection, startApp, TESTER, type TestApp } from '../../support/app.js';
import { DAY, ManualClock } from '../../support/clock.js';
import { story } from '../../support/story.js';

const BY = { actor: TESTER };

async function needs({ ctx }: TestApp) {
  await expireContracts(ctx, BY);
  return (await listNeeds(ctx, 10)).needs.map(({ kind, next }) => [kind, commandLine(next)]);
}

const complete = () => story().linked().completedByHand().drained();

async function aComplete(app: TestApp) {
  const { request } = await app.waitingRequest();
  await story.on(app, request.id).signed().drained().completedByHand().drained().end();
  return { id: request.id };
}

test('sixty days before its end, and after it, the office is told; a renewal decides, and a second one makes nothing', async () => {
  const { app, id } = await complete().end();
  const told = [['term_ends', `esignctl renew ${id}`]];
  app.clock.advance(300 * DAY);
  expect(await needs(app)).toEqual([]);
  app.clock.advance(10 * DAY);
  expect(await needs(app)).toEqual(told);
  app.clock.advance(100 * DAY);
  expect(await needs(app)).toEqual(told);
  expect(app.contract(id).status).toBe('EXPIRED');

  const [first, second] = await Promise.all([
    renewRequest(app.ctx, id, { ...BY, notify: true }),
    renewRequest(app.ctx, id, BY),
  ]);
  expect(first.renewal?.id).toBe(second.renewal?.id);
  expect([first.isRepeat, second.isRepeat].toSorted()).toEqual([false, true]);
  const { ownerId, equipmentId, title } = app.request(id);
  expect(first.renewal).toMatchObject({ ownerId, equipmentId, title, status: 'new', renewsId: id });
  expect(await needs(app)).toEqual([]);
  await app.drain();
  const mails = app.sandbox.mails().map(({ subject }) => subject);
  expect(mails.filter((subject) => subject.includes('will be renewed'))).toHaveLength(1);
});

test('the price that was agreed with the customer is that of the renewal; the general price is as it is now', async () => {
  const app = await startApp();
  const [agreed, general] = [await aComplete(app), await aComplete(app)];
  app.ctx.db.raw.prepare("UPDATE requests SET amount = 120050, currency = 'eur' WHERE id = ?").run(agreed.id);
  const renewed = async ({ id }: { id: number }) => (await renewRequest(app.ctx, id, BY)).renewal;
  expect(await renewed(agreed)).toMatchObject({ amount: 120_050, currency: 'eur' });
  expect(await renewed(general)).toMatchObject({ amount: null, currency: null });
  const repaired = await aComplete(app);
  await enterOffer(app.ctx, { requestId: repaired.id, amount: '90', description: 'A new pump' }, BY);
  expect(await renewed(repaired)).toMatchObject({ amount: 12_000, currency: 'eur' });
});

test('a person may settle that it is not renewed; a contract that ended untold still leads to a renewal', async () => {
  const { app, id } = await complete().end();
  expect(await rejection(renewRequest(app.ctx, (await app.addRequest()).id, BY))).toMatchObject({
    code: 'not_renewable',
  });
  app.clock.advance(310 * DAY);
  await needs(app);
  const { settled } = await settleRequest(app.ctx, id, { ...BY, reason: 'moves away' });
  expect(settled).toEqual({ payments: [], signature: false, term: true });
  app.clock.advance(100 * DAY);
  expect(await needs(app)).toEqual([]);
  const { findings, timeline } = await explain(app.ctx, String(id));
  expect(findings.map(({ key }) => key)).toContain('term_over');
  expect(JSON.stringify(timeline)).toContain('its term is over');
});

test('a customer who removes the renewal leaves the end of the term to the office again; what the office has settled stays so', async () => {
  const app = await startApp();
  const [renewed, settled] = [await aComplete(app), await aComplete(app)];
  app.clock.advance(310 * DAY);
  await needs(app);
  await settleRequest(app.ctx, settled.id, { ...BY, reason: 'moves away' });
  for (const { id } of [renewed, settled]) {
    const { renewal } = await renewRequest(app.ctx, id, BY);
    const { id: renewalId, ownerId } = renewal as RequestRow;
    await deleteRequest(app.ctx, requireUser(app.ctx.db, { id: ownerId }), renewalId);
  }
  expect(await needs(app)).toEqual([['term_ends', `esignctl renew ${renewed.id}`]]);
});

test('who settles a payment has not decided that the contract is not renewed', async () => {
  const { app, id } = await story()
    .linked()
    .completedByHand()
    .waits(310 * DAY)
    .early()
    .end();
  await needs(app);
  const settle = async () => (await settleRequest(app.ctx, id, { ...BY, reason: 'refunded' })).settled;
  expect(await settle()).toEqual({ payments: ['cs_early'], signature: false, term: false });
  expect(await settle()).toEqual({ payments: [], signature: false, term: true });
});

test('when its customer is erased, the time line still says which request renewed it', async () => {
  const { app, id } = await complete().end();
  const renewal = (await renewRequest(app.ctx, id, BY)).renewal as RequestRow;
  await cancelRequest(app.ctx, renewal.id, { ...BY, reason: 'moves away' });
  app.clock.advance(4_200 * DAY);
  await eraseUser(app.ctx, renewal.ownerId, { ...BY, reason: 'asked for' });
  const { timeline } = await explain(app.ctx, String(id));
  expect(JSON.stringify(timeline)).toContain(`Renewed by request ${renewal.reference}`);
});

test('by command, page and API: the same request', async () => {
  const clock = new ManualClock();
  const cli = await startCli({}, clock, { ESIGN_RATE_LIMIT_IP: '0' });
  const { id } = await aComplete(cli);
  clock.advance(310 * DAY);
  await needs(cli);
  expect(jsonList(await cli.run('contracts', 'list', '--term', 'ends', '--json'))).toHaveLength(1);
  const staff = await (await officeOn(cli)).staff();
  expect((await staff.get(`/admin/requests/${id}`)).text).toContain('Renew the contract');
  expect((await staff.get('/admin/contracts?term=ends')).text).toContain('€120.00');
  const made = json(await cli.run('renew', String(id), '--json')) as {
    renewedBy: { id: number; reference: string };
  };
  const { id: next, reference } = made.renewedBy;
  const shown = async (each: number) => json(await cli.run('requests', 'show', String(each), '--json'));
  expect([await shown(id), await shown(next)]).toMatchObject([
    { renewsId: null, renewedById: next },
    { renewsId: id, renewedById: null },
  ]);
  const page = async (each: number) => (await staff.get(`/admin/requests/${each}`)).text;
  expect(await page(id)).toContain(`href="/admin/requests/${next}">${reference}<`);
  expect(await page(next)).toContain(`href="/admin/requests/${id}">${cli.request(id).reference}<`);
  const again = await cli.run('renew', String(id));
  expect(again.stdout).toContain(`request ${id} is already renewed by request ${made.renewedBy.id}`);
  expect(jsonList(await cli.run('contracts', 'list', '--term', 'ends', '--json'))).toHaveLength(0);
});

test('a page, on which there is nothing to tick, settles the end of a term; a colleague whose form was open too is told so', async () => {
  const office = await startOffice();
  const { id } = await aComplete(office);
  office.clock.advance(310 * DAY);
  expect(await needs(office)).toHaveLength(1);
  const [staff, colleague] = [await office.staff(), await office.staff()];
  const [path, why] = [`/admin/requests/${id}/settle`, { reason: 'moves away' }];
  for (const person of [staff, colleague]) await person.get(path);
  await staff.submit(path, why);
  expect(await needs(office)).toEqual([]);
  await colleague.submit(path, why);
  expect((await colleague.get(`/admin/requests/${id}`)).text).toMatch(
    /This was settled on .* by office@acme/,
  );
});
