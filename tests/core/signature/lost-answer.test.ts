/**
 * A start or a reset whose end was lost, with the provider's answer or with the process (rules 2): from then on it
 * counts as possibly under way, and the first to learn the truth brings the request to where the provider is.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { command } from '../../../src/core/commands.js';
import { listOpenUnknown } from '../../../src/core/signature/unknown-signatures.js';
import { expireContracts } from '../../../src/core/contracts/expire-contracts.js';
import { listNeeds } from '../../../src/core/needs/needs.js';
import { explain } from '../../../src/core/explain/explain.js';
import { cancelRequest } from '../../../src/core/requests/cancel-request.js';
import { checkAllSignatures } from '../../../src/core/signature/check-all-signatures.js';
import { checkSignature } from '../../../src/core/signature/check-signature.js';
import { change } from '../../../src/core/change.js';
import { findAtProvider } from '../../../src/core/signature/observe.js';
import type { SignatureState } from '../../../src/core/signature/provider-answers.js';
import { resetSignature } from '../../../src/core/signature/reset-signature.js';
import { sentAs, storeSent } from '../../../src/core/signature/sent.js';
import { prepare, reconcile } from '../../../src/core/signature/reconcile.js';
import { startSignature } from '../../support/start-signature.js';
import { readStatus } from '../../../src/core/status/status.js';
import type { ContractRow, RequestRow } from '../../../src/db/schema.js';
import { anyContractPdf, rejection, startApp, TESTER, type TestApp } from '../../support/app.js';
import { DAY } from '../../support/clock.js';
import { deliver } from '../../support/webhooks.js';

interface Cut {
  app: TestApp;
  request: RequestRow;
  /** The one that is perhaps under way. */
  contract: ContractRow;
  signId: string;
}

const by = { actor: TESTER };

/** A request whose start was cut at this step; `answer_lost`: the provider did what it was asked for. */
async function cutStart(fault = 'signature.activate:answer_lost:1'): Promise<Cut> {
  const app = await startApp();
  const { id } = await app.addRequest();
  return cut(app, id, fault, async () => startSignature(app.ctx, id, { ...by, pdf: await anyContractPdf() }));
}

async function cutReset(fault = 'signature.activate:answer_lost:1'): Promise<Cut> {
  const app = await startApp();
  const { request } = await app.waitingRequest();
  return cut(app, request.id, fault, () => resetSignature(app.ctx, request.id, by));
}

async function cut(app: TestApp, id: number, fault: string, act: () => Promise<unknown>): Promise<Cut> {
  app.sandbox.faults.add(fault);
  expect(await rejection(act())).toMatchObject({ code: 'provider_unavailable' });
  app.sandbox.faults.clear();
  const contract = app.contract(id);
  const newest = there(app).at(-1) as { id: string };
  return { app, request: app.request(id), contract, signId: newest.id };
}

const there = (app: TestApp) => app.sandbox.state().signatureRequests;
/** How often each call was made so far. */
const calls = (app: TestApp) => ({ ...app.sandbox.state().counters.calls });
/** The provider's answer to `activate` comes when the test takes the fault away. */
const LATE = { target: 'signature', operation: 'activate', kind: 'answer_late', delayMs: 600_000, times: 1 };
const statuses = ({ app, request: { id } }: Cut) => [app.request(id).status, app.contract(id).status];
const history = ({ app, request: { id } }: Cut) =>
  app.ctx.db.raw
    .prepare<[number], { what: string; detail: string }>(
      "SELECT what, detail FROM history WHERE requestId = ? AND (what LIKE 'contract.%' OR what = 'request.moved') ORDER BY id",
    )
    .all(id)
    .map(({ what, detail }) => {
      const { to, reason } = JSON.parse(detail) as { to?: string; reason?: string };
      return [what, to ?? (what === 'contract.ended' ? reason : undefined)].filter(Boolean).join(' ');
    });
const events = ({ app }: Cut) =>
  app.jobs('send-mail').map(({ payload }) => JSON.parse(payload).mail as string);

const checkAll = (app: TestApp, options = {}) => checkAllSignatures(app.ctx, { ...by, ...options });

function expectSent(story: Cut) {
  const { app, request, signId } = story;
  expect(app.request(request.id).status).toBe('WAITING_SIGNATURE');
  expect(app.contract(request.id)).toMatchObject({
    status: 'PENDING',
    signId,
    sending: 'sent',
    signerId: expect.any(String),
    signUrl: expect.stringContaining('/sign/'),
    signUrlExpiresAt: expect.any(String),
  });
}

const SENT = ['contract.created', 'contract.sent', 'request.moved WAITING_SIGNATURE'];
const SIGNED = [...SENT, 'contract.signed', 'request.moved WAITING_PAYMENT'];

async function expectSigned(story: Cut) {
  const { app, request, contract } = story;
  expect(statuses(story)).toEqual(['WAITING_PAYMENT', 'SIGNED']);
  expect(existsSync(join(app.dataDir, 'contracts', `${contract.id}.pdf`))).toBe(true);
  await app.drain();
  expect(events(story)).toEqual(['contract-signed', 'admin-signed', 'payment-link']);
  expect(app.request(request.id).paymentUrl).toEqual(expect.any(String));
  expect(there(app).filter(({ status }) => status !== 'canceled')).toHaveLength(1);
}

test.each(['ongoing', 'done'] as const)(
  'a dry run of a check changes nothing although the provider says that the contract is %s',
  async (status) => {
    const story = await cutStart();
    if (status === 'done') story.app.sandbox.sign(story.signId);
    const { request } = story;
    const before = [statuses(story), story.app.contract(request.id), history(story)];
    await checkSignature(story.app.ctx, request.id, { ...by, dryRun: true });
    expect([statuses(story), story.app.contract(request.id), history(story)]).toEqual(before);
  },
);

describe('the webhook of a start whose end was lost', () => {
  test('done: the whole story, told step by step, and a repeat is a repeat', async () => {
    const story = await cutStart();
    story.app.sandbox.sign(story.signId);

    expect(await deliver(story.app, story.signId)).toBe(200);

    expect(history(story)).toEqual(SIGNED);
    await expectSigned(story);
    expect(await deliver(story.app, story.signId)).toBe(422);
    expect(history(story)).toEqual(SIGNED);
  });

  test('done, and the provider does not answer our question: owed, and finished by the job', async () => {
    const story = await cutStart();
    story.app.sandbox.sign(story.signId);
    story.app.sandbox.faults.add('signature.get:500');

    expect(await deliver(story.app, story.signId)).toBe(202);
    expect(statuses(story)).toEqual(['in_progress', 'PENDING']);

    story.app.sandbox.faults.clear();
    story.app.clock.advance(2_000);
    await story.app.drain();
    await expectSigned(story);
  });

  test('done, while the provider says that it is not: refused, and nothing is believed', async () => {
    const story = await cutStart('signature.activate:500:1');
    expect(await deliver(story.app, story.signId)).toBe(422);
    expect(statuses(story)).toEqual(['in_progress', 'PENDING']);
    expect(await deliver(story.app, story.signId)).toBe(422);
  });

  test('done in time, heard of after its last day: the provider’s clock decides', async () => {
    const story = await cutStart();
    story.app.sandbox.sign(story.signId);
    story.app.clock.advance(40 * DAY);
    await expireContracts(story.app.ctx, by);
    // Perhaps sent: our clock does not end it.
    expect(statuses(story)).toEqual(['in_progress', 'PENDING']);

    expect(await deliver(story.app, story.signId)).toBe(200);
    expect(statuses(story)[0]).toBe('WAITING_PAYMENT');
  });

  test.each(['declined', 'expired', 'canceled', 'rejected', 'deleted'])(
    '%s: the contract is closed with that reason, and the request can be started again',
    async (word) => {
      const story = await cutStart();
      story.app.sandbox.setStatus(story.signId, word);

      expect(await deliver(story.app, story.signId, { name: `signature_request.${word}` })).toBe(200);

      expect(statuses(story)).toEqual(['in_progress', 'EXPIRED']);
      expect(history(story)).toEqual(['contract.created', `contract.ended ${word}`]);
      expect((await explain(story.app.ctx, String(story.request.id))).findings[0]).toMatchObject({
        key: 'ended',
        cause: word,
        next: command('start-signature', story.request.id),
      });
      const next = await startSignature(story.app.ctx, story.request.id, by);
      expect(next.id).not.toBe(story.contract.id);
      expect(statuses(story)).toEqual(['WAITING_SIGNATURE', 'PENDING']);
    },
  );

  test('an id that is not the one at the provider is not believed, though it claims our name', async () => {
    const story = await cutStart('signature.create:answer_lost:1');
    const { app, contract } = story;
    const signature = { external_id: contract.externalId };
    expect(await deliver(app, 'theirs', { signature })).toBe(404);
    expect(app.contract(story.request.id).signId).toBeNull();
  });

  test('a second id for a contract that has its own is kept for a person, and nobody is asked about it', async () => {
    const story = await cutStart('signature.create:answer_lost:1');
    const { app } = story;
    const waiting = await app.waitingRequest();
    const before = calls(app);
    const signature = { external_id: waiting.contract.externalId };
    expect(await deliver(app, 'theirs', { signature })).toBe(200);
    expect(app.contract(waiting.request.id).signId).toBe(waiting.signId);
    expect(calls(app)).toEqual(before);
  });

  test('“activated” of which the provider knows nothing changes nothing', async () => {
    const story = await cutStart();
    const { app, signId, request } = story;
    app.sandbox.delete(signId, { permanent: true });
    const before = app.history(request.id);
    expect(await deliver(app, signId, { name: 'signature_request.activated' })).toBe(200);
    expect(app.history(request.id)).toEqual(before);
    const heard = { signedAt: null };
    const { decision } = await reconcile(app.ctx, story.contract.id, { ...by, heard });
    expect(decision.answer).toBe('not_sent');
  });

  test('“activated” while the start is still at work asks nobody', async () => {
    const app = await startApp();
    const { id } = await app.addRequest();
    app.sandbox.faults.add({
      target: 'signature',
      kind: 'delay',
      operation: 'activate',
      delayMs: 150,
      times: 1,
    });
    const starting = startSignature(app.ctx, id, { ...by, pdf: await anyContractPdf() });
    while (calls(app)['signature.activate'] === undefined) await new Promise((next) => setImmediate(next));
    const before = calls(app);
    const { signId } = app.contract(id);
    expect(await deliver(app, signId as string, { name: 'signature_request.activated' })).toBe(200);
    expect(calls(app)).toEqual(before);
    await starting;
  });

  test('the mail about an ending says that the signature is to be started, not reset', async () => {
    const story = await cutStart();
    story.app.sandbox.decline(story.signId, { reason: 'too dear' });
    await deliver(story.app, story.signId, { name: 'signature_request.declined' });
    await story.app.drain();
    const [mail] = story.app.sandbox.mails().filter(({ to }) => to.includes('office@acme.test'));
    expect(mail?.text).toContain(`esignctl start-signature ${story.request.id}`);
    expect(mail?.text).not.toContain('reset');
  });
});

describe('any other webhook of a start whose end was lost', () => {
  test.each(['signature_request.activated', 'signer.link_opened'])(
    '%s: shows that it is out, so the request waits',
    async (name) => {
      const story = await cutStart();
      expect(await deliver(story.app, story.signId, { name })).toBe(200);
      expectSent(story);
      expect(history(story)).toEqual(SENT);
    },
  );

  test('is 200 when the provider cannot be asked, and changes nothing', async () => {
    const story = await cutStart();
    story.app.sandbox.faults.add('signature:500');
    expect(await deliver(story.app, story.signId, { name: 'signer.link_opened' })).toBe(200);
    expect(statuses(story)).toEqual(['in_progress', 'PENDING']);
  });
});

describe('a webhook of a contract whose signId never got here', () => {
  /** As a backup from before the sending leaves it. */
  async function unnamed(): Promise<Cut> {
    const story = await cutStart();
    story.app.ctx.db.raw
      .prepare("UPDATE contracts SET signId = NULL, signerEmail = NULL, sending = 'unsent' WHERE id = ?")
      .run(story.contract.id);
    return story;
  }

  test.each([
    ['in the body', ({ contract }: Cut) => ({ external_id: contract.externalId })],
    ['in the provider’s record alone', () => ({})],
  ])('done: the contract is found by its name %s', async (_, members) => {
    const story = await unnamed();
    story.app.sandbox.sign(story.signId);
    expect(await deliver(story.app, story.signId, { signature: members(story) })).toBe(200);
    expect(history(story)).toEqual(SIGNED);
    expect(story.app.contract(story.request.id).signId).toBe(story.signId);
    await expectSigned(story);
  });

  test('declined: closed with that reason', async () => {
    const story = await unnamed();
    story.app.sandbox.decline(story.signId);
    expect(await deliver(story.app, story.signId, { name: 'signature_request.declined' })).toBe(200);
    expect(statuses(story)).toEqual(['in_progress', 'EXPIRED']);
  });

  test('done, and the provider cannot be asked: 404, so that it is sent again; then it counts', async () => {
    const story = await unnamed();
    story.app.sandbox.sign(story.signId);
    story.app.sandbox.faults.add('signature:500');
    expect(await deliver(story.app, story.signId)).toBe(404);
    story.app.sandbox.faults.clear();
    expect(await deliver(story.app, story.signId)).toBe(200);
    await expectSigned(story);
  });

  test('what was sent to somebody else is not taken, whatever name it bears', async () => {
    const story = await unnamed();
    story.app.sandbox.sign(story.signId);
    story.app.ctx.db.raw.prepare("UPDATE users SET username = 'somebody@else.example'").run();
    const signature = { external_id: story.contract.externalId };
    expect(await deliver(story.app, story.signId, { signature })).toBe(404);
    expect(story.app.contract(story.request.id).signId).toBeNull();
  });

  test('nor is an id that is not the one at the provider, whatever name it claims', async () => {
    const story = await unnamed();
    const signature = { external_id: story.contract.externalId };
    expect(await deliver(story.app, 'theirs', { signature })).toBe(404);
    expect(story.app.contract(story.request.id).signId).toBeNull();
  });

  test('one that gets another id while the provider is asked keeps it: what was signed is a second document', async () => {
    const story = await unnamed();
    const { app, contract } = story;
    const { provider } = app.ctx;
    const find = provider.findByExternalId.bind(provider);
    provider.findByExternalId = async (name) => {
      app.ctx.db.raw.prepare("UPDATE contracts SET signId = 'another' WHERE id = ?").run(contract.id);
      return find(name);
    };
    expect(await deliver(app, story.signId)).toBe(200);
    expect(app.contract(story.request.id).signId).toBe('another');
    expect(listOpenUnknown(app.ctx.db, 9)).toMatchObject([{ signId: story.signId }]);
  });

  test('the checks find it too', async () => {
    const story = await unnamed();
    expect(await checkAll(story.app)).toMatchObject({ checked: 1, changed: 1, failed: 0 });
    expectSent(story);
    const other = await unnamed();
    await checkSignature(other.app.ctx, other.request.id, by);
    expectSent(other);
  });
});

describe('a webhook that comes while the start still runs', () => {
  test('completes the request at once; the start finds it done and answers well', async () => {
    const app = await startApp();
    const { id } = await app.addRequest();
    app.sandbox.faults.add(LATE);
    let kept: ContractRow | undefined;
    const starting = startSignature(app.ctx, id, {
      ...by,
      pdf: await anyContractPdf(),
      keep: (_, contract) => (kept = contract),
    });
    while (there(app)[0]?.status !== 'ongoing') await new Promise((next) => setTimeout(next, 5));
    const signId = there(app)[0]?.id as string;
    app.sandbox.sign(signId);

    expect(await deliver(app, signId)).toBe(200);
    app.sandbox.faults.clear();
    const contract = await starting;

    const story = { app, request: app.request(id), contract, signId };
    expect(contract).toMatchObject({ id: app.contract(id).id, signId, status: 'SIGNED' });
    expect(kept).toEqual(contract);
    expect(history(story)).toEqual(SIGNED);
    await expectSigned(story);
  });

  test('declined: the start does not send a second contract to somebody who has just declined', async () => {
    const app = await startApp();
    const { id } = await app.addRequest();
    app.sandbox.faults.add(LATE);
    const starting = startSignature(app.ctx, id, { ...by, pdf: await anyContractPdf() });
    while (there(app)[0]?.status !== 'ongoing') await new Promise((next) => setTimeout(next, 5));
    const signId = there(app)[0]?.id as string;
    app.sandbox.decline(signId);

    expect(await deliver(app, signId, { name: 'signature_request.declined' })).toBe(200);
    app.sandbox.faults.clear();
    expect(await starting).toMatchObject({ signId, status: 'EXPIRED' });
    expect(app.request(id).status).toBe('WAITING_SIGNATURE');
    expect(there(app)).toHaveLength(1);
  });
});

describe('the bulk check of a start whose end was lost', () => {
  test('ongoing: as if the start had finished', async () => {
    const story = await cutStart();
    expect(await checkAll(story.app)).toMatchObject({
      checked: 1,
      changed: 1,
      failed: 0,
      results: [{ key: 'check_signature_info.ongoing', changed: true }],
    });
    expectSent(story);
    expect(history(story)).toEqual(SENT);
    expect(await checkAll(story.app)).toMatchObject({ checked: 1, changed: 0 });
    expect(history(story)).toEqual(SENT);
  });

  test('done: the whole story', async () => {
    const story = await cutStart();
    story.app.sandbox.sign(story.signId);
    expect(await checkAll(story.app)).toMatchObject({ checked: 1, changed: 1, failed: 0 });
    expect(history(story)).toEqual(SIGNED);
    await expectSigned(story);
  });

  test.each(['declined', 'expired', 'canceled'])('%s: closed, and to be started again', async (word) => {
    const story = await cutStart();
    story.app.sandbox.setStatus(story.signId, word);
    expect(await checkAll(story.app)).toMatchObject({ checked: 1, changed: 1, failed: 0 });
    expect(statuses(story)).toEqual(['in_progress', 'EXPIRED']);
    expect(history(story)).toEqual(['contract.created', `contract.ended ${word}`]);
  });

  test('declined after a restore that lost even the document’s id: the record gets the id back', async () => {
    const story = await cutStart();
    story.app.ctx.db.raw.exec('UPDATE contracts SET signId = NULL, signerEmail = NULL');
    story.app.sandbox.decline(story.signId);

    expect(await checkAll(story.app)).toMatchObject({ checked: 1, changed: 1, failed: 0 });

    expect(story.app.contract(story.request.id)).toMatchObject({ status: 'EXPIRED', signId: story.signId });
  });

  test.each(['create:500', 'create:answer_lost', 'upload:500', 'signer:answer_lost', 'activate:500'])(
    '%s: nothing was sent, nothing is changed, and the next start goes on',
    async (fault) => {
      const app = await startApp();
      const { id } = await app.addRequest();
      app.sandbox.faults.add(`signature.${fault}:1`);
      await rejection(startSignature(app.ctx, id, { ...by, pdf: await anyContractPdf() }));
      app.sandbox.faults.clear();

      expect(await checkAll(app)).toMatchObject({ changed: 0, failed: 0 });
      expect([app.request(id).status, app.contract(id).status]).toEqual(['in_progress', 'PENDING']);

      await startSignature(app.ctx, id, by);
      expect(there(app)).toMatchObject([{ status: 'ongoing' }]);
    },
  );

  test('a dry run shows it and changes nothing', async () => {
    const story = await cutStart();
    expect(await checkAll(story.app, { dryRun: true })).toMatchObject({ checked: 1, changed: 1 });
    expect(statuses(story)).toEqual(['in_progress', 'PENDING']);
  });

  test('a start that is under way at that moment is left alone', async () => {
    const app = await startApp();
    const { id } = await app.addRequest();
    app.sandbox.faults.add(LATE);
    const starting = startSignature(app.ctx, id, { ...by, pdf: await anyContractPdf() });
    while (there(app)[0]?.status !== 'ongoing') await new Promise((next) => setTimeout(next, 5));
    expect(await checkAll(app)).toMatchObject({ checked: 1, changed: 0, failed: 0 });
    app.sandbox.faults.clear();
    await starting;
    expect(app.request(id).status).toBe('WAITING_SIGNATURE');
  });
});

describe('the manual check of a start whose end was lost', () => {
  test('ongoing: the request waits from then on, and the rules go on as for any other', async () => {
    const story = await cutStart();
    const checked = await checkSignature(story.app.ctx, story.request.id, by);
    expect(checked).toMatchObject({
      type: 'info',
      key: 'check_signature_info.ongoing',
      words: 'check_signature_caught_up',
    });
    expectSent(story);
  });

  test('done: success', async () => {
    const story = await cutStart();
    story.app.sandbox.sign(story.signId);
    const checked = await checkSignature(story.app.ctx, story.request.id, by);
    expect(checked).toMatchObject({ type: 'success', key: 'check_signature_success' });
    await story.app.drain();
    expect(statuses(story)).toEqual(['WAITING_PAYMENT', 'SIGNED']);
  });

  test('sent as another document than the one noted here, which is gone: that one is noted', async () => {
    const story = await cutStart();
    story.app.ctx.db.raw.exec("UPDATE contracts SET signId = '00000000-0000-4000-8000-000000000001'");
    await checkSignature(story.app.ctx, story.request.id, by);
    expectSent(story);
  });

  test.each<[string, (story: Cut) => unknown]>([
    ['deleted', ({ app }) => app.ctx.db.raw.exec('DELETE FROM history; DELETE FROM contracts')],
    ['canceled', ({ app, request }) => cancelRequest(app.ctx, request.id, { ...by, reason: 'moved away' })],
  ])('%s here while the provider was asked: it is not recorded as sent', async (_, happen) => {
    const story = await cutStart();
    const { app, contract } = story;
    const { step } = await prepare(app.ctx, contract.id, by);
    await happen(story);
    expect((await change(app.ctx, by, step)).answer).toBe('not_waiting');
    expect(app.history(story.request.id)).not.toContain('contract.sent');
  });

  test('of which the provider names neither signer nor last moment: ours stays', async () => {
    const { app, request, contract } = await cutStart();
    const { ours } = await findAtProvider(app.ctx, contract);
    const found = { ...(ours as SignatureState), status: 'done', lastMoment: null, signers: [] };
    const sent = await sentAs(app.ctx, found);
    await change(app.ctx, by, (tx) => storeSent(app.ctx, tx, contract.id, sent));
    const { expiredAt, signerEmail } = contract;
    expect(app.contract(request.id)).toMatchObject({ expiredAt, signerEmail, signerId: expect.any(String) });
  });

  test.each(['', 'UPDATE contracts SET termsDigest = NULL'])(
    'the history speaks of earlier terms only when they are known to differ (%s)',
    async (happen) => {
      const { app, request } = await cutStart();
      app.ctx.db.raw.exec(happen);
      await checkSignature(app.ctx, request.id, by);
      const detail = app.ctx.db.raw
        .prepare("SELECT detail FROM history WHERE what = 'contract.sent'")
        .pluck()
        .get() as string;
      expect(JSON.parse(detail)).not.toHaveProperty('terms');
    },
  );

  test('expired: closed, and its words say start', async () => {
    const story = await cutStart();
    story.app.sandbox.expire(story.signId);
    expect(await checkSignature(story.app.ctx, story.request.id, by)).toMatchObject({
      key: 'check_signature_info.expired',
      words: 'check_signature_start_expired',
    });
    expect(statuses(story)).toEqual(['in_progress', 'EXPIRED']);
    const before = calls(story.app);
    expect(await checkSignature(story.app.ctx, story.request.id, by)).toMatchObject({
      key: 'not_waiting_signature',
    });
    expect(calls(story.app), 'an ended contract is no start under way').toEqual(before);
  });

  test('never sent: not_waiting_signature, and nothing is changed', async () => {
    const story = await cutStart('signature.activate:500:1');
    const checked = await checkSignature(story.app.ctx, story.request.id, by);
    expect(checked).toMatchObject({
      type: 'error',
      key: 'not_waiting_signature',
      words: 'check_signature_not_sent',
    });
    expect(statuses(story)).toEqual(['in_progress', 'PENDING']);
  });

  test('the provider down: provider_unavailable, and nothing is changed', async () => {
    const story = await cutStart();
    story.app.sandbox.faults.add('signature:500');
    const checked = await checkSignature(story.app.ctx, story.request.id, by);
    expect(checked).toMatchObject({ type: 'error', key: 'provider_unavailable' });
    expect(statuses(story)).toEqual(['in_progress', 'PENDING']);
  });
});

describe('a second start', () => {
  test('ongoing there: takes it over, with one invitation in all', async () => {
    const story = await cutStart();
    await startSignature(story.app.ctx, story.request.id, by);
    expectSent(story);
    expect(history(story)).toEqual(SENT);
    expect(there(story.app)).toHaveLength(1);
  });

  test('done there: the request goes all the way, and the answer is the signed contract', async () => {
    const story = await cutStart();
    story.app.sandbox.sign(story.signId);
    let kept: ContractRow | undefined;
    const contract = await startSignature(story.app.ctx, story.request.id, {
      ...by,
      keep: (_, made) => (kept = made),
    });
    expect(contract).toMatchObject({ id: story.contract.id, status: 'SIGNED' });
    expect(kept).toEqual(contract);
    expect(history(story)).toEqual(SIGNED);
    await expectSigned(story);
  });

  test('signed there while the signed PDF is not ready: the request waits for its signature and is completed later', async () => {
    const story = await cutStart();
    story.app.sandbox.sign(story.signId);
    story.app.sandbox.faults.add('signature.download:500');
    expect(await startSignature(story.app.ctx, story.request.id, by)).toMatchObject({ status: 'PENDING' });
    expect(statuses(story)).toEqual(['WAITING_SIGNATURE', 'PENDING']);
    story.app.sandbox.faults.clear();
    expect(await checkAll(story.app)).toMatchObject({ changed: 1 });
    await expectSigned(story);
  });

  test('after a check or a webhook has finished the first: already_started, already_signed', async () => {
    const story = await cutStart();
    await checkAll(story.app);
    const again = () => rejection(startSignature(story.app.ctx, story.request.id, by));
    expect(await again()).toMatchObject({ code: 'already_started' });
    story.app.sandbox.sign(story.signId);
    await deliver(story.app, story.signId);
    expect(await again()).toMatchObject({ code: 'already_signed' });
    expect(there(story.app)).toHaveLength(1);
  });
});

describe('a reset whose end was lost', () => {
  test('done: the webhook completes the new contract, told step by step', async () => {
    const story = await cutReset();
    story.app.sandbox.sign(story.signId);
    expect(await deliver(story.app, story.signId)).toBe(200);
    expect(history(story)).toEqual([
      ...SENT,
      'contract.ended reset',
      'contract.created',
      'contract.sent',
      'contract.signed',
      'request.moved WAITING_PAYMENT',
    ]);
    await expectSigned(story);
  });

  test.each(['ongoing', 'done'])('%s: the bulk check brings it there at once', async (status) => {
    const story = await cutReset();
    if (status === 'done') story.app.sandbox.sign(story.signId);
    expect(await checkAll(story.app)).toMatchObject({ checked: 1, changed: 1, failed: 0 });
    if (status === 'done') await expectSigned(story);
    else expectSent(story);
    expect(there(story.app)).toHaveLength(2);
  });

  test('declined: the bulk check closes it; nobody is sent a contract that he has just declined', async () => {
    const story = await cutReset();
    story.app.sandbox.decline(story.signId);
    expect(await checkAll(story.app)).toMatchObject({ checked: 1, changed: 1, failed: 0 });
    expect(statuses(story)).toEqual(['WAITING_SIGNATURE', 'EXPIRED']);
    expect(there(story.app)).toHaveLength(2);
  });

  test('a draft that has no signer yet: the manual check says so', async () => {
    const story = await cutReset('signature.upload:500:1');
    story.app.ctx.db.raw.exec('UPDATE contracts SET signerEmail = NULL');
    expect(await checkSignature(story.app.ctx, story.request.id, by)).toEqual({
      type: 'info',
      key: 'check_signature_info.status',
      params: { status: 'draft' },
    });
    expect(statuses(story)).toEqual(['WAITING_SIGNATURE', 'PENDING']);
  });

  test('ongoing: the manual check brings it there', async () => {
    const story = await cutReset();
    expect(await checkSignature(story.app.ctx, story.request.id, by)).toMatchObject({
      key: 'check_signature_info.ongoing',
    });
    expectSent(story);
  });

  test('done: the next reset completes it instead of sending a third contract', async () => {
    const story = await cutReset();
    story.app.sandbox.sign(story.signId);
    await resetSignature(story.app.ctx, story.request.id, by);
    await expectSigned(story);
  });
});

describe('explain', () => {
  const found = async ({ app, request }: Cut, options = {}) =>
    (await explain(app.ctx, String(request.id), options)).findings[0];

  test.each([
    ['start', cutStart],
    ['reset', cutReset],
  ])('of a %s shows what the provider says, and changes nothing', async (_, cutIt) => {
    const story = await cutIt();
    const { id } = story.request;
    const check = command('check-signature', id);
    const before = statuses(story);
    expect(await found(story)).toMatchObject({ key: 'sent_unrecorded', cause: 'unsigned', next: check });
    expect(await found(story, { offline: true })).toMatchObject({
      key: 'sent_unrecorded',
      cause: 'unknown',
      next: check,
    });
    story.app.sandbox.faults.add('signature:reset');
    expect(await found(story)).toMatchObject({ key: 'sent_unrecorded', cause: 'unknown', next: check });
    story.app.sandbox.faults.clear();
    story.app.sandbox.sign(story.signId);
    expect(await found(story)).toMatchObject({ key: 'sent_unrecorded', cause: 'signed', next: check });
    expect(statuses(story)).toEqual(before);
  });

  test('status and the list of what needs the office name it until its end is known', async () => {
    const story = await cutStart();
    const { id, reference } = story.request;
    expect(readStatus(story.app.ctx).perhapsSent).toMatchObject([{ requestId: id, reference }]);
    const { needs } = await listNeeds(story.app.ctx, 5);
    expect(needs).toMatchObject([{ request: { id }, next: command('check-signature', id) }]);
    await checkAll(story.app);
    expect(readStatus(story.app.ctx).perhapsSent).toBeUndefined();
    expect((await listNeeds(story.app.ctx, 5)).needs).toEqual([]);
  });

  test('says that the customer has got nothing only when that is sure', async () => {
    for (const [step, cause] of [
      ['create:500', 'refused'],
      ['create:answer_lost', 'interrupted'],
      ['upload:500', 'refused'],
      ['signer:500', 'refused'],
      ['activate:500', 'interrupted'],
    ]) {
      const app = await startApp();
      const { id } = await app.addRequest();
      app.sandbox.faults.add(`signature.${step}:1`);
      await rejection(startSignature(app.ctx, id, { ...by, pdf: await anyContractPdf() }));
      const [finding] = (await explain(app.ctx, String(id))).findings;
      expect([step, finding?.key, finding?.cause]).toEqual([step, 'start_unfinished', cause]);
    }
  });
});
