/**
 * `npm run drill`: a firm under load loses its machine at a random moment: kill -9, and the disk with it. A new one takes over from
 * the last copy that restic has brought away. Then everything is compared with the providers.
 */
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import Database from 'better-sqlite3';
import { programFile, runProgram, type Program } from '../../demo/program.js';
import { until } from '../../demo/patience.js';
import { startLoad } from '../soak/customers.js';
import { install } from '../soak/installation.js';
import { compare, type Told } from './compare.js';
import { startCopies } from './copies.js';

const USAGE = `Usage: npm run drill -- [--runs N] [--every SECONDS] [--rate N]

  --runs N         how many machines are lost (1)
  --every SECONDS  a copy goes to the repository so often (5): in small what five minutes are
  --rate N         requests a second (4)

It needs restic. Exit codes: 0 all is as it must be; 1 it is not (the directory is kept and named); 2 wrong usage, or no restic.
`;

/** How many copies exist before the machine is lost, and within how many intervals the moment falls. */
const COPIES_BEFORE = 1;
const WITHIN_INTERVALS = 2;

interface Options {
  runs: number;
  everyMs: number;
  rate: number;
}

interface Loss {
  /** From the copy to the loss. */
  lostMs: number;
  /** From the new machine with its empty disk to a daemon that sends again; of that, what restic took. */
  backMs: number;
  fetchMs: number;
  requests: number;
  /** Requests that customers had been told of, and contracts and payments that providers had; the latter are named. */
  lostRequests: number;
  lostContracts: number;
  caughtUp: number;
  repeatedMails: number;
  wrong: string[];
}

const options = parseOptions();
if (!options) {
  process.stderr.write(USAGE);
  process.exitCode = 2;
} else if (spawnSync('restic', ['version']).status !== 0) {
  process.stderr.write('restic is not installed (Debian: apt install restic)\n');
  process.exitCode = 2;
} else process.exitCode = await drill(options);

function parseOptions(): Options | undefined {
  try {
    const { values } = parseArgs({
      options: {
        runs: { type: 'string', default: '1' },
        every: { type: 'string', default: '5' },
        rate: { type: 'string', default: '4' },
      },
    });
    const [runs, every, rate] = [Number(values.runs), Number(values.every), Number(values.rate)];
    return runs >= 1 && every > 0 && rate > 0 ? { runs, everyMs: every * 1_000, rate } : undefined;
  } catch {
    return undefined;
  }
}

async function drill({ runs, ...options }: Options): Promise<number> {
  const losses: Loss[] = [];
  for (let i = 1; i <= runs; i += 1) {
    const loss = await loseOne(options);
    losses.push(loss);
    print(`${i}: ${inWords(loss)}`);
    for (const wrong of loss.wrong) print(`  WRONG: ${wrong}`);
  }
  tellAll(losses);
  const isGood = losses.every(({ wrong }) => wrong.length === 0);
  print(isGood ? 'drill passed' : 'drill FAILED');
  return isGood ? 0 : 1;
}

async function loseOne({ everyMs, rate }: Omit<Options, 'runs'>): Promise<Loss> {
  const installation = await install();
  const { directory, dataDir, env, sandbox } = installation;
  let daemon: Program | undefined = await installation.startDaemon();
  let isGood = false;
  try {
    const load = await startLoad(installation, rate);
    const copies = await startCopies(installation, everyMs);
    await until('the first copies', () => copies.arrived >= COPIES_BEFORE || undefined, {
      timeoutMs: 120_000,
    });
    await pause(Math.random() * WITHIN_INTERVALS * everyMs);

    const lostAt = Date.now();
    await daemon.killHard();
    await copies.lose();
    const promised = load.counts.requests;
    rmSync(dataDir, { recursive: true });

    const begun = performance.now();
    const copy = await copies.fetch(join(directory, 'fetched'));
    const fetchMs = performance.now() - begun;
    await runProgram(programFile('esignctl'), { args: ['restore', copy, '--yes'], env });
    daemon = await installation.startDaemon();
    // 1: a contract could not be checked, which the comparison would find.
    const said = await runProgram(
      programFile('esignctl'),
      { args: ['takeover', '--yes', '--json'], env },
      [0, 1],
    );
    const backMs = performance.now() - begun;
    const told = JSON.parse(said) as Told;

    // Their log-ins are no longer valid, so they give up.
    await load.stop();
    await load.payTheRest();
    await settle(installation);
    const compared = await compare(installation, await sandbox.state(), told);
    isGood = compared.wrong.length === 0;
    return {
      ...compared,
      lostMs: lostAt - Date.parse(told.held.madeAt),
      backMs,
      fetchMs,
      lostRequests: Math.max(0, promised - countRequests(dataDir)),
      lostContracts: told.lostSignatures.length,
      caughtUp: told.done.signatures + told.done.payments,
    };
  } finally {
    await daemon?.killHard();
    await installation.leave({ keep: !isGood });
    if (!isGood) print(`kept: ${directory}`);
  }
}

/** Runs until no webhook is under way and no job is due; the bulk checks find what no webhook reported. */
async function settle({ dataDir, env, sandbox }: Awaited<ReturnType<typeof install>>): Promise<void> {
  await sandbox.settled();
  for (const args of [
    ['check-signature', '--all'],
    ['payments', 'check', '--all'],
  ])
    await runProgram(programFile('esignctl'), { args, env }, [0, 1]);
  const db = new Database(join(dataDir, 'esign.db'), { readonly: true });
  const open = db.prepare(
    "SELECT count(*) FROM jobs WHERE state IN ('available', 'running') AND runAt < strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '+5 seconds')",
  );
  await until('no job that is due', () => open.pluck().get() === 0 || undefined, { timeoutMs: 120_000 });
  db.close();
}

function countRequests(dataDir: string): number {
  const db = new Database(join(dataDir, 'esign.db'), { readonly: true });
  const count = db.prepare('SELECT count(*) FROM requests').pluck().get() as number;
  db.close();
  return count;
}

function inWords(loss: Loss): string {
  const { lostMs, backMs, fetchMs, requests, lostRequests, lostContracts, caughtUp, repeatedMails } = loss;
  return [
    `${requests} contracts`,
    `lost ${seconds(lostMs)} of data: ${lostRequests} requests, ${lostContracts} contracts known to the provider, all named`,
    `caught up with ${caughtUp}`,
    `back after ${seconds(backMs)}, restic's part ${seconds(fetchMs)}`,
    `${repeatedMails} mails repeated under their Message-ID`,
  ].join('; ');
}

function tellAll(losses: readonly Loss[]): void {
  const rows: [string, (loss: Loss) => number, (n: number) => string][] = [
    ['data lost', ({ lostMs }) => lostMs, seconds],
    ['back after', ({ backMs }) => backMs, seconds],
    ['requests lost', ({ lostRequests }) => lostRequests, String],
    ['contracts lost and named', ({ lostContracts }) => lostContracts, String],
    ['caught up with', ({ caughtUp }) => caughtUp, String],
    ['mails repeated', ({ repeatedMails }) => repeatedMails, String],
  ];
  print(`${'of'.padEnd(26)} ${'median'.padStart(8)} ${'most'.padStart(8)}   (${losses.length} runs)`);
  for (const [what, of, show] of rows) {
    const sorted = losses.map(of).toSorted((a, b) => a - b);
    const [median = 0, most = 0] = [sorted[Math.floor(sorted.length / 2)], sorted.at(-1)];
    print(`${what.padEnd(26)} ${show(median).padStart(8)} ${show(most).padStart(8)}`);
  }
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
