/** A late signature that a person lets stand (rules 2): only the rule about the last moment is waived. */
import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { adviceText, command } from '../../../src/core/commands.js';
import { signedPdfPath } from '../../../src/core/contracts/contract-files.js';
import { expireContracts } from '../../../src/core/contracts/expire-contracts.js';
import { explain } from '../../../src/core/explain/explain.js';
import { orderDigest } from '../../../src/core/needs/digest.js';
import { acceptLate } from '../../../src/core/signature/accept-late.js';
import { checkAllSignatures } from '../../../src/core/signature/check-all-signatures.js';
import { checkSignature } from '../../../src/core/signature/check-signature.js';
import { resetSignature } from '../../../src/core/signature/reset-signature.js';
import { openActNames } from '../../support/acts.js';
import { rejection, startApp, TESTER, type AppOptions, type TestApp } from '../../support/app.js';
import { deliver } from '../../support/webhooks.js';

const LATE = '2026-04-02T00:00:07.000Z';

/** Signed seven seconds after the last moment, and told. */
async function late(options: AppOptions = {}) {
  const app = await startApp(options);
  const { request, contract, signId } = await app.waitingRequest();
  app.sandbox.sign(signId, { completedAt: LATE });
  app.clock.set('2026-04-02T08:00:00.000Z');
  await expireContracts(app.ctx, { actor: TESTER });
  expect(await deliver(app, signId)).toBe(422);
  return { app, request, contract, signId };
}

const accept = (app: TestApp, id: number, dryRun = false) =>
  acceptLate(app.ctx, id, { actor: TESTER, reason: 'agreed by phone', dryRun });

const everything = (app: TestApp) =>
  ['requests', 'contracts', 'jobs', 'history'].map((table) =>
    app.ctx.db.raw.prepare(`SELECT * FROM ${table}`).all(),
  );

test('it counts from then on as every other: PDF, term, mails, payment, and the history with the reason', async () => {
  const { app, request, contract } = await late();

  const accepted = await accept(app, contract.id);
  await app.drain();

  expect(accepted).toMatchObject({ signedAt: LATE, lastMoment: '2026-04-01T23:59:59.000Z', isPayable: true });
  expect(app.contract(request.id)).toMatchObject({
    status: 'SIGNED',
    signedAt: LATE,
    expiredAt: '2027-04-02T00:00:07.000Z',
  });
  expect(app.request(request.id)).toMatchObject({ status: 'WAITING_PAYMENT' });
  expect(app.request(request.id).paymentUrl).not.toBeNull();
  expect(existsSync(signedPdfPath(app.ctx, contract.id))).toBe(true);
  const sent = app.jobs('send-mail').map(({ payload }) => (JSON.parse(payload) as { mail: string }).mail);
  expect(sent).toEqual(['signed-late', 'contract-signed', 'admin-signed', 'payment-link']);
  const { detail, actor } = app.ctx.db.raw
    .prepare("SELECT detail, actor FROM history WHERE what = 'contract.late_accepted'")
    .get() as { detail: string; actor: string };
  expect(actor).toBe('user:tester@example.org');
  expect(JSON.parse(detail)).toEqual({
    reason: 'agreed by phone',
    signedAt: LATE,
    lastMoment: '2026-04-01T23:59:59.000Z',
  });
});

test('a dry run shows both moments and changes nothing', async () => {
  const { app, contract } = await late();
  const before = everything(app);
  expect(await accept(app, contract.id, true)).toMatchObject({
    signedAt: LATE,
    lastMoment: '2026-04-01T23:59:59.000Z',
  });
  expect(everything(app)).toEqual(before);
});

test('twice at the same time is once', async () => {
  const { app, request, contract } = await late();
  const both = await Promise.allSettled([accept(app, contract.id), accept(app, contract.id)]);
  expect(both.map((one) => (one.status === 'rejected' ? one.reason.code : one.status)).sort()).toEqual([
    'fulfilled',
    'not_waiting_signature',
  ]);
  expect(app.history(request.id).filter((what) => what === 'contract.late_accepted')).toHaveLength(1);
  expect(await rejection(accept(app, contract.id))).toMatchObject({ code: 'not_waiting_signature' });
});

test('an expired contract of which only the person knows that it is late can be accepted at once', async () => {
  const app = await startApp();
  const { request, contract, signId } = await app.waitingRequest();
  app.sandbox.sign(signId, { completedAt: LATE });
  app.clock.set('2026-04-02T08:00:00.000Z');
  // Our last moment is earlier than the provider's, which is the end of that day.
  app.ctx.db.raw.prepare("UPDATE contracts SET expiredAt = '2026-04-01T09:14:07.250Z'").run();
  await accept(app, contract.id);
  expect(app.contract(request.id).status).toBe('SIGNED');
  const detail = app.ctx.db.raw
    .prepare("SELECT detail FROM history WHERE what = 'contract.late_accepted'")
    .pluck()
    .get() as string;
  expect(JSON.parse(detail)).toMatchObject({ lastMoment: '2026-04-01T23:59:59.000Z' });
});

describe('is refused, and nothing changes,', () => {
  const refusals: [string, string, (scene: Awaited<ReturnType<typeof late>>) => unknown][] = [
    [
      'when the provider cannot be asked',
      'provider_unavailable',
      ({ app }) => app.sandbox.faults.add('signature.get:500'),
    ],
    [
      'when an HTML page says "not found"',
      'provider_unavailable',
      ({ app }) => app.sandbox.faults.add('signature.get:404_html'),
    ],
    [
      'when the PDF cannot be had',
      'provider_unavailable',
      ({ app }) => app.sandbox.faults.add('signature.download:500'),
    ],
    [
      'when the provider does not know it',
      'signature_not_found',
      ({ app, signId }) => app.sandbox.delete(signId, { permanent: true }),
    ],
    [
      'when it is not signed there',
      'contract_not_signed',
      ({ app, signId }) => app.sandbox.setStatus(signId, 'declined'),
    ],
    [
      'when it was never sent',
      'no_sign_id',
      ({ app }) => app.ctx.db.raw.prepare('UPDATE contracts SET signUrl = NULL, signId = NULL').run(),
    ],
    [
      'when it is somebody else’s there',
      'foreign_signature',
      ({ app }) => app.ctx.db.raw.prepare("UPDATE contracts SET externalId = 'esign-other-other'").run(),
    ],
  ];

  test.each(refusals)('%s: %s', async (_, code, happen) => {
    const scene = await late();
    happen(scene);
    const { app, contract } = scene;
    const before = everything(app);
    expect(await rejection(accept(app, contract.id))).toMatchObject({ code });
    expect(everything(app)).toEqual(before);
  });

  test('when it was signed in time: the check completes it', async () => {
    const app = await startApp();
    const { request, contract, signId } = await app.waitingRequest();
    app.sandbox.sign(signId);
    app.clock.set('2026-04-02T08:00:00.000Z');
    expect(await rejection(accept(app, contract.id))).toMatchObject({
      code: 'not_late',
      hint: ['Run `', command('check-signature', request.id), '` instead.'],
    });
    expect(app.contract(request.id).status).toBe('PENDING');
  });

  test('when a reset has replaced it', async () => {
    const { app, request, contract } = await late();
    await resetSignature(app.ctx, request.id, { actor: TESTER });
    expect(await rejection(accept(app, contract.id))).toMatchObject({ code: 'already_reset' });
    expect(await rejection(accept(app, 4711))).toMatchObject({ code: 'contract_not_found' });
  });
});

test('the office is offered it only for what came too late, and explain names the command', async () => {
  const { app, request, contract } = await late();
  const { request: other } = await app.waitingRequest();
  expect(openActNames(app.ctx, app.request(request.id))).toContain('accept-late');
  expect(openActNames(app.ctx, other)).not.toContain('accept-late');
  const { verdict } = await explain(app.ctx, String(request.id), { offline: true });
  expect(adviceText(verdict)).toContain(`esignctl contracts accept-late ${contract.id} --reason`);
});

test('until somebody decides, checks change nothing and later bulk checks do not fail', async () => {
  const { app, request, contract } = await late();
  expect(await checkSignature(app.ctx, request.id, { actor: TESTER })).toMatchObject({
    key: 'contract_expired',
  });
  expect(await checkAllSignatures(app.ctx, { actor: TESTER })).toMatchObject({ changed: 0, failed: 0 });
  await accept(app, contract.id);
  expect(await checkAllSignatures(app.ctx, { actor: TESTER })).toMatchObject({ checked: 0 });
});

test('a payment page that cannot be made now is tried again; the signature stands', async () => {
  const { app, request, contract } = await late();
  app.sandbox.faults.add('payment.create:500:1');
  expect(await accept(app, contract.id)).toMatchObject({ isPayable: false });
  expect(app.request(request.id)).toMatchObject({ status: 'WAITING_PAYMENT', paymentUrl: null });
  app.clock.advance(1_000);
  await app.drain();
  expect(app.request(request.id).paymentUrl).not.toBeNull();
});

test('the mails of an instance name it in every command: in a sentence, in the daily list and alone', async () => {
  const { app, request, contract } = await late();
  Object.assign(app.ctx.config, { instance: 'acme' });
  await orderDigest(app.ctx, { actor: TESTER });
  await app.drain();
  const mails = app.sandbox.mails().map(({ text }) => text.replaceAll(/\s+/g, ' '));
  for (const words of [
    `\`esignctl reset-signature ${request.id} --instance acme\`.`,
    `esignctl contracts accept-late ${contract.id} --reason "…" --instance acme`,
    `\`esignctl contracts accept-late ${contract.id} --reason … --instance acme\``,
    `(esignctl reset-signature ${request.id} --instance acme)`,
  ])
    expect(mails.filter((mail) => mail.includes(words))).toHaveLength(1);
  expect(mails.join(' ').split('esignctl ')).toHaveLength(5);
});
