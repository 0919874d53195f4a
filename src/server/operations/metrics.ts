/** Every metric of the daemon. Labels are few and closed: no ids, no addresses. */
import {
  collectDefaultMetrics,
  Counter,
  Gauge,
  Histogram,
  Registry,
  type HistogramConfiguration,
  type LabelValues,
} from 'prom-client';
import { readCopies } from '../../core/backup/copies.js';
import type { Context } from '../../core/context.js';
import { isHeld } from '../../core/installation/hold.js';
import { JOB_NAMES } from '../../core/jobs/names.js';
import { listRuns, type ScheduledRun } from '../../core/schedule/runs.js';
import { databaseBytes, longestWaiting, oldestDueJobSeconds, openJobs } from '../../core/status/depths.js';
import type { Metrics } from '../../core/status/metrics.js';
import { READINESS_PARTS } from '../../core/status/readiness.js';

const REQUEST_SECONDS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5];
const CALL_SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

type Sample = [labels: Record<string, string>, value: number];

interface Reading {
  help: string;
  labelNames?: string[];
  read: (ctx: Context) => Sample[] | Promise<Sample[]>;
}

/** A number, a claim as 1 or 0, a time in seconds; null is left out. */
function sample(labels: Record<string, string>, value: number | boolean | string | null): Sample[] {
  if (value === null) return [];
  return [[labels, typeof value === 'string' ? Date.parse(value) / 1000 : Number(value)]];
}

function one(help: string, value: (ctx: Context) => number | boolean): Reading {
  return { help, read: (ctx) => sample({}, value(ctx)) };
}

function ofRuns(help: string, value: (run: ScheduledRun) => boolean | string | null): Reading {
  return {
    help,
    labelNames: ['run'],
    read: (ctx) => listRuns(ctx).flatMap((each) => sample({ run: each.run }, value(each))),
  };
}

const JOB_STATES = ['available', 'running', 'failed'];

const READINGS: Record<string, Reading> = {
  esign_jobs: {
    help: 'Jobs that wait, run or have failed',
    labelNames: ['kind', 'state'],
    read: (ctx) => [
      ...JOB_NAMES.flatMap((kind) => JOB_STATES.map((state): Sample => [{ kind, state }, 0])),
      ...openJobs(ctx).map(({ count, ...labels }): Sample => [labels, count]),
    ],
  },
  esign_oldest_due_job_seconds: one(
    'How long the job that is due longest has been due; 0: none is',
    oldestDueJobSeconds,
  ),
  esign_oldest_waiting_signature_seconds: one(
    'How long the longest-waiting request has waited for its signature; 0: none is waiting',
    (ctx) => longestWaiting(ctx, 'WAITING_SIGNATURE')?.seconds ?? 0,
  ),
  esign_held: one('1: the data was restored, and nothing is sent before esignctl takeover', isHeld),
  esign_not_ready: {
    help: '1: this part is not ready, as /readyz tells',
    labelNames: ['part'],
    read: async ({ readiness }) => {
      const unready = await readiness.listUnready();
      return READINESS_PARTS.flatMap((part) => sample({ part }, unready.includes(part)));
    },
  },
  esign_scheduled_run_failing: ofRuns(
    '1: the last run of this scheduled work failed',
    ({ isFailing }) => isFailing,
  ),
  esign_scheduled_run_last_success_timestamp_seconds: ofRuns(
    'When this scheduled work last succeeded; missing: never',
    ({ lastAt }) => lastAt,
  ),
  esign_scheduled_run_next_timestamp_seconds: ofRuns(
    'When this scheduled work runs next; missing: its schedule is off, or no backups are set up',
    ({ nextAt }) => nextAt,
  ),
  esign_scheduled_run_late: ofRuns(
    '1: this scheduled work has not succeeded two hours after its time',
    ({ isLate }) => isLate,
  ),
  esign_last_copy_timestamp_seconds: {
    help: 'When the last good copy of the data was made, on this machine and off it; missing: never',
    labelNames: ['where'],
    read: (ctx) => {
      const { here, offSite } = readCopies(ctx);
      return [...sample({ where: 'here' }, here.madeAt), ...sample({ where: 'offsite' }, offSite.madeAt)];
    },
  },
  esign_offsite_copy_late: one(
    '1: the last off-site copy is older than ESIGN_OFFSITE_MAX_AGE, or there is none',
    (ctx) => readCopies(ctx).offSite.isLate,
  ),
  esign_database_bytes: {
    help: 'Size of the database files',
    labelNames: ['file'],
    read: (ctx) => Object.entries(databaseBytes(ctx)).map(([file, bytes]) => [{ file }, bytes]),
  },
};

/** One per process; `watch` adds values that are read from the database on each scrape. */
export class DaemonMetrics implements Metrics {
  readonly #registry = new Registry();
  readonly #webhooks = new Counter({
    name: 'esign_webhooks_received_total',
    help: 'Deliveries of the providers, by the status of our answer',
    labelNames: ['source', 'status'],
    registers: [this.#registry],
  });
  /** `route`: the pattern, never the path. */
  readonly answered = this.#timed({
    name: 'esign_http_request_duration_seconds',
    help: 'Answers of the daemon, by route',
    labelNames: ['method', 'route', 'status'],
    buckets: REQUEST_SECONDS,
  });
  readonly providerCalled = this.#timed({
    name: 'esign_provider_call_duration_seconds',
    help: 'Calls to the providers; outcome is ok or what went wrong',
    labelNames: ['provider', 'outcome'],
    buckets: CALL_SECONDS,
  });
  readonly jobTried = this.#timed({
    name: 'esign_job_try_duration_seconds',
    help: 'Tries of jobs: send-mail are the mails, deliver-webhook the outbound deliveries',
    labelNames: ['kind', 'outcome'],
    buckets: CALL_SECONDS,
  });

  constructor() {
    measureProcess(this.#registry);
  }

  webhookReceived(labels: { source: string; status: number }): void {
    this.#webhooks.inc(labels);
  }

  /** Adds the readings of this service. */
  watch(ctx: Context): void {
    const { instance } = ctx.config;
    if (instance) this.#registry.setDefaultLabels({ firm: instance });
    for (const [name, { read, ...about }] of Object.entries(READINGS)) {
      const gauge: Gauge = new Gauge({
        name,
        ...about,
        registers: [this.#registry],
        collect: async () => {
          for (const [labels, value] of await read(ctx)) gauge.set(labels, value);
        },
      });
    }
  }

  async page(): Promise<{ text: string; contentType: string }> {
    return { text: await this.#registry.metrics(), contentType: this.#registry.contentType };
  }

  #timed<Label extends string>(about: HistogramConfiguration<Label>) {
    const times = new Histogram({ ...about, registers: [this.#registry] });
    return ({ seconds, ...labels }: { seconds: number } & Record<Label, string | number>): void =>
      times.observe(labels as unknown as LabelValues<Label>, seconds);
  }
}

/** The library's monitor of the event loop cannot be switched off, only made to sleep: 24 days. */
const NEVER_MS = 2 ** 31 - 1;

/** The library's figures of the process, without those of the event loop, which wake an idle process a hundred times a second. */
function measureProcess(registry: Registry): void {
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: NEVER_MS });
  for (const { name } of registry.getMetricsAsArray()) {
    if (name.startsWith('nodejs_eventloop_')) registry.removeSingleMetric(name);
  }
}
