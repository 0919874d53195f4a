import { draftPdfPath } from '../../../src/core/contracts/contract-files.js';
/** esignctl requests export and verify: the evidence of a request as one archive that proves itself. */
import { createHash } from 'node:crypto';
import { createWriteStream, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fromBufferPromise } from 'yauzl';
import { buffer } from 'node:stream/consumers';
import { ZipFile } from 'yazl';
import { expect, test } from 'vitest';
import { actorName } from '../../../src/core/actor.js';
import { decideCase, openCase } from '../../../src/core/cases/cases.js';
import { change } from '../../../src/core/change.js';
import { ofContract } from '../../../src/core/history/history.js';
import { verifyArchive } from '../../../src/core/evidence/verify-archive.js';
import { temporaryDirectory, TESTER } from '../../support/app.js';
import { lengthenHistory } from '../../support/long-history.js';
import { textOf } from '../../support/read-pdf.js';
import { deliver, deliverPayment } from '../../support/webhooks.js';
import { json, jsonError, jsonList, run, startCli, type Cli } from '../support.js';

/** A request that is signed and paid. */
async function aStory(env: Record<string, string> = {}) {
  const cli = await startCli({}, undefined, env);
  const { request, signId, contract } = await cli.waitingRequest();
  cli.sandbox.sign(signId);
  await deliver(cli, signId);
  await cli.drain();
  const { paymentId } = cli.request(request.id);
  cli.sandbox.pay(paymentId as string);
  await deliverPayment(cli, paymentId as string);
  await cli.drain();
  const file = join(temporaryDirectory(), 'evidence.zip');
  return { cli, id: String(request.id), reference: request.reference, contract, file };
}

async function filesIn(path: string): Promise<Map<string, Buffer>> {
  const zip = await fromBufferPromise(readFileSync(path), { lazyEntries: true });
  const files = new Map<string, Buffer>();
  for await (const entry of zip.eachEntry()) {
    files.set(entry.fileName, await buffer(await zip.openReadStreamPromise(entry)));
  }
  return files;
}

const leftBeside = (file: string) => readdirSync(dirname(file));

test('an export holds the documents, the provider’s audit trail, mails and time line, and verifies anywhere', async () => {
  const { cli, id, reference, contract, file } = await aStory();

  await change(cli.ctx, { actor: TESTER }, (tx) =>
    tx.record('job.pushed', ofContract(contract), { jobId: 7, kind: 'send-mail', reason: null }),
  );
  const previewed = await cli.run('requests export', id, '--out', file, '--dry-run');
  expect(previewed).toMatchObject({ code: 0, stdout: `would export ${reference} to ${file}\n` });
  expect(existsSync(file)).toBe(false);
  const ran = await cli.run('requests export', id, '--out', file, '--reason', 'court', '--json');
  expect(ran).toMatchObject({ code: 0, stderr: '' });
  const told = json(ran) as { sha256: string; files: { name: string }[] };

  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(leftBeside(file)).toEqual(['evidence.zip']);
  const files = await filesIn(file);
  const of = (name: string) => files.get(name)?.toString('utf8') ?? '';
  expect([...files.keys()]).toEqual([...told.files.map(({ name }) => name), 'manifest.json']);
  const place = `contracts/${contract.id}`;
  expect([...files.keys()].filter((name) => name.startsWith('contracts/'))).toEqual([
    `${place}/contract.pdf`,
    `${place}/signed.pdf`,
    `${place}/audit-trail.pdf`,
    `${place}/audit-trail.json`,
  ]);
  expect(JSON.parse(of(`${place}/audit-trail.json`))).toMatchObject({
    signer: { signature_process_completed_at: expect.any(String) },
  });
  expect(JSON.parse(of('request.json'))).toMatchObject({ request: { reference, status: 'COMPLETE' } });
  expect(JSON.parse(of('events.json'))[0].body).toContain('signature_request.done');
  const mails = [...files.keys()].filter((name) => name.startsWith('mails/'));
  expect(mails.length).toBeGreaterThanOrEqual(3);
  expect(mails.map(of).join()).toContain('Subject: ');
  expect(of(mails.find((name) => name.endsWith('contract-signed.txt')) ?? '')).toMatch(
    /Attachment: \S+\.pdf SHA-256 [0-9a-f]{64}/,
  );
  const record = await textOf(files.get('timeline.pdf') as Buffer);
  expect(record).toContain(`Record of request ${reference}`);
  expect(record).toContain('Payment received');
  expect(of('timeline.json')).toContain('Tried again without waiting');
  expect(record).not.toMatch(/Tried again|job 7|attempt \d/i);
  expect(record).toMatch(/SHA-256 of the signed\s/);

  const [entry] = jsonList(await cli.run('history --what request.exported --json'));
  expect(entry).toMatchObject({ note: 'court', detail: { sha256: told.sha256 } });

  // Without settings, data or provider.
  const checked = await run(['verify', file, '--json'], { env: {} });
  expect(checked.code).toBe(0);
  expect(json(checked)).toMatchObject({ whole: true, subject: reference, sha256: told.sha256, problems: [] });
});

test('what a person had to decide is in it, with who decided it, how and why', async () => {
  const { cli, id, contract, file } = await aStory();
  await change(cli.ctx, { actor: TESTER }, (tx) =>
    openCase(tx, { kind: 'payment', subject: 'cs_2' }, ofContract(contract)),
  );
  await change(cli.ctx, { actor: TESTER, reason: 'refunded' }, (tx) =>
    decideCase(tx, ['payment'], ['cs_2'], 'settled'),
  );
  await cli.run('requests export', id, '--out', file);
  const request = JSON.parse(String((await filesIn(file)).get('request.json'))) as object;
  expect(request).toMatchObject({
    cases: [
      {
        kind: 'payment',
        subject: 'cs_2',
        contractId: contract.id,
        decision: 'settled',
        decidedBy: actorName(TESTER),
        reason: 'refunded',
      },
    ],
  });
});

test('a history of any length is exported whole; the PDF for people has the newest entries, and says so', async () => {
  const { cli, id, file } = await aStory();
  lengthenHistory(cli.ctx.db, { requestId: Number(id), by: 1_500 });
  await cli.run('requests export', id, '--out', file);
  const files = await filesIn(file);
  const changes = ['history.json', 'timeline.json'].map((name) => {
    const entries = JSON.parse(String(files.get(name))) as { what: string }[];
    return entries.filter(({ what }) => what === 'request.changed').length;
  });
  expect(changes).toEqual([1_500, 1_500]);
  const record = await textOf(files.get('timeline.pdf') as Buffer);
  expect(record).toContain(
    'Only the newest 1000 entries are printed here. All entries are in timeline.json.',
  );
  expect(record.match(/Request changed/g)).toHaveLength(1_000);
});

test('a PDF to sign that belongs to another contract of the same number is not exported, but listed as missing', async () => {
  const { cli, id, contract, file } = await aStory();
  const name = `contracts/${contract.id}/contract.pdf`;
  writeFileSync(draftPdfPath(cli.ctx, contract.id), '%PDF-1.7\n% of another customer\n%%EOF\n');
  await cli.run('requests export', id, '--out', file);
  expect([...(await filesIn(file)).keys()]).not.toContain(name);
  expect(json(await run(['verify', file, '--json'], { env: {} }))).toMatchObject({
    missing: [{ name, reason: 'The PDF to sign is no longer on disk.' }],
  });
});

test('one byte anywhere that differs is exit 1, and the file it is in is named', async () => {
  const { cli, id, file } = await aStory();
  await cli.run('requests export', id, '--out', file);
  const bytes = readFileSync(file);
  const other = `${file}.other`;
  const step = Math.ceil(bytes.length / 60);
  const places = [0, 3, bytes.length - 1, bytes.length - 65, bytes.length - 80];
  for (let at = 0; at < bytes.length; at += step) places.push(at);
  for (const at of places) {
    const changed = Buffer.from(bytes);
    changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
    writeFileSync(other, changed);
    expect({ at, isWhole: (await verifyArchive(other)).isWhole }).toEqual({ at, isWhole: false });
  }
  for (const wrong of [bytes.subarray(0, -1), Buffer.concat([bytes, Buffer.from('x')]), bytes.subarray(1)]) {
    writeFileSync(other, wrong);
    expect((await verifyArchive(other)).isWhole).toBe(false);
  }
  const inside = bytes.indexOf('%PDF-');
  const changed = Buffer.from(bytes);
  changed.write('%PDF+', inside);
  writeFileSync(other, changed);
  const ran = await run(['verify', other], { env: {} });
  expect(ran.code).toBe(1);
  expect(ran.stdout).toMatch(/^\S+\.pdf: it is not the file that was exported$/m);
});

test('what is hostile or not ours gets a clear answer: no zip, no manifest, paths, bombs, extra and double files', async () => {
  const file = join(temporaryDirectory(), 'x.zip');
  const problems = async () => {
    const ran = await run(['verify', file, '--json'], { env: {} });
    expect(ran.code).toBe(1);
    const { whole, problems } = json(ran) as {
      whole: boolean;
      problems: { problem: string; name: string }[];
    };
    expect(whole).toBe(false);
    return problems.map(({ problem, name }) => (name === null ? problem : `${problem} ${name}`));
  };
  const zipped = async (entries: [name: string, bytes: Buffer][]) => {
    const zip = new ZipFile();
    for (const [name, bytes] of entries) zip.addBuffer(bytes, name);
    zip.end();
    await pipeline(zip.outputStream, createWriteStream(file));
  };
  const manifest = (files: object[]) =>
    Buffer.from(
      JSON.stringify({
        format: 'esign-export',
        formatVersion: 1,
        kind: 'request',
        subject: 'x',
        installation: 'x',
        firm: 'x',
        madeAt: '2026-01-01T00:00:00.000Z',
        version: 'x',
        files,
        missing: [],
      }),
    );
  const sha256 = '0'.repeat(64);
  // Sealed by somebody else, with a time that is none.
  const sealed = new ZipFile();
  sealed.addBuffer(
    Buffer.from(
      manifest([])
        .toString()
        .replace(/"2026-[^"]*"/, '"x"'),
    ),
    'manifest.json',
  );
  sealed.end({ forceZip64Format: false, comment: `esign-export sha256:${sha256}` });
  await pipeline(sealed.outputStream, createWriteStream(file));
  const digest = createHash('sha256').update(readFileSync(file).subarray(0, -64)).digest('hex');
  writeFileSync(file, Buffer.concat([readFileSync(file).subarray(0, -64), Buffer.from(digest)]));
  expect(await problems()).toEqual(['no_manifest']);

  for (const content of ['', 'not a zip', '%PDF-1.7', 'PK\u0003\u0004']) {
    writeFileSync(file, content);
    expect(await problems()).toEqual(['seal', 'unreadable']);
  }
  await zipped([['a.txt', Buffer.from('a')]]);
  expect(await problems()).toEqual(['seal', 'no_manifest']);
  await zipped([['manifest.json', Buffer.from('{"format":"esign-export"}')]]);
  expect(await problems()).toEqual(['seal', 'no_manifest']);
  await zipped([
    ['manifest.json', manifest([{ name: 'gone.txt', size: 1, sha256, about: '' }])],
    ['extra.txt', Buffer.from('a')],
  ]);
  expect(await problems()).toEqual(['seal', 'extra extra.txt', 'missing gone.txt']);
  await zipped([
    ['manifest.json', manifest([])],
    ['a.txt', Buffer.from('a')],
    ['a.txt', Buffer.from('b')],
  ]);
  expect(await problems()).toEqual(['seal', 'twice a.txt', 'extra a.txt']);
  // It inflates to far more than the manifest promises, and nothing of it is read.
  await zipped([
    ['manifest.json', manifest([{ name: 'bomb.txt', size: 10, sha256, about: '' }])],
    ['bomb.txt', Buffer.alloc(32 * 1024 ** 2)],
  ]);
  expect(await problems()).toEqual(['seal', 'changed bomb.txt']);
  await zipped([['manifest.json', manifest([{ name: 'huge', size: 2 ** 50, sha256, about: '' }])]]);
  expect(await problems()).toEqual(['seal', 'too_large']);
  await zipped([['manifest.json', Buffer.alloc(20 * 1024 ** 2, ' ')]]);
  expect(await problems()).toEqual(['seal', 'no_manifest']);
  // A name that leads out of the directory, written where the tools refuse to write it.
  await zipped([['aa/evil.txt', Buffer.from('a')]]);
  writeFileSync(
    file,
    readFileSync(file).toString('latin1').replaceAll('aa/evil.txt', '../evil.txt'),
    'latin1',
  );
  expect(await problems()).toEqual(['seal', 'unreadable']);

  expect((await run(['verify', join(temporaryDirectory(), 'none.zip')], { env: {} })).code).toBe(4);
  expect((await run(['verify', temporaryDirectory()], { env: {} })).code).toBe(4);
});

test('never over a file; a provider that is down or not ready is exit 5 and leaves nothing; offline goes without it', async () => {
  const { cli, id, file, contract } = await aStory();
  const exported = (...words: string[]) => cli.run('requests export', id, '--out', file, ...words);

  cli.sandbox.faults.add('audit_trail:not_ready:1');
  const early = await exported('--json');
  expect(early.code).toBe(5);
  expect(jsonError(early)).toMatchObject({ code: 'audit_trail_not_ready' });
  cli.sandbox.faults.add('signature.audit:503');
  expect((await exported()).code).toBe(5);
  expect(leftBeside(file)).toEqual([]);

  const offline = await exported('--offline', '--json');
  expect(offline.code).toBe(0);
  expect(json(offline)).toMatchObject({
    missing: [{ name: `contracts/${contract.id}/audit-trail.pdf` }, {}],
  });
  expect((await run(['verify', file], { env: {} })).code).toBe(0);
  const before = readFileSync(file);
  const again = await exported('--offline', '--json');
  expect([again.code, jsonError(again).code]).toEqual([3, 'file_exists']);
  expect(readFileSync(file).equals(before)).toBe(true);
  expect((await cli.run('requests export', id, '--out', '/none/x.zip', '--offline')).code).toBe(4);
  expect((await cli.run('requests export', id)).code).toBe(2);

  // What the provider sends in its place is not evidence.
  cli.sandbox.faults.clear();
  cli.sandbox.faults.add('pdf.download:not_pdf:1');
  const spoiled = await cli.run('requests export', id, '--out', `${file}.2`);
  expect(spoiled.code).toBe(1);
  expect(spoiled.stderr).toContain(`missing contracts/${contract.id}/audit-trail.pdf`);
});

test('the record is in French where the office is French, and a request without a contract has one too', async () => {
  const cli: Cli = await startCli({}, undefined, { ESIGN_LOCALE: 'fr', ESIGN_TIMEZONE: 'Europe/Paris' });
  const { id, reference } = await cli.addRequest();
  const file = join(temporaryDirectory(), 'preuves.zip');
  expect((await cli.run(`requests export ${id} --out`, file)).code).toBe(0);
  const record = await textOf((await filesIn(file)).get('timeline.pdf') as Buffer);
  expect(record).toContain(`Relevé de la demande ${reference}`);
  expect(record).toContain('Client et équipement');
  expect(record).toContain('(Europe/Paris)');
});
