/** The signed PDF comes empty, cut short, as a web page, or far too large: it counts as not delivered, whoever asked for it. */
import { readdirSync, readFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { checkAllSignatures } from '../../src/core/signature/check-all-signatures.js';
import { checkSignature } from '../../src/core/signature/check-signature.js';
import { TESTER, type TestApp, type Waiting } from '../support/app.js';
import { MINUTE } from '../support/clock.js';
import { deliver, signedApp } from '../support/webhooks.js';

const BROKEN = {
  empty: 'is empty',
  not_pdf: 'is not a PDF',
  truncated: 'is cut short',
  too_large: 'is larger than 50 MB',
};

const files = (app: TestApp) => readdirSync(join(app.dataDir, 'contracts'));

function expectUntouched(app: TestApp, { request, contract }: Waiting): void {
  expect(app.request(request.id).status).toBe('WAITING_SIGNATURE');
  expect(app.contract(request.id)).toMatchObject({ status: 'PENDING', pdfSha256: null });
  expect(files(app)).toEqual([`${contract.id}.draft.pdf`]);
  expect(app.jobs('send-mail')).toEqual([]);
  expect(app.jobs('create-payment-session')).toEqual([]);
}

describe.each(Object.entries(BROKEN))('a PDF that is %s', (fault, words) => {
  test('by webhook: 202, nothing stored or moved, not even a piece; the next good one completes', async () => {
    const { app, waiting } = await signedApp({ fault: `pdf:${fault}` });

    expect(await deliver(app, waiting.signId)).toBe(202);
    await app.ctx.jobs.idle();
    expectUntouched(app, waiting);
    expect(app.jobs('complete-signature')).toMatchObject([
      { state: 'available', lastError: expect.stringContaining(words) },
    ]);

    app.sandbox.faults.clear();
    app.clock.advance(MINUTE);
    await app.drain();
    const pdf = readFileSync(join(app.dataDir, 'contracts', `${waiting.contract.id}.pdf`));
    const { pdfSha256 } = app.contract(waiting.request.id);
    expect(createHash('sha256').update(pdf).digest('hex')).toBe(pdfSha256);
  });
});

test('by manual check a broken PDF is reported as trouble of the provider, and nothing changes', async () => {
  const { app, waiting } = await signedApp({ fault: 'pdf:truncated' });
  const checked = await checkSignature(app.ctx, waiting.request.id, { actor: TESTER });
  expect(checked).toMatchObject({ type: 'error', key: 'provider_unavailable' });
  expectUntouched(app, waiting);
});

test('by bulk check it counts as failed, and nothing changes', async () => {
  const { app, waiting } = await signedApp({ fault: 'pdf:not_pdf' });
  expect(await checkAllSignatures(app.ctx, { actor: TESTER })).toMatchObject({ changed: 0, failed: 1 });
  expectUntouched(app, waiting);
});

test('one spoiled PDF in between: the repeated download of the same try gets the good one', async () => {
  const { app, waiting } = await signedApp({ fault: 'pdf:truncated:1' });
  await deliver(app, waiting.signId);
  await app.ctx.jobs.idle();
  expect(app.request(waiting.request.id).status).toBe('WAITING_PAYMENT');
  expect(app.jobs('complete-signature')).toMatchObject([{ state: 'completed', attempt: 1 }]);
});
