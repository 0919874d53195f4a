/** When the storm is over: waits until nothing is owed any more, as an operator would bring it about. */
import { setTimeout as pause } from 'node:timers/promises';
import Database from 'better-sqlite3';
import type { Load } from './customers.js';
import type { Installation } from './installation.js';
import { esignctl } from './programs.js';

/** Mails may be many; what counts is that they get fewer. */
const STANDSTILL_MS = 90_000;

export async function drain({ dataDir, env, sandbox }: Installation, load: Load): Promise<void> {
  const db = new Database(`${dataDir}/esign.db`);
  try {
    await sandbox.settled();
    await noJobsLeft(db);
    // 1: a payment that was planted to fail has failed at its first try.
    await esignctl(['check-signature', '--all'], env, { codes: [0, 1] });
    await noJobsLeft(db);
    await load.payTheRest();
    await sandbox.settled();
    // What nobody told us is found by asking.
    await esignctl(['payments', 'check', '--all'], env);
    await noJobsLeft(db);
  } finally {
    db.close();
  }
}

/** A payment keeps its waits of seconds; what would be tried in minutes or hours is tried now. */
async function noJobsLeft(db: Database.Database): Promise<void> {
  const open = db.prepare("SELECT count(*) FROM jobs WHERE state IN ('available', 'running')").pluck();
  const hurry = db.prepare(
    "UPDATE jobs SET runAt = ? WHERE state = 'available' AND kind <> 'create-payment-session' AND runAt > ?",
  );
  let left = open.get() as number;
  let fewerAt = performance.now();
  while (left > 0) {
    if (performance.now() - fewerAt > STANDSTILL_MS) throw new Error(`${left} jobs stay open`);
    const now = new Date().toISOString();
    hurry.run(now, now);
    await pause(250);
    const before = left;
    left = open.get() as number;
    if (left < before) fewerAt = performance.now();
  }
}
