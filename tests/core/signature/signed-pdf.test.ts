/** A signed PDF is handed out as it was stored when the contract was signed, or not at all. */
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { expect, test, vi } from 'vitest';
import { command } from '../../../src/core/commands.js';
import { openContractPdf } from '../../../src/core/contracts/contracts.js';
import { signedPdfPath } from '../../../src/core/contracts/contract-files.js';
import { readCaseFile } from '../../../src/core/explain/case-file.js';
import { findingsHere } from '../../../src/core/explain/explain.js';
import {
  examinePdf,
  contractsWithoutPdf,
  fetchMissingPdfs,
  fetchPdf,
  fixPdf,
} from '../../../src/core/signature/signed-pdf.js';
import { rejection, startApp, TESTER, type TestApp } from '../../support/app.js';
import { deliver } from '../../support/webhooks.js';

async function aSignedContract() {
  const app = await startApp();
  const { request, signId } = await app.waitingRequest();
  app.sandbox.sign(signId);
  await deliver(app, signId);
  const path = signedPdfPath(app.ctx, app.contract(request.id).id);
  return { app, id: request.id, path, genuine: readFileSync(path) };
}

async function handedOut(app: TestApp, requestId: number): Promise<Buffer> {
  const { file, size } = await openContractPdf(app.ctx, app.contract(requestId), TESTER);
  const bytes = await file.readFile();
  await file.close();
  expect(bytes.length).toBe(size);
  return bytes;
}

/** One letter of it is another; its size and its times are as before. */
function forge(path: string): void {
  const { atime, mtime } = statSync(path);
  const bytes = readFileSync(path);
  bytes[bytes.length - 20] = (bytes[bytes.length - 20] as number) ^ 1;
  writeFileSync(path, bytes);
  utimesSync(path, atime, mtime);
}

const downloads = (app: TestApp) => app.sandbox.state().counters.calls['signature.download'];

test('one that was changed on disk, its size and time kept, is fetched again before it is handed out', async () => {
  const { app, id, path, genuine } = await aSignedContract();
  expect((await handedOut(app, id)).equals(genuine)).toBe(true);
  forge(path);

  const [one, other] = await Promise.all([handedOut(app, id), handedOut(app, id)]);

  expect([one.equals(genuine), other.equals(genuine)]).toEqual([true, true]);
  expect(readFileSync(path).equals(genuine)).toBe(true);
  expect(app.history(id).filter((what) => what === 'contract.pdf_fetched')).toHaveLength(1);
});

test('one that is gone is fetched again too', async () => {
  const { app, id, path, genuine } = await aSignedContract();
  rmSync(path);
  expect((await handedOut(app, id)).equals(genuine)).toBe(true);
});

test('while the genuine one cannot be had it is refused, and the page names the command', async () => {
  const { app, id, path } = await aSignedContract();
  forge(path);
  app.sandbox.faults.add('signature.download:500');
  const { id: contractId } = app.contract(id);
  expect(await rejection(handedOut(app, id))).toMatchObject({
    kind: 'unavailable',
    code: 'signed_pdf_damaged',
    hint: ['Run `', command('contracts fetch-pdf', contractId), '` to see why.'],
  });
  expect(await findingsHere(app.ctx, readCaseFile(app.ctx, app.request(id)))).toContainEqual(
    expect.objectContaining({
      key: 'pdf_lost',
      cause: 'damaged',
      next: command('contracts fetch-pdf', contractId),
    }),
  );
  rmSync(path);
  expect(await rejection(handedOut(app, id))).toMatchObject({
    code: 'signed_pdf_missing',
    message: expect.stringContaining('is not on disk,'),
  });
});

test('another document of the provider is not taken for it; a person who fetches it is informed', async () => {
  const { app, id, path } = await aSignedContract();
  const { id: contractId } = app.contract(id);
  const other = '0'.repeat(64);
  app.ctx.db.raw.prepare('UPDATE contracts SET pdfSha256 = ? WHERE id = ?').run(other, contractId);
  const before = readFileSync(path);

  expect(await rejection(handedOut(app, id))).toMatchObject({
    code: 'signed_pdf_damaged',
    cause: { code: 'signed_pdf_differs' },
  });
  expect(app.contract(id).pdfSha256).toBe(other);
  expect(readFileSync(path).equals(before)).toBe(true);

  expect(await fixPdf(app.ctx, contractId, { actor: TESTER })).toEqual({ state: 'damaged', differs: true });
  const detail = app.ctx.db.raw
    .prepare("SELECT detail FROM history WHERE what = 'contract.pdf_fetched'")
    .pluck()
    .get();
  expect(JSON.parse(detail as string)).toMatchObject({ was: other });
});

test('a mail never carries another document: it waits until the genuine one can be had', async () => {
  const { app, path, genuine } = await aSignedContract();
  forge(path);
  app.sandbox.faults.add('signature.download:500');
  await app.drain();
  const mailed = () =>
    app.sandbox
      .mails()
      .flatMap(({ attachments }) =>
        attachments.filter(({ contentType }) => contentType === 'application/pdf'),
      )
      .map(({ content }) => Buffer.from(content));
  expect(mailed()).toEqual([]);
  expect(app.jobs('send-mail').find(({ state }) => state === 'available')?.lastError).toMatch(
    /is not the one that was stored when it was signed/,
  );

  app.sandbox.faults.clear();
  app.clock.advance(10_000);
  await app.drain();
  expect(mailed().map((bytes) => bytes.equals(genuine))).toEqual([true]);
});

test('a file that nobody has touched for a while is read for its digest once', async () => {
  const { app, id, path } = await aSignedContract();
  const look = vi.spyOn(app.ctx.provenFiles, 'isProven');
  const later = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 60_000);
  await handedOut(app, id);
  const contract = app.contract(id);
  const pdfSha256 = contract.pdfSha256 as string;
  expect(await examinePdf(app.ctx, { ...contract, pdfSha256 }, { isTrusted: true })).toBe('whole');
  expect(look.mock.results.map(({ value }) => value as boolean)).toEqual([false, true]);
  forge(path);
  await handedOut(app, id);
  expect(look.mock.results[2]?.value).toBe(false);
  later.mockRestore();
  expect(downloads(app)).toBe(2);
});

test.each([
  ['is gone', (path: string) => rmSync(path), 'missing'],
  ['was changed', forge, 'damaged'],
] as const)(
  'one that %s is fetched by a person who says why; whole, it is left alone',
  async (_, spoil, state) => {
    const { app, id, path, genuine } = await aSignedContract();
    const contractId = app.contract(id).id;
    const by = { actor: TESTER, reason: 'the disk was replaced' };
    const before = downloads(app);
    expect(await fixPdf(app.ctx, contractId, by)).toEqual({ state: 'whole', differs: false });
    spoil(path);
    expect(await fixPdf(app.ctx, contractId, { ...by, dryRun: true })).toEqual({ state, differs: false });
    expect(downloads(app)).toBe(before);

    expect(await fixPdf(app.ctx, contractId, by)).toEqual({ state, differs: false });

    expect(readFileSync(path).equals(genuine)).toBe(true);
    const [entry] = app.ctx.db.raw
      .prepare("SELECT actor, detail FROM history WHERE what = 'contract.pdf_fetched'")
      .all() as { actor: string; detail: string }[];
    expect(entry?.actor).toBe('user:tester@example.org');
    expect(JSON.parse(entry?.detail ?? '')).toEqual({
      sha256: app.contract(id).pdfSha256,
      size: genuine.length,
      reason: 'the disk was replaced',
    });
  },
);

test.each([
  ['ELOOP', (path: string) => symlinkSync(path, path)],
  ['EISDIR', (path: string) => mkdirSync(path)],
])('one that is there and cannot be read (%s) is not replaced', async (code, spoil) => {
  const { app, id, path } = await aSignedContract();
  rmSync(path);
  spoil(path);
  const before = [downloads(app), lstatSync(path).ino];
  expect(await rejection(handedOut(app, id))).toMatchObject({ code });
  const { id: contractId } = app.contract(id);
  expect(await rejection(fixPdf(app.ctx, contractId, { actor: TESTER }))).toMatchObject({ code });
  expect([downloads(app), lstatSync(path).ino]).toEqual(before);
});

test('one of a contract that was never signed, or has no signId, is not fetched', async () => {
  const app = await startApp();
  const { contract } = await app.waitingRequest();
  const by = { actor: TESTER };
  await expect(fixPdf(app.ctx, contract.id, by)).rejects.toMatchObject({ code: 'contract_not_signed' });
  await expect(fetchPdf(app.ctx, { ...contract, signId: null }, by)).rejects.toMatchObject({
    code: 'no_sign_id',
  });
});

test('one that is gone is not replaced by another document in the bulk check: only a person may do that', async () => {
  const { app, id, path } = await aSignedContract();
  rmSync(path);
  const { provider } = app.ctx;
  const download = provider.downloadDocument.bind(provider);
  async function* another(pdf: AsyncIterable<Uint8Array>) {
    yield* pdf;
    yield Buffer.from('% another');
  }
  provider.downloadDocument = (signId, use) => download(signId, (pdf) => use(another(pdf)));
  const before = app.contract(id).pdfSha256;

  const [{ error } = {}] = await fetchMissingPdfs(app.ctx, { actor: TESTER });

  expect(error).toContain('not the one');
  expect([existsSync(path), app.contract(id).pdfSha256]).toEqual([false, before]);
});

test('an old one that is gone is missed, although only the newest are read in full', async () => {
  const { app, id, path } = await aSignedContract();
  rmSync(path);
  app.ctx.db.raw.prepare("UPDATE sqlite_sequence SET seq = 5000 WHERE name = 'contracts'").run();
  expect((await app.waitingRequest()).contract.id).toBe(5001);
  const without = await contractsWithoutPdf(app.ctx);
  expect(without.map(({ requestId }) => requestId)).toEqual([id]);
});

test('those that are gone, cut short, another’s or unreadable are fetched if that is possible, each by itself, until somebody ends it', async () => {
  const app = await startApp();
  const paths: string[] = [];
  for (let i = 0; i < 5; i += 1) {
    const { request, signId } = await app.waitingRequest();
    app.sandbox.sign(signId);
    await deliver(app, signId);
    paths.push(signedPdfPath(app.ctx, app.contract(request.id).id));
  }
  const [first, , third, fourth, fifth] = paths as [string, string, string, string, string];
  rmSync(first);
  writeFileSync(third, 'half');
  const size = readFileSync(fourth).length;
  writeFileSync(fourth, Buffer.alloc(size, 'x'));
  rmSync(fifth);
  mkdirSync(fifth);
  app.ctx.db.raw.prepare('UPDATE contracts SET pdfSize = ? WHERE id = 5').run(statSync(fifth).size);
  const ended = AbortSignal.abort();
  expect(await fetchMissingPdfs(app.ctx, { actor: TESTER, signal: ended })).toEqual([]);

  app.sandbox.faults.add('signature.download:404:1');
  const fetched = await fetchMissingPdfs(app.ctx, { actor: TESTER });

  expect(fetched.map(({ contractId, error }) => [contractId, error === null])).toEqual([
    [1, false],
    [3, true],
    [4, true],
    [5, false],
  ]);
  expect((await contractsWithoutPdf(app.ctx)).map(({ id }) => id)).toEqual([1, 5]);
  const ending = new AbortController();
  app.ctx.provider.downloadDocument = () => {
    ending.abort();
    return Promise.reject(new Error('ended'));
  };
  const begun = await fetchMissingPdfs(app.ctx, { actor: TESTER, signal: ending.signal });
  expect(begun.map(({ contractId }) => contractId)).toEqual([1]);
});
