/** Two documents for one contract: a holder that lost its lock makes none, and one that exists is told and decided by a person. */
import { describe, expect, test } from 'vitest';
import { command, commandLine } from '../../../src/core/commands.js';
import { explain } from '../../../src/core/explain/explain.js';
import { listNeeds } from '../../../src/core/needs/needs.js';
import { cancelRequest } from '../../../src/core/requests/cancel-request.js';
import { acceptLate } from '../../../src/core/signature/accept-late.js';
import { checkAllSignatures } from '../../../src/core/signature/check-all-signatures.js';
import { checkSignature } from '../../../src/core/signature/check-signature.js';
import { settleUnknown } from '../../../src/core/signature/unknown-signatures.js';
import { resetSignature } from '../../../src/core/signature/reset-signature.js';
import { startSignature } from '../../../src/core/signature/start-signature.js';
import { rejection, startApp, TESTER, type TestApp } from '../../support/app.js';
import { MINUTE } from '../../support/clock.js';
import { DEAD } from '../../support/holders.js';
import { sendSecond } from '../../support/second-document.js';
import { deliver } from '../../support/webhooks.js';

const BY = { actor: TESTER };
const BECAUSE = { ...BY, reason: 'agreed by phone' };
const there = (app: TestApp) => app.sandbox.state().signatureRequests;
const statusOf = (app: TestApp, signId: string) => there(app).find(({ id }) => id === signId)?.status;

describe('a start whose call at the provider hangs', () => {
  for (const operation of ['create', 'upload', 'signer'] as const) {
    test(`${operation}: another that has taken its lock over sends the only document, and the late one stores nothing`, async () => {
      const app = await startApp();
      const { id } = await app.addRequest();
      const hanging = app.sandbox.faults.add({
        target: 'signature',
        kind: 'answer_late',
        operation,
        delayMs: 10 * MINUTE,
        times: 1,
      });
      const late = rejection(startSignature(app.ctx, id, BY));
      await expect.poll(() => app.sandbox.faults.list()[0]?.struck ?? 1).toBe(1);
      // As a process that takes this one for dead does, before it goes on.
      app.ctx.db.raw.prepare('UPDATE locks SET token = ?, holder = ?').run('theirs', DEAD);
      const { signId } = await startSignature(app.ctx, id, BY);
      app.sandbox.faults.remove(hanging.id);
      // Where both work on one draft, the provider refuses the late one first.
      expect(['in_progress', 'provider_rejected']).toContain((await late).code);
      expect(app.contract(id)).toMatchObject({ signId, status: 'PENDING' });
      expect(
        there(app)
          .filter(({ status }) => status === 'ongoing')
          .map((each) => each.id),
      ).toEqual([signId]);
    });
  }

  test('is not repeated by somebody who presses start again, however far the clock was set ahead', async () => {
    const app = await startApp();
    const { id } = await app.addRequest();
    const hanging = app.sandbox.faults.add('signature.create:answer_late');
    const first = startSignature(app.ctx, id, BY);
    await expect.poll(() => there(app)).toHaveLength(1);
    app.clock.advance(60 * MINUTE);
    expect(await rejection(startSignature(app.ctx, id, BY))).toMatchObject({ code: 'in_progress' });
    app.sandbox.faults.remove(hanging.id);
    await first;
    expect(there(app)).toHaveLength(1);
  });
});

/** The customer has a second document under the contract's name. */
async function twoDocuments() {
  const app = await startApp();
  const waiting = await app.waitingRequest();
  return { app, ...waiting, second: await sendSecond(app, waiting) };
}

const sight: Record<string, (scene: Awaited<ReturnType<typeof twoDocuments>>) => Promise<unknown>> = {
  'a check': ({ app, request }) => checkSignature(app.ctx, request.id, BY),
  'the bulk check': ({ app }) => checkAllSignatures(app.ctx, BY),
};

describe('a second document that is open', () => {
  for (const [name, look] of Object.entries(sight)) {
    test(`is told after ${name}, and one command cancels it and leaves the other`, async () => {
      const scene = await twoDocuments();
      const { app, request, signId, second } = scene;
      await look(scene);
      const settle = { ...command('check-signature'), options: ['--settle', second], reason: '…' };
      const { findings } = await explain(app.ctx, String(request.id));
      expect(findings).toMatchObject([{ key: 'second_document', cause: 'open', next: settle }, {}]);
      const { needs } = await listNeeds(app.ctx, 10);
      expect(needs).toMatchObject([{ kind: 'second_document', request: { id: request.id }, next: settle }]);
      await settleUnknown(app.ctx, second, BECAUSE);
      expect([statusOf(app, second), statusOf(app, signId)]).toEqual(['canceled', 'ongoing']);
      expect((await listNeeds(app.ctx, 10)).needs).toEqual([]);
      expect((await explain(app.ctx, String(request.id))).findings[0]?.key).toBe('waiting_for_customer');
    });
  }

  test('the check answers that a person must decide, and changes nothing at the provider', async () => {
    const { app, request, signId, second } = await twoDocuments();
    expect(await checkSignature(app.ctx, request.id, BY)).toMatchObject({
      type: 'error',
      key: 'second_document',
      params: { sign: second, status: 'ongoing' },
    });
    expect([statusOf(app, second), statusOf(app, signId)]).toEqual(['ongoing', 'ongoing']);
  });

  test('a dry run of the check tells it and stores nothing', async () => {
    const { app, request } = await twoDocuments();
    const answer = await checkSignature(app.ctx, request.id, { ...BY, dryRun: true });
    expect(answer.key).toBe('second_document');
    expect((await listNeeds(app.ctx, 10)).needs).toEqual([]);
  });

  test('is withdrawn with the other one by a reset, and by a cancellation', async () => {
    for (const withdraw of [resetSignature, cancelRequest]) {
      const { app, request, signId, second } = await twoDocuments();
      await withdraw(app.ctx, request.id, { ...BECAUSE });
      expect([statusOf(app, second), statusOf(app, signId)]).toEqual(['canceled', 'canceled']);
    }
  });

  test('is not settled while the provider cannot be asked', async () => {
    const { app, second } = await twoDocuments();
    await checkAllSignatures(app.ctx, BY);
    app.sandbox.faults.add('signature:500');
    expect(await rejection(settleUnknown(app.ctx, second, BECAUSE))).toMatchObject({
      code: 'provider_unavailable',
    });
    expect((await listNeeds(app.ctx, 10)).needs).toHaveLength(1);
  });
});

describe('a second document that the customer signed', () => {
  async function signedSecond() {
    const scene = await twoDocuments();
    scene.app.sandbox.sign(scene.second);
    return scene;
  }

  test('its webhook is kept and answered 200, and the office is told', async () => {
    const { app, request, contract, second } = await signedSecond();
    expect(await deliver(app, second, { signature: { external_id: contract.externalId } })).toBe(200);
    expect(app.request(request.id).status).toBe('WAITING_SIGNATURE');
    const { needs } = await listNeeds(app.ctx, 10);
    expect(needs.map(({ next }) => commandLine(next))).toEqual([
      `esignctl contracts accept-late ${contract.id} --reason "…"`,
    ]);
  });

  for (const [name, look] of Object.entries(sight)) {
    test(`is told after ${name}; accepted, it completes the request, and the other can no longer be signed`, async () => {
      const scene = await signedSecond();
      const { app, request, contract, signId, second } = scene;
      await look(scene);
      const { findings } = await explain(app.ctx, String(request.id));
      expect(findings[0]).toMatchObject({ key: 'second_document', cause: 'signed' });
      await acceptLate(app.ctx, contract.id, BECAUSE);
      expect(app.contract(request.id)).toMatchObject({ status: 'SIGNED', signId: second });
      expect(app.request(request.id).status).toBe('WAITING_PAYMENT');
      expect(statusOf(app, signId)).toBe('canceled');
      expect((await listNeeds(app.ctx, 10)).needs).toEqual([]);
      expect(app.history(request.id)).toContain('contract.second_accepted');
    });
  }

  test('is not accepted while its PDF cannot be had, and the other copy can still be signed', async () => {
    const { app, request, contract, signId } = await signedSecond();
    await checkSignature(app.ctx, request.id, BY);
    app.sandbox.faults.add('signature.download:500');
    const refused = await rejection(acceptLate(app.ctx, contract.id, BECAUSE));
    expect(refused).toMatchObject({ code: 'provider_unavailable' });
    expect(app.contract(request.id)).toMatchObject({ status: 'PENDING', signId });
    expect(statusOf(app, signId)).toBe('ongoing');
    expect((await listNeeds(app.ctx, 10)).needs).toHaveLength(1);
  });

  test('accepted while the other copy cannot be withdrawn, nothing is signed; the next attempt does both', async () => {
    const { app, request, contract, signId, second } = await signedSecond();
    app.sandbox.faults.add('signature.cancel:500');
    const refused = await rejection(acceptLate(app.ctx, contract.id, BECAUSE));
    expect(refused).toMatchObject({ code: 'provider_unavailable' });
    expect(app.contract(request.id)).toMatchObject({ status: 'PENDING', signId });
    app.sandbox.faults.clear();
    await acceptLate(app.ctx, contract.id, BECAUSE);
    expect(app.contract(request.id)).toMatchObject({ status: 'SIGNED', signId: second });
    expect(statusOf(app, signId)).toBe('canceled');
  });

  test('where the customer has signed both, the first is not replaced', async () => {
    const { app, request, contract, signId } = await signedSecond();
    app.sandbox.sign(signId);
    const refused = await rejection(acceptLate(app.ctx, contract.id, BECAUSE));
    expect(refused).toMatchObject({ code: 'not_late' });
    await checkSignature(app.ctx, request.id, BY);
    expect(app.contract(request.id)).toMatchObject({ status: 'SIGNED', signId });
  });

  test('a reset is refused, and names the command that accepts it', async () => {
    const { app, request, contract } = await signedSecond();
    expect(await rejection(resetSignature(app.ctx, request.id, BECAUSE))).toMatchObject({
      code: 'already_signed',
      hint: expect.arrayContaining([command('contracts accept-late', contract.id)]),
    });
  });

  test('settled instead, it does not count and is not told again', async () => {
    const { app, request, second } = await signedSecond();
    await checkAllSignatures(app.ctx, BY);
    await settleUnknown(app.ctx, second, BECAUSE);
    await checkAllSignatures(app.ctx, BY);
    expect((await listNeeds(app.ctx, 10)).needs).toEqual([]);
    expect(app.request(request.id).status).toBe('WAITING_SIGNATURE');
  });
});
