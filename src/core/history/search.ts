/** Who did what, when and why, about anything: the history as people search and read it (rules 10). */
import { searchHistory as searchRows, type HistoryFilter } from '../../db/history/history.js';
import type { Db } from '../../db/db.js';
import { listRequestsByIds } from '../../db/requests/requests.js';
import type { HistoryRow } from '../../db/schema.js';
import { listUsersByIds } from '../../db/users/users.js';
import { inOrder, ANY_TIME } from '../calls/listing.js';
import type { Data } from '../installation/data.js';
import { notFound } from '../errors.js';
import { historyEntry } from '../explain/timeline-history.js';
import { findByKey, requestsByWords } from '../requests/find-requests.js';
import type { Locale } from '../texts/index.js';
import type { HistoryReads } from '../resources/history.js';
import { SUBJECTS, wordsCalled } from './words.js';

/** One entry with its sentence, and the name of what it is about. */
export interface HistoryLine {
  id: number;
  at: string;
  actor: string;
  what: string;
  /** A reference, an e-mail address, `webhook 3`; null: the whole installation. */
  about: string | null;
  message: string;
  /** Somebody's words: the reason, mostly. */
  note: string | null;
  level: 'info' | 'good' | 'trouble';
  requestId: number | null;
  contractId: number | null;
  /** `user:5`; null for what is about a request or the whole installation. */
  subject: string | null;
  detail: Record<string, unknown>;
}

export const walk: HistoryReads['walk'] = (data, { filter, order: { direction }, past, limit }) => {
  const { db, config } = data;
  const found = combinations(filter).flatMap((one) =>
    searchRows(db, { ...one, time: filter.at, direction, pastId: past?.id, limit }),
  );
  const rows = inOrder(found, { direction }).slice(0, limit);
  const names = namesOf(db, rows);
  return rows.map((row) => lineOf(config.locale, row, names));
};

/** The newest entries about one thing. */
export function newestAbout(data: Data, about: string, limit: number): HistoryLine[] {
  const filter = { about: thingsOf(data.db, about), by: null, what: null, at: ANY_TIME };
  return walk(data, { filter, order: { by: 'at', direction: 'desc' }, ownerId: null, limit });
}

/** Each is one index; their entries are different ones. */
function combinations({ by, about, what }: Parameters<typeof walk>[1]['filter']): HistoryFilter[] {
  const actors = by === null ? [undefined] : actorsOf(by);
  const words = what === null ? [undefined] : [...new Set(what.flatMap(wordsCalled))];
  return actors.flatMap((actor) =>
    words.flatMap((what) => (about ?? [{}]).map((thing) => ({ ...thing, actor, what }))),
  );
}

const SYSTEM = /^(webhook|schedule|job|provider|signal|restart|customer)$/;

function actorsOf(typed: string): string[] {
  const by = typed.trim();
  if (SYSTEM.test(by) || /^(user|cli):/.test(by)) return [by];
  return [`user:${by.toLowerCase()}`, `cli:${by}`];
}

/** As the index finds it. */
export type Thing = Pick<HistoryFilter, 'subject' | 'requestId' | 'contractId' | 'ownerId'>;

const SUBJECT = new RegExp(`^(${Object.keys(SUBJECTS).join('|')}):(\\d{1,15})$`, 'i');

/** What names a request or words that find some, a customer's e-mail address, `contract:<id>`, `user:<id>`, `webhook:<id>`, `equipment:<id>`. Throws `not_found`. */
export function thingsOf(db: Db, typed: string): Thing[] {
  const about = typed.trim();
  const [, noun, id] = SUBJECT.exec(about) ?? [];
  if (noun?.toLowerCase() === 'user') return ofUser(Number(id));
  if (noun) return [{ subject: `${noun.toLowerCase()}:${Number(id)}` }];
  const { request, customer } = findByKey(db, about);
  if (customer) return ofUser(customer.id);
  const [, contract] = /^contract:(\d{1,15})$/i.exec(about) ?? [];
  if (request) return [{ requestId: request.id, ...(contract && { contractId: Number(contract) }) }];
  const deleted = numberOf(about);
  if (deleted !== undefined && searchRows(db, { requestId: deleted, limit: 1 }).length > 0) {
    return [{ requestId: deleted }];
  }
  const found = requestsByWords(db, about);
  if (found.length > 0) return found.map(({ id }) => ({ requestId: id }));
  throw notFound(
    'not_found',
    `Nothing matches “${about}”.`,
    'Give what names a request, an e-mail address, words, user:<id>, webhook:<id> or equipment:<id>.',
  );
}

/** The account, and the requests of the customer. */
function ofUser(id: number): Thing[] {
  return [{ subject: `user:${id}` }, { ownerId: id }];
}

/** Of a request that is deleted only the history is left. */
function numberOf(about: string): number | undefined {
  const [, number] = /^(?:#?|REQ[\s-]*\d{4}[\s-]+)(\d{1,15})$/i.exec(about) ?? [];
  return number === undefined ? undefined : Number(number);
}

type Names = ReadonlyMap<string, string>;

function namesOf(db: Db, rows: readonly HistoryRow[]): Names {
  const userIds = rows.flatMap(({ subject }) =>
    subject?.startsWith('user:') ? Number(subject.slice('user:'.length)) : [],
  );
  const requestIds = rows.flatMap(({ requestId }) => requestId ?? []);
  return new Map([
    ...listUsersByIds(db, { ids: userIds }).map(({ id, username }) => [`user:${id}`, username] as const),
    ...listRequestsByIds(db, { ids: requestIds }).map(
      ({ id, reference }) => [`request:${id}`, reference] as const,
    ),
  ]);
}

function lineOf(locale: Locale, row: HistoryRow, names: Names): HistoryLine {
  const { id, requestId, contractId, subject } = row;
  const { at, what, message, note, level } = historyEntry(locale, row);
  return {
    id,
    at,
    actor: row.actor,
    what,
    about: nameOf(requestId === null ? subject : `request:${requestId}`, names),
    message,
    note,
    level,
    requestId,
    contractId,
    subject,
    detail: JSON.parse(row.detail),
  };
}

function nameOf(thing: string | null, names: Names): string | null {
  return thing === null ? null : (names.get(thing) ?? thing.replace(':', ' '));
}
