/** The last day to sign is one day for both (rules 2): in ESIGN_TIMEZONE, here and at the provider. */
import { describe, expect, test } from 'vitest';
import { expireContracts } from '../../../src/core/contracts/expire-contracts.js';
import { checkAllSignatures } from '../../../src/core/signature/check-all-signatures.js';
import { checkSignature } from '../../../src/core/signature/check-signature.js';
import { startSignature } from '../../support/start-signature.js';
import { surveySignatures } from '../../../src/core/signature/survey-signatures.js';
import { lateSignedAt } from '../../../src/core/signature/told.js';
import { wallClock } from '../../../src/core/zone.js';
import { anyContractPdf, rejection, startApp, TESTER, type TestApp } from '../../support/app.js';
import { DAY } from '../../support/clock.js';
import { deliver } from '../../support/webhooks.js';

const waitingIn = async (zone: string, env = {}) => {
  const app = await startApp({ env: { ESIGN_TIMEZONE: zone, ...env } });
  return { app, ...(await app.waitingRequest()) };
};

const check = (app: TestApp, requestId: number) => checkSignature(app.ctx, requestId, { actor: TESTER });
const there = (app: TestApp) => app.sandbox.state().signatureRequests[0];

/** From 2 March 2026, 09:14:07 UTC, 30 days on; days to sign chosen so that the clocks change on the way. */
const ZONES = [
  ['Europe/Paris', '30', '2026-04-01', '2026-04-01T21:59:59.000Z'],
  ['Europe/Paris', '27', '2026-03-29', '2026-03-29T21:59:59.000Z'],
  ['Europe/Paris', '237', '2026-10-25', '2026-10-25T22:59:59.000Z'],
  ['America/Los_Angeles', '30', '2026-04-01', '2026-04-02T06:59:59.000Z'],
  ['America/Los_Angeles', '6', '2026-03-08', '2026-03-09T06:59:59.000Z'],
  ['Pacific/Kiritimati', '30', '2026-04-01', '2026-04-01T09:59:59.000Z'],
  ['UTC', '30', '2026-04-01', '2026-04-01T23:59:59.000Z'],
] as const;

describe.each(ZONES)('%s, %s days', (zone, days, day, end) => {
  const waiting = () => waitingIn(zone, { ESIGN_CONTRACT_VALID_DAYS: days });

  test('here and at the provider the same day of the same zone is the last', async () => {
    const { app, contract } = await waiting();
    expect(contract.expiredAt).toBe(end);
    expect(there(app)).toMatchObject({ expiration_date: end.replace('.000Z', '+00:00'), timezone: zone });
    const sent = app.sandbox.state().signatureRequests[0] as { expiration_date: string };
    expect(wallClock(zone, sent.expiration_date)).toEqual({ day, time: '23:59:59' });
  });

  test('who signs in its last second is in time for both, also when we hear of it a day later', async () => {
    const { app, request, signId } = await waiting();
    app.clock.set(end);
    expect(app.sandbox.sign(signId)).toBe(true);
    app.clock.advance(DAY);
    await expireContracts(app.ctx, { actor: TESTER });
    expect(app.contract(request.id).status).toBe('EXPIRED');

    expect(await deliver(app, signId)).toBe(200);

    expect(app.contract(request.id)).toMatchObject({ status: 'SIGNED', signedAt: end });
  });

  test('a second later the provider takes no signature, and the contract expires here', async () => {
    const { app, request, signId } = await waiting();
    app.clock.set(end);
    app.clock.advance(1000);
    expect(app.sandbox.sign(signId)).toBe(false);
    expect(there(app)?.status).toBe('expired');
    expect(await expireContracts(app.ctx, { actor: TESTER })).toMatchObject({ expired: 1 });
    expect(app.contract(request.id).status).toBe('EXPIRED');
  });
});

test('in the last hour the contract is alive here, and the check finds it waiting', async () => {
  const { app, request } = await waitingIn('Europe/Paris');
  app.clock.set('2026-04-01T21:30:00.000Z');
  expect(await expireContracts(app.ctx, { actor: TESTER })).toMatchObject({ expired: 0 });
  expect(await check(app, request.id)).toMatchObject({ key: 'check_signature_info.ongoing' });
});

/** What the office does in the provider's console. */
async function extend(app: TestApp, signId: string, expirationDate: string): Promise<void> {
  const answer = await fetch(`${app.sandbox.apiUrl}/signature_requests/${signId}`, {
    method: 'PATCH',
    headers: { authorization: 'Bearer sandbox-api-key', 'content-type': 'application/json' },
    body: JSON.stringify({ expiration_date: expirationDate }),
  });
  expect(answer.status).toBe(200);
}

/** As contracts were made before the last day was one day for both: to the minute. */
const toTheMinute = (app: TestApp) =>
  void app.ctx.db.raw.prepare("UPDATE contracts SET expiredAt = '2026-04-01T09:14:07.250Z'").run();

const told = (app: TestApp, requestId: number) =>
  app.history(requestId).filter((what) => what === 'contract.last_moment_told');

describe('the moment that the provider names', () => {
  test('is stored when the contract is sent', async () => {
    const app = await startApp();
    const { id } = await app.addRequest();
    const start = async () => startSignature(app.ctx, id, { actor: TESTER, pdf: await anyContractPdf() });
    app.sandbox.faults.add('signature.upload:500:1');
    await rejection(start());
    await extend(app, there(app)?.id as string, '2026-04-03');

    expect(await start()).toMatchObject({ expiredAt: '2026-04-03T23:59:59.000Z' });
  });

  test.each([
    ['the check of one', (app: TestApp, id: number) => check(app, id)],
    ['the check of all', (app: TestApp) => checkAllSignatures(app.ctx, { actor: TESTER })],
  ])('is believed by %s, and told once', async (_, ask) => {
    const { app, request } = await waitingIn('UTC');
    toTheMinute(app);

    await ask(app, request.id);
    await ask(app, request.id);

    expect(app.contract(request.id).expiredAt).toBe('2026-04-01T23:59:59.000Z');
    expect(told(app, request.id)).toHaveLength(1);
  });

  test('is believed with a signature that comes too late even so', async () => {
    const { app, request, signId } = await waitingIn('UTC');
    toTheMinute(app);
    app.sandbox.sign(signId, { completedAt: '2026-04-02T00:00:00Z' });
    app.clock.set('2026-04-03T12:00:00.000Z');

    expect(await deliver(app, signId)).toBe(422);

    expect(app.contract(request.id).told).toBe('late');
    expect(lateSignedAt(app.ctx.db, app.contract(request.id))).toBe('2026-04-02T00:00:00.000Z');
    expect(app.contract(request.id).expiredAt).toBe('2026-04-01T23:59:59.000Z');
    expect(told(app, request.id)).toHaveLength(1);
  });

  test('is left alone by a dry run', async () => {
    const { app, request } = await waitingIn('UTC');
    toTheMinute(app);
    await checkSignature(app.ctx, request.id, { actor: TESTER, dryRun: true });
    expect(app.contract(request.id).expiredAt).toBe('2026-04-01T09:14:07.250Z');
  });

  test('counts when we closed the contract by our own before the day had ended', async () => {
    const { app, request, signId } = await waitingIn('UTC');
    toTheMinute(app);
    app.clock.set('2026-04-01T20:00:00.000Z');
    await expireContracts(app.ctx, { actor: TESTER });
    app.sandbox.sign(signId);

    expect(await deliver(app, signId)).toBe(200);
    expect(app.contract(request.id).status).toBe('SIGNED');
  });

  test('counts when the office has extended the time to sign there', async () => {
    const { app, request, signId } = await waitingIn('UTC');
    await extend(app, signId, '2026-04-10');
    app.clock.set('2026-04-05T12:00:00.000Z');
    app.sandbox.sign(signId);

    expect(await deliver(app, signId)).toBe(200);
    expect(app.contract(request.id).status).toBe('SIGNED');
  });

  test('is not the end of the term: that of a signed contract stays', async () => {
    const { app, request, signId } = await waitingIn('UTC');
    app.sandbox.sign(signId);
    await deliver(app, signId);
    await checkAllSignatures(app.ctx, { actor: TESTER });
    expect(app.contract(request.id).expiredAt).toBe('2027-03-02T09:14:07.000Z');
  });
});

describe('over here and ongoing there', () => {
  async function overHere() {
    const { app, request, signId } = await waitingIn('UTC');
    app.ctx.db.raw.prepare("UPDATE contracts SET status = 'EXPIRED'").run();
    return { app, request, signId };
  }

  test('the manual check answers contract_expired and changes nothing', async () => {
    const { app, request } = await overHere();
    expect(await check(app, request.id)).toMatchObject({ type: 'error', key: 'contract_expired' });
    expect(app.contract(request.id).status).toBe('EXPIRED');
    expect(there(app)?.status).toBe('ongoing');
    expect(app.jobs()).toEqual([]);
  });

  test('the bulk check shows it and does not fail', async () => {
    const { app, request } = await overHere();
    expect(await checkAllSignatures(app.ctx, { actor: TESTER })).toMatchObject({
      changed: 0,
      failed: 0,
      results: [{ requestId: request.id, type: 'info', key: 'contract_expired', changed: false }],
    });
    const { classes } = await surveySignatures(app.ctx, { actor: TESTER });
    expect(classes).toMatchObject({ over: 1, late: 0, waiting: 0 });
  });
});

describe('a signature that came too late', () => {
  test('fails the bulk check that tells of it, and no later one', async () => {
    const { app, request, signId } = await waitingIn('UTC');
    app.sandbox.sign(signId, { completedAt: '2026-04-02T00:00:00Z' });
    app.clock.set('2026-04-02T08:00:00.000Z');
    const all = () => checkAllSignatures(app.ctx, { actor: TESTER });

    const late = { requestId: request.id, key: 'contract_expired', changed: false };
    expect(await all()).toMatchObject({ changed: 0, failed: 1, results: [{ ...late, type: 'error' }] });
    expect(await all()).toMatchObject({ changed: 0, failed: 0, results: [{ ...late, type: 'info' }] });
    expect(app.jobs('send-mail')).toHaveLength(1);
  });

  test('is reported in a mail that names both times to the second, their zone, and both ways on', async () => {
    const { app, request, contract, signId } = await waitingIn('Europe/Paris');
    app.sandbox.sign(signId, { completedAt: '2026-04-01T22:00:07Z' });
    app.clock.set('2026-04-02T08:00:00.000Z');
    expect(await deliver(app, signId)).toBe(422);
    await app.drain();

    const mail = app.sandbox.mails().find(({ to }) => to.includes('office@acme.test'))?.text ?? '';
    expect(mail).toContain('1 April 2026, 23:59:59 CEST (Europe/Paris)');
    expect(mail).toContain('2 April 2026, 00:00:07 CEST (Europe/Paris)');
    expect(mail).toContain(`esignctl contracts accept-late ${contract.id} --reason "…"`);
    expect(mail).toContain(`esignctl reset-signature ${request.id}`);
    expect(mail).toContain(`/admin/requests/${request.id}`);
  });
});
