/** Who in the office hears of what (setting ESIGN_ADMIN_EMAIL). */
import { expect, test } from 'vitest';
import { hearersOf, type OfficeMail } from '../../../src/core/mail/hearers.js';
import { parseHearers } from '../../../src/core/settings/hearers.js';
import { change } from '../../../src/core/change.js';
import { readCaseFile } from '../../../src/core/explain/case-file.js';
import { recentTimeline } from '../../../src/core/explain/timeline.js';
import { mailJob } from '../../../src/core/mail/mail-job.js';
import { startApp, TESTER } from '../../support/app.js';
import { deliver } from '../../support/webhooks.js';

const SETTING = 'anna@x.example, bob@x.example=digest+payments, eve@x.example=signatures';

test.each<[OfficeMail, string]>([
  ['contract-ended', 'anna'],
  ['jobs-failed', 'anna'],
  ['digest', 'anna bob'],
  ['admin-paid', 'anna bob'],
  ['admin-signed', 'anna eve'],
])('%s is heard by %s', (mail, names) => {
  const addresses = names.split(' ').map((name) => `${name}@x.example`);
  expect(hearersOf(parseHearers(SETTING), mail)).toEqual(addresses);
});

test('each of several gets a mail of its own: one that is refused keeps no other from hearing, and none comes twice', async () => {
  const app = await startApp({ env: { ESIGN_ADMIN_EMAIL: SETTING } });
  const { signId } = await app.waitingRequest();
  app.sandbox.sign(signId);
  await deliver(app, signId);
  await app.drain();
  const told = app.sandbox
    .mails()
    .flatMap(({ to }) => to.filter((address) => address.endsWith('@x.example')));
  expect(told.toSorted()).toEqual(['anna@x.example', 'eve@x.example']);
});

test('who is removed while a mail could not leave gets it no more; who hears now does, and none twice', async () => {
  const app = await startApp({ env: { ESIGN_ADMIN_EMAIL: 'anna@x.example, bob@x.example' } });
  const heard = () =>
    app.sandbox
      .mails()
      .flatMap(({ to }) => to)
      .filter((to) => to.endsWith('@x.example'));
  app.sandbox.faults.add('smtp:refuse');
  const order = {
    mail: 'run-failing',
    run: 'backup',
    since: '2026-03-01T00:00:00.000Z',
    error: 'no',
  } as const;
  await change(app.ctx, { actor: TESTER }, (tx) => tx.enqueue(mailJob, order));
  await app.drain();
  expect(heard()).toEqual([]);
  app.sandbox.faults.clear();
  app.ctx.config.adminEmail = parseHearers('anna@x.example, eve@x.example');
  app.clock.advance(1_000);
  await app.drain();
  expect(heard().toSorted()).toEqual(['anna@x.example', 'eve@x.example']);
});

test('a mail to several is one entry of the time line; the next one to them is another', async () => {
  const app = await startApp({ env: { ESIGN_ADMIN_EMAIL: 'anna@x.example, bob@x.example' } });
  const { request, contract } = await app.waitingRequest();
  const tell = async (signId: string) => {
    const order = { mail: 'foreign-signature', contractId: contract.id, signId } as const;
    const about = { requestId: request.id, contractId: contract.id };
    await change(app.ctx, { actor: TESTER }, (tx) =>
      tx.enqueue(mailJob, { ...order, externalId: null, isServed: false }, about),
    );
    await app.drain();
    const { timeline } = recentTimeline(app.ctx, readCaseFile(app.ctx, app.request(request.id)));
    const mails = app.sandbox.mails().filter(({ to }) => to.some((each) => each.endsWith('@x.example')));
    return [timeline.filter(({ what }) => what === 'mail.sent').length, mails.length];
  };
  expect(await tell('one')).toEqual([1, 2]);
  expect(await tell('another')).toEqual([2, 4]);
});
