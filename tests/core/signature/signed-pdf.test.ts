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
import { explain } from '../../../src/core/explain/explain.js';
import {
  examinePdf,
  contractsWithoutPdf,
  fetchMissingPdfs,
  fetchPdf,
  fixPdf,
} from '../../../src/core/signature/signed-pdf.js';
import { rejection, startApp, TESTER, type TestApp } from '../../support/app.js';
import { BY, REASON, story } from '../../support/story.js';

async function signedContract() {
  const { app, id } = await story().completed().end();
  const contract = app.contract(id);
  const path = signedPdfPath(app.ctx, contract.id);
  const handOut = async () => {
    const { file, size } = await openContractPdf(app.ctx, app.contract(id), TESTER);
    const bytes = await file.readFile();
    await file.close();
    expect(bytes.length).toBe(size);
    return bytes;
  };
  /** Whether each is, byte by byte, what was signed. */
  const genuine = readFileSync(path);
  const areGenuine = (...all: Uint8Array[]) => all.map((bytes) => genuine.equals(bytes));
  const fetches = () =>
    app.ctx.db.raw
      .prepare("SELECT actor, detail FROM history WHERE what = 'contract.pdf_fetched'")
      .all()
      .map((row) => {
        const { actor, detail } = row as { actor: string; detail: string };
        return { actor, ...(JSON.parse(detail) as object) };
      });
  return { app, id, contract, path, handOut, genuine, areGenuine, fetches };
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

test.each([
  ['missing', rmSync],
  ['damaged', forge],
] as const)(
  'one that is %s is fetched again before it is handed out, once for all who ask; or by a person who says why',
  async (state, spoil) => {
    const { app, contract, path, handOut, genuine, areGenuine, fetches } = await signedContract();
    expect(areGenuine(await handOut())).toEqual([true]);
    spoil(path);
    const both = await Promise.all([handOut(), handOut()]);
    expect(areGenuine(...both, readFileSync(path))).toEqual([true, true, true]);
    expect(fetches()).toHaveLength(1);

    const fix = (dryRun = false) => fixPdf(app.ctx, contract.id, { ...REASON, dryRun });
    const before = downloads(app);
    expect(await fix()).toEqual({ state: 'whole', differs: false });
    spoil(path);
    expect(await fix(true)).toEqual({ state, differs: false });
    expect(downloads(app)).toBe(before);
    expect(await fix()).toEqual({ state, differs: false });
    expect(areGenuine(readFileSync(path))).toEqual([true]);
    expect(fetches().slice(1)).toEqual([
      {
        actor: 'user:tester@example.org',
        sha256: contract.pdfSha256,
        size: genuine.length,
        reason: REASON.reason,
      },
    ]);
  },
);

test('while the genuine one cannot be had it is refused, and no mail carries another; the page names the command', async () => {
  const { app, id, contract, path, handOut, areGenuine } = await signedContract();
  forge(path);
  app.sandbox.faults.add('signature.download:500');
  const fetch = command('contracts fetch-pdf', contract.id);
  expect(await rejection(handOut())).toMatchObject({
    kind: 'unavailable',
    code: 'signed_pdf_damaged',
    hint: ['Run `', fetch, '` to see why.'],
  });
  const { findings } = await explain(app.ctx, String(id));
  expect(findings).toContainEqual(
    expect.objectContaining({ key: 'pdf_lost', cause: 'damaged', next: fetch }),
  );
  await app.drain();
  const mailed = () =>
    app.sandbox
      .mails()
      .flatMap(({ attachments }) => attachments)
      .filter(({ contentType }) => contentType === 'application/pdf')
      .map(({ content }) => Buffer.from(content));
  expect(mailed()).toEqual([]);
  expect(app.jobs('send-mail').find(({ state }) => state === 'available')?.lastError).toMatch(
    /is not the one that was stored when it was signed/,
  );
  rmSync(path);
  expect(await rejection(handOut())).toMatchObject({
    code: 'signed_pdf_missing',
    message: expect.stringContaining('is not on disk,'),
  });

  app.sandbox.faults.clear();
  app.clock.advance(10_000);
  await app.drain();
  expect(areGenuine(...mailed())).toEqual([true]);
});

test('another document of the provider is not taken for it, nor by the bulk check; a person who fetches it is informed', async () => {
  const { app, id, contract, path, handOut, areGenuine, fetches } = await signedContract();
  const other = '0'.repeat(64);
  app.ctx.db.raw.prepare('UPDATE contracts SET pdfSha256 = ?').run(other);

  expect(await rejection(handOut())).toMatchObject({
    code: 'signed_pdf_damaged',
    cause: { code: 'signed_pdf_differs' },
  });
  expect(areGenuine(readFileSync(path))).toEqual([true]);
  rmSync(path);
  const fetched = await fetchMissingPdfs(app.ctx, BY);
  expect(fetched).toMatchObject([{ error: expect.stringContaining('not the one') as string }]);
  expect([existsSync(path), app.contract(id).pdfSha256]).toEqual([false, other]);

  expect(await fixPdf(app.ctx, contract.id, BY)).toEqual({ state: 'missing', differs: true });
  expect(fetches()).toMatchObject([{ was: other }]);
});

test('a file that nobody has touched for a while is read for its digest once', async () => {
  const { app, contract, path, handOut } = await signedContract();
  const look = vi.spyOn(app.ctx.provenFiles, 'isProven');
  const later = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 60_000);
  await handOut();
  expect(await examinePdf(app.ctx, contract, { isTrusted: true })).toBe('whole');
  // In full, whatever was proven.
  expect(await examinePdf(app.ctx, contract)).toBe('whole');
  await handOut();
  expect(look.mock.results.map(({ value }) => value as boolean)).toEqual([false, true, true]);
  forge(path);
  await handOut();
  expect(look.mock.results[3]?.value).toBe(false);
  later.mockRestore();
  expect(downloads(app)).toBe(2);
});

test.each([
  ['ELOOP', (path: string) => symlinkSync(path, path)],
  ['EISDIR', (path: string) => mkdirSync(path)],
])('one that is there and cannot be read (%s) is not replaced', async (code, spoil) => {
  const { app, contract, path, handOut } = await signedContract();
  rmSync(path);
  spoil(path);
  const before = [downloads(app), lstatSync(path).ino];
  expect(await rejection(handOut())).toMatchObject({ code });
  expect(await rejection(fixPdf(app.ctx, contract.id, BY))).toMatchObject({ code });
  expect([downloads(app), lstatSync(path).ino]).toEqual(before);
});

test('one of a contract that was never signed, or has no signId, is not fetched', async () => {
  const app = await startApp();
  const { contract } = await app.waitingRequest();
  expect(await rejection(fixPdf(app.ctx, contract.id, BY))).toMatchObject({ code: 'contract_not_signed' });
  const unnamed = { ...contract, signId: null };
  expect(await rejection(fetchPdf(app.ctx, unnamed, BY))).toMatchObject({ code: 'no_sign_id' });
});

test('those that are gone, cut short, another’s or unreadable are fetched if that is possible, each by itself, until somebody ends it', async () => {
  const app = await startApp();
  const paths: string[] = [];
  for (let i = 0; i < 5; i += 1) {
    const { id } = (await app.waitingRequest()).request;
    await story.on(app, id).signed().end();
    paths.push(signedPdfPath(app.ctx, app.contract(id).id));
  }
  const [first, , third, fourth, fifth] = paths as [string, string, string, string, string];
  rmSync(first);
  writeFileSync(third, 'half');
  writeFileSync(fourth, Buffer.alloc(statSync(fourth).size, 'x'));
  rmSync(fifth);
  mkdirSync(fifth);
  app.ctx.db.raw.prepare('UPDATE contracts SET pdfSize = ? WHERE id = 5').run(statSync(fifth).size);
  expect(await fetchMissingPdfs(app.ctx, { ...BY, signal: AbortSignal.abort() })).toEqual([]);

  app.sandbox.faults.add('signature.download:404:1');
  const fetched = await fetchMissingPdfs(app.ctx, BY);

  expect(fetched.map(({ contractId, error }) => [contractId, error === null])).toEqual([
    [1, false],
    [3, true],
    [4, true],
    [5, false],
  ]);
  const ids = async () => (await contractsWithoutPdf(app.ctx)).map(({ id }) => id);
  expect(await ids()).toEqual([1, 5]);
  const ending = new AbortController();
  app.ctx.provider.downloadDocument = () => {
    ending.abort();
    return Promise.reject(new Error('ended'));
  };
  const begun = await fetchMissingPdfs(app.ctx, { ...BY, signal: ending.signal });
  expect(begun.map(({ contractId }) => contractId)).toEqual([1]);
  const next = await fetchMissingPdfs(app.ctx, BY);
  expect(next.map(({ contractId }) => contractId)).toEqual([5, 1]);
  // However many came later, of which only the newest are read in full.
  app.ctx.db.raw.exec("UPDATE sqlite_sequence SET seq = 1004 WHERE name = 'contracts'");
  expect((await app.waitingRequest()).contract.id).toBe(1005);
  expect(await ids()).toEqual([1]);
});
