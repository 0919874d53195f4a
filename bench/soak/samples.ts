/** What a leaking daemon lets grow: memory, open files and the write-ahead log. Reads /proc; without it, only the log. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { quantile } from '../support.js';

export interface Sample {
  rssMb: number;
  files: number;
  walMb: number;
}

export interface Samples {
  lives: Sample[][];
  /** Endless growth, in words. */
  growth: string[];
  peak: Sample;
}

export interface Sampler {
  /** Switches to this process. */
  watch(pid: number): void;
  stop(): Samples;
}

const EVERY_MS = 500;
/** Ignores the program's warm-up. */
const WARM_UP = 20;
const JUDGED_FROM = 60;
const LIMITS: Sample = { rssMb: 600, files: 400, walMb: 80 };
/** Between the first and the last third of a long life, in the units above. */
const GROWTH_MAX: Sample = { rssMb: 60, files: 60, walMb: 64 };

export function startSampler(dataDir: string): Sampler {
  const lives: Sample[][] = [];
  let pid: number | undefined;
  const timer = setInterval(() => {
    const sample = pid === undefined ? undefined : look(pid, dataDir);
    if (sample) lives.at(-1)?.push(sample);
  }, EVERY_MS);
  return {
    watch: (next) => {
      pid = next;
      lives.push([]);
    },
    stop: () => {
      clearInterval(timer);
      return judge(lives);
    },
  };
}

function look(pid: number, dataDir: string): Sample | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const kilobytes = Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0);
    return {
      rssMb: kilobytes / 1024,
      files: readdirSync(`/proc/${pid}/fd`).length,
      walMb: (statSync(`${dataDir}/esign.db-wal`, { throwIfNoEntry: false })?.size ?? 0) / 1024 / 1024,
    };
  } catch {
    // It has just ended, or this system has no /proc.
    return undefined;
  }
}

const MEASURES = ['rssMb', 'files', 'walMb'] as const;

function judge(lives: Sample[][]): Samples {
  const all = lives.flat();
  const most = (measure: keyof Sample) => Math.max(0, ...all.map((sample) => sample[measure]));
  const peak = { rssMb: most('rssMb'), files: most('files'), walMb: most('walMb') };
  const growth = MEASURES.filter((measure) => peak[measure] > LIMITS[measure]).map(
    (measure) => `${measure} reached ${Math.round(peak[measure])}, the limit is ${LIMITS[measure]}`,
  );
  for (const life of lives.filter(({ length }) => length >= JUDGED_FROM)) {
    const warm = life.slice(WARM_UP);
    const third = Math.floor(warm.length / 3);
    for (const measure of MEASURES) {
      const usual = (part: Sample[]) =>
        quantile(
          part.map((sample) => sample[measure]),
          0.5,
        );
      const [before, after] = [usual(warm.slice(0, third)), usual(warm.slice(-third))];
      if (after - before > GROWTH_MAX[measure]) {
        growth.push(`${measure} grew from ${Math.round(before)} to ${Math.round(after)} within one life`);
      }
    }
  }
  return { lives, growth, peak };
}
