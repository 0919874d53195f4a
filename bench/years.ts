/**
 * Ten years: every page, command, nightly run, migration, backup and start with 2,000,000 requests, or as many as `BENCH_REQUESTS`
 * says, as many contracts and ten times as many entries of the history, beside an installation with 1,000.
 */
import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inDirectory, print } from './support.js';
import { COMMANDS, LEFT_OUT, LONG_COMMANDS } from './years/commands.js';
import { compare, tell, type Comparison } from './years/compare.js';
import { prepared, spelled, type Installation } from './years/data.js';
import { nightly } from './years/nightly.js';
import { pages } from './years/pages.js';

const REQUESTS = Number(process.env['BENCH_REQUESTS'] ?? 2_000_000);
const FEW = 1_000;
const RUNS = 3;
/** Refused, or with findings: the same in both installations. */
const EXPECTED = [0, 1, 3];
const program = (name: string) => fileURLToPath(new URL(`../bin/${name}.js`, import.meta.url));

export async function run(): Promise<void> {
  const providers = fork(fileURLToPath(new URL('./years/providers.js', import.meta.url)));
  const [port] = (await once(providers, 'message')) as [number];
  await inDirectory(async (directory) => {
    const few = prepared(join(directory, 'few'), FEW, port);
    const many = prepared(join(directory, 'many'), REQUESTS, port);
    const comparison: Comparison = { few, many, grown: [] };
    const sizes = [FEW, REQUESTS].map((count) => count.toLocaleString('en'));
    print('', `ms with ${sizes.join(' and ')} requests; ratio`);
    migrations(comparison);
    await compare(comparison, 'start of esignd', RUNS, started);
    console.log('Commands');
    await commands(comparison, directory);
    console.log('Pages and API');
    await pages(comparison);
    console.log('Scheduled work');
    await nightly(comparison);
    console.log('Grows by more than twice');
    for (const line of comparison.grown) console.log(`  ${line}`);
    console.log('Left out');
    for (const [name, reason] of Object.entries(LEFT_OUT)) console.log(`  ${name}: ${reason}`);
  });
  providers.disconnect();
}

/** Those that take long, one by one. */
function migrations({ few, many, grown }: Comparison): void {
  console.log('Migrations');
  for (const [name, ms] of many.migrated)
    if (ms > 100) tell(grown, name, few.migrated.get(name) as number, ms);
  const all = ({ migrated }: Installation) => [...migrated.values()].reduce((sum, ms) => sum + ms, 0);
  tell(grown, 'all of them', all(few), all(many));
}

async function commands(comparison: Comparison, directory: string): Promise<void> {
  for (const words of COMMANDS) await compare(comparison, words, RUNS, told(words, directory));
  for (const words of LONG_COMMANDS) await compare(comparison, words, 1, told(words, directory));
}

/** The program's whole run; each archive is a new file. */
function told(words: string, directory: string): (one: Installation) => Promise<number> {
  let runs = 0;
  return async (one) => {
    const place = join(directory, String(one.requests));
    if (words.includes('--out')) one.names['ARCHIVE'] = `${place}-${words.slice(0, 2)}-${(runs += 1)}.zip`;
    Object.assign(one.names, { BACKUP: `${place}.tar`, SNAPSHOT: `${place}.snapshot` });
    const argv = spelled(words, one).split(' ');
    const began = performance.now();
    const child = spawn(process.execPath, [program('esignctl'), ...argv], {
      env: one.env,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const said: Buffer[] = [];
    child.stderr.on('data', (chunk: Buffer) => said.push(chunk));
    const [code] = (await once(child, 'close')) as [number];
    if (!EXPECTED.includes(code)) throw new Error(`${words}: ${code} ${Buffer.concat(said).toString()}`);
    return performance.now() - began;
  };
}

/** Until it says that it listens. */
async function started({ env }: Installation): Promise<number> {
  const began = performance.now();
  const daemon = spawn(process.execPath, [program('esignd')], { env, stdio: ['ignore', 'pipe', 'ignore'] });
  await once(daemon.stdout, 'data');
  const ms = performance.now() - began;
  daemon.kill();
  await once(daemon, 'exit');
  return ms;
}
