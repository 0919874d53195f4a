/** What was answered as a success is on disk: as it stands now, or as it stood before somebody changed it further. */
import { sha256 } from './documents.js';
import type { Outside, Rows } from './facts.js';
import { unheard } from './standing.js';

/** A call or command that was answered as a success. */
export interface Done {
  /** `POST /api/requests/3/cancel`, or `requests cancel 3 --yes`. */
  line: string;
  /** The newest entry of the history when it began. */
  since: number;
  /** The item that was answered, or the tokens of a log-in. */
  item: { id?: number; refresh_token?: string };
  /** What there was to be dealt with when it began. */
  due: readonly string[];
}

/** Whether its effect is on disk. */
type Effect = (rows: Rows, done: Done, outside: Outside) => boolean;
type Due = (rows: Rows, outside: Outside) => string[];

const EFFECTS: readonly (readonly [RegExp, Effect, Due?])[] = [
  [/^POST \/api\/(users|equipments|offers|troubleshootings|webhooks|requests)$/, isStored],
  [/^POST \/api\/requests\/\d+\/signature(\/reset)?$/, isSent],
  [/^POST \/api\/(login_check|token\/refresh)$/, isLoggedIn],
  [/^POST \/admin\/login$/, isLoggedIn],
  [/^(POST \/admin\/requests\/\d+\/start-signature$|start-signature \d)/, hasStood('WAITING_SIGNATURE')],
  [/^POST \/admin\/requests\/\d+\/reset-signature$/, isTold('contract.sent')],
  [/^(PATCH \/api\/requests\/\d+$)/, hasStood('in_progress')],
  [/^(POST \/(api|admin)\/requests\/\d+\/complete$|requests complete \d)/, hasStood('COMPLETE')],
  [/^(POST \/(api|admin)\/requests\/\d+\/cancel$|requests cancel \d)/, hasStood('CANCELED')],
  [/^(POST \/(api|admin)\/requests\/\d+\/settle$|requests settle \d)/, isTold('request.settled')],
  [/^(POST \/(api|admin)\/requests\/\d+\/reopen$|requests reopen \d)/, hasStood('new')],
  [
    /^(POST \/admin\/requests\/\d+\/remind$|requests remind \d)/,
    isTold('signature.reminded', 'payment.reminded'),
  ],
  [/^(POST \/admin\/requests\/\d+\/renew-payment$|payments renew \d)/, isTold('payment.renewed')],
  [/^payments give-up \d/, isTold('payment.given_up')],
  [/^POST \/admin\/requests\/\d+\/check-signature$/, hasStood('WAITING_PAYMENT')],
  [/^check-signature \d/, isTold('signature.checked')],
  [/^POST \/admin\/requests\/\d+\/check-payment$/, hasStood('COMPLETE')],
  [/^payments check \d/, isTold('payment.checked', 'payment.session_found', 'payment.received')],
  [/^(check-signature|payments check) --all/, isHeard, unheard],
  [/^users create \S+@/, isAnAddress],
  [/^users set-email \d/, isAnAddress],
  [/^failed replay \d/, areDone],
  [/^failed replay --all/, areDone, failedIds],
];

/** What this call or command must deal with; undefined: nothing is promised about it. */
export function dueOf(rows: Rows, outside: Outside, line: string): string[] | undefined {
  const promised = EFFECTS.find(([of]) => of.test(line));
  return promised && (promised[2]?.(rows, outside) ?? []);
}

export function withoutEffect(rows: Rows, outside: Outside, done: Done): string[] {
  const effect = EFFECTS.find(([of]) => of.test(done.line))?.[1];
  const isThere = !effect || effect(rows, done, outside);
  return isThere ? [] : [`"${done.line}" was a success, and its effect is not on disk`];
}

/** What the session of a back office's form says on its next page. */
export function saidTo(rows: Rows, token: string): string | undefined {
  const sql = "SELECT flash ->> '$.type' AS type FROM sessions WHERE tokenHash = ?";
  return rows<{ type: string }>(sql, sha256(Buffer.from(token)))[0]?.type;
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

/** The log-in that was answered, by its cookie or its refresh token. */
function isLoggedIn(rows: Rows, { item: { refresh_token = '' } }: Done): boolean {
  const sql = `SELECT 1 FROM sessions WHERE tokenHash = :hash
    UNION SELECT 1 FROM refreshTokens WHERE tokenHash = :hash`;
  return rows(sql, { hash: sha256(Buffer.from(refresh_token)) }).length > 0;
}

/** What was settled at the providers is settled here, or by work that is under way, or the office knows that it may be somebody else's. */
function isHeard(rows: Rows, { line, due }: Done, outside: Outside): boolean {
  const kind = line.startsWith('payments') ? /^request/ : /^contract/;
  const left = unheard(rows, outside);
  const isForeign = (what: string) =>
    rows(
      "SELECT 1 FROM history WHERE what = 'contract.foreign_signature' AND contractId = ?",
      Number(/\d+/.exec(what)?.[0]),
    ).length > 0;
  // What a cancellation or reset withdraws, that records.
  const isAtWork = (what: string) =>
    rows(
      "SELECT 1 FROM locks l JOIN contracts c ON l.name = 'request:' || c.requestId WHERE c.id = ?",
      Number(/\d+/.exec(what)?.[0]),
    ).length > 0;
  return !due.some(
    (what) =>
      kind.test(what) &&
      left.includes(what) &&
      !(kind.source === '^contract' && (isForeign(what) || isAtWork(what))),
  );
}

function failedIds(rows: Rows): string[] {
  return rows<{ id: number }>("SELECT id FROM jobs WHERE state = 'failed'").map(({ id }) => String(id));
}

function isAnAddress(rows: Rows, { line }: Done): boolean {
  return rows('SELECT 1 FROM users WHERE username = ?', /\S+@\S+/.exec(line)?.[0]).length > 0;
}

/** Each of these jobs, unless it was removed. */
function areDone(rows: Rows, { line, due }: Done): boolean {
  const ids = JSON.stringify([...(line.match(/\b\d+\b/g) ?? []), ...due].map(Number));
  const sql = "SELECT 1 FROM jobs WHERE state <> 'completed' AND id IN (SELECT value FROM json_each(?))";
  return rows(sql, ids).length === 0;
}
