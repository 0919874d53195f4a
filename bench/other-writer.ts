/** A second process that writes a row every few milliseconds and measures how long it waits for the lock. */
import { openDb } from '../src/db/open.js';
import { quantile } from './support.js';

const [file] = process.argv.slice(2);
const db = openDb(file as string, { busyTimeoutMs: 60_000 });
const begin = db.raw.prepare('BEGIN IMMEDIATE');
const insert = db.raw.prepare("INSERT INTO other (at) VALUES ('now')");
const commit = db.raw.prepare('COMMIT');
const waits: number[] = [];
const timer = setInterval(() => {
  const started = performance.now();
  begin.run();
  waits.push(performance.now() - started);
  insert.run();
  commit.run();
}, 3);
process.on('message', () => {
  clearInterval(timer);
  process.send?.({ p99: quantile(waits, 0.99), max: Math.max(...waits), writes: waits.length });
  db.close();
  process.disconnect();
});
process.send?.('ready');
