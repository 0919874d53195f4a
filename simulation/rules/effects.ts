/** What was answered as a success is on disk: as it stands now, or as it stood before somebody changed it further. */
import type { Rows } from './facts.js';

/** A call or command that was answered as a success. */
export interface Done {
  /** `POST /api/requests/3/cancel`, or `requests cancel 3 --yes`. */
  line: string;
  /** The newest entry of the history when it began. */
  since: number;
  /** The item that was answered. */
  item: { id?: number };
}

/** Whether its effect is on disk. */
type Effect = (rows: Rows, done: Done) => boolean;

const EFFECTS: readonly (readonly [RegExp, Effect])[] = [
  [/^POST \/api\/(users|equipments|offers|webhooks|requests)$/, isStored],
  [/^POST \/api\/requests\/\d+\/signature(\/reset)?$/, isSent],
  [/^start-signature \d/, hasStood('WAITING_SIGNATURE')],
  [/^(PATCH \/api\/requests\/\d+$)/, hasStood('in_progress')],
  [/^(POST \/api\/requests\/\d+\/complete$|requests complete \d)/, hasStood('COMPLETE')],
  [/^(POST \/api\/requests\/\d+\/cancel$|requests cancel \d)/, hasStood('CANCELED')],
  [/^(POST \/api\/requests\/\d+\/reopen$|requests reopen \d)/, hasStood('new')],
  [/^requests remind \d/, isTold('signature.reminded', 'payment.reminded')],
  [/^payments renew \d/, isTold('payment.renewed')],
  [/^check-signature \d/, isTold('signature.checked')],
  [/^users create \S+@/, isAnAddress],
  [/^users set-email \d/, isAnAddress],
  [/^failed replay \d/, areDone],
];

/** Undefined: nothing is promised about it. */
export function effectOf(line: string): Effect | undefined {
  return EFFECTS.find(([of]) => of.test(line))?.[1];
}

export function withoutEffect(rows: Rows, done: Done): string[] {
  const effect = effectOf(done.line);
  return !effect || effect(rows, done) ? [] : [`"${done.line}" was a success, and its effect is not on disk`];
}

/** The first number in its words. */
const idIn = ({ line }: Done) => Number(/\b\d+\b/.exec(line)?.[0]);

function isStored(rows: Rows, { line, item }: Done): boolean {
  const table = line.slice(line.lastIndexOf('/') + 1);
  return rows(`SELECT 1 FROM ${table} WHERE id = ?`, item.id).length > 0;
}

/** The request's status is this one, or it has been left since. */
function hasStood(status: string): Effect {
  return (rows, done) =>
    rows(
      `SELECT 1 FROM requests r WHERE id = ? AND (status = ? OR EXISTS (SELECT 1 FROM history WHERE requestId = r.id
         AND what = 'request.moved' AND detail ->> '$.from' = ? AND id > ?))`,
      idIn(done),
      status,
      status,
      done.since,
    ).length > 0;
}

/** The contract that was answered went out, for this request. */
function isSent(rows: Rows, done: Done): boolean {
  const sql = `SELECT 1 FROM contracts c WHERE id = ? AND requestId = ? AND signId IS NOT NULL
    AND EXISTS (SELECT 1 FROM history WHERE contractId = c.id AND what = 'contract.sent')`;
  return rows(sql, done.item.id, idIn(done)).length > 0;
}

/** The history says so. */
function isTold(...words: string[]): Effect {
  return (rows, done) => {
    const sql = `SELECT 1 FROM history WHERE requestId = ? AND id > ? AND what IN (SELECT value FROM json_each(?))`;
    return rows(sql, idIn(done), done.since, JSON.stringify(words)).length > 0;
  };
}

function isAnAddress(rows: Rows, { line }: Done): boolean {
  return rows('SELECT 1 FROM users WHERE username = ?', /\S+@\S+/.exec(line)?.[0]).length > 0;
}

/** Each of these jobs, unless it was removed. */
function areDone(rows: Rows, { line }: Done): boolean {
  const ids = JSON.stringify((line.match(/\b\d+\b/g) ?? []).map(Number));
  const sql = "SELECT 1 FROM jobs WHERE state <> 'completed' AND id IN (SELECT value FROM json_each(?))";
  return rows(sql, ids).length === 0;
}
