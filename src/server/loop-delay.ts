/**
 * How late the event loop is: what a call waits for that arrives while something else is computed. Takes the place of
 * prom-client's own monitor, which wakes an idle process a hundred times a second.
 */
import { createHistogram } from 'node:perf_hooks';
import { collectDefaultMetrics, Gauge, type Registry } from 'prom-client';

const SAMPLED_EVERY_MS = 500;
/** The library's monitor cannot be switched off, only made to sleep: 24 days. */
const NEVER_MS = 2 ** 31 - 1;

/** Adds the library's measures of the process to `registry`, with ours of the event loop, since the last scrape. */
export function measureProcess(registry: Registry): void {
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: NEVER_MS });
  const lateness = createHistogram();
  let due = performance.now() + SAMPLED_EVERY_MS;
  setInterval(() => {
    const now = performance.now();
    lateness.record(Math.max(1, Math.round((now - due) * 1e6)));
    due = now + SAMPLED_EVERY_MS;
  }, SAMPLED_EVERY_MS).unref();
  const measures = {
    min: () => lateness.min,
    max: () => lateness.max,
    mean: () => lateness.mean,
    stddev: () => lateness.stddev,
    p50: () => lateness.percentile(50),
    p90: () => lateness.percentile(90),
    p99: () => lateness.percentile(99),
  };
  const gauges = Object.entries(measures).map(([name, read]) => ({ gauge: lagGauge(registry, name), read }));
  // One reads for all, because reading begins anew.
  Object.assign(gauges[0]?.gauge ?? {}, {
    collect() {
      for (const { gauge, read } of gauges) gauge.set(lateness.count === 0 ? 0 : read() / 1e9);
      lateness.reset();
    },
  });
}

function lagGauge(registry: Registry, name: string): Gauge {
  const full = `nodejs_eventloop_lag_${name}_seconds`;
  registry.removeSingleMetric(full);
  return new Gauge({
    name: full,
    help: `How late timers fire, ${name} since the last scrape`,
    registers: [registry],
  });
}
