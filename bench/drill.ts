/**
 * `npm run drill`: a firm under load loses its machine at a random moment: kill -9, and the disk with it. A new one takes over from
 * the last copy that restic has brought away. Then everything is compared with the providers.
 */
import { execFile, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { until } from '../demo/patience.js';
import { programFile, runProgram, type Program } from '../demo/program.js';
import type { SandboxState } from '../sandbox/state.js';
import { sha256 } from '../simulation/rules/documents.js';
import type { ContractRow } from '../simulation/rules/facts.js';
import { startLoad } from './storm/customers.js';
import { install, numbersOf, type Installation } from './storm/installation.js';
import { judge, withRecords } from './storm/verdict.js';
import { quantile } from './support.js';

const USAGE = `Usage: npm run drill -- [--runs N] [--every SECONDS] [--rate N]

  --runs N         how many machines are lost (1)
  --every SECONDS  a copy goes to the repository so often (5): in small what five minutes are
  --rate N         requests a second (4)

It needs restic. Exit codes: 0 all is as it must be; 1 it is not (the directory is kept and named); 2 wrong usage, or no restic.
`;

/** Copies that exist before the loss, and within how many intervals that falls. */
const COPIES_BEFORE = 1;
const WITHIN_INTERVALS = 2;
const WAIT = { timeoutMs: 120_000 };

/** As `esignctl takeover --json` prints it. */
interface Told {
  held: { madeAt: string };
  lostSignatures: { signId: string }[];
  done: { signatures: number; payments: number };
}

const { runs, every, rate } = numbersOf(USAGE, { runs: 1, every: 5, rate: 4 });
if (spawnSync('restic', ['version']).status !== 0) {
  process.stderr.write('restic is not installed (Debian: apt install restic)\n');
  process.exit(2);
}
const losses: Awaited<ReturnType<typeof loseOne>>[] = [];
for (let i = 1; i <= runs; i += 1) {
  const loss = await loseOne();
  losses.push(loss);
  const { wrong, ...figures } = loss;
  console.log(`${i}: ${JSON.stringify(figures)}`);
  for (const each of wrong) console.log(`  WRONG: ${each}`);
  if (wrong.length > 0) process.exitCode = 1;
}
for (const name of Object.keys(losses[0] ?? {}).filter((key) => key !== 'wrong')) {
  const figures = losses.map((loss) => loss[name as 'contracts']);
  console.log(`${name.padEnd(52)} median ${quantile(figures, 0.5)}, most ${Math.max(...figures)}`);
}
console.log(process.exitCode === 1 ? 'drill FAILED' : 'drill passed');

async function loseOne() {
  const installation = await install();
  const { directory, dataDir, env, sandbox } = installation;
  const esignctl = (...args: string[]) => runProgram(programFile('esignctl'), { args, env }, [0, 1]);
  let daemon: Program | undefined = await installation.startDaemon();
  let wrong: string[] | undefined;
  try {
    const load = await startLoad(installation, rate);
    const copies = await startCopies(installation);
    await until('the first copies', () => copies.arrived() >= COPIES_BEFORE || undefined, WAIT);
    await pause(Math.random() * WITHIN_INTERVALS * every * 1000);

    const lostAt = Date.now();
    await daemon.killHard();
    await copies.lose();
    const promised = load.counts.requests;
    rmSync(dataDir, { recursive: true });

    const begun = performance.now();
    const copy = await copies.fetch(join(directory, 'fetched'));
    const fetchedMs = performance.now() - begun;
    await esignctl('restore', copy, '--yes');
    daemon = await installation.startDaemon();
    // 1: a contract could not be checked, which the comparison would find.
    const told = JSON.parse(await esignctl('takeover', '--yes', '--json')) as Told;
    const backMs = performance.now() - begun;

    // Their log-ins are no longer valid, so they give up.
    await load.stop();
    await load.payTheRest();
    await sandbox.settled();
    // They find what no webhook reported.
    for (const words of ['check-signature', 'payments check']) await esignctl(...words.split(' '), '--all');
    await until('no job that is due', () => countDue(dataDir) === 0 || undefined, WAIT);
    const state = await sandbox.state();
    wrong = await compare(installation, state, told);
    const count = (table: string) => withRecords(dataDir, (rows) => rows(`SELECT 1 FROM ${table}`).length);
    const times = Object.values(state.counters.mailsById);
    return {
      wrong,
      contracts: count('contracts'),
      'ms of data lost': lostAt - Date.parse(told.held.madeAt),
      'ms from the empty disk until it sends again': Math.round(backMs),
      'ms of which restic': Math.round(fetchedMs),
      'requests lost': Math.max(0, promised - count('requests')),
      'contracts lost here, each named': told.lostSignatures.length,
      'signatures and payments recovered': told.done.signatures + told.done.payments,
      'mails sent again, under their Message-ID': times.reduce((sum, each) => sum + each - 1, 0),
    };
  } finally {
    await daemon?.killHard();
    await installation.leave({ keep: wrong?.length !== 0 });
  }
}

function countDue(dataDir: string): number {
  const soon = new Date(Date.now() + 5_000).toISOString();
  const sql = "SELECT 1 FROM jobs WHERE state IN ('available', 'running') AND runAt < ?";
  return withRecords(dataDir, (rows) => rows(sql, soon).length);
}

/** The way off the machine, and back: a snapshot now and then, sent by restic to a repository elsewhere. */
async function startCopies({ directory, dataDir, env }: Installation) {
  const snapshot = join(dataDir, 'snapshot');
  let lost = new AbortController();
  let arrived = 0;
  const restic = (...words: string[]) =>
    promisify(execFile)('restic', ['--quiet', '--repo', join(directory, 'repository'), ...words], {
      env: { ...process.env, RESTIC_PASSWORD: 'drill', RESTIC_CACHE_DIR: join(directory, 'cache') },
      signal: lost.signal,
      killSignal: 'SIGKILL',
    });
  await restic('init');
  const sending = (async () => {
    const { signal } = lost;
    while (!signal.aborted) {
      const rest = pause(every * 1000, undefined, { signal }).catch(() => undefined);
      try {
        await runProgram(programFile('esignctl'), { args: ['snapshot', snapshot], env, signal });
        await restic('backup', snapshot);
        arrived += 1;
      } catch (error) {
        if (!signal.aborted) throw error;
      }
      await rest;
    }
  })();
  return {
    arrived: () => arrived,
    /** Whatever is under way is killed. */
    async lose() {
      lost.abort();
      await sending;
      lost = new AbortController();
    },
    /** Brings the newest copy to this machine; returns its directory. */
    async fetch(to: string): Promise<string> {
      await restic('unlock', '--remove-all');
      await restic('restore', 'latest', '--target', to);
      const found = readdirSync(to, { recursive: true, encoding: 'utf8' }).find((name) =>
        /(^|\/)snapshot\/manifest\.json$/.test(name),
      );
      if (!found) throw new Error('restic brought no snapshot back');
      return join(to, found, '..');
    },
  };
}

/** After the takeover, the rules hold, the signed PDFs are the provider's, and every loss is named. */
async function compare({ dataDir, env }: Installation, state: SandboxState, told: Told): Promise<string[]> {
  const { wrong, contracts, id } = withRecords(dataDir, (rows) => ({
    wrong: [
      ...judge(rows, dataDir, state),
      ...rows('SELECT 1 FROM hold').map(() => 'the installation is still held'),
    ],
    contracts: rows<ContractRow>('SELECT * FROM contracts WHERE signId IS NOT NULL'),
    id: rows<{ id: string }>('SELECT id FROM installation')[0]?.id,
  }));
  for (const { id: contractId, signId } of contracts.filter(({ pdfSha256 }) => pdfSha256 !== null)) {
    const url = `${env['ESIGN_API_URL']}/signature_requests/${signId}/documents/download?version=completed`;
    const answer = await fetch(url, { headers: { authorization: `Bearer ${env['ESIGN_API_KEY']}` } });
    const here = readFileSync(join(dataDir, 'contracts', `${contractId}.pdf`));
    if (sha256(here) !== sha256(new Uint8Array(await answer.arrayBuffer())))
      wrong.push(`contract ${contractId}: the signed PDF here is not the one of ${signId}`);
  }
  const known = new Set([...contracts, ...told.lostSignatures].map(({ signId }) => signId));
  for (const { id: signId, external_id: name, status } of state.signatureRequests)
    if (name?.startsWith(`esign-${id}-`) && ['ongoing', 'done'].includes(status) && !known.has(signId))
      wrong.push(`document ${signId} (${status}) is unknown here, and the takeover did not name it`);
  return wrong;
}
