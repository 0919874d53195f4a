/** What the daemon counts about itself, in the form that Prometheus reads. Labels are few and closed: no ids, no addresses. */
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { listScheduledWork } from '../core/care/failing-runs.js';
import type { Context } from '../core/context.js';
import { READINESS_PARTS } from '../core/readiness.js';
import { databaseBytes, longestWaiting, oldestDueJobSeconds, openJobs } from '../core/depths.js';
import { JOB_KINDS } from '../core/jobs/kinds.js';
import type { Metrics } from '../core/metrics.js';

const REQUEST_SECONDS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5];
const CALL_SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

export interface Answered {
  method: string;
  /** The route's pattern, never the path. */
  route: string;
  status: number;
  seconds: number;
}

/** One for a process; `watch` adds what is read from the database whenever somebody asks. */
export class Measures implements Metrics {
  readonly #registry = new Registry();
  readonly #requests = new Histogram({
    name: 'esign_http_request_duration_seconds',
    help: 'Answers of the daemon, by route',
    labelNames: ['method', 'route', 'status'],
    buckets: REQUEST_SECONDS,
    registers: [this.#registry],
  });
  readonly #webhooks = new Counter({
    name: 'esign_webhooks_received_total',
    help: 'Deliveries of the providers, by the status of our answer',
    labelNames: ['source', 'status'],
    registers: [this.#registry],
  });
  readonly #calls = new Histogram({
    name: 'esign_provider_call_duration_seconds',
    help: 'Calls to the providers; outcome is ok or what went wrong',
    labelNames: ['provider', 'outcome'],
    buckets: CALL_SECONDS,
    registers: [this.#registry],
  });
  readonly #tries = new Histogram({
    name: 'esign_job_try_duration_seconds',
    help: 'Tries of jobs: send-mail are the mails, deliver-webhook the outbound deliveries',
    labelNames: ['kind', 'outcome'],
    buckets: CALL_SECONDS,
    registers: [this.#registry],
  });

  constructor() {
    collectDefaultMetrics({ register: this.#registry });
  }

  answered({ seconds, ...labels }: Answered): void {
    this.#requests.observe(labels, seconds);
  }

  webhookReceived(labels: { source: string; status: number }): void {
    this.#webhooks.inc(labels);
  }

  providerCalled({ seconds, ...labels }: Parameters<Metrics['providerCalled']>[0]): void {
    this.#calls.observe(labels, seconds);
  }

  jobTried({ seconds, ...labels }: Parameters<Metrics['jobTried']>[0]): void {
    this.#tries.observe(labels, seconds);
  }

  /** Adds the depths and ages of a service; each is read when the page is asked for. */
  watch(ctx: Context): void {
    const jobs = this.#gauge('esign_jobs', 'Jobs that wait, run or have failed', ['kind', 'state'], () => {
      for (const kind of JOB_KINDS) {
        for (const state of ['available', 'running', 'failed']) jobs.set({ kind, state }, 0);
      }
      for (const { count, ...labels } of openJobs(ctx)) jobs.set(labels, count);
    });
    const due = this.#gauge(
      'esign_oldest_due_job_seconds',
      'How long the job that is due longest has been due; 0: none is',
      [],
      () => {
        due.set(oldestDueJobSeconds(ctx));
      },
    );
    const waiting = this.#gauge(
      'esign_oldest_waiting_signature_seconds',
      'How long the longest-waiting request has waited for its signature; 0: none is waiting',
      [],
      () => {
        waiting.set(longestWaiting(ctx, 'WAITING_SIGNATURE')?.seconds ?? 0);
      },
    );
    const notReady = this.#gauge(
      'esign_not_ready',
      '1: this part is not ready, as /readyz tells',
      ['part'],
      async () => {
        const unready = await ctx.readiness.listUnready();
        for (const part of READINESS_PARTS) notReady.set({ part }, Number(unready.includes(part)));
      },
    );
    const failing = this.#gauge(
      'esign_scheduled_run_failing',
      '1: the last run of this scheduled work failed',
      ['run'],
      () => {
        for (const { run, isFailing } of listScheduledWork(ctx)) failing.set({ run }, Number(isFailing));
      },
    );
    const succeeded = this.#gauge(
      'esign_scheduled_run_last_success_timestamp_seconds',
      'When this scheduled work last succeeded; missing: never',
      ['run'],
      () => {
        for (const { run, lastGoodAt } of listScheduledWork(ctx)) {
          if (lastGoodAt) succeeded.set({ run }, Date.parse(lastGoodAt) / 1000);
        }
      },
    );
    const size = this.#gauge('esign_database_bytes', 'Size of the database files', ['file'], () => {
      for (const [file, bytes] of Object.entries(databaseBytes(ctx))) size.set({ file }, bytes);
    });
  }

  /** The page and its media type. */
  async page(): Promise<{ text: string; contentType: string }> {
    return { text: await this.#registry.metrics(), contentType: this.#registry.contentType };
  }

  #gauge<L extends string>(
    name: string,
    help: string,
    labelNames: L[],
    collect: () => void | Promise<void>,
  ): Gauge<L> {
    return new Gauge({ name, help, labelNames, collect, registers: [this.#registry] });
  }
}
