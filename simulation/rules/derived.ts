/** Whatever is derived, and kept, equals what it is derived from. */
import type { Rows } from './facts.js';
import { casesApart } from './payments.js';

/** The history tells what the columns and cases say. */
const UNTOLD = `
  SELECT 'contract ' || c.id || ' has ended as ' || coalesce(c.endReason, 'nothing') AS fault FROM contracts c
    WHERE c.endReason IS NOT iif(c.status = 'EXPIRED', (
      SELECT detail ->> '$.reason' FROM history WHERE requestId = c.requestId AND what = 'contract.ended' AND contractId = c.id
      ORDER BY id DESC LIMIT 1), NULL)
  UNION ALL
  SELECT 'contract ' || h.contractId || ' has no case of ' || h.what FROM history h
    WHERE h.what IN ('contract.signed_late', 'contract.canceled_signed', 'contract.replaced_signed', 'contract.foreign_signature')
      AND NOT EXISTS (SELECT 1 FROM cases k WHERE k.contractId = h.contractId AND 'contract.' || k.kind = h.what)`;

export function drifted(rows: Rows): string[] {
  const lanes = rows<{ name: string }>(
    `SELECT name FROM lanes l WHERE running <> (SELECT count(*) FROM jobs WHERE lane = l.name AND state = 'running')
       OR dueAt IS NOT (SELECT min(runAt) FROM jobs WHERE lane = l.name AND state = 'available')`,
  ).map(({ name }) => `the lane ${name} does not stand as its jobs do`);
  const unfound = rows<{ id: number }>(
    'SELECT id FROM requests WHERE id NOT IN (SELECT rowid FROM requestWords)',
  ).map(({ id }) => `request ${id} is in no search`);
  const deliveries = rows<{ id: number; state: string; job: string }>(
    `SELECT d.id, d.state, j.state AS job FROM deliveries d JOIN jobs j ON j.uniqueKey = 'delivery:' || d.id
     WHERE (d.state = 'delivered' AND j.state <> 'completed') OR (d.state = 'pending' AND j.state IN ('completed', 'failed'))`,
  ).map(({ id, state, job }) => `delivery ${id} is ${state}, and its job ${job}`);
  const untold = rows<{ fault: string }>(UNTOLD).map(({ fault }) => `${fault}: the history says otherwise`);
  return [...lanes, ...unfound, ...deliveries, ...untold, ...casesApart(rows)];
}

/** Of the names in a data directory, those of files that were to be there only for a moment. */
export function leftBehind(names: readonly string[]): string[] {
  return names
    .filter((name) => /\.tmp(\/|$)|^restore-(unpacked|plan)/.test(name))
    .map((name) => `the file ${name} was left behind`);
}

/** Decided about once. */
export function settledTwice(rows: Rows): string[] {
  return rows<{ paymentId: string; times: number }>(
    `SELECT p.value AS paymentId, count(*) AS times FROM history h, json_each(h.detail, '$.payments') p
     WHERE h.what = 'request.settled' GROUP BY p.value HAVING times > 1`,
  ).map(({ paymentId, times }) => `the payment ${paymentId} was settled ${times} times`);
}
