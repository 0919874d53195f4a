/** Correcting a customer (rules 2): mails that were refused go out again, signers are corrected at the provider. */
import { describe, expect, test } from 'vitest';
import { change } from '../../../src/core/change.js';
import { decideCase, openCase } from '../../../src/core/cases/cases.js';
import { explainRequest } from '../../../src/core/explain/explain.js';
import { eraseUser } from '../../../src/core/personal-data/erase-user.js';
import { listNeeds } from '../../../src/core/needs/needs.js';
import { checkSignature } from '../../../src/core/signature/check-signature.js';
import {
  applyChange,
  changeUser,
  setUserRole,
  correctUser,
  type Correction,
} from '../../../src/core/users/change-user.js';
import { correctSigner, orderCorrections, outcomesOf } from '../../../src/core/users/correct-signers.js';
import { enterEquipment } from '../../../src/core/equipments/equipments.js';
import { enterRequest } from '../../../src/core/requests/enter-request.js';
import { inviteUser } from '../../../src/core/users/create-user.js';
import { ProviderError } from '../../../src/core/http/provider-error.js';
import { JOBS_TOPIC } from '../../../src/core/jobs/queue.js';
import { actorOf } from '../../../src/core/users/rights.js';
import { triedAddresses, type SignerJob } from '../../../src/core/users/signer-job.js';
import { setUserEnabled } from '../../../src/core/users/users.js';
import { requireUser } from '../../../src/db/users/users.js';
import { rejection, startApp, TESTER, type TestApp } from '../../support/app.js';
import { story } from '../../support/story.js';
import { deliver } from '../../support/webhooks.js';

const correct = (app: TestApp, id: number, wanted: Correction, changes = {}) =>
  correctUser(app.ctx, id, wanted, { actor: TESTER, reason: 'typing error', ...changes });
const RIGHT = 'right@example.org';
/** As the provider shows them. */
async function signers(app: TestApp): Promise<unknown[]> {
  const [there] = app.sandbox.state().signatureRequests;
  const answer = await fetch(`${app.sandbox.apiUrl}/signature_requests/${there?.id}/signers`, {
    headers: { authorization: 'Bearer sandbox-api-key' },
  });
  return ((await answer.json()) as { info: unknown }[]).map(({ info }) => info);
}
const found = async (app: TestApp, id: number) =>
  (await explainRequest(app.ctx, app.request(id), { offline: true })).findings.map(({ key, cause }) =>
    [key, cause].filter(Boolean).join(' '),
  );
const mailsTo = (app: TestApp, address: string) =>
  app.sandbox.mails().filter(({ to }) => to.includes(address));

/** The provider has the correction, and we do not hear so. */
function loseAnswerOnce({ ctx: { provider } }: TestApp): void {
  const update = provider.updateSigner.bind(provider);
  provider.updateSigner = async (...all) => {
    provider.updateSigner = update;
    await update(...all);
    throw new ProviderError('unavailable', 'the answer was lost');
  };
}

async function waiting(env = {}) {
  const app = await startApp({ env });
  return { app, ...(await app.waitingRequest()) };
}

/** Signed, and the mail server refuses the customer's address. */
async function refusedMail() {
  const world = await story().sent().fault('smtp:550').signed().end();
  await world.app.drain();
  world.app.sandbox.faults.clear();
  return world;
}

describe('with a signature under way', () => {
  test('the signer is corrected at the provider, gets the link again, and signs', async () => {
    const { app, owner, request, signId } = await waiting();
    const { user, signers: done } = await correct(app, owner.id, { username: ` ${RIGHT.toUpperCase()}` });
    expect(user.username).toBe(RIGHT);
    expect(done).toMatchObject([{ requestId: request.id, corrected: true, error: null }]);
    expect(await signers(app)).toMatchObject([{ email: RIGHT, first_name: 'Ada' }]);
    expect(mailsTo(app, RIGHT)).toHaveLength(1);
    expect(app.contract(request.id)).toMatchObject({ signerEmail: RIGHT, status: 'PENDING' });
    expect(mailsTo(app, RIGHT)[0]?.text).toContain(app.contract(request.id).signUrl);
    app.sandbox.sign(signId);
    expect(await deliver(app, signId)).toBe(200);
    await app.drain();
    expect(mailsTo(app, RIGHT).length).toBeGreaterThan(1);
    expect(app.history(request.id)).toContain('contract.signer_corrected');
  });

  test('changed through the API, the job is in the same transaction: no crash comes between', async () => {
    const { app, owner } = await waiting();
    const admin = await app.addUser({ role: 'ROLE_ADMIN' });
    const { writer } = app.ctx;
    const write = writer.write.bind(writer);
    let writes = 0;
    writer.write = (work) => {
      writes += 1;
      if (writes > 1) throw new Error('killed');
      return write(work);
    };
    await changeUser(app.ctx, admin, owner.id, { lastName: 'Byron' }).catch(() => undefined);
    writer.write = write;
    await app.drain();
    expect(await signers(app)).toMatchObject([{ last_name: 'Byron' }]);
  });

  test('corrected again before the answer to the first correction arrived, the last address counts there, too', async () => {
    const { app, owner, request } = await waiting();
    loseAnswerOnce(app);
    await correct(app, owner.id, { username: 'wrong@example.org' });
    const { signers: done } = await correct(app, owner.id, { username: RIGHT });
    expect(done).toMatchObject([{ corrected: true, error: null }]);
    expect(await signers(app)).toMatchObject([{ email: RIGHT }]);
    expect(app.contract(request.id).signerEmail).toBe(RIGHT);
    expect(triedAddresses(app.ctx.db, app.contract(request.id).id)).toEqual([]);
  });

  test('corrected here while the provider is being told, it is told again', async () => {
    const { app, owner } = await waiting();
    const { provider } = app.ctx;
    const update = provider.updateSigner.bind(provider);
    provider.updateSigner = async (...all) => {
      provider.updateSigner = update;
      const link = await update(...all);
      await change(app.ctx, { actor: TESTER }, (tx) =>
        applyChange(tx, requireUser(tx.db, owner), { lastName: 'Byron' }),
      );
      return link;
    };
    await correct(app, owner.id, { username: RIGHT });
    app.clock.advance(60_000);
    await app.drain();
    expect(await signers(app)).toMatchObject([{ email: RIGHT, last_name: 'Byron' }]);
  });

  test('what the contract became meanwhile stays: another record there, and its link where the provider gives none', async () => {
    const { app, owner, request, contract } = await waiting();
    const { provider } = app.ctx;
    const update = provider.updateSigner.bind(provider);
    provider.updateSigner = async (...all) => void (await update(...all));
    expect((await correct(app, owner.id, { lastName: 'Byron' })).signers).toMatchObject([
      { corrected: true },
    ]);
    expect(app.contract(request.id).signUrl).toBe(contract.signUrl);
    provider.updateSigner = async (...all) => {
      app.ctx.db.raw.exec("UPDATE contracts SET signId = 'newer'");
      return update(...all);
    };
    await correct(app, owner.id, { username: RIGHT });
    expect(app.contract(request.id)).toMatchObject({ signId: 'newer', signerEmail: owner.username });
  });

  test.each([
    ['was ended', "status = 'EXPIRED'"],
    ['is a new one that has not been sent', "sending = 'unsent'"],
  ])('a contract that %s has no signer to correct', async (_, state) => {
    const { app, owner, contract } = await waiting();
    expect(triedAddresses(app.ctx.db, contract.id)).toEqual([]);
    await change(app.ctx, { actor: TESTER }, (tx) => orderCorrections(tx, owner.id));
    app.ctx.db.raw.exec(`UPDATE contracts SET ${state}`);
    for (const dryRun of [true, false]) {
      expect((await correct(app, owner.id, { lastName: 'Byron' }, { dryRun })).signers).toEqual([]);
    }
    await app.drain();
    expect(app.jobs('correct-signer')).toMatchObject([{ state: 'completed' }]);
    expect(await signers(app)).toMatchObject([{ last_name: 'Lovelace' }]);
    expect(await correctSigner(app.ctx, { payload: { contractId: 999 } } as SignerJob)).toEqual({});
  });

  test('the signer of somebody else’s record is left alone', async () => {
    const { app, owner } = await waiting();
    app.ctx.db.raw.exec("UPDATE contracts SET externalId = 'esign-0123456789abcdef-0123456789abcdef'");
    const { signers: done } = await correct(app, owner.id, { lastName: 'Byron' });
    expect(done).toMatchObject([{ error: expect.stringContaining('somebody else') as string }]);
    expect(await signers(app)).toMatchObject([{ last_name: 'Lovelace' }]);
  });

  test('signed before the provider could be told, nothing is said of the signer', async () => {
    const { app, waiting } = await story().sent().signs().end();
    const jobs = await change(app.ctx, { actor: TESTER }, (tx) => {
      applyChange(tx, waiting.owner, { lastName: 'Byron' });
      return orderCorrections(tx, waiting.owner.id);
    });
    expect(await deliver(app, waiting.signId)).toBe(200);
    expect(await outcomesOf(app.ctx, jobs)).toEqual([]);
  });

  test('signed between two corrections, it is the customer’s signature although the answer to the first was lost', async () => {
    const { app, owner, request, signId } = await waiting();
    loseAnswerOnce(app);
    await correct(app, owner.id, { username: 'middle@example.org' });
    app.sandbox.sign(signId);
    await correct(app, owner.id, { username: RIGHT });
    expect(await deliver(app, signId)).toBe(200);
    expect(app.request(request.id).status).toBe('WAITING_PAYMENT');
    expect(app.contract(request.id).signerEmail).toBe('middle@example.org');
  });

  test('a correction that a restore has undone is repeated, as the finding advises, and the signature counts', async () => {
    const { app, owner, request, contract, signId } = await waiting();
    await correct(app, owner.id, { username: RIGHT });
    const { raw } = app.ctx.db;
    raw.prepare('UPDATE users SET username = ? WHERE id = ?').run(owner.username, owner.id);
    raw.prepare('UPDATE contracts SET signerEmail = ? WHERE id = ?').run(owner.username, contract.id);
    raw.exec("DELETE FROM jobs WHERE kind = 'correct-signer'");
    app.sandbox.sign(signId);
    expect(await deliver(app, signId)).toBe(422);
    const { findings } = await explainRequest(app.ctx, app.request(request.id), { offline: true });
    expect(findings[0]).toMatchObject({
      key: 'foreign_signature',
      message: expect.arrayContaining([{ name: 'users set-email', about: [owner.username, '…'] }]) as unknown,
    });
    await correct(app, owner.id, { username: RIGHT });
    expect(await checkSignature(app.ctx, request.id, { actor: TESTER })).toMatchObject({ type: 'success' });
    expect(app.request(request.id).status).toBe('WAITING_PAYMENT');
    await app.drain();
    expect(app.jobs().filter(({ state }) => state === 'failed')).toEqual([]);
  });

  test('the customer’s own changes reach the provider too: those of a minute together, with one mail', async () => {
    const { app, owner, request } = await waiting({ ESIGN_COUNTRY: 'FR' });
    const mails = mailsTo(app, owner.username).length;
    for (const lastName of ['King', 'Byron']) {
      await changeUser(app.ctx, requireUser(app.ctx.db, owner), owner.id, {
        lastName,
        locale: 'fr',
        phone: '06 12 34 56 78',
        address: '1 rue Haute',
      });
    }
    await app.drain();
    expect(await signers(app)).toMatchObject([{ last_name: 'Lovelace', locale: 'en' }]);
    app.clock.advance(60_000);
    await app.drain();
    expect(await signers(app)).toMatchObject([
      { last_name: 'Byron', locale: 'fr', phone_number: '+33612345678' },
    ]);
    expect(mailsTo(app, owner.username)).toHaveLength(mails + 1);
    expect(await found(app, request.id)).not.toContain('signer_differs');
  });

  test('another postal address is not the provider’s business', async () => {
    const { app, owner } = await waiting();
    const { user } = await correct(app, owner.id, { address: ' 1 rue Haute\r75001 Paris ' });
    expect(user.address).toBe('1 rue Haute\n75001 Paris');
    await changeUser(app.ctx, user, user.id, { address: null });
    expect(requireUser(app.ctx.db, user).address).toBeNull();
    // Asked for by hand, the signer is looked at; what is right there stays.
    expect(app.jobs('correct-signer')).toMatchObject([{ state: 'completed', attempt: 1 }]);
  });

  test('a name that the contract is waiting for cannot be cleared', async () => {
    const { app, owner } = await waiting();
    const refused = await rejection(changeUser(app.ctx, owner, owner.id, { lastName: null }));
    expect(refused).toMatchObject({ fields: { lastName: 'This value should not be blank.' } });
  });

  test('with the provider down the address is right here, and until the provider has it, the office is told so, with the command that tries again', async () => {
    const { app, owner, request } = await waiting();
    app.sandbox.faults.add('signature:503');
    expect((await correct(app, owner.id, { username: RIGHT })).signers).toMatchObject([
      { corrected: false, error: expect.stringContaining('signature provider') as string },
    ]);
    expect(requireUser(app.ctx.db, { id: owner.id }).username).toBe(RIGHT);
    const needs = async () => (await listNeeds(app.ctx, 10)).needs;
    expect(await needs()).toMatchObject([
      {
        kind: 'signer',
        request: { id: request.id },
        next: { name: 'users set-email', about: [RIGHT, RIGHT] },
      },
    ]);
    app.sandbox.faults.clear();
    expect((await correct(app, owner.id, { username: RIGHT })).signers).toMatchObject([{ corrected: true }]);
    await app.drain();
    expect(app.contract(request.id).signerEmail).toBe(RIGHT);
    expect([await needs(), mailsTo(app, RIGHT).length]).toEqual([[], 1]);
  });

  test('corrected again while the provider is asked, the last correction wins', async () => {
    const { app, owner, request } = await waiting();
    await Promise.all(['first@example.org', RIGHT].map((username) => correct(app, owner.id, { username })));
    app.clock.advance(1_000);
    await app.drain();
    expect(await signers(app)).toMatchObject([{ email: RIGHT }]);
    expect(app.contract(request.id).signerEmail).toBe(RIGHT);
  });

  test('one who has signed stays as signed, and is found by either address', async () => {
    const { app, waiting } = await story().sent().signs().end();
    const { signers: done } = await correct(app, waiting.owner.id, { username: RIGHT });
    expect(done).toMatchObject([
      { corrected: false, error: expect.stringContaining('it is done there') as string },
    ]);
    expect(await signers(app)).toMatchObject([{ email: waiting.owner.username }]);
    expect(await deliver(app, waiting.signId)).toBe(200);
  });
});

describe('refused mails', () => {
  test('are a finding with the command as its fix, and go out again to the right address', async () => {
    const { app, waiting } = await refusedMail();
    const { id } = waiting.request;
    const { findings } = await explainRequest(app.ctx, app.request(id), { offline: true });
    expect(findings.find(({ cause }) => cause === 'customer')).toMatchObject({
      level: 'trouble',
      next: { name: 'users set-email', about: [waiting.owner.username, '…'] },
    });
    let wakings = 0;
    app.ctx.writer.onCommit(JOBS_TOPIC, () => (wakings += 1));
    expect((await correct(app, waiting.owner.id, { lastName: 'Byron' })).mailsAgain).toBe(0);
    const { mailsAgain } = await correct(app, waiting.owner.id, { username: RIGHT });
    expect(wakings).toBe(1);
    await app.drain();
    // The link to pay waits for the mail that announces it.
    expect(mailsAgain).toBe(1);
    expect(mailsTo(app, RIGHT)).toHaveLength(2);
    expect(await found(app, id)).not.toContain('mail_refused customer');
  });

  test('go out again too when they were given up, or the API brings the address; another change sends none', async () => {
    const { app, waiting } = await refusedMail();
    app.ctx.db.raw.exec("UPDATE jobs SET state = 'failed', finishedAt = runAt WHERE kind = 'send-mail'");
    const admin = await app.addUser({ role: 'ROLE_ADMIN' });
    await changeUser(app.ctx, admin, waiting.owner.id, { lastName: 'Byron' });
    await app.drain();
    expect(mailsTo(app, waiting.owner.username).filter(({ source }) => source === 'smtp')).toEqual([]);
    await changeUser(app.ctx, admin, waiting.owner.id, { username: RIGHT });
    await app.drain();
    expect(mailsTo(app, RIGHT)).toHaveLength(2);
    expect(app.jobs('send-mail').map(({ replays }) => replays)).toContain(1);
  });

  test('are not those that were only interrupted', async () => {
    const { app, waiting } = await story().completed().end();
    app.ctx.db.raw.exec("UPDATE jobs SET attempt = 1 WHERE kind = 'send-mail'");
    expect((await correct(app, waiting.owner.id, { username: RIGHT })).mailsAgain).toBe(0);
  });

  test('of the provider are one too, until the address is corrected', async () => {
    const { app, owner, request, signId } = await waiting();
    expect(await deliver(app, signId, { name: 'signer.notification_delivery_failed' })).toBe(200);
    expect(await found(app, request.id)).toContain('signer_refused');
    await correct(app, owner.id, { username: RIGHT });
    expect(await found(app, request.id)).not.toContain('signer_refused');
  });
});

describe('what is refused', () => {
  test('an address of somebody else, and what the provider would not take, before anything is changed', async () => {
    const { app, owner } = await waiting();
    const other = await app.addUser();
    const faultOf = async (wanted: Correction) =>
      ((await rejection(correct(app, owner.id, wanted))) as { fields?: Record<string, string> }).fields;
    expect(await faultOf({ username: other.username.toUpperCase() })).toEqual({
      username: 'This value is already used.',
    });
    expect(await faultOf({ username: 'zoé@example.org' })).toMatchObject({
      username: expect.stringContaining('signature provider') as string,
    });
    expect(await faultOf({ username: 'nonsense' })).toHaveProperty('username');
    expect(await faultOf({ lastName: 'M. & Mme' })).toHaveProperty('lastName');
    expect(requireUser(app.ctx.db, { id: owner.id })).toMatchObject({
      username: owner.username,
      lastName: 'Lovelace',
    });
  });

  test('of two people who get one address at once, that of the second', async () => {
    const app = await startApp();
    const ids = [(await app.addUser()).id, (await app.addUser()).id];
    const [first, second] = await Promise.allSettled(ids.map((id) => correct(app, id, { username: RIGHT })));
    expect(first).toMatchObject({ value: { user: { username: RIGHT } } });
    expect(second).toMatchObject({ reason: { fields: { username: 'This value is already used.' } } });
  });

  test('every wrong field, also of a customer who has no contract, and on a dry run', async () => {
    const app = await startApp();
    const { id } = await app.addUser();
    const wanted = {
      username: 'nonsense',
      firstName: 'M. & Mme',
      lastName: 'M. & Mme',
      phone: '0612',
      locale: 'de',
      address: 'x'.repeat(501),
    } as unknown as Correction;
    for (const dryRun of [true, false]) {
      const { fields } = (await rejection(correct(app, id, wanted, { dryRun }))) as { fields?: object };
      expect(Object.keys(fields ?? {})).toEqual(Object.keys(wanted));
    }
  });

  test('nothing that is stored already, however old, nor an address of staff that cannot sign', async () => {
    const app = await startApp();
    const names = { firstName: 'M. & Mme', lastName: 'A & B' };
    const customer = await app.addUser(names);
    const office = await app.addUser({ role: 'ROLE_ADMIN' });
    const spaced = { firstName: ' M. & Mme', lastName: 'A & B ' };
    expect((await correct(app, customer.id, spaced)).user).toMatchObject(names);
    expect((await correct(app, office.id, { username: 'zoé@example.org' })).user.username).toBe(
      'zoé@example.org',
    );
  });

  test('a dry run says what would be done, and does nothing', async () => {
    const { app, owner, request } = await waiting();
    const { signers: wouldBe } = await correct(app, owner.id, { username: RIGHT }, { dryRun: true });
    expect(wouldBe).toMatchObject([{ requestId: request.id, corrected: false, error: null }]);
    expect(await signers(app)).toMatchObject([{ email: owner.username }]);
    expect(requireUser(app.ctx.db, { id: owner.id }).username).toBe(owner.username);
  });
});

describe('and erasure', () => {
  const by = { actor: TESTER, reason: 'asked for' };
  async function aCustomer() {
    const app = await startApp();
    const customer = await app.addUser({ username: 'wrong@example.org' });
    await change(app.ctx, { actor: actorOf(customer) }, (tx) => {
      tx.record('user.password_set', null, { userId: customer.id });
      openCase(tx, { kind: 'payment', subject: 'cs_1' }, { requestId: null, contractId: null });
      decideCase(tx, ['payment'], ['cs_1'], 'settled');
    });
    const actors = () =>
      app.ctx.db.raw
        .prepare(
          `SELECT actor FROM history WHERE what = 'user.password_set' UNION SELECT decidedBy FROM cases`,
        )
        .pluck()
        .all();
    return { app, id: customer.id, actors };
  }

  test('history and decisions take the new address, so that nothing of the old one is left after it', async () => {
    const { app, id, actors } = await aCustomer();
    await correct(app, id, { username: RIGHT });
    expect(actors()).toEqual([`user:${RIGHT}`]);
    await eraseUser(app.ctx, id, by);
    expect(actors()).toEqual([`user:#${id}`]);
  });

  test('erased at the same time, no address is left, whichever comes first', async () => {
    const { app, id, actors } = await aCustomer();
    await Promise.allSettled([eraseUser(app.ctx, id, by), correct(app, id, { username: RIGHT })]);
    expect(actors()).toEqual([`user:#${id}`]);
    expect(requireUser(app.ctx.db, { id }).username).toBe(`erased-${id}@erased.invalid`);
  });

  test('two at once erase once', async () => {
    const { app, id } = await aCustomer();
    const ends = await Promise.allSettled([1, 2].map(() => eraseUser(app.ctx, id, by)));
    expect(ends.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  });

  test('nobody writes data of an erased person back, not even an administrator', async () => {
    const { app, id } = await aCustomer();
    const office = await app.addUser({ role: 'ROLE_ADMIN' });
    const boiler = { ownerId: id, name: 'Boiler', model: 'B-200', serialNumber: 'SN-1' };
    const { id: equipmentId } = await enterEquipment(app.ctx, boiler, { actor: TESTER });
    await eraseUser(app.ctx, id, by);
    const refused = await rejection(changeUser(app.ctx, office, id, { lastName: 'Byron' }));
    expect(refused).toMatchObject({ code: 'user_erased' });
    for (const act of [
      () => correct(app, id, { lastName: 'Byron' }, { dryRun: true }),
      () => setUserEnabled(app.ctx, id, true, TESTER),
      () => setUserRole(app.ctx, id, 'ROLE_ADMIN', { actor: TESTER }),
      () => inviteUser(app.ctx, id, { actor: TESTER }),
      () => enterRequest(app.ctx, { equipmentId, title: 'Repair', description: 'Pump' }, { actor: TESTER }),
    ]) {
      expect(await rejection(act())).toMatchObject({ code: 'user_erased' });
    }
    expect(requireUser(app.ctx.db, { id }).lastName).toBe('');
  });
});
