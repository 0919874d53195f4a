/**
 * A snapshot, again and again while requests change, beside the same database copied by the sqlite3 shell, and what restic
 * then sends. `BENCH_REQUESTS` sets the numbers of requests, such as 1000,100000; contracts have a few kB.
 */
import { execFileSync, spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../src/core/clock.js';
import { writeSnapshot, type Snapshot } from '../src/core/backup/write-snapshot.js';
import { openDb } from '../src/db/open.js';
import { fill } from './list-data.js';
import { inDirectory, median, print } from './support.js';

const SIZES = (process.env['BENCH_REQUESTS'] ?? '1000,100000').split(',').map(Number);
const RUNS = 3;
const PDF_BYTES = 3_000;
/** So many requests change between two runs. */
const CHANGED = 10;

export async function run(): Promise<void> {
  for (const requests of SIZES) await inDirectory((directory) => measure(directory, requests));
}

async function measure(directory: string, requests: number): Promise<void> {
  const dataDir = join(directory, 'data');
  fill(dataDir, requests);
  const contracts = addContracts(dataDir);
  const target = join(directory, 'snapshot');
  const snapshot = () => timed(() => writeSnapshot({ dataDir, directory: target, clock: systemClock }));
  const first = await snapshot();
  const restic = resticIn(directory);
  const sent = [await restic?.(target)];
  const runs: Timed<Snapshot>[] = [];
  const shell: number[] = [];
  for (let i = 1; i <= RUNS; i += 1) {
    change(dataDir, contracts, i);
    runs.push(await snapshot());
    sent.push(await restic?.(target));
    shell.push((await timed(async () => copyByShell(dataDir, join(directory, 'copy.db')))).ms);
  }
  const waits = await writesBeside(dataDir, snapshot);
  const size = `${(first.value.size / 1e6).toFixed(0)} MB`;
  console.log(
    `\n${requests.toLocaleString('en')} requests, ${first.value.files} files of contracts, database of ${size}`,
  );
  print('first snapshot', seconds(first.ms));
  print(`a run with ${CHANGED} changed requests`, seconds(median(runs.map(({ ms }) => ms))));
  print('sqlite3 .backup of the database alone, PRAGMA synchronous as it is', seconds(median(shell)));
  print('another process that writes meanwhile waits at most', `${waits.toFixed(1)} ms`);
  const [initial, ...later] = sent;
  if (!initial) return;
  print('restic, first run', `${seconds(initial.ms)}, ${megabytes(initial.bytes)} sent`);
  const [ms, bytes] = (['ms', 'bytes'] as const).map((what) =>
    median(later.flatMap((each) => each?.[what] ?? [])),
  );
  print(`restic, ${CHANGED} changed requests`, `${seconds(ms ?? NaN)}, ${megabytes(bytes ?? NaN)} sent`);
}

/** Contracts of nine requests in ten, signed, each with its draft. Returns the highest id. */
function addContracts(dataDir: string): number {
  const db = openDb(join(dataDir, 'esign.db'), { busyTimeoutMs: 0, mustExist: true }).raw;
  mkdirSync(join(dataDir, 'contracts'));
  const insert = db.prepare(
    `INSERT INTO contracts (requestId, status, signId, amount, currency, createdAt, expiredAt, signedAt, pdfSha256,
       pdfSize, key, externalId, paymentKey)
     VALUES (?, 'SIGNED', ?, 12000, 'eur', ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const history = db.prepare(
    `INSERT INTO history (at, requestId, contractId, actor, what, detail) VALUES (?, ?, ?, 'system', ?, ?)`,
  );
  const at = '2026-01-01T00:00:00.000Z';
  const ids = db.prepare(`SELECT id FROM requests WHERE id % 10 > 0`).pluck().all() as number[];
  db.transaction(() => {
    for (const [i, requestId] of ids.entries()) {
      const id = i + 1;
      const key = randomBytes(8).toString('hex');
      const sha256 = writePdf(dataDir, `${id}.pdf`);
      writePdf(dataDir, `${id}.draft.pdf`);
      const name = `esign-0123456789abcdef-${key}`;
      insert.run(
        requestId,
        randomBytes(16).toString('hex'),
        at,
        at,
        at,
        sha256,
        PDF_BYTES,
        key,
        name,
        `${name}-1`,
      );
      for (const what of ['request.moved', 'contract.sent', 'contract.signed', 'payment.settled'])
        history.run(
          at,
          requestId,
          id,
          what,
          JSON.stringify({ from: 'WAITING_SIGNATURE', to: 'WAITING_PAYMENT', sha256 }),
        );
    }
  })();
  db.close();
  return ids.length;
}

function writePdf(dataDir: string, name: string): string {
  const bytes = randomBytes(PDF_BYTES);
  writeFileSync(join(dataDir, 'contracts', name), bytes);
  return createHash('sha256').update(bytes).digest('hex');
}

/** Changes some of the newest tenth: a new PDF, a history entry, the request's row. */
function change(dataDir: string, contracts: number, run: number): void {
  const db = openDb(join(dataDir, 'esign.db'), { busyTimeoutMs: 0, mustExist: true }).raw;
  for (let i = 0; i < CHANGED; i += 1) {
    const id = contracts - Math.floor(((run * CHANGED + i) * 7919) % (contracts / 10));
    const name = `${id}.pdf`;
    rmSync(join(dataDir, 'contracts', name));
    const sha256 = writePdf(dataDir, name);
    db.prepare('UPDATE contracts SET pdfSha256 = ? WHERE id = ?').run(sha256, id);
    db.prepare(
      `UPDATE requests SET updatedAt = ? WHERE id = (SELECT requestId FROM contracts WHERE id = ?)`,
    ).run(new Date().toISOString(), id);
    db.prepare(
      `INSERT INTO history (at, requestId, contractId, actor, what, detail) SELECT ?, requestId, id, 'system', 'contract.signed', ? FROM contracts WHERE id = ?`,
    ).run(new Date().toISOString(), JSON.stringify({ sha256 }), id);
  }
  db.close();
}

interface Timed<T> {
  ms: number;
  value: T;
}

async function timed<T>(work: () => Promise<T>): Promise<Timed<T>> {
  const begun = performance.now();
  const value = await work();
  return { ms: performance.now() - begun, value };
}

function copyByShell(dataDir: string, target: string): void {
  rmSync(target, { force: true });
  execFileSync('sqlite3', [join(dataDir, 'esign.db'), `.backup ${target}`]);
}

/** The longest that a commit took in another process, in milliseconds. */
async function writesBeside(dataDir: string, work: () => Promise<unknown>): Promise<number> {
  const driver = import.meta.resolve('better-sqlite3');
  const script = `
    const { default: Database } = await import(${JSON.stringify(driver)});
    const db = new Database(${JSON.stringify(join(dataDir, 'esign.db'))}, { timeout: 60000 });
    db.pragma('synchronous = NORMAL');
    const write = db.prepare("UPDATE requests SET updatedAt = ? WHERE id = ?");
    let longest = 0, isOver = false;
    process.on('SIGTERM', () => (isOver = true));
    for (let i = 1; !isOver; i += 1) {
      const begun = performance.now();
      write.run(new Date().toISOString(), 1 + (i % 500));
      longest = Math.max(longest, performance.now() - begun);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    console.log(longest);`;
  const other = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  other.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const ended = new Promise((resolve) => other.once('close', resolve));
  await new Promise((resolve) => setTimeout(resolve, 500));
  await work();
  other.kill('SIGTERM');
  await ended;
  return Number(said);
}

/** Undefined where restic is not installed. */
function resticIn(directory: string) {
  const env = { ...process.env, RESTIC_PASSWORD: 'bench', RESTIC_REPOSITORY: join(directory, 'repository') };
  const cache = join(directory, 'cache');
  const restic = (...words: string[]) =>
    execFileSync('restic', ['--cache-dir', cache, '--json', ...words], {
      env,
      encoding: 'utf8',
      maxBuffer: 1e9,
    });
  try {
    restic('init');
  } catch {
    return undefined;
  }
  return async (target: string) => {
    const { ms } = await timed(async () => restic('backup', '--quiet', '--ignore-ctime', target));
    return { ms, bytes: addedBytes(env['RESTIC_REPOSITORY'] ?? '') };
  };
}

const sizeBefore = new Map<string, number>();

/** How much the repository has grown since the last call. */
function addedBytes(repository: string): number {
  const size = Number(execFileSync('du', ['-sb', repository], { encoding: 'utf8' }).split('\t')[0]);
  const added = size - (sizeBefore.get(repository) ?? 0);
  sizeBefore.set(repository, size);
  return added;
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(2)} s`;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
