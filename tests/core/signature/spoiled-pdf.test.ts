/** The signed PDF comes empty, cut short, as a web page, or far too large: it counts as not delivered, whoever asked for it. */
import { readdirSync, readFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { prepare, reconcile } from '../../../src/core/signature/reconcile.js';
import { change } from '../../../src/core/change.js';
import { rejection, TESTER, type TestApp, type Waiting } from '../../support/app.js';
import { MINUTE } from '../../support/clock.js';
import { NULS, PROXY_WORDS } from '../../support/odd-pdfs.js';
import { deliver, signedApp } from '../../support/webhooks.js';

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

test('one spoiled PDF in between: the repeated download of the same try gets the good one', async () => {
  const { app, waiting } = await signedApp({ fault: 'pdf:truncated:1' });
  await deliver(app, waiting.signId);
  await app.ctx.jobs.idle();
  expect(app.request(waiting.request.id).status).toBe('WAITING_PAYMENT');
  expect(app.jobs('complete-signature')).toMatchObject([{ state: 'completed', attempt: 1 }]);
});

test.each([
  ['NULs', NULS],
  ['a proxy’s words', PROXY_WORDS],
])(
  '%s behind its end change nothing: the webhook completes it, and it is stored as it came',
  async (_, tail) => {
    const { app, waiting } = await signedApp();
    const { provider } = app.ctx;
    const download = provider.downloadDocument.bind(provider);
    provider.downloadDocument = (signId, use) => download(signId, (pdf) => use(followed(pdf, tail)));

    expect(await deliver(app, waiting.signId)).toBe(200);

    const pdf = readFileSync(join(app.dataDir, 'contracts', `${waiting.contract.id}.pdf`));
    expect(pdf.subarray(-tail.length).equals(tail)).toBe(true);
    const { pdfSha256 } = app.contract(waiting.request.id);
    expect(createHash('sha256').update(pdf).digest('hex')).toBe(pdfSha256);
  },
);

async function* followed(pdf: AsyncIterable<Uint8Array>, tail: Uint8Array) {
  yield* pdf;
  yield tail;
}

describe('other bytes at each download', () => {
  /** Each download ends otherwise, and later where that is asked for. */
  async function varyingApp(wait: (nth: number) => Promise<void> = async () => {}) {
    const { app, waiting } = await signedApp();
    const { provider } = app.ctx;
    const download = provider.downloadDocument.bind(provider);
    let count = 0;
    provider.downloadDocument = async (signId, use) => {
      count += 1;
      const nth = count;
      await wait(nth);
      return download(signId, (pdf) => use(followed(pdf, Buffer.from(`\n% ${nth}\n`))));
    };
    const { id } = waiting.contract;
    const heard = { actor: TESTER, heard: { signedAt: null } };
    return { app, waiting, id, heard };
  }

  /** The number of the download that is in place, whose digest is the one that is stored. */
  function stored(app: TestApp, { request, contract }: Waiting): number {
    expect(files(app).sort()).toEqual([`${contract.id}.draft.pdf`, `${contract.id}.pdf`]);
    const pdf = readFileSync(join(app.dataDir, 'contracts', `${contract.id}.pdf`));
    expect(createHash('sha256').update(pdf).digest('hex')).toBe(app.contract(request.id).pdfSha256);
    return Number(/% (\d)\n$/.exec(pdf.toString('latin1'))?.[1]);
  }

  test('stored one after the other, only the one in place can complete', async () => {
    const { app, waiting, id, heard } = await varyingApp();
    const [first, second] = [await prepare(app.ctx, id, heard), await prepare(app.ctx, id, heard)];
    expect((await rejection(change(app.ctx, heard, first.step))).message).toMatch('another document');
    expect((await change(app.ctx, heard, second.step)).answer).toBe('signed');
    expect(stored(app, waiting)).toBe(2);
  });

  test('stored for a contract that was closed meanwhile, it completes nothing unless the provider proves the time', async () => {
    const { app, waiting, id, heard } = await varyingApp();
    const { contract, signId } = waiting;
    const state = await app.ctx.provider.getSignatureWithSigner({ ...contract, signId }, contract.signerId);
    const listed = { ...state, signedAt: null };
    const unproved = await prepare(app.ctx, id, { ...heard, listed });
    app.ctx.db.raw.prepare("UPDATE contracts SET status = 'EXPIRED'").run();
    expect((await rejection(change(app.ctx, heard, unproved.step))).message).toMatch('has changed');
    expect(app.request(waiting.request.id).status).toBe('WAITING_SIGNATURE');
    expect((await reconcile(app.ctx, id, heard)).decision.answer).toBe('signed');
  });

  test('one that arrives after the completion is dropped', async () => {
    let go = () => {};
    const gate = new Promise<void>((resolve) => (go = resolve));
    const { app, waiting, id, heard } = await varyingApp((nth) => (nth === 1 ? gate : Promise.resolve()));
    const late = reconcile(app.ctx, id, heard);
    expect((await reconcile(app.ctx, id, heard)).decision.answer).toBe('signed');
    go();
    expect((await late).decision.answer).toBe('repeat');
    expect(stored(app, waiting)).toBe(2);
  });

  test('many at once complete it once, with the document in place', async () => {
    const { app, waiting, id, heard } = await varyingApp();
    const all = await Promise.allSettled(Array.from({ length: 8 }, () => reconcile(app.ctx, id, heard)));
    const won = all.filter((each) => each.status === 'fulfilled' && each.value.decision.answer === 'signed');
    expect(won).toHaveLength(1);
    expect(stored(app, waiting)).toBeGreaterThan(0);
  });
});
