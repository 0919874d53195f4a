/** Histories that nobody planned for: backups that come back at odd moments, races, providers that answer oddly. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { restoreBackup } from '../../src/core/backup/restore-backup.js';
import { writeBackup } from '../../src/core/backup/write-backup.js';
import { draftPdfPath } from '../../src/core/contracts/contract-files.js';
import { explain } from '../../src/core/explain/explain.js';
import { checkAllSignatures } from '../../src/core/signature/check-all-signatures.js';
import { startSignature } from '../../src/core/signature/start-signature.js';
import type { ContractRow } from '../../src/db/schema.js';
import { rejection, startApp, temporaryDirectory, TESTER, type TestApp } from '../support/app.js';
import { deliver, deliverPayment } from '../support/webhooks.js';

const BY = { actor: TESTER };

async function aBackup({ dataDir, clock }: TestApp): Promise<string> {
  const file = join(temporaryDirectory(), 'esign.tar.gz');
  await writeBackup({ dataDir, file, clock });
  return file;
}

/** The same installation, put back to where the backup was; the providers stay as they are. */
async function restored(app: TestApp, file: string): Promise<TestApp> {
  await app.ctx.close();
  const { dataDir, clock } = app;
  await restoreBackup({ dataDir, file, clock, actor: TESTER });
  return startApp({ dataDir, beside: app });
}

describe('a PDF that lies under the number of a new contract, since the database was put back without its files,', () => {
  const THEIRS = '%PDF-1.7 the contract of somebody else\n%%EOF';

  async function leftBehind() {
    const app = await startApp();
    const { id } = await app.addRequest();
    const path = draftPdfPath(app.ctx, 1);
    writeFileSync(path, THEIRS);
    return { app, id, path };
  }

  test('is not sent to the customer', async () => {
    const { app, id, path } = await leftBehind();
    expect(await startSignature(app.ctx, id, BY)).toMatchObject({ id: 1 });
    expect(readFileSync(path, 'latin1')).not.toBe(THEIRS);
  });

  test('nor by a second start when the first failed', async () => {
    const { app, id, path } = await leftBehind();
    app.sandbox.faults.add('signature.create:500:1');
    await rejection(startSignature(app.ctx, id, BY));
    await startSignature(app.ctx, id, BY);
    expect(readFileSync(path, 'latin1')).not.toBe(THEIRS);
  });
});

describe('when the backup is older than signature and payment', () => {
  async function forgotten() {
    const first = await startApp();
    const { request, contract, signId } = await first.waitingRequest();
    const backup = await aBackup(first);
    first.sandbox.sign(signId);
    await deliver(first, signId);
    await first.drain();
    const paymentId = first.request(request.id).paymentId as string;
    return { app: await restored(first, backup), request, contract, paymentId };
  }

  const paid = (app: TestApp, paymentId: string, { externalId, amount, currency }: ContractRow) =>
    deliverPayment(app, paymentId, {
      object: { client_reference_id: externalId, amount_total: amount, currency },
    });

  test('a payment that is told before the signature counts as soon as the request waits for it, and asks for no second one', async () => {
    const { app, request, contract, paymentId } = await forgotten();
    expect(await paid(app, paymentId, contract)).toBe(200);
    expect(app.request(request.id).status).toBe('WAITING_SIGNATURE');

    await checkAllSignatures(app.ctx, BY);
    await app.drain();

    expect(app.request(request.id)).toMatchObject({ status: 'COMPLETE', paymentId });
    expect(app.history(request.id).filter((what) => what === 'payment.received')).toHaveLength(1);
    expect(app.jobs('send-mail').filter(({ payload }) => payload.includes('payment-link'))).toEqual([]);
    expect((await explain(app.ctx, String(request.id))).next).toBeNull();
    expect(await paid(app, paymentId, contract)).toBe(200);
    expect(app.history(request.id).filter((what) => what === 'payment.received')).toHaveLength(1);
  });

  test('a payment through the forgotten page is told although another page was made since', async () => {
    const { app, request, contract } = await forgotten();
    await checkAllSignatures(app.ctx, BY);
    await app.drain();

    expect(await paid(app, 'cs_of_the_forgotten_page', contract)).toBe(200);

    expect(app.history(request.id)).toContain('payment.old_session_paid');
    expect((await explain(app.ctx, String(request.id))).next).toContain('requests complete');
  });
});
