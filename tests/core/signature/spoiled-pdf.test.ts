/** The signed PDF comes spoiled, or otherwise each time: it counts as not delivered, or one of them counts, whoever asked for it. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { sha256Of, signedPdfPath } from '../../../src/core/contracts/contract-files.js';
import { prepare, reconcile } from '../../../src/core/signature/reconcile.js';
import { change } from '../../../src/core/change.js';
import { rejection, TESTER, type TestApp } from '../../support/app.js';
import { MINUTE } from '../../support/clock.js';
import { story } from '../../support/story.js';
import { table, type Words } from '../../support/table.js';

const files = (app: TestApp) => readdirSync(join(app.dataDir, 'contracts')).sort();

/** The PDF in place, whose digest is the one that is stored. */
function stored(app: TestApp, requestId: number): string {
  const { id, pdfSha256 } = app.contract(requestId);
  expect(files(app)).toEqual([`${id}.draft.pdf`, `${id}.pdf`]);
  const pdf = readFileSync(signedPdfPath(app.ctx, id));
  expect(sha256Of(pdf)).toBe(pdfSha256);
  return pdf.toString('latin1');
}

const words: Words = {
  hasNoPiece: (s) =>
    s.does((app, id) => {
      expect(files(app)).toEqual([`${app.contract(id).id}.draft.pdf`]);
      expect(app.jobs('complete-signature')[0]?.lastError).toContain('is cut short');
    }),
  isStored: (s) => s.does(stored),
  hasTriedOnce: (s) =>
    s.does((app) => expect(app.jobs('complete-signature')).toMatchObject([{ attempt: 1 }])),
};

table(
  `
  a spoiled PDF: 202, nothing stored or moved, not even a piece; the next good one completes
    sent; signs; fault pdf:truncated; delivers 202; hasNoPiece
    → WAITING_SIGNATURE; contract PENDING pdfSha256=nothing;
    work complete-signature available + send-mail none + create-payment-session none
    noFaults; waits 1m; drained; isStored → WAITING_PAYMENT
  one spoiled PDF in between: the repeated download of the same try gets the good one
    sent; signs; fault pdf:truncated:1; delivers 200; hasTriedOnce → WAITING_PAYMENT; work complete-signature completed`,
  { words },
);

describe('other bytes at each download', () => {
  /** Each download ends otherwise, and later where that is asked for. */
  async function varyingApp(wait: (nth: number) => Promise<void> = async () => {}) {
    const { app, waiting } = await story().sent().waits(MINUTE).signs().end();
    const { provider } = app.ctx;
    const download = provider.downloadDocument.bind(provider);
    let count = 0;
    provider.downloadDocument = async (signId, use) => {
      count += 1;
      const nth = count;
      await wait(nth);
      return download(signId, (pdf) => use(followed(pdf, nth)));
    };
    const { id } = waiting.contract;
    const heard = { actor: TESTER, heard: { signedAt: null } };
    const complete = async () => (await reconcile(app.ctx, id, heard)).decision.answer;
    return { app, waiting, id, heard, complete, requestId: waiting.request.id };
  }

  async function* followed(pdf: AsyncIterable<Uint8Array>, nth: number) {
    yield* pdf;
    yield Buffer.from(`\n% ${nth}\n`);
  }

  test('stored one after the other, only the one in place can complete', async () => {
    const { app, requestId, id, heard } = await varyingApp();
    const [first, second] = [await prepare(app.ctx, id, heard), await prepare(app.ctx, id, heard)];
    expect((await rejection(change(app.ctx, heard, first.step))).message).toMatch('another document');
    expect((await change(app.ctx, heard, second.step)).answer).toBe('signed');
    expect(stored(app, requestId)).toMatch(/% 2\n$/);
  });

  test('stored for a contract that was closed meanwhile, it completes nothing unless the provider proves the time', async () => {
    const { app, waiting, requestId, id, heard, complete } = await varyingApp();
    const { contract, signId } = waiting;
    const state = await app.ctx.provider.getSignatureWithSigner({ ...contract, signId }, contract.signerId);
    const unproved = await prepare(app.ctx, id, { ...heard, listed: { ...state, signedAt: null } });
    app.ctx.db.raw.prepare("UPDATE contracts SET status = 'EXPIRED'").run();
    expect((await rejection(change(app.ctx, heard, unproved.step))).message).toMatch('has changed');
    expect(app.request(requestId).status).toBe('WAITING_SIGNATURE');
    expect(await complete()).toBe('signed');
  });

  test('one that arrives after the completion is dropped', async () => {
    let go = () => {};
    const gate = new Promise<void>((resolve) => (go = resolve));
    const { app, requestId, complete } = await varyingApp((nth) => (nth === 1 ? gate : Promise.resolve()));
    const late = complete();
    expect(await complete()).toBe('signed');
    go();
    expect(await late).toBe('repeat');
    expect(stored(app, requestId)).toMatch(/% 2\n$/);
  });

  test('many at once complete it once, with the document in place', async () => {
    const { app, requestId, complete } = await varyingApp();
    const all = await Promise.allSettled(Array.from({ length: 8 }, complete));
    const won = all.filter((each) => each.status === 'fulfilled' && each.value === 'signed');
    expect(won).toHaveLength(1);
    expect(stored(app, requestId)).toMatch(/% \d\n$/);
  });
});
