/**
 * Erases what a person can be known by (rules 13): from accounts, requests, contracts and their PDFs, mails, jobs, inbound
 * events, the history and the search. What stays is anonymous and consistent: numbers, statuses, amounts, times.
 */
import { randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { renameDecider } from '../../db/cases/cases.js';
import type { Db } from '../../db/db.js';
import { listEquipmentsOf } from '../../db/equipments/equipments.js';
import { deleteJobsOf } from '../../db/jobs/jobs.js';
import { listPaymentsOfContracts } from '../../db/payments/payments.js';
import type { HistoryRow, UserRow } from '../../db/schema.js';
import { deleteDeliveriesOf } from '../../db/webhooks/deliveries.js';
import { deleteWebhookRow } from '../../db/webhooks/webhooks.js';
import * as erase from '../../db/users/erase.js';
import { anonymizeUser, requireUser } from '../../db/users/users.js';
import { everyById } from '../calls/listing.js';
import { change, type Change, type Try } from '../change.js';
import type { Context } from '../context.js';
import { expire } from '../contracts/expire-contracts.js';
import { paths } from '../installation/paths.js';
import { folded } from '../search/search.js';
import { text } from '../texts/index.js';
import { hashPassword } from '../users/passwords.js';
import { getUser, mustNotBeErased } from '../users/users.js';
import { DELIVERY_KEY, deliveryJob } from '../webhooks/delivery-job.js';
import { foldLog } from '../retention/fold-log.js';
import { removeErasedFiles } from './erased-files.js';
import { redactedDetail } from './redact.js';
import { mustBeErasable, ownedBy, type Owned } from './why-kept.js';

/** How many of each are removed or made anonymous. */
export interface Erased {
  requests: number;
  equipments: number;
  contracts: number;
  pdfs: number;
  mails: number;
  jobs: number;
  inboxBodies: number;
  webhooks: number;
  history: number;
}

const PORTION = 500;

/**
 * Throws `user_erased`, and whatever keeps the data (`mustBeErasable`). Nothing is half done: repeated, it goes on. Returns the user as
 * before, what the signature provider still holds, and copies of the database from before in the data directory; not folded: the
 * write-ahead log still holds old pages.
 */
export async function eraseUser(ctx: Context, id: number, { dryRun = false, ...by }: Try) {
  const user = getUser(ctx, id);
  mustNotBeErased(user);
  const owned = ownedBy(ctx.db, user);
  mustBeErasable(ctx, ctx.db, user, owned);
  const found = foundOf(ctx.db, user, owned);
  const pdfs = await pdfsOf(ctx, owned);
  const erased = countsOf(ctx.db, user, owned, found, pdfs.length);
  const signIds = owned.contracts.flatMap(({ signId }) => signId ?? []);
  const copies = await copiesOf(ctx);
  const told = { user, erased, signIds, copies };
  if (dryRun) return { ...told, isFolded: true };
  await beforehand(ctx, user);
  const passwordHash = await hashPassword(randomBytes(32).toString('base64url'));
  await change(ctx, by, (tx) => eraseIn(ctx, tx, { id, passwordHash, erased }));
  await removeErasedFiles(ctx);
  return { ...told, isFolded: await foldLog(ctx.db) };
}

interface Found {
  jobs: number[];
  inbox: number[];
}

/** What names the person although it is about no request of theirs. */
function foundOf(db: Db, user: UserRow, { contracts }: Owned): Found {
  const address = user.username.toLowerCase();
  const receivers = erase.listWebhooksOfOwner(db, { ownerId: user.id });
  const words = [address, ...receivers.map(({ url }) => url.toLowerCase())];
  const subjectIds = [
    ...contracts.flatMap(({ signId }) => signId ?? []),
    ...listPaymentsOfContracts(db, { contractIds: contracts.map(({ id }) => id) }).map(
      (row) => row.paymentId,
    ),
  ];
  const about = erase.listInboxBodiesOf(db, { subjectIds }).map(({ id }) => id);
  const naming = idsOf(everyById((part) => erase.listInboxBodiesNaming(db, { ...part, address })));
  return {
    jobs: idsOf(everyById((part) => erase.listJobsNaming(db, { ...part, words }))),
    inbox: [...new Set([...about, ...naming])],
  };
}

function idsOf(rows: Iterable<{ id: number }>): number[] {
  return Array.from(rows, ({ id }) => id);
}

function countsOf(db: Db, user: UserRow, { requests, contracts }: Owned, found: Found, pdfs: number): Erased {
  const requestIds = requests.map(({ id }) => id);
  const ofRequests = erase.listJobsOfRequests(db, { requestIds, except: deliveryJob.name });
  return {
    requests: requests.length,
    equipments: listEquipmentsOf(db, { ownerId: user.id }).length,
    contracts: contracts.length,
    pdfs,
    mails: erase.countSentMailsOf(db, { requestIds }).count,
    jobs: new Set([...found.jobs, ...ofRequests.map(({ id }) => id)]).size,
    inboxBodies: found.inbox.length,
    webhooks: erase.listWebhooksOfOwner(db, { ownerId: user.id }).length,
    history: erase.countHistoryOfRequests(db, { requestIds }).count,
  };
}

/** Long lists, in portions, so that others can write; harmless if the rest does not follow. */
async function beforehand(ctx: Context, user: UserRow): Promise<void> {
  for (const webhook of erase.listWebhooksOfOwner(ctx.db, { ownerId: user.id })) {
    const some = { webhookId: webhook.id, limit: PORTION };
    while ((await ctx.writer.write((db) => forgetDeliveries(db, some))) === PORTION);
  }
  while ((await ctx.writer.write((db) => forgetActor(db, user))) === PORTION);
}

function forgetDeliveries(db: Db, some: { webhookId: number; limit: number }): number {
  erase.deleteJobsOfDeliveries(db, { ...some, prefix: DELIVERY_KEY });
  return deleteDeliveriesOf(db, some);
}

/** Whatever the person did says only the number of the account. */
function forgetActor(db: Db, { id, username }: UserRow): number {
  const entries = erase.listHistoryBy(db, { actor: `user:${username}`, limit: PORTION });
  for (const entry of entries) {
    erase.setHistoryActor(db, { id: entry.id, actor: `user:#${id}`, detail: entry.detail });
  }
  return entries.length;
}

interface Erasing {
  id: number;
  passwordHash: string;
  erased: Erased;
}

function eraseIn(ctx: Context, tx: Change, { id, passwordHash, erased }: Erasing): void {
  const { db, now } = tx;
  // Something may have been begun or changed in between.
  const user = requireUser(db, { id });
  mustNotBeErased(user);
  const owned = ownedBy(db, user);
  mustBeErasable(ctx, db, user, owned);
  const found = foundOf(db, user, owned);
  const requestIds = owned.requests.map((request) => request.id);
  const contractIds = owned.contracts.map((contract) => contract.id);
  const word = text(ctx.config.locale, 'erased');
  while (forgetActor(db, user) > 0);
  renameDecider(db, { from: `user:${user.username}`, to: `user:#${id}` });
  removeWebhooks(tx, id);
  redactAbout(db, id, requestIds);
  redactSettled(db, user);
  deleteJobsOf(db, { requestIds, except: deliveryJob.name });
  erase.deleteJobsById(db, { ids: found.jobs });
  erase.emptyInboxBodies(db, { ids: found.inbox });
  // A term that has ended is not always noted yet, and a signed contract has its proof.
  expire(tx, owned.contracts, now);
  erase.eraseRows(db, { userId: id, requestIds, contractIds, address: user.username.toLowerCase(), word });
  anonymizeUser(db, { id, username: erasedName(id), passwordHash, now });
  erase.rewriteSearch(db);
  tx.record('user.erased', null, { userId: id, ...erased, reason: tx.reason });
}

/** `.invalid` never exists, so that no mail goes there. */
function erasedName(id: number): string {
  return `erased-${id}@erased.invalid`;
}

function removeWebhooks(tx: Change, ownerId: number): void {
  const { db } = tx;
  for (const { id, event, url } of erase.listWebhooksOfOwner(db, { ownerId })) {
    redact(db, erase.listHistoryOfSubjects(db, { subjects: [`webhook:${id}`] }));
    tx.record('webhook.deleted', null, { webhookId: id, event });
    while (forgetDeliveries(db, { webhookId: id, limit: PORTION }) > 0);
    deleteWebhookRow(db, { id });
    const { origin } = new URL(url);
    // Lanes are `<origin>/…`; somebody else's subscription may use them too.
    erase.deleteEmptyLanes(db, { after: `${origin}/`, before: `${origin}0` });
  }
}

/** Of requests that were deleted, only the history still knows. */
function redactAbout(db: Db, userId: number, present: readonly number[]): void {
  const ofAccount = erase.listHistoryOfSubjects(db, { subjects: [`user:${userId}`] });
  const deleted = ofAccount.flatMap(({ requestId }) => requestId ?? []);
  redact(db, ofAccount);
  redact(db, erase.listHistoryOfRequests(db, { requestIds: [...present, ...deleted] }));
}

/** Whose a payment or document was that is unknown here, only the words of whoever settled it can say. */
function redactSettled(db: Db, { username, lastName }: UserRow): void {
  const names = [username, lastName].map(inWords).filter((name) => name !== NO_WORDS);
  const isAbout = (text: string | null) =>
    names.some((name) => inWords(text ?? '').includes(WITHOUT_BLANKS.test(name) ? name.trim() : name));
  redact(
    db,
    erase.listSettledUnknown(db).filter(({ detail }) => isAbout(reasonIn(detail))),
  );
  for (const { id, reason } of erase.listSettledCases(db))
    if (isAbout(reason)) erase.setCaseReason(db, { id, reason: '' });
}

const NO_WORDS = '  ';
/** Scripts that put no blanks between words: there a name is found within others too. */
const WITHOUT_BLANKS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** In lower case and without accents, each word between blanks, so that "Li" is not found in "client". */
function inWords(text: string): string {
  const words = folded(text.normalize('NFC')).match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return ` ${words.join(' ')} `;
}

function reasonIn(detail: string): string | null {
  const { reason = null }: { reason?: string | null } = JSON.parse(detail);
  return reason;
}

function redact(db: Db, entries: readonly HistoryRow[]): void {
  for (const entry of entries) {
    const detail = redactedDetail(entry);
    if (detail !== entry.detail) erase.setHistoryDetail(db, { id: entry.id, detail });
  }
}

async function pdfsOf({ config }: Context, { contracts }: Owned): Promise<string[]> {
  const ours = new Set(contracts.flatMap(({ id }) => [`${id}.pdf`, `${id}.draft.pdf`]));
  return (await readdir(paths.contracts(config.dataDir))).filter((name) => ours.has(name));
}

async function copiesOf({ config }: Context): Promise<string[]> {
  const directory = paths.backups(config.dataDir);
  const names = await readdir(directory).catch(() => []);
  return names.map((name) => join(directory, name));
}
