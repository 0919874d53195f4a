/** Runs the seeds that are asked for, and tells what they found. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { isTroubleKind, type Mode, type Options } from './plan.js';
import { shrink, type Shrunk } from './shrink.js';
import { World, type Outcome } from './world.js';

const HELP = `Simulates the service: years in minutes, every choice from one seed.

Usage: npm run simulate -- [options]

  --seed N         this seed; with --seeds as many from it on (default: 1; with --minutes a different one each time)
  --seeds N        how many seeds (default: 1)
  --minutes M      new seeds until M minutes have passed
  --days D         days of the firm (default: 12)
  --requests N     requests for maintenance (default: 25)
  --mode MODE      safety: the office helps in the end; liveness: all must first come to rest in time without it (default: both in turn)
  --until STEP     stop before this step
  --hours H        end the firm's work after H hours of its days
  --only KEYS      leave all other stories and troubles out of the plan
  --often KINDS    these kinds of trouble several times a day
  --all            go on after a broken promise
  --no-shrink      do not look for the smallest story that breaks the same promise
  --verbose        print everything that happens
  --planted [WORD] instead: how many seeds each planted fault takes to be found (docs/simulation.md)

Exit codes: 0 nothing found; 1 a promise was broken; 2 wrong usage.
`;

const OPTIONS = {
  seed: { type: 'string' },
  seeds: { type: 'string' },
  minutes: { type: 'string' },
  days: { type: 'string', default: '12' },
  requests: { type: 'string', default: '25' },
  mode: { type: 'string' },
  until: { type: 'string' },
  hours: { type: 'string' },
  only: { type: 'string' },
  'no-shrink': { type: 'boolean', default: false },
  often: { type: 'string', default: '' },
  all: { type: 'boolean', default: false },
  verbose: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

const NUMBERS = ['seed', 'seeds', 'minutes', 'days', 'requests', 'until', 'hours'] as const;

const realNow = () => process.hrtime.bigint();

export async function explore(argv: string[]): Promise<number> {
  const values = valuesOf(argv);
  if (typeof values === 'string') {
    process.stderr.write(`${values}\nTry --help.\n`);
    return 2;
  }
  if (values.help) {
    process.stdout.write(HELP);
    return 0;
  }
  await loadEverything();
  // With --minutes, each run plays other worlds than the last one.
  const first = Number(values.seed ?? (values.minutes ? realNow() % 1_000_000_000n : 1));
  const seeds = values.minutes ? Infinity : Number(values.seeds ?? 1);
  const begun = realNow();
  const until = values.minutes ? Number(values.minutes) * 60 : Infinity;
  let found = 0;
  for (let seed = first; seed < first + seeds && seconds(begun) < until; seed += 1) {
    const mode = (values.mode ?? (seed % 2 === 0 ? 'liveness' : 'safety')) as Mode;
    const options: Options = {
      seed,
      days: Number(values.days),
      requests: Number(values.requests),
      mode,
      until: values.until === undefined ? undefined : Number(values.until),
      hours: values.hours === undefined ? undefined : Number(values.hours),
      only: values.only === undefined ? undefined : setOf(values.only),
      often: setOf(values.often),
      ...(values.verbose && { onLine: (line: string) => process.stdout.write(`${line}\n`) }),
    };
    const outcome = await play(options);
    tell(options, outcome);
    if (outcome.violation !== undefined) {
      found += 1;
      if (!values['no-shrink'])
        tellShrunk(await shrink(options, outcome, (less) => play({ ...less, onLine: undefined })), outcome);
      if (!values.minutes && !values.all) break;
    }
  }
  return found > 0 ? 1 : 0;
}

/** What is wrong with the options, or their values. */
function valuesOf(argv: string[]) {
  try {
    const { values } = parseArgs({ args: argv, options: OPTIONS });
    const notANumber = NUMBERS.find((name) => !/^\d+$/.test(values[name] ?? '0'));
    if (notANumber) return `--${notANumber} takes a whole number.`;
    const { mode = 'safety', often } = values;
    if (mode !== 'safety' && mode !== 'liveness') return '--mode must be safety or liveness.';
    const unknown = [...setOf(often)].find((kind) => !isTroubleKind(kind));
    return unknown === undefined ? values : `There is no kind of trouble “${unknown}”.`;
  } catch (error) {
    return (error as Error).message;
  }
}

function setOf(words: string): Set<string> {
  return new Set(words.split(',').filter(Boolean));
}

interface Played extends Outcome {
  /** Of one core. */
  seconds: number;
}

async function play(options: Options): Promise<Played> {
  const cpu = process.cpuUsage();
  const world = new World(options);
  try {
    const outcome = await world.run();
    const { user, system } = process.cpuUsage(cpu);
    return { ...outcome, seconds: (user + system) / 1e6 };
  } finally {
    world.end();
  }
}

function seconds(begun: bigint): number {
  return Number(realNow() - begun) / 1e9;
}

function tell(
  options: Options,
  { violation, digest, steps, hours, seconds: took, lastLines, counts }: Played,
): void {
  const { seed, mode } = options;
  const speed = Math.round(hours / took);
  const summary = `seed ${seed} ${mode}: ${steps} steps, ${Math.round(hours)} h in ${took.toFixed(1)} s (${speed} h/s), digest ${digest.slice(0, 16)}`;
  process.stdout.write(
    `${summary} ${Object.entries(counts)
      .map(([name, n]) => `${name} ${n}`)
      .join(', ')}\n`,
  );
  if (violation === undefined) return;
  process.stdout.write(`${lastLines.join('\n')}\n\n${brokenAt(options, { steps, violation })}`);
}

function tellShrunk({ options, outcome, tries }: Shrunk, before: Outcome): void {
  const kept = `${outcome.keys.length} of ${before.keys.length} stories and troubles`;
  process.stdout.write(`\nShrunk to ${kept} in ${tries} tries:\n${brokenAt(options, outcome)}`);
}

/** What is broken, and the command that plays the same story again. */
function brokenAt(options: Options, { steps, violation }: Pick<Outcome, 'steps' | 'violation'>): string {
  return `BROKEN at step ${steps}: ${violation}\nAgain: ${again(options)}\nStop before it: --until ${steps}\n`;
}

function again({ seed, days, requests, mode, hours, only, often }: Options): string {
  const given = (name: string, keys: ReadonlySet<string> | undefined) =>
    keys && (keys.size > 0 || name === 'only') ? ` --${name} ${[...keys].join() || "''"}` : '';
  const plan = given('often', often) + given('only', only);
  const end = hours === undefined ? '' : ` --hours ${hours}`;
  return `npm run simulate -- --seed ${seed} --days ${days} --requests ${requests} --mode ${mode}${end}${plan}`;
}

/**
 * What the service loads when it is needed: loading takes real time and turns of the real event loop, which the simulated world does
 * not have; the first world of a process would differ from the same world after another.
 */
async function loadEverything(): Promise<void> {
  const source = join(import.meta.dirname, '../src');
  for (const part of ['core', 'db', 'cli', 'server'])
    for (const file of readdirSync(join(source, part), { recursive: true, encoding: 'utf8' }).toSorted())
      if (/\.[jt]s$/.test(file)) await import(join(source, part, file));
  const LIBRARIES = ['@libpdf/core', '@node-rs/argon2', 'chalk', 'cli-table3', 'nodemailer', 'ofetch', 'ora'];
  for (const name of LIBRARIES) await import(name);
  const { getResolvedPDFJS } = await import('unpdf');
  await getResolvedPDFJS();
}
