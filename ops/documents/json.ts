/** What every command prints with --json: docs/cli-json.md is written from it, and a test holds each command against it. */
import { CONTRACTS } from '../../src/core/resources/contracts.js';
import { DELIVERIES } from '../../src/core/resources/deliveries.js';
import { EQUIPMENTS } from '../../src/core/resources/equipments.js';
import { FAILED, JOBS } from '../../src/core/resources/jobs.js';
import { HISTORY } from '../../src/core/resources/history.js';
import { INBOX, REJECTED } from '../../src/core/resources/inbox.js';
import { OFFERS } from '../../src/core/resources/offers.js';
import { PAYMENTS } from '../../src/core/resources/payments.js';
import { PRICES } from '../../src/core/resources/prices.js';
import { REQUESTS } from '../../src/core/resources/requests.js';
import type { Described, Filter } from '../../src/core/resources/resource.js';
import { storedFields } from '../../src/core/resources/show.js';
import { todoIn } from '../../src/core/resources/todo.js';
import { TROUBLESHOOTINGS } from '../../src/core/resources/troubleshootings.js';
import { USERS } from '../../src/core/resources/users.js';
import { WEBHOOKS } from '../../src/core/resources/webhooks.js';
import { SIGNATURE_CLASSES } from '../../src/core/signature/answers.js';
import { table, words } from './table.js';

/** The type that a member has where a shape names none. */
const MEMBERS: Readonly<Record<string, string>> = {
  number: `id requestId contractId webhookId ownerId equipmentId renewsId renewedById jobId pid line times ms seconds ageSeconds attempt
    attempts replays amount count size schema done failed checked changed expired created unchanged replayed redelivered pushed
    waiting removed added lost requests contracts equipments pdfs pdfSize keys files mails mailsAgain history jobs inboxBodies
    deliveries webhooks refreshTokens passwordLinks sessions idempotencyKeys userCalls runs failures signatures payments
    new in_progress WAITING_SIGNATURE WAITING_PAYMENT COMPLETE CANCELED PENDING SIGNED EXPIRED available running`,
  text: `about actor address answer aside backup body cause claimedId class code currency customer customerName description
    directory disabledReason earlier error event eventKey eventName externalId file firm firstName fix from hint installation key
    kind lastError lastName lastOutcome level locale mail message messageId model name nearest next note outcome owner password
    paymentId paymentUrl pdfSha256 phone previousStatus problem reason reference reply request role run script serialNumber
    sha256 shell signId signUrl source state status subject subjectId title to trouble type url username value verdict version
    what where words`,
  time: `at createdAt dueAt expiredAt expiresAt failedAt failingSince finishedAt lastAt lastErrorAt lastMoment lastSuccessAt
    madeAt nextAt nextTryAt paidAt pendingSince receivedAt runAt sentAt signUrlExpiresAt signedAt since startedAt statusSince
    until updatedAt`,
  flag: 'active brokeOff corrected differs dryRun enabled fetched folded isFailing isLate isMoreToDo ok secret term whole',
  '[text]': 'also applied customers ignored problems roles signIds unknownHere',
  '[number]': 'missing paidThere pdfMissing',
  '{ each: text }': 'params',
  '{ each: number }': 'classes counts result',
  '{ each: any }': 'detail',
  any: 'payload',
};

export const MEMBER_TYPES: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(MEMBERS).flatMap(([type, names]) => names.split(/\s+/).map((name) => [name, type])),
);

/** What is not plain from the name. */
export const MEANINGS: Readonly<Record<string, string>> = {
  amount: 'in minor units of `currency`; null: the general price',
  cause: 'a word of the table of findings',
  class: words(SIGNATURE_CLASSES),
  customer: 'the log-in name; `name` and `customerName` are first and last name',
  error: 'in words, for people; null: none',
  eventKey: 'the provider’s event id, or the SHA-256 of the body where there is none',
  folded: 'false: removed pages are still in the write-ahead log, because a program reads it',
  held: 'present or not null while restored data waits for `takeover`',
  key: 'of a refusal, a check or a finding; of a batch what was typed; of a payment its name at the provider',
  lastOutcome: 'a word of [webhook-receivers.md](webhook-receivers.md#what-to-answer)',
  missing: 'what could not be obtained, or is not there',
  next: 'a command, which begins with `esignctl`; null: nothing to do',
  problems: 'signed PDFs and audit trails that are missing or were changed',
  request: 'its reference; null where an entry is about several',
  run: 'of the schedule, as in the [metrics](operations.md#monitoring)',
  sha256: 'of an export: of its seal',
  signers: 'the open signatures; one that is not `corrected` yet is tried again',
  subject: '`user:5`, `webhook:3`, `equipment:2`; of an export whom or what it is about',
  subjectId: 'a signId or paymentId',
};

/** Of a noun, as its lists show it. `or`: where a member differs from the usual type. */
function noun<Row>(
  resource: Pick<Described<Row>, 'fields'> & { filters?: Record<string, Filter<unknown>> },
  { nullable = '', ...or }: Record<string, string> = {},
): string {
  const members = storedFields(resource).map(([name, { kind }]) => {
    const states = kind === 'state' ? resource.filters?.[name]?.words : undefined;
    const type = or[name] ?? states?.map((word) => `"${word}"`).join(' or ');
    return `${name}${type ? `: ${type}` : ''}${nullable.split(' ').includes(name) ? ' or null' : ''}`;
  });
  return `{ ${members.join(', ')} }`;
}

const list = (shape: string) => `[${shape}]`;

const OF_A_CUSTOMER = 'requestId reference customer name';
const LEVELS = '"info" or "good" or "trouble"';
const ANSWERED = 'type: "success" or "info" or "error", key';

/** In the order in which they need each other. */
export const SHAPES: Readonly<Record<string, string>> = {
  problem: '{ code, message, hint or null }',
  contract: noun(CONTRACTS, { nullable: 'signId signUrl expiredAt signedAt' }),
  payment: noun(PAYMENTS, { nullable: 'amount currency expiresAt pendingSince paidAt' }),
  request:
    '{ id, reference, title, description, status, customer, customerName, equipmentId or null, amount or null, currency or null, paymentId or null, paymentUrl or null, createdAt, updatedAt, renewsId or null, renewedById or null, contracts: [contract], payments: [payment] }',
  acted: '{ id, reference, status }',
  waiting: '{ requestId, reference, since }',
  equipment: '{ id, ownerId, name, model, serialNumber, createdAt, updatedAt }',
  price: noun(PRICES),
  offer: noun(OFFERS),
  user: noun(USERS, { nullable: 'phone address locale' }),
  readdressed: '{ id, username, mailsAgain, signers: [{ requestId, reference, corrected, error or null }] }',
  webhook: noun(WEBHOOKS, { nullable: 'disabledReason failingSince lastSuccessAt lastError lastErrorAt' }),
  delivery: noun(DELIVERIES, { nullable: 'requestId lastOutcome lastError finishedAt nextTryAt' }),
  deliveryWithLog:
    'delivery and { body, attempts: [{ at, ms, url, outcome, status: number or null, headers: { each: text } or null, answer or null }] }',
  event: noun(INBOX, { nullable: 'contractId outcome finishedAt requestId' }),
  failedJob: noun(FAILED, { nullable: `error ${OF_A_CUSTOMER}` }),
  need: noun(
    todoIn(() => ''),
    {
      nullable: 'until request requestId customer',
      requests: '[text]',
      also: '[text]',
    },
  ),
  figure: '{ count, amount }',
  figures: '{ currency, sent: figure, signed: figure, paid: figure, open: figure, overdue: figure }',
  checked: `{ requestId, contractId, class, ${ANSWERED}, params, changed: flag, message }`,
  stranger: '{ signId, externalId, status, createdAt or null, name or null }',
  terms: '{ requestId, reference, customer, title, description, amount, currency }',
  lastRun: '{ startedAt, finishedAt or null, result }',
  copy: '{ madeAt or null, ageSeconds or null, where or null }',
  backup: '{ file, size, madeAt, installation, version, schema, requests, pdfs, keys, problems }',
  archive:
    '{ kind: "request" or "user", subject, file, size, sha256, madeAt, files: [{ name, size, sha256, about }], missing: [{ name, reason }] }',
  batch:
    '{ done, failed, results: [{ key, requestId or null, reference or null, result: any, error: problem or null }] }',
};

/** By command, with its options where they change what is printed: the shape, and a remark. */
export const PRINTED: Readonly<Record<string, readonly [shape: string, remark?: string]>> = {
  todo: [
    '[need]',
    'The oldest first. What has one cause is one entry: `count` requests, `requests` which, `since` and `until` the first and the last; `next` is about all. A request is in one entry; `also` has the commands for what else is wrong with it.',
  ],
  find: [
    '{ requests: [{ id, reference, status, title, customer, name, createdAt }], customers: [{ id, username, name, phone or null }] }',
    'Exit code 4 when nothing matches.',
  ],
  explain: [
    `{ subject: { id, reference, status, title, customer, contractId or null, signId or null, paymentId or null, others: [acted] }, timeline: [{ at, actor or null, what, message, note or null, level: ${LEVELS}, contractId or null, jobId or null, attempt or null }], earlier or null, findings: [{ key, cause or null, level: "trouble" or "waiting" or "calm", message, next or null }], verdict, next or null }`,
    'The worst finding first. The time line has the newest 200 entries; `earlier` is the command that lists the others.',
  ],
  'explain --reply': ['{ requestId, reference, reply }'],
  history: [
    list(noun(HISTORY, { nullable: 'about note requestId contractId subject', level: LEVELS })),
    'The newest first. `about` is a reference, an address or `webhook 3`; null: the whole installation.',
  ],
  report: ['figures and { from: time, until, others: [figures] }', '`others`: in other currencies.'],
  status: [
    '{ daemon: { running: flag, pid or null }, held?: { since, madeAt }, requests: { new, in_progress, WAITING_SIGNATURE, WAITING_PAYMENT, COMPLETE, CANCELED }, contracts: { PENDING, SIGNED, EXPIRED }, jobs: { available, running }, failed, oldestWaiting: { signature: waiting and { seconds } or null, payment: waiting and { seconds } or null }, lastExpiry: lastRun or null, lastReconcile: lastRun or null, lastBackup: lastRun or null, perhapsSent?: [waiting], copies: { here: copy, offSite: copy and { isLate } }, runs: [{ run, lastAt or null, ageSeconds or null, result, nextAt or null, isFailing, isLate }], failing: [{ run, since, times, error }], todo: [need], isMoreToDo }',
    'The last runs are those that succeeded. `perhapsSent`: whether the provider sent their contract is not known; `check-signature` asks.',
  ],
  doctor: [
    '{ ok: flag, checks: [{ name, state: "ok" or "warning" or "failed", message, fix or null }] }',
    'Also with exit code 1. `ok` with a `fix`: only a part of the data was looked at.',
  ],
  'check-signature': [
    `{ ${ANSWERED}, params, message }`,
    'An `error` is printed here and, as an error, on stderr.',
  ],
  'check-signature --all': [
    '{ checked, changed, failed, results: [checked], unknown?: [stranger and { message }], trouble?, brokeOff?, pdfs?: [{ requestId, contractId, error or null }] }',
    '`unknown`: at the provider under our name, but not here; `--settle` prints `{ settled: text }`. `trouble`: why some could not be asked. `brokeOff`: the next check goes on from there. `pdfs`: fetched again.',
  ],
  'check-signature --all --dry-run': [
    '{ checked, changed, failed, classes, results: [checked], unknown?: [stranger and { message }], trouble?, brokeOff?, unknownHere, pdfMissing, paidThere }',
  ],
  'start-signature': ['contract or terms', '`terms` with `--dry-run`.'],
  'reset-signature': ['contract or terms', '`terms` with `--dry-run`.'],
  'expire-contracts': ['{ expired, contracts: [{ id, requestId, previousStatus, status, expiredAt }] }'],
  renew: ['{ requestId, renewedBy: { id, reference } or null }', 'Null with `--dry-run`.'],
  'requests list': [list(noun(REQUESTS, { nullable: 'phone amount currency', status: 'text' }))],
  'requests show': ['request'],
  'requests create': [
    'request or { title, description, customer, equipmentId, amount or null }',
    'The second with `--dry-run`.',
  ],
  'requests edit': ['request'],
  'requests export': ['archive or { id, reference, file }', 'The second with `--dry-run`.'],
  'requests complete': ['acted'],
  'requests remind': ['acted and { remindedOf: "signature" or "payment" }'],
  'requests cancel': ['acted'],
  'requests reopen': ['acted'],
  'requests settle': ['acted and { settled: { payments: [text], signature: flag, term } }'],
  'equipments list': [list(noun(EQUIPMENTS))],
  'equipments create': ['equipment'],
  'equipments edit': ['equipment'],
  'offers list': ['[offer]'],
  'offers create': ['offer'],
  'offers accept': ['offer'],
  'offers refuse': ['offer'],
  'troubleshootings list': [list(noun(TROUBLESHOOTINGS))],
  'prices list': ['[price]'],
  'prices set': ['price'],
  'prices remove': ['price'],
  'contracts list': ['[contract]'],
  'contracts show': ['contract and { signUrlExpiresAt or null, pdfSha256 or null, pdfSize or null }'],
  'contracts fetch-pdf': [
    '{ contractId, pdf: "whole" or "missing" or "damaged", fetched, differs? }',
    '`differs`: the provider’s document was not the one stored at the signature, and has replaced it.',
  ],
  'contracts accept-late': [
    'contract or { contractId, requestId, signedAt or null, lastMoment or null }',
    'The second with `--dry-run`.',
  ],
  'payments list': ['[payment]'],
  'payments check': [`{ ${ANSWERED}, message }`],
  'payments check --all': [
    `{ checked, changed, failed, results: [{ requestId, ${ANSWERED}, changed: flag, message }], trouble?, brokeOff? }`,
    'As `check-signature --all`.',
  ],
  'payments renew': [
    '{ requestId, paymentId, paymentUrl, expiresAt or null } or { requestId }',
    'The second with `--dry-run`.',
  ],
  'payments give-up': ['acted'],
  import: [
    '{ created, unchanged, failed, rows: [{ line, what, error or null }], ignored }',
    '`what` begins with `created`, `unchanged` or `failed`. `ignored`: headings that are none of ours.',
  ],
  verify: [
    '{ file, whole, kind or null, subject or null, firm or null, madeAt or null, files, missing: [{ name, reason }], sha256 or null, problems: [{ problem, name or null, message }] }',
    'Also with exit code 1, when a byte differs.',
  ],
  'inbox list': ['[event]'],
  'inbox list --rejected': [list(noun(REJECTED, { nullable: 'claimedId' }))],
  'inbox show': ['event and { body or null }', 'The body is pruned after 90 days.'],
  'inbox replay': ['{ replayed, failed, results: [{ id, state or null, outcome or null, error or null }] }'],
  'jobs list': [list(noun(JOBS, { nullable: 'requestId error', state: '"available" or "running"' }))],
  'jobs push': [
    '{ pushed, waiting, failed, results: [{ id, kind or null, state or null, error or null, runAt or null }] }',
  ],
  'failed list': ['[failedJob]'],
  'failed list --stats': ['[{ kind, error, count }]'],
  'failed show': [
    'failedJob and { state: "failed", replays, contractId or null, createdAt, payload, errors: [{ attempt, at, error }] }',
    '`errors`: the first and the last nine.',
  ],
  'failed replay': [
    '{ replayed, failed, results: [{ id, kind or null, state, error or null }] }',
    '`available`, `running`: not finished within 90 s.',
  ],
  'failed remove': ['{ removed: [number], missing }'],
  'webhooks list': ['[webhook]'],
  'webhooks deliveries': ['[delivery]'],
  'webhooks delivery': ['deliveryWithLog'],
  'webhooks redeliver': [
    '{ redelivered, waiting, failed, results: [{ id, state or null, outcome or null, nextTryAt or null }] }',
  ],
  'webhooks ping': ['deliveryWithLog or { webhookId, url }', 'The second with `--dry-run`.'],
  'webhooks enable': ['webhook'],
  'webhooks disable': ['webhook'],
  'users create': [
    'user and { password? } or { username, role, firstName, lastName, phone or null, locale or null, address or null }',
    '`password` with `--generate`; the second with `--dry-run`.',
  ],
  'users invite': ['user'],
  'users list': ['[user]'],
  'users set-password': ['{ id, username, password? }'],
  'users export': ['archive or { id, username, file }', 'The second with `--dry-run`.'],
  'users erase': [
    '{ id, erased: { requests, equipments, contracts, pdfs, mails, jobs, inboxBodies, webhooks, history }, signIds, copies: [text], folded }',
    '`signIds`: what the signature provider still has. `copies`: older copies of the database here.',
  ],
  'users set-email': ['readdressed'],
  'users edit': ['readdressed'],
  'users set-role': ['user'],
  'users disable': ['user'],
  'users enable': ['user'],
  init: ['{ directory, created: flag, installation or null }', 'Not `created`: there was one.'],
  migrate: ['{ applied, backup or null, schema }', '`backup`: the copy made before.'],
  prune: [
    '{ jobs, inboxBodies, deliveries, refreshTokens, passwordLinks, sessions, idempotencyKeys, userCalls, runs, files, folded }',
    'How many were removed.',
  ],
  backup: ['backup'],
  snapshot: [
    '{ directory, madeAt, installation, schema, counts, size, files, added, removed, problems? } or { to, madeAt, sentAt }',
    '`problems` with `--verify`; the second with `--sent-to`.',
  ],
  restore: ['backup and { aside } or backup', '`aside` has the previous data.'],
  'restore --check': ['backup'],
  takeover: [
    '{ held: { since, madeAt }, signatures: [{ requestId, reference, customer, contractId, class }], payments: [{ requestId, reference, customer, paymentId, key }], lostSignatures: [stranger and { customers }], lostPayments: [{ paymentId, createdAt or null, customer or null, amount or null, currency or null, key }], owed: [{ jobId, kind, mail or null, reference or null, customer or null, dueAt }], left: [{ requestId, reference, customer, error }], done: { signatures, payments, lost, failed: [{ requestId, error }] } or null } or { held: null, done: null }',
    '`lost…`: ours at the providers, but unknown here. `owed`: may have been done since the backup. `left`: for the bulk checks, by `--leave`. `held` null: not held. `done` null: a dry run.',
  ],
  'config show': [
    '[{ name, value or null, from, secret, nearest or null }]',
    'The value of a secret is `********`. `nearest`: what may be meant by a name that is no setting.',
  ],
  completion: ['{ shell, script }'],
};

/** How a table writes a shape. */
const code = (shape: string) => `\`${shape}\``;

export function membersTable(): string {
  const rows = Object.entries(MEMBERS).map(([type, names]) => [
    code(type),
    words(names.split(/\s+/).toSorted()),
  ]);
  return table(['Type', 'Members'], rows);
}

export function meaningsTable(): string {
  return table(
    ['Member', 'Means'],
    Object.entries(MEANINGS).map(([name, meaning]) => [code(name), meaning]),
  );
}

export function shapesTable(): string {
  return table(
    ['Shape', 'Is'],
    Object.entries(SHAPES).map(([name, shape]) => [code(name), code(shape)]),
  );
}

/** Commands that print the same share a line. */
export function printedTable(): string {
  const lines = Map.groupBy(Object.entries(PRINTED), ([, printed]) => JSON.stringify(printed));
  const rows = [...lines.values()].flatMap((alike) => {
    const commands = alike.map(([command]) => command);
    return alike.slice(0, 1).map(([, [shape, remark = '']]) => [words(commands), code(shape), remark]);
  });
  return table(['Command', 'Prints', 'Remarks'], rows);
}
