/** After the storm: drains all remaining work with an operator's commands. */
import { setTimeout as pause } from 'node:timers/promises';
import Database from 'better-sqlite3';
import type { Load } from './customers.js';
import type { Installation } from './installation.js';
import { programFile, runProgram } from '../../demo/program.js';

/** There may be many mails; their number must keep falling. */
const STANDSTILL_MS = 90_000;

export async function drain({ dataDir, env, sandbox }: Installation, load: Load): Promise<void> {
  const db = new Database(`${dataDir}/esign.db`);
  try {
    await sandbox.settled();
    await noJobsLeft(db);
    await runProgram(programFile('esignctl'), { args: ['check-signature', '--all'], env });
    await noJobsLeft(db);
    await load.payTheRest();
    await sandbox.settled();
    // Finds what no webhook told us.
    await runProgram(programFile('esignctl'), { args: ['payments', 'check', '--all'], env });
    await noJobsLeft(db);
  } finally {
    db.close();
  }
}

/** Payments keep their waits of seconds; jobs due in minutes or hours run now. */
async function noJobsLeft(db: Database.Database): Promise<void> {
  const open = db.prepare("SELECT count(*) FROM jobs WHERE state IN ('available', 'running')").pluck();
  const hurry = db.prepare(
    "UPDATE jobs SET runAt = ? WHERE state = 'available' AND kind <> 'create-payment-session' AND runAt > ?",
  );
  const lanes = db.prepare('UPDATE lanes SET dueAt = ? WHERE dueAt > ?');
  let left = open.get() as number;
  let fewerAt = performance.now();
  while (left > 0) {
    if (performance.now() - fewerAt > STANDSTILL_MS) throw new Error(`${left} jobs stay open`);
    const now = new Date().toISOString();
    hurry.run(now, now);
    lanes.run(now, now);
    await pause(250);
    const before = left;
    left = open.get() as number;
    if (left < before) fewerAt = performance.now();
  }
}
