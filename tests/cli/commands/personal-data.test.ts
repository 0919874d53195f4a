/** esignctl users export and erase: everything about one person, and nothing of it afterwards. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fromBufferPromise } from 'yauzl';
import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { SCHEDULE } from '../../../src/core/actor.js';
import { change } from '../../../src/core/change.js';
import { signedPdfPath } from '../../../src/core/contracts/contract-files.js';
import { mailJob } from '../../../src/core/mail/mail-job.js';
import { deleteRequest } from '../../../src/core/requests/delete-request.js';
import { publishEvent } from '../../../src/core/webhooks/events.js';
import { findCase } from '../../../src/db/cases/cases.js';
import { requireUser } from '../../../src/db/users/users.js';
import { temporaryDirectory } from '../../support/app.js';
import { DAY } from '../../support/clock.js';
import { subscribed } from '../../support/subscriptions.js';
import { deliver, deliverPayment } from '../../support/webhooks.js';
import { json, jsonError, jsonList, run, startCli, type Cli } from '../support.js';

const MARK = 'Zzqvist';
const PHONE = '+33698765430';
const EMAIL = 'inga.zzqvist@example.org';

/** A customer whose name stands everywhere: account, title, equipment, offer, history, mails, jobs, inbound events. */
async function aPerson(env: Record<string, string> = {}) {
  const cli = await startCli({}, undefined, { ESIGN_WEBHOOK_ALLOW_PRIVATE: '127.0.0.1', ...env });
  const { request } = await cli.waitingRequest();
  const owner = requireUser(cli.ctx.db, { id: request.ownerId });
  const { raw } = cli.ctx.db;
  raw
    .prepare(
      `UPDATE users SET username = ?, firstName = 'Inga', lastName = '${MARK}', phone = '${PHONE}' WHERE id = ?`,
    )
    .run(EMAIL, owner.id);
  raw.exec(`UPDATE requests SET title = 'Boiler of ${MARK}', description = 'Ring at ${MARK}';
    UPDATE equipments SET name = 'Boiler of ${MARK}', serialNumber = '${MARK}-1'`);
  return { cli, userId: owner.id, id: String(request.id) };
}

/** Signed, paid, and its words have gone everywhere they go. */
async function aStory(env: Record<string, string> = {}) {
  const person = await aPerson(env);
  const { cli, userId, id } = person;
  const reset = await cli.run('reset-signature', id, '--yes', '--reason', `${MARK} asked for it`);
  expect(reset).toMatchObject({ code: 0 });
  const { signId } = cli.contract(Number(id));
  cli.sandbox.sign(signId as string);
  await deliver(cli, signId as string);
  await cli.drain();
  const paymentId = cli.request(Number(id)).paymentId as string;
  cli.sandbox.pay(paymentId);
  await deliverPayment(cli, paymentId);
  await cli.drain();
  const owner = requireUser(cli.ctx.db, { id: userId });
  const office = await cli.addUser({ role: 'ROLE_ADMIN' });
  const { id: webhookId, url } = await subscribed(cli, {
    url: `https://${MARK.toLowerCase()}.example/`,
    owner,
  });
  const about = { id: Number(id), ownerId: userId, reference: 'REQ-2026-000001', status: 'COMPLETE' };
  const now = cli.clock.now().toISOString();
  await cli.ctx.writer.write((db) => publishEvent(db, { event: 'request.updated', about, now }));
  await change(cli.ctx, { actor: SCHEDULE }, (tx) =>
    tx.enqueue(mailJob, {
      mail: 'webhook-disabled',
      webhookId,
      url,
      event: 'request.updated',
      cause: 'gone',
      error: 'x',
    }),
  );
  await cli.run('users disable', EMAIL, '--reason', `${MARK} moved away`);
  // A request that was deleted: only the history still names it.
  const spare = await cli.addRequest();
  cli.ctx.db.raw
    .prepare(`UPDATE requests SET ownerId = ?, title = 'Pump of ${MARK}' WHERE id = ?`)
    .run(userId, spare.id);
  await deleteRequest(cli.ctx, office, spare.id);
  cli.ctx.db.raw.exec(`UPDATE inbox SET body = CAST('{"email":"${EMAIL}"}' AS BLOB);
    INSERT INTO idempotencyKeys VALUES (${office.id}, 'POST /api/users', 'k', 'f', '{"username":"${EMAIL}"}', '2999-01-01');
    INSERT INTO history (at, actor, what, requestId, detail)
      VALUES ('2026-01-01T00:00:00.000Z', 'user:${EMAIL}', 'request.created', ${id}, '{}');
    INSERT INTO cases (kind, subject, openedAt, decidedAt, decision, decidedBy)
      VALUES ('unknown_document', 'sr_1', '2026-01-01', '2026-01-02', 'settled', 'user:${EMAIL}')`);
  return person;
}

const erase = (cli: Cli, ...words: string[]) =>
  cli.run('users erase', EMAIL, '--reason', 'asked for by letter', '--yes', ...words);

/** Wherever the mark stands in the files of the data directory, log and freed pages included. */
function tracesIn(directory: string): string[] {
  return readdirSync(directory, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((file) => new RegExp(`${MARK}|${PHONE.slice(1)}`, 'i').test(readFileSync(file, 'latin1')));
}

test('erased when the years are over: not a trace is left in the files, and everything still answers', async () => {
  const { cli, userId, id } = await aStory({ ESIGN_RETENTION_YEARS: '0', ESIGN_CONTRACT_TERM_DAYS: '1' });
  const contractId = cli.contract(Number(id)).id;
  // A key holds a digest of the address.
  cli.ctx.db.raw.exec(`UPDATE contracts SET status = 'EXPIRED', expiredAt = '2026-01-01T00:00:00.000Z',
    paymentKey = 'key-${MARK}'`);
  expect(tracesIn(cli.dataDir)).not.toEqual([]);

  const previewed = await cli.run('users erase', EMAIL, '--dry-run', '--json');
  expect(previewed.code).toBe(0);
  expect(existsSync(signedPdfPath(cli.ctx, contractId))).toBe(true);
  const done = await erase(cli, '--json');
  expect(done).toMatchObject({ code: 0 });
  const { erased } = json(done) as { erased: Record<string, number> };
  expect((json(previewed) as { erased: object }).erased).toEqual(erased);
  expect(erased).toMatchObject({ requests: 1, equipments: 1, contracts: 2, webhooks: 1 });
  for (const what of ['pdfs', 'mails', 'jobs', 'inboxBodies', 'history'])
    expect(erased[what]).toBeGreaterThan(0);

  expect(tracesIn(cli.dataDir)).toEqual([]);
  expect(existsSync(signedPdfPath(cli.ctx, contractId))).toBe(false);
  expect(cli.ctx.db.raw.pragma('integrity_check', { simple: true })).toBe('ok');
  expect(cli.ctx.db.raw.pragma('foreign_key_check')).toEqual([]);

  // What stays is anonymous, and is shown like anything else.
  expect(jsonList(await cli.run('requests list --json'))).toMatchObject([
    { status: 'COMPLETE', title: '(erased)', customer: `erased-${userId}@erased.invalid` },
  ]);
  expect((await cli.run('explain', id, '--offline')).code).toBe(0);
  const told = jsonList(await cli.run('history --about', `user:${userId}`, '--json'));
  expect(told[0]).toMatchObject({ what: 'user.erased', note: 'asked for by letter' });
  expect(told.map((each) => each['actor'])).toContain(`user:#${userId}`);
  expect(told.map((each) => each['what'])).toContain('request.moved');
  expect((await cli.run('find', MARK)).code).toBe(4);
  const settled = findCase(cli.ctx.db, { kind: 'unknown_document', subject: 'sr_1' });
  expect(settled).toMatchObject({ decidedBy: `user:#${userId}` });

  const again = await cli.run('users erase', `erased-${userId}@erased.invalid`, '--reason', 'x', '--json');
  expect([again.code, jsonError(again).code]).toEqual([3, 'user_erased']);
  expect((await cli.run('users enable', `erased-${userId}@erased.invalid`)).code).toBe(3);
});

test('a signed contract keeps the data for the years of the setting, and the refusal names the day', async () => {
  const { cli, id } = await aStory();
  const signedAt = cli.contract(Number(id)).signedAt as string;
  const year = Number(signedAt.slice(0, 4)) + 10;

  const refused = await erase(cli, '--json');

  expect(refused.code).toBe(3);
  const fault = jsonError(refused);
  expect(fault.code).toBe('contracts_under_retention');
  expect(fault['message']).toContain(`until ${year}-`);
  expect(fault['hint']).toContain(`possible on ${year}-`);
  expect((await cli.run('users erase', EMAIL, '--dry-run')).code).toBe(3);
  expect(requireUser(cli.ctx.db, { id: cli.request(Number(id)).ownerId }).username).toBe(EMAIL);
  cli.ctx.db.raw.exec(`UPDATE contracts SET expiredAt = NULL WHERE status = 'SIGNED'`);
  expect(jsonError(await erase(cli, '--json'))['message']).toContain('has no end');
});

test('what is under way keeps them too, and names the next command; so do a missing reason and the last administrator', async () => {
  const { cli, id } = await aPerson();
  const open = jsonError(await erase(cli, '--json'));
  expect(open.code).toBe('requests_open');
  expect(open['hint']).toContain(`esignctl requests cancel ${id}`);
  expect((await cli.run('users erase', EMAIL, '--yes')).code).toBe(2);
  expect((await cli.run('users erase nobody@example.org --reason x --yes')).code).toBe(4);
  await cli.run('users create boss@example.org --role admin --generate');
  cli.ctx.db.raw.exec(
    `UPDATE users SET enabled = 0 WHERE role = 'ROLE_ADMIN' AND username <> 'boss@example.org'`,
  );
  const boss = await cli.run('users erase boss@example.org --reason x --yes --json');
  expect(jsonError(boss).code).toBe('last_administrator');

  await cli.run('requests cancel', id, '--reason', 'not wanted', '--yes');
  expect((await erase(cli)).code).toBe(0);
  expect(tracesIn(cli.dataDir)).toEqual([]);
});

test('files that a crash left are removed by the nightly housekeeping', async () => {
  const { cli, id } = await aPerson();
  await cli.run('requests cancel', id, '--reason', 'not wanted', '--yes');
  await erase(cli);
  const path = signedPdfPath(cli.ctx, cli.contract(Number(id)).id);
  const { writeFileSync } = await import('node:fs');
  writeFileSync(path, '%PDF-');
  cli.clock.advance(DAY);
  expect((await cli.run('prune')).code).toBe(0);
  expect(existsSync(path)).toBe(false);
});

test('an export holds everything about one person and nothing of others, and verifies; no secret is in it', async () => {
  const { cli, userId } = await aStory();
  const other = await cli.waitingRequest();
  cli.ctx.db.raw.prepare('UPDATE users SET address = ? WHERE id = ?').run('1 rue Haute', userId);
  const file = join(temporaryDirectory(), 'inga.zip');

  const ran = await cli.run('users export', EMAIL, '--out', file, '--reason', 'she asked', '--json');

  expect(ran.code).toBe(0);
  const zip = await fromBufferPromise(readFileSync(file), { lazyEntries: true });
  const files = new Map<string, string>();
  for await (const entry of zip.eachEntry()) {
    files.set(entry.fileName, (await buffer(await zip.openReadStreamPromise(entry))).toString('latin1'));
  }
  const of = (name: string) => JSON.parse(files.get(name) ?? 'null') as unknown;
  expect(of('user.json')).toMatchObject({ id: userId, email: EMAIL, lastName: MARK, address: '1 rue Haute' });
  expect(of('equipments.json')).toMatchObject([{ serialNumber: `${MARK}-1` }]);
  expect(of('webhooks.json')).toHaveLength(1);
  expect([...files.keys()].some((name) => name.endsWith('/signed.pdf'))).toBe(true);
  const all = [...files.values()].join('\n');
  expect(all).not.toContain(other.request.reference);
  expect(all).not.toMatch(/argon2|passwordHash|tokenHash|"secret"/);
  expect((await run(['verify', file], { env: {} })).code).toBe(0);
  expect(jsonList(await cli.run('history --what user.exported --json'))).toMatchObject([
    { note: 'she asked', about: EMAIL },
  ]);
  expect((await cli.run('users export', EMAIL, '--out', file)).code).toBe(3);
  expect((await cli.run('users export', EMAIL, '--out', `${file}.2`, '--dry-run')).stdout).toContain(
    'would export',
  );
});
