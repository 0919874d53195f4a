/**
 * Knows the truth, which is at the providers, and compares: after each commit of the service, at each mail and each new
 * session, and when everything has come to rest.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { PaymentSession } from '../src/sandbox/payment/session.js';
import type { SignatureRequest } from '../src/sandbox/signature/types.js';
import { FAIR } from './network.js';
import { markOf } from './people/contract-pdf.js';
import type { Customer } from './people/customer.js';
import type { Receiver } from './people/receiver.js';
import { Answers, type Rows } from './answers.js';
import { JobEnds } from './job-ends.js';
import { countsTooLate, isLate, isLateKnown } from './last-moment.js';
import { Leases } from './leases.js';
import { MAIL_JOBS, messageIdOf, withoutVersion, type MailJob } from './mail-ids.js';
import type { Process } from './machine/scheduler.js';
import type { Story } from './people/story.js';
import type { Letter } from './post-office.js';
import type { World } from './world.js';

interface History {
  id: number;
  what: string;
  actor: string;
  requestId: number | null;
  contractId: number | null;
  detail: string;
}

interface ContractRow {
  id: number;
  requestId: number;
  status: string;
  signId: string | null;
  externalId: string;
  expiredAt: string | null;
  createdAt: string;
  signedAt: string | null;
  pdfSha256: string | null;
}

interface RequestRow {
  id: number;
  status: string;
  title: string;
  paymentId: string | null;
  username: string;
}

/** What was there when a backup began. */
export interface Kept {
  promised: ReadonlyMap<number, Story>;
  signed: ReadonlySet<number>;
  received: ReadonlySet<number>;
  history: number;
  lastHistory: number;
}

const PDF = Buffer.from('%PDF-');
const DAY = 86_400_000;
/** As the firm's settings say. */
const VALID_DAYS = 10;
/** Of a name after its commit, on a slow disk. */
const SYNC_MS = 1_300;
/** A mail that is on its way when its request is completed may still arrive. */
const MAIL_MS = 60_000;
/** How far the service's clock may be from the provider's before dates pass. */
const CLOCK_TOLERANCE_MS = 300_000;

/** A session that can be paid, or was. */
const isAlive = (session: PaymentSession, nowMs: number) =>
  session.status === 'complete' || (session.status === 'open' && session.expires_at * 1000 > nowMs);

export class Oracle {
  readonly #world: World;
  /** Of the firm's administrator. */
  readonly #office: string;
  #db: Database.Database | undefined;
  #lastHistory = 0;
  readonly #promised = new Map<number, Story>();
  readonly #byHand = new Set<number>();
  readonly #signed = new Set<number>();
  /** When, in the world's time. */
  readonly #signedAt = new Map<number, number>();
  readonly #received = new Set<number>();
  /** Payments that were refused after days. */
  readonly #failed = new Set<string>();
  readonly #counts: Record<string, number> = {};
  /** By Message-ID, whom and what it was. */
  readonly #letters = new Map<string, string>();
  /** Documents and links that customers have got by mail: `<customer> <digest or request>`. */
  readonly #got = new Set<string>();
  /** The documents among them, with the Message-ID. */
  readonly #copies = new Map<string, string>();
  /** By receiver and id, what was delivered. */
  readonly #heard = new Map<string, string>();
  /** By the contract's name. */
  readonly #sessionsOf = new Map<string, PaymentSession[]>();
  readonly #linked = new Set<string>();
  /** Mails that have arrived and whose jobs are not done yet; and those whose jobs are. */
  readonly #sending = new Set<string>();
  readonly #sent = new Set<string>();
  /** The numbers of the mails' jobs by Message-ID, and the newest that is among them. */
  readonly #mailJobs = new Map<string, number>();
  #lastMailJob = 0;
  readonly #answers: Answers;
  readonly #leases: Leases;
  readonly #jobEnds: JobEnds;
  /** By request, since when it is complete or canceled. */
  readonly #over = new Map<number, number>();

  constructor(world: World) {
    this.#world = world;
    this.#office = `office@${world.name}.test`;
    const { sessions } = world.providers.world;
    const set = sessions.set.bind(sessions);
    sessions.set = (id, session) => {
      this.#newSession(session);
      return set(id, session);
    };
    const rows: Rows = (sql, ...values) => this.#rows(sql, ...values);
    this.#answers = new Answers(world, rows);
    this.#leases = new Leases(world, rows);
    this.#jobEnds = new JobEnds(world, rows);
  }

  close(): void {
    this.#db?.close();
    this.#db = undefined;
    this.#statements.clear();
  }

  /** What a backup that begins now must hold. */
  remember(): Kept {
    return {
      promised: new Map(this.#promised),
      signed: new Set(this.#signed),
      received: new Set(this.#received),
      history: this.#historyUntil(this.#lastHistory),
      lastHistory: this.#lastHistory,
    };
  }

  /**
   * The data is that of a backup: everything in it must be there. Lost is what has happened since: requests and their
   * moves, corrected addresses, and which mails and deliveries have gone out, so that these may come again. What
   * customers have in their hands stays there.
   */
  restored(kept: Kept): void {
    this.#count('restores');
    const is = (sql: string, id: number) => this.#rows(sql, id).length > 0;
    const titles = new Map(
      this.#rows<RequestRow>('SELECT id, title FROM requests').map((row) => [row.id, row.title]),
    );
    for (const [id, { title }] of kept.promised)
      this.#expect(titles.get(id) === title, `request ${id} (${title}) was in the backup and is gone`);
    this.#expect(
      this.#historyUntil(kept.lastHistory) === kept.history,
      `of ${kept.history} entries of the history in the backup ${this.#historyUntil(kept.lastHistory)} are left`,
    );
    for (const known of [this.#promised, this.#world.stories])
      for (const [id, story] of known) if (titles.get(id) !== story.title) known.delete(id);
    // An older restore may have lost them; this one brings them back.
    for (const [id, story] of kept.promised) {
      this.#promised.set(id, story);
      this.#world.stories.set(id, story);
    }
    const isSigned = (id: number) => is('SELECT 1 FROM contracts WHERE id = ? AND signedAt IS NOT NULL', id);
    const isPaid = (id: number) =>
      is("SELECT 1 FROM history WHERE requestId = ? AND what = 'payment.received'", id);
    keepOnly(this.#signed, isSigned, kept.signed, (id) =>
      this.#broken(`contract ${id} was signed in the backup and is not now`),
    );
    keepOnly(this.#received, isPaid, kept.received, (id) =>
      this.#broken(`request ${id} was paid in the backup and is not now`),
    );
    this.#mailJobs.clear();
    this.#lastMailJob = 0;
    for (const [what, messageId] of this.#copies) if (!this.#isKnown(messageId)) this.#copies.delete(what);
    for (const messageId of this.#sending) if (!this.#isKnown(messageId)) this.#sending.delete(messageId);
    for (const messageId of this.#sent)
      if (!this.#isKnown(messageId) || !this.#isDone(messageId)) this.#sent.delete(messageId);
    this.#answers.restored();
    this.#leases.restored();
    this.#jobEnds.restored();
    for (const id of this.#over.keys())
      if (!is("SELECT 1 FROM requests WHERE id = ? AND status IN ('COMPLETE', 'CANCELED')", id))
        this.#over.delete(id);
    this.#lastHistory = this.#rows<{ id: number }>('SELECT max(id) AS id FROM history')[0]?.id ?? 0;
    this.#addresses();
  }

  /** Every commit and every signed PDF outlives a power failure: returns what looks for it when the power is back. */
  powerFails(): () => void {
    // Nobody does: a restore is under way.
    if (!this.#db) return () => undefined;
    const before = this.#historyUntil(this.#lastHistory);
    const stored = this.#storedPdfs();
    this.close();
    return () => {
      for (const contract of stored) this.#pdf(contract);
      const after = this.#historyUntil(this.#lastHistory);
      this.#expect(before === after, `of ${before} entries of the history a power failure has left ${after}`);
    };
  }

  /** Whether the data tell of a restore at this moment. */
  wasRestored(at: number): boolean {
    const moment = new Date(Math.floor(at)).toISOString();
    return this.#rows("SELECT 1 FROM history WHERE what = 'data.restored' AND at = ?", moment).length > 0;
  }

  /** Of contracts that were signed long enough ago for the last step, the sync of the file's name, to be over. */
  #storedPdfs(): ContractRow[] {
    const since = this.#world.scheduler.now - SYNC_MS;
    return this.#rows<ContractRow>('SELECT * FROM contracts WHERE pdfSha256 IS NOT NULL').filter(
      ({ id }) => (this.#signedAt.get(id) ?? Infinity) < since && existsSync(this.#pdfOf(id)),
    );
  }

  #historyUntil(id: number): number {
    return this.#rows<{ n: number }>('SELECT count(*) AS n FROM history WHERE id <= ?', id)[0]?.n ?? 0;
  }

  /** Whether the job of this mail is there. */
  #isKnown(messageId: string): boolean {
    return this.#jobOf(messageId) !== undefined;
  }

  /** The number of the mail's job. */
  #jobOf(messageId: string): number | undefined {
    const jobs = this.#rows<MailJob>(`${MAIL_JOBS} AND j.id > ?`, this.#lastMailJob);
    for (const job of jobs) {
      this.#mailJobs.set(this.#messageId(job), job.id);
      this.#lastMailJob = Math.max(this.#lastMailJob, job.id);
    }
    return this.#mailJobs.get(withoutVersion(messageId));
  }

  #messageId(job: MailJob): string {
    return messageIdOf(job, `${this.#world.name}.test`);
  }

  /** Requests that the office looks after. */
  unfinished(): number[] {
    return this.#rows<{ id: number }>("SELECT id FROM requests WHERE status <> 'COMPLETE' ORDER BY id").map(
      ({ id }) => id,
    );
  }

  /**
   * A customer who can neither sign nor pay needs the office, and `explain` must say so. The link to pay makes another
   * payment page when one has expired.
   */
  explained(requestId: number, isInTrouble: boolean): void {
    const [stuck] = this.#rows<{ status: string }>(
      `SELECT c.status FROM contracts c JOIN requests r ON r.id = c.requestId
       WHERE r.id = ? AND c.id = (SELECT max(id) FROM contracts WHERE requestId = r.id) AND (
         (r.status = 'WAITING_SIGNATURE' AND c.status = 'EXPIRED') OR
         (r.status = 'WAITING_PAYMENT' AND NOT EXISTS (SELECT 1 FROM payments WHERE contractId = c.id)))`,
      requestId,
    );
    this.#expect(!stuck || isInTrouble, `request ${requestId} is stuck, and explain finds nothing`);
  }

  /** The advice was followed, and given again. */
  notHelped(requestId: number, commands: readonly string[]): void {
    this.#broken(`request ${requestId} is in trouble still, after ${commands.join(', ')}`);
  }

  /** A receiver has got something. */
  heard(receiver: Receiver, { id, body }: { id: string; body: string }): void {
    this.#count('deliveries');
    const before = this.#heard.get(`${receiver.host} ${id}`) ?? body;
    this.#heard.set(`${receiver.host} ${id}`, body);
    this.#expect(before === body, `${receiver.host} got ${id} with other bytes than before`);
    const { owner } = receiver;
    if (owner === undefined) return;
    const { data } = JSON.parse(body) as { data: { id: number } };
    const story = this.#world.stories.get(data.id);
    this.#expect(
      !story || story.customer.name === owner,
      `${receiver.host} of ${owner} heard of request ${data.id}`,
    );
  }

  /** What counts as delivered has arrived, and in order as long as nothing failed. */
  #deliveries(): void {
    for (const receiver of this.#world.firm.receivers) {
      const taken = new Set(receiver.received.flatMap(({ id, isTaken }) => (isTaken ? [id] : [])));
      const url = `https://${receiver.host}/esign`;
      const all = this.#rows<{ messageId: string; state: string; webhookId: number; tries: number }>(
        'SELECT d.messageId, d.state, d.webhookId, (SELECT count(*) FROM deliveryAttempts a WHERE a.deliveryId = d.id) AS tries FROM deliveries d JOIN webhooks w ON w.id = d.webhookId WHERE w.url = ? ORDER BY d.id',
        url,
      );
      for (const { messageId, state } of all)
        this.#expect(
          state !== 'delivered' || taken.has(messageId),
          `${messageId} counts as delivered and never arrived at ${receiver.host}`,
        );
      this.#isSwitchedOff(receiver, url);
      const isSmooth = all.every(({ tries, state }) => tries === 1 && state === 'delivered');
      if (!isSmooth) continue;
      for (const webhookId of new Set(all.map((each) => each.webhookId))) {
        const ids = all.filter((each) => each.webhookId === webhookId).map(({ messageId }) => messageId);
        const came = [...new Set(receiver.received.map(({ id }) => id))].filter((id) => ids.includes(id));
        this.#expect(
          came.join() === ids.join(),
          `${receiver.host} got the deliveries of webhook ${webhookId} out of order`,
        );
      }
    }
  }

  /** After 410, until a person switches it on again. */
  #isSwitchedOff({ host }: Receiver, url: string): void {
    const [still] = this.#rows<{ event: string }>(
      `SELECT event FROM webhooks w WHERE url = ? AND EXISTS
         (SELECT 1 FROM deliveryAttempts a JOIN deliveries d ON d.id = a.deliveryId
          WHERE d.webhookId = w.id AND a.status = 410)
       AND NOT EXISTS
         (SELECT 1 FROM history WHERE what = 'webhook.disabled' AND detail ->> '$.webhookId' = w.id)`,
      url,
    );
    this.#expect(!still, `${host} answered 410 and was still told of ${still?.event}`);
  }

  #strangers(): void {
    for (const [id, status] of this.#world.firm.stranger.signatures) {
      const there = this.#world.providers.world.signatureRequests.get(id);
      const isTheirs = there?.status === status || (status === 'ongoing' && there?.status === 'expired');
      this.#expect(isTheirs, `a stranger's contract was ${status} and is ${there?.status}`);
    }
  }

  counts(): Record<string, number> {
    return { ...this.#counts };
  }

  /** A customer has heard that this request exists. */
  promised(id: number, story: Story): number {
    this.#count('requests');
    this.#promised.set(id, story);
    return id;
  }

  /** At which the service has the customer. */
  addressOf({ id }: Pick<Customer, 'id'>): string | undefined {
    return this.#rows<{ username: string }>('SELECT username FROM users WHERE id = ?', id)[0]?.username;
  }

  /** Whose address it is or was; somebody else's address is their name. */
  #nameOf(address: string): string {
    return this.#world.firm.at(address)?.name ?? address;
  }

  /** Customers log in by the address that they have now, and wonder about mail at the old one. */
  #addresses(): void {
    for (const customer of this.#world.firm.customers) {
      const address = this.addressOf(customer);
      if (address === undefined || address === customer.client.person.username) continue;
      customer.client.rename(address);
      customer.correctedAt = this.#world.scheduler.now;
    }
  }

  /** Whose contract it is, whoever sees it. */
  customerOf(contractId: number): string | undefined {
    const sql =
      'SELECT u.username FROM contracts c JOIN requests r ON r.id = c.requestId JOIN users u ON u.id = r.ownerId WHERE c.id = ?';
    return this.#nameOf(this.#rows<{ username: string }>(sql, contractId)[0]?.username ?? '');
  }

  paidByHand(requestId: number): void {
    this.#byHand.add(requestId);
  }

  /** The bank has refused it at last. */
  paymentFailed(sessionId: string): void {
    this.#failed.add(sessionId);
  }

  /** After each commit: what it says must be so at the providers at this moment. */
  committed(process: Process): void {
    this.#leases.committed(process);
    this.#jobEnds.committed();
    const rows = this.#rows<History>(
      'SELECT id, what, actor, requestId, contractId, detail FROM history WHERE id > ? ORDER BY id',
      this.#lastHistory,
    );
    for (const row of rows) {
      this.#lastHistory = row.id;
      this.#world.trace.add(
        `history ${row.what} request=${row.requestId} contract=${row.contractId} ${row.detail}`,
      );
      const rule = RULES[row.what];
      if (rule && row.contractId !== null) rule(this, row, this.#contract(row.contractId));
      if (row.what.startsWith('user.')) this.#addresses();
    }
    for (const messageId of this.#sending) if (this.#isDone(messageId)) this.#hasBeenSent(messageId);
  }

  #isDone(messageId: string): boolean {
    const id = this.#jobOf(messageId);
    if (id === undefined) return false;
    return this.#rows("SELECT 1 FROM jobs WHERE id = ? AND state = 'completed'", id).length > 0;
  }

  #hasBeenSent(messageId: string): void {
    this.#sending.delete(messageId);
    this.#sent.add(messageId);
  }

  /** The contract has gone to its signer, whose story it is. */
  sent(request: SignatureRequest, isReminder: boolean): Story | undefined {
    const [contract] = this.#rows<ContractRow>(
      'SELECT * FROM contracts WHERE externalId = ?',
      request.externalId,
    );
    // The provider reminds by itself, also of contracts that a restore has lost.
    if (!contract && isReminder) return undefined;
    if (!isReminder) this.#count('contracts sent');
    if (!contract)
      return this.#broken(
        `a contract was sent under the name ${request.externalId}, which nobody here knows`,
      );
    const story = this.#world.stories.get(contract.requestId);
    const to = request.signers[0]?.info.email;
    this.#expect(
      story?.customer.name === this.#nameOf(to ?? ''),
      `the contract of request ${contract.requestId} went to ${to}`,
    );
    const names = this.#rows<{ externalId: string }>(
      'SELECT externalId FROM contracts WHERE requestId = ?',
      contract.requestId,
    ).map(({ externalId }) => externalId);
    const alive = [...this.#world.providers.world.signatureRequests.values()].filter(
      ({ externalId, status }) => status === 'ongoing' && names.includes(externalId ?? ''),
    );
    this.#expect(
      alive.length <= 1,
      `request ${contract.requestId} has ${alive.length} contracts to sign at once`,
    );
    for (const { content } of request.documents) this.#mustBeFor(content, to ?? '', 'the document to sign');
    this.#lastDay(request, contract);
    return story;
  }

  /** The last day to sign is so many calendar days after the day of the start, whatever summer time does. */
  #lastDay({ expirationDate }: SignatureRequest, { id, createdAt }: ContractRow): void {
    const { timeZone } = this.#world.plan;
    const today = new Date(createdAt).toLocaleDateString('sv-SE', { timeZone });
    const last = new Date(Date.parse(today) + VALID_DAYS * DAY).toISOString().slice(0, 10);
    this.#expect(
      expirationDate === last,
      `contract ${id}, made on ${today} in ${timeZone}, can be signed until ${expirationDate}`,
    );
  }

  /** A mail has arrived; the story of its customer. */
  arrived(letter: Letter): Story | undefined {
    this.#count('mails');
    const { to, subject, messageId, text } = letter;
    // The office's summaries are written when they leave.
    const same = to === this.#office ? to : `${this.#nameOf(to)} ${subject}`;
    const before = this.#letters.get(messageId) ?? same;
    this.#letters.set(messageId, same);
    this.#expect(before === same, `the mail ${messageId} came as "${before}" and as "${same}"`);
    this.#expect(
      !this.#sent.has(messageId) || !this.#world.areLeasesKept(),
      `the mail "${same}" came again after its job was done`,
    );
    this.#sending.add(messageId);
    for (const { content, sha256 } of letter.attachments) {
      // A picture may come again.
      if (to === this.#office || !content.subarray(0, 5).equals(PDF)) continue;
      this.#mustBeFor(content, to, 'an attachment');
      this.#gotOnce(`${this.#nameOf(to)} ${sha256}`, messageId);
    }
    if (to === this.#office) return undefined;
    this.#expect(
      this.#world.firm.isOfACustomer(to),
      `"${subject}" went to ${to}, who is no customer of ${this.#world.name}`,
    );
    const { now } = this.#world.scheduler;
    const customer = this.#world.firm.at(to);
    this.#expect(
      !customer || to === this.addressOf(customer) || now < customer.correctedAt + MAIL_MS,
      `"${subject}" went to ${to}, which was corrected long ago`,
    );
    const requestId = Number(/REQ-\d{4}-(\d+)/.exec(`${subject} ${text}`)?.[1] ?? 0);
    const story = this.#world.stories.get(requestId);
    this.#expect(
      !story || story.customer.name === this.#nameOf(to),
      `a mail about request ${requestId} went to ${to}`,
    );
    if (!text.includes(`${this.#world.url}/pay/`)) return story;
    this.#got.add(`${this.#nameOf(to)} request ${requestId}`);
    const overSince = this.#over.get(requestId);
    this.#expect(
      overSince === undefined || now < overSince + MAIL_MS,
      `${to} was asked to pay for request ${requestId}, which was complete or canceled`,
    );
    return story;
  }

  /** Again only as the same mail, which a mailbox shows once. */
  #gotOnce(what: string, messageId: string): void {
    const before = this.#copies.get(what) ?? messageId;
    this.#copies.set(what, messageId);
    this.#got.add(what);
    this.#expect(before === messageId, `${what} came by the mails ${before} and ${messageId}`);
  }

  #mustBeFor(document: Buffer, to: string, what: string): void {
    const customer = /% for (\S+): /.exec(document.toString('latin1'))?.[1];
    this.#expect(
      customer === undefined || customer === this.#nameOf(to),
      `${what} for ${customer} went to ${to}`,
    );
  }

  #newSession(session: PaymentSession): void {
    if (!this.#world.firm.isOfACustomer(session.customer_email ?? '')) return;
    this.#count('payment sessions');
    const now = this.#world.scheduler.now;
    const name = session.client_reference_id ?? '';
    const before = this.#sessionsOf.get(name) ?? [];
    this.#sessionsOf.set(name, [...before, session]);
    const others = before.filter((other) => isAlive(other, now) && !this.#failed.has(other.id));
    this.#expect(
      others.length === 0,
      `${session.client_reference_id} can be paid twice: ${others.map(({ id, status }) => `${id} ${status}`).join()}`,
    );
  }

  signedOnce(contract: ContractRow): void {
    this.#count('signed');
    this.#expect(!this.#signed.has(contract.id), `contract ${contract.id} was signed twice`);
    this.#signed.add(contract.id);
    this.#signedAt.set(contract.id, this.#world.scheduler.now);
    const there = this.#signature(contract);
    this.#expect(
      there?.status === 'done',
      `contract ${contract.id} counts as signed and is ${there?.status} at the provider`,
    );
    this.#expect(
      there?.externalId === contract.externalId,
      `contract ${contract.id} took the signature of ${there?.externalId}`,
    );
    const late = countsTooLate(this.#read, contract.id, there);
    this.#expect(late === undefined, late ?? '');
    this.#pdf(contract);
  }

  ended(contract: ContractRow, reason: string): void {
    this.#count(`ended: ${reason}`);
    const there = this.#signature(contract);
    if (reason === 'date_passed' && contract.signedAt === null) this.#hasPassed(contract);
    if (['declined', 'canceled', 'rejected', 'deleted', 'expired'].includes(reason)) {
      // What is deleted for good is nowhere any more.
      this.#expect(
        (there?.status ?? 'deleted') === reason,
        `contract ${contract.id} ended as ${reason} and is ${there?.status} at the provider`,
      );
    }
    if (reason === 'not_found')
      this.#expect(!there, `contract ${contract.id} was not found and is ${there?.status} at the provider`);
    if (reason === 'reset' || (reason === 'request_canceled' && contract.signedAt === null))
      this.#expect(
        there?.status !== 'ongoing' && (there?.status !== 'done' || isLate(there)),
        `contract ${contract.id} was ended (${reason}) and is ${there?.status}`,
      );
  }

  /**
   * Names are random: nobody else has one of ours. After a restore its signer may have an address that the data no
   * longer know: until it is corrected again, a person must look. The same goes for a contract that was made while the
   * clock was ahead: its record seems to be older.
   */
  foreign({ contractId, detail }: History): void {
    const { signId = '' } = JSON.parse(detail) as { signId?: string };
    const there = this.#world.providers.world.signatureRequests.get(signId);
    const signer = there?.signers[0]?.info.email;
    const isOwn = this.#nameOf(signer ?? '') === this.customerOf(contractId as number);
    const madeAt = Date.parse(this.#contract(contractId as number).createdAt);
    const isOlder = there !== undefined && there.createdAt + CLOCK_TOLERANCE_MS < madeAt;
    if (isOlder && (isOwn || signer === undefined))
      return this.#count('records that seem older than their contracts');
    if (isOwn && this.#counts['restores']) return this.#count('corrections lost by a restore');
    this.#broken(`contract ${contractId} has the name of somebody else's record: ${detail}`);
  }

  /** Our clock may only count alone while the provider's cannot be seen. */
  #hasPassed({ id, expiredAt }: ContractRow): void {
    const { network, providers, scheduler } = this.#world;
    const isProviderSeen =
      network.weather === FAIR && !providers.isAstray() && providers.world.faults.list().length === 0;
    this.#expect(
      !isProviderSeen || Date.parse(expiredAt ?? '') <= scheduler.now + CLOCK_TOLERANCE_MS,
      `contract ${id}, which can be signed until ${expiredAt}, has expired`,
    );
  }

  /** From now on somebody can have the session's link. */
  linked(paymentId: string): void {
    this.#linked.add(paymentId);
  }

  /** Nobody can pay for it any more. A session whose answer was lost has a link that nobody has seen. */
  over(contract: ContractRow, status: string): void {
    const { now } = this.#world.scheduler;
    this.#count(status);
    this.#over.set(contract.requestId, now);
    const open = this.#sessions(contract).filter(
      ({ id, status: state, expires_at }) =>
        this.#linked.has(id) && state === 'open' && expires_at * 1000 > now,
    );
    for (const { id } of open)
      this.#broken(`request ${contract.requestId} is ${status}, and can be paid by ${id}`);
  }

  /** A canceled request begins again. */
  reopened(requestId: number): void {
    this.#count('reopened');
    this.#over.delete(requestId);
    this.#received.delete(requestId);
  }

  received(contract: ContractRow, paymentId: string): void {
    this.#count('paid');
    const session = this.#world.providers.world.sessions.get(paymentId);
    this.#expect(
      session?.payment_status === 'paid',
      `contract ${contract.id} counts as paid by ${paymentId}, which is ${session?.payment_status}`,
    );
    this.#expect(
      session?.client_reference_id === contract.externalId,
      `contract ${contract.id} was paid by a session of ${session?.client_reference_id}`,
    );
    const customer = this.customerOf(contract.id);
    this.#expect(
      this.#nameOf(session?.customer_email ?? '') === customer,
      `contract ${contract.id} of ${customer} was paid by ${session?.customer_email}`,
    );
    this.#expect(!this.#received.has(contract.requestId), `request ${contract.requestId} was paid twice`);
    this.#received.add(contract.requestId);
  }

  /** The document on disk is the one that its contract promises. */
  #pdf({ id, pdfSha256, requestId }: ContractRow): void {
    const file = this.#pdfOf(id);
    const content = existsSync(file) ? readFileSync(file) : undefined;
    const digest = content && createHash('sha256').update(content).digest('hex');
    this.#expect(
      digest === pdfSha256,
      `the signed PDF of contract ${id} is ${digest ? 'another' : 'missing'}`,
    );
    const story = this.#world.stories.get(requestId);
    if (!content || !story) return;
    const mark = /% (for .*)/.exec(content.toString('latin1'))?.[1];
    this.#expect(
      mark === undefined || mark === markOf(story.customer.name, story.title),
      `contract ${id} holds the document ${mark}`,
    );
  }

  #pdfOf(id: number): string {
    return join(this.#world.office.dataDir, 'contracts', `${id}.pdf`);
  }

  /** What is settled at the providers and not here. */
  unheard(): string[] {
    const contracts = this.#rows<ContractRow>(
      `SELECT c.* FROM contracts c JOIN requests r ON r.id = c.requestId
       WHERE r.status = 'WAITING_SIGNATURE' AND c.status = 'PENDING' ORDER BY c.id`,
    ).flatMap((contract) => {
      const there = this.#signature(contract);
      if (!there || ['draft', 'ongoing'].includes(there.status)) return [];
      if (isLate(there) && isLateKnown(this.#read, contract.id)) return [];
      return `contract ${contract.id} is ${there.status}`;
    });
    const { sessions } = this.#world.providers.world;
    const payments = this.#rows<{ paymentId: string; requestId: number }>(
      `SELECT p.paymentId, r.id AS requestId FROM payments p JOIN contracts c ON c.id = p.contractId
       JOIN requests r ON r.id = c.requestId WHERE r.status = 'WAITING_PAYMENT' AND p.status = 'open' ORDER BY p.id`,
    ).flatMap(({ paymentId, requestId }) =>
      sessions.get(paymentId)?.payment_status === 'paid' ? `request ${requestId} is paid` : [],
    );
    return [...contracts, ...payments];
  }

  /** Jobs that were there at this time, and have had no try for as long as the longest wait. */
  jobsSince(before: number): string[] {
    const sql =
      "SELECT id, kind, runAt FROM jobs WHERE state <> 'completed' AND state <> 'failed' AND createdAt < ?";
    return this.#rows<{ id: number; kind: string; runAt: string }>(sql, new Date(before).toISOString()).map(
      ({ id, kind, runAt }) => `job ${id} (${kind}) waits until ${runAt}`,
    );
  }

  /** Broken promises about when something must have happened. */
  late(what: string, when: string): void {
    this.#broken(`${what}, ${when}`);
  }

  /** Nothing goes wrong any more, and nothing is left to be done. */
  atRest(how: 'alone' | 'with help'): void {
    const requests = this.#rows<RequestRow>(
      'SELECT r.id, r.status, r.title, r.paymentId, u.username FROM requests r JOIN users u ON u.id = r.ownerId',
    );
    const byId = new Map(requests.map((request) => [request.id, request]));
    for (const [id, story] of this.#promised) {
      const request = byId.get(id);
      this.#expect(request !== undefined, `request ${id} was promised and is gone`);
      this.#expect(
        request?.title === story.title && this.#nameOf(request.username) === story.customer.name,
        `request ${id} was promised as ${story.title} and is ${request?.title}`,
      );
    }
    for (const request of requests) this.#rests(request, how);
    const titles = requests.map(({ title }) => title);
    for (const title of titles.filter((each, i) => titles.indexOf(each) !== i))
      this.#broken(`there are several requests for ${title}, and one was wanted`);
    for (const contract of this.#rows<ContractRow>('SELECT * FROM contracts WHERE pdfSha256 IS NOT NULL'))
      this.#pdf(contract);
    const now = new Date(this.#world.scheduler.now).toISOString();
    const late = this.#rows<{ id: number; kind: string; state: string; runAt: string }>(
      "SELECT id, kind, state, runAt FROM jobs WHERE state = 'running' OR (state = 'available' AND runAt < ?)",
      now,
    );
    for (const job of late) this.#broken(`job ${job.id} (${job.kind}) is ${job.state} since ${job.runAt}`);
    this.#strangers();
    if (how === 'alone') return;
    this.#deliveries();
    // What is owed to a receiver that is switched off stays owed.
    const failed = this.#rows<{ id: number; kind: string; lastError: string }>(`
      SELECT id, kind, lastError FROM jobs WHERE state = 'failed' AND NOT (kind = 'deliver-webhook' AND EXISTS (
        SELECT 1 FROM deliveries d JOIN webhooks w ON w.id = d.webhookId
        WHERE d.id = payload ->> '$.deliveryId' AND w.active = 0))`);
    for (const job of failed)
      this.#broken(
        `job ${job.id} (${job.kind}) has failed though nothing is wrong any more: ${job.lastError}`,
      );
    this.#eachMailOnce();
    this.#hasGotDocuments();
    const open = this.#rows("SELECT 1 FROM inbox WHERE state = 'received'").length;
    this.#expect(open === 0, `${open} events of the inbox are still open`);
  }

  /** Who has signed has the signed document; who is to pay has a link. */
  #hasGotDocuments(): void {
    const signed = this.#rows<{ id: number; username: string; pdfSha256: string }>(
      `SELECT c.id, u.username, c.pdfSha256 FROM contracts c JOIN requests r ON r.id = c.requestId
       JOIN users u ON u.id = r.ownerId WHERE c.pdfSha256 IS NOT NULL`,
    );
    for (const { id, username, pdfSha256 } of signed)
      this.#expect(
        this.#got.has(`${this.#nameOf(username)} ${pdfSha256}`),
        `${username} has signed contract ${id} and never got it`,
      );
    const unpaid = this.#rows<RequestRow>(
      `SELECT r.id, u.username FROM requests r JOIN users u ON u.id = r.ownerId
       WHERE r.status = 'WAITING_PAYMENT' AND r.paymentUrl IS NOT NULL`,
    );
    for (const { id, username } of unpaid)
      this.#expect(
        this.#got.has(`${this.#nameOf(username)} request ${id}`),
        `${username} is to pay for request ${id} and never got the link`,
      );
  }

  #eachMailOnce(): void {
    // Those about no contract are summaries for the office, which are not sent when nothing is left to tell. Nor is
    // anybody asked to pay for what is over.
    const jobs = this.#rows<MailJob>(
      `SELECT j.id, j.uniqueKey, j.createdAt, c.key FROM jobs j JOIN requests r ON r.id = j.requestId
       LEFT JOIN contracts c ON c.id = payload ->> '$.contractId'
       WHERE j.kind = 'send-mail' AND j.state = 'completed' AND j.contractId IS NOT NULL
         AND NOT (payload ->> '$.mail' IN ('payment-link', 'payment-reminder')
           AND (r.status <> 'WAITING_PAYMENT' OR j.contractId <> (SELECT max(id) FROM contracts WHERE requestId = r.id)))`,
    );
    for (const job of jobs)
      this.#expect(
        this.#letters.has(this.#messageId(job)),
        `the mail ${job.uniqueKey} counts as sent and never arrived`,
      );
    for (const requestId of this.#received) {
      const [request] = this.#rows<RequestRow>('SELECT id, status FROM requests WHERE id = ?', requestId);
      this.#expect(request?.status === 'COMPLETE', `request ${requestId} was paid and is ${request?.status}`);
    }
  }

  #rests(request: RequestRow, how: string): void {
    const contracts = this.#rows<ContractRow>(
      'SELECT * FROM contracts WHERE requestId = ? ORDER BY id',
      request.id,
    );
    const contract = contracts.at(-1);
    const there = contract && this.#signature(contract);
    const is = `request ${request.id} is ${request.status} (${how}), contract ${contract?.id} is ${contract?.status}`;
    const at = `at the provider it is ${there?.status}`;
    const signer = there?.signers[0]?.info.email;
    this.#expect(
      there?.status !== 'ongoing' ||
        signer === request.username ||
        (how === 'alone' && this.#hasFailed(request, 'correct-signer')),
      `${is}; its signer is ${signer}, and the customer ${request.username}`,
    );
    this.#count(`rest ${request.status}`);
    switch (request.status) {
      case 'new':
      case 'in_progress':
        this.#expect(!there || !['ongoing', 'done'].includes(there.status), `${is}; ${at}`);
        break;
      case 'WAITING_SIGNATURE':
        if (contract?.status === 'PENDING') {
          const isTold = there && isLate(there) && isLateKnown(this.#read, contract.id);
          this.#expect(there?.status === 'ongoing' || isTold === true, `${is}; ${at}`);
        } else if (there?.status === 'done') {
          this.#expect(
            isLate(there),
            `${is}; ${at}, signed at ${new Date(there.completedAt ?? 0).toISOString()}, until ${contract?.expiredAt}`,
          );
        }
        break;
      case 'WAITING_PAYMENT':
        this.#expect(there?.status === 'done', `${is}; ${at}`);
        this.#expect(
          this.#sessions(contract).length > 0 || this.#hasFailed(request, 'create-payment-session'),
          `${is}; it cannot be paid, and no job has failed`,
        );
        for (const paid of this.#sessions(contract).filter(({ payment_status }) => payment_status === 'paid'))
          this.#broken(`${is}; it was paid by ${paid.id}`);
        break;
      case 'CANCELED':
        this.#expect(there?.status !== 'ongoing', `${is}; ${at}`);
        break;
      case 'COMPLETE':
        this.#expect(there?.status === 'done', `${is}; ${at}`);
        this.#expect(
          this.#byHand.has(request.id) ||
            this.#handed(request.id) ||
            this.#sessions(contract).some(({ payment_status }) => payment_status === 'paid'),
          `${is}, and nobody has paid`,
        );
        break;
    }
  }

  /** The provider was away for longer than the job's attempts: it waits in the failed list for a person. */
  #hasFailed({ id }: RequestRow, kind: string): boolean {
    const sql = "SELECT 1 FROM jobs WHERE requestId = ? AND kind = ? AND state = 'failed'";
    return this.#rows(sql, id, kind).length > 0;
  }

  /** A person completed it: the answer may have been lost. */
  #handed(requestId: number): boolean {
    return (
      this.#rows(
        "SELECT 1 FROM history WHERE requestId = ? AND what = 'request.moved' AND actor LIKE '%olga%'",
        requestId,
      ).length > 0
    );
  }

  #sessions(contract: ContractRow | undefined): PaymentSession[] {
    return this.#sessionsOf.get(contract?.externalId ?? '') ?? [];
  }

  #signature({ signId }: ContractRow): SignatureRequest | undefined {
    return signId === null ? undefined : this.#world.providers.world.signatureRequests.get(signId);
  }

  #contract(id: number): ContractRow {
    return this.#rows<ContractRow>('SELECT * FROM contracts WHERE id = ?', id)[0] as ContractRow;
  }

  #rows<T>(sql: string, ...values: unknown[]): T[] {
    try {
      this.#db ??= new Database(join(this.#world.office.dataDir, 'esign.db'), { fileMustExist: true });
      return this.#statement(sql).all(...values) as T[];
    } catch (error) {
      this.#broken(`the data cannot be read: ${(error as Error).message}`);
      return [];
    }
  }

  readonly #read: Rows = this.#rows.bind(this);

  readonly #statements = new Map<string, Database.Statement>();

  #statement(sql: string): Database.Statement {
    const statement = this.#statements.get(sql) ?? (this.#db as Database.Database).prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }

  #expect(isSo: boolean, otherwise: string): void {
    if (!isSo) this.#broken(otherwise);
  }

  #broken(words: string): undefined {
    this.#world.trace.broken(words);
  }

  #count(what: string): void {
    this.#counts[what] = (this.#counts[what] ?? 0) + 1;
  }
}

/** Drops what is no longer so, and tells of what must still be so. */
function keepOnly(
  ids: Set<number>,
  isSo: (id: number) => boolean,
  must: ReadonlySet<number>,
  tell: (id: number) => void,
): void {
  for (const id of ids) {
    if (isSo(id)) continue;
    ids.delete(id);
    if (must.has(id)) tell(id);
  }
}

type Rule = (oracle: Oracle, row: History, contract: ContractRow) => void;

const detailOf = ({ detail }: History) => JSON.parse(detail) as Record<string, string>;

const RULES: Readonly<Record<string, Rule>> = {
  'contract.signed': (oracle, _, contract) => oracle.signedOnce(contract),
  'contract.ended': (oracle, row, contract) => oracle.ended(contract, detailOf(row)['reason'] ?? ''),
  'request.moved': (oracle, row, contract) => {
    const { to = '' } = detailOf(row);
    if (to === 'COMPLETE' || to === 'CANCELED') oracle.over(contract, to);
    if (to === 'new') oracle.reopened(contract.requestId);
  },
  'contract.foreign_signature': (oracle, row) => oracle.foreign(row),
  'payment.session_created': (oracle, row) => oracle.linked(detailOf(row)['paymentId'] ?? ''),
  'payment.session_found': (oracle, row) => oracle.linked(detailOf(row)['paymentId'] ?? ''),
  'payment.received': (oracle, row, contract) => oracle.received(contract, detailOf(row)['paymentId'] ?? ''),
};
