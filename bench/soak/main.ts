/**
 * `npm run soak -- --minutes N`: the real daemon under load, with faults of every kind and random kills. Afterwards
 * every request must be where the sandbox says, nothing may be doubled, and nothing may have leaked.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { Fault } from '../../sandbox/faults.js';
import { howItEnded } from '../../demo/program.js';
import { startLoad } from './customers.js';
import { startDisturber, type Ends } from './disturber.js';
import { drain } from './drain.js';
import { install } from './installation.js';
import { startSampler, type Samples } from './samples.js';
import { countsOf, isGone, judge, withRecords } from './verdict.js';

const USAGE = `Usage: npm run soak -- [--minutes N] [--rate N] [--faults N]

  --minutes N  how long the storm lasts (1); fractions and hours are fine
  --rate N     requests a second (20)
  --faults N   percent of all provider calls, mails, webhooks and PDFs that go wrong (5)

Long soaks are made of rounds of ten minutes, each judged to the end and begun afresh.
Exit codes: 0 all is as it must be; 1 it is not (the directory is kept and named); 2 wrong usage.
`;

const ROUND_MINUTES = 10;
/** Shown per kind of violation; one bug usually shows in many requests. */
const VIOLATIONS_SHOWN = 20;

interface Options {
  minutes: number;
  rate: number;
  faults: number;
}

const options = parseOptions();
if (options) process.exitCode = await soak(options);
else {
  process.stderr.write(USAGE);
  process.exitCode = 2;
}

function parseOptions(): Options | undefined {
  try {
    const { values } = parseArgs({
      options: {
        minutes: { type: 'string', default: '1' },
        rate: { type: 'string', default: '20' },
        faults: { type: 'string', default: '5' },
      },
    });
    const [minutes, rate, faults] = [Number(values.minutes), Number(values.rate), Number(values.faults)];
    return minutes > 0 && rate > 0 && faults >= 0 && faults <= 50 ? { minutes, rate, faults } : undefined;
  } catch {
    return undefined;
  }
}

async function soak({ minutes, rate, faults }: Options): Promise<number> {
  const rounds = Math.ceil(minutes / ROUND_MINUTES);
  let isGood = true;
  for (let round = 1; round <= rounds; round += 1) {
    print(`round ${round} of ${rounds}: ${rate} requests a second, ${faults} % faults`);
    isGood = (await oneRound({ minutes: minutes / rounds, rate, faults })) && isGood;
  }
  print(isGood ? 'soak passed' : 'soak FAILED');
  return isGood ? 0 : 1;
}

async function oneRound({ minutes, rate, faults }: Options): Promise<boolean> {
  const installation = await install();
  const { sandbox } = installation;
  const sampler = startSampler(installation.dataDir);
  const disturber = await startDisturber(installation.startDaemon, sampler, { longLives: minutes > 5 });
  let isGood = false;
  try {
    const load = await startLoad(installation, rate);
    await sandbox.switchFaultsOn(faults / 100);
    await pause(minutes * 60_000);

    print(`the storm is over after ${Math.round(minutes * 60)} s; now until nothing is owed`);
    const noMoreRequests = load.stop();
    const faultsStruck = (await sandbox.state()).faults;
    await sandbox.switchFaultsOff();
    const daemon = await disturber.stop();
    await noMoreRequests;
    await drain(installation, load);
    const samples = sampler.stop();
    const how = await daemon.stop();
    if (how.code !== 0) disturber.ends.wrong.push(`the last SIGTERM: ${howItEnded(how)}`);

    const state = await sandbox.state();
    const { dataDir } = installation;
    const [counts, wrong] = withRecords(dataDir, (rows) => [
      { 'API calls repeated': load.counts.callsRepeated, ...countsOf(rows, state) },
      [...judge(rows, dataDir, state), ...isGone(rows, state), ...load.counts.wrong],
    ]);
    report({ counts, ends: disturber.ends, samples, faultsStruck });
    isGood = tellTroubles([...wrong, ...samples.growth, ...disturber.ends.wrong]);
    return isGood;
  } finally {
    sampler.stop();
    (await disturber.stop()).kill('SIGKILL');
    await installation.leave({ keep: !isGood });
    if (!isGood) print(`kept: ${installation.directory}`);
  }
}

interface Report {
  counts: Record<string, number>;
  ends: Ends;
  samples: Samples;
  faultsStruck: Fault[];
}

function report({ counts, ends, samples, faultsStruck }: Report): void {
  const { peak, lives } = samples;
  const rows: [string, number | string][] = [
    ['faults that struck', faultsStruck.reduce((sum, { struck }) => sum + struck, 0)],
    ...strikesByKind(faultsStruck),
    ['kill -9', ends.killed],
    ['SIGTERM', ends.terminated],
    ['  cut short, a provider hung', ends.cutShort],
    ...Object.entries(counts).sort(([a], [b]) => a.localeCompare(b)),
    ['lives of the daemon', lives.length],
    ['memory at most', `${Math.round(peak.rssMb)} MB`],
    ['open files at most', peak.files],
    ['write-ahead log at most', `${peak.walMb.toFixed(1)} MB`],
  ];
  for (const [what, number] of rows) print(`  ${what.padEnd(36)} ${String(number).padStart(8)}`);
}

function strikesByKind(faults: readonly Fault[]): [string, number][] {
  return faults.map(({ target, kind, struck }) => [`  ${target} ${kind}`, struck]);
}

function tellTroubles(troubles: readonly string[]): boolean {
  for (const trouble of troubles.slice(0, VIOLATIONS_SHOWN)) print(`  WRONG: ${trouble}`);
  if (troubles.length > VIOLATIONS_SHOWN) print(`  WRONG: and ${troubles.length - VIOLATIONS_SHOWN} more`);
  return troubles.length === 0;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
