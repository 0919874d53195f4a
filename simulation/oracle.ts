/**
 * Knows the truth, which is at the providers, and compares: after each commit of the service, at each mail and each new
 * session, and when everything has come to rest.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { PaymentSession } from '../src/sandbox/payment/session.js';
import type { SignatureRequest } from '../src/sandbox/signature/types.js';
import { FAIR } from './network.js';
import { markOf } from './people/contract-pdf.js';
import type { Customer } from './people/customer.js';
import type { Receiver } from './people/receiver.js';
import { Answers } from './answers.js';
import { JobEnds } from './job-ends.js';
import { Leases } from './leases.js';
import type { Process } from './machine/scheduler.js';
import type { Story } from './people/story.js';
import type { Letter, Taking } from './post-office.js';
import { claimedWrongly, contractOf, detailOf, ENTRIES, type Entry } from './rules/claims.js';
import { isOurs, misdelivered, toldTwice, untold } from './rules/deliveries.js';
import { wrongDocument } from './rules/documents.js';
import {
  customerOf,
  REQUESTS,
  sessionsOf,
  signatureOf,
  type ContractRow,
  type Outside,
  type RequestRow,
  type Rows,
} from './rules/facts.js';
import { happenedTwice, movedWrongly, paidAndOpen } from './rules/history.js';
import { paidByEvents, stillOpen } from './rules/inbox.js';
import { failed, overdue } from './rules/jobs.js';
import { isKnownLate } from './rules/last-moment.js';
import { cameAsAnother, MailJobs, toldNobody, type Letters } from './rules/mails.js';
import { ledElsewhere, paidUnnoticed, payableTwice } from './rules/payments.js';
import { signableTwice } from './rules/signatures.js';
import { standWrong } from './rules/standing.js';
import { Successes } from './successes.js';
import type { World } from './world.js';

/** What was there when a backup began. */
export interface Kept {
  promised: ReadonlyMap<number, Story>;
  signed: ReadonlySet<number>;
  received: ReadonlySet<number>;
  history: number;
  lastHistory: number;
}

const SIGNED = 'SELECT id FROM contracts WHERE signedAt IS NOT NULL';
const RECEIVED = "SELECT requestId AS id FROM history WHERE what = 'payment.received'";
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

export class Oracle {
  readonly #world: World;
  /** Of the firm's administrator. */
  readonly #office: string;
  #db: Database.Database | undefined;
  #lastHistory = 0;
  readonly #promised = new Map<number, Story>();
  /** By contract, in the world's time. */
  readonly #signedAt = new Map<number, number>();
  /** Payments that were refused after days. */
  readonly #failed = new Set<string>();
  readonly #counts: Record<string, number> = {};
  readonly #letters: Letters = new Map();
  /** Documents and links that customers have got by mail: `<customer> <digest or request>`. */
  readonly #got = new Set<string>();
  /** The documents among them, with the Message-ID. */
  readonly #copies = new Map<string, string>();
  /** By receiver and id, what was delivered. */
  readonly #heard = new Map<string, string>();
  readonly #linked = new Set<string>();
  /** Mails that have arrived and whose jobs are not done yet; and those whose jobs are. */
  readonly #sending = new Set<string>();
  readonly #sent = new Set<string>();
  /** By Message-ID, which process knows that the mail was taken. */
  readonly #taken = new Map<string, Process>();
  readonly #mailJobs: MailJobs;
  readonly #outside: Outside;
  readonly #rows: Rows = (sql, ...values) => this.#read(sql, values);
  readonly #answers: Answers;
  readonly #successes: Successes;
  readonly #leases: Leases;
  readonly #jobEnds: JobEnds;
  #restoredAt = -Infinity;
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
    this.#outside = {
      now: () => world.scheduler.now,
      signatures: world.providers.world.signatureRequests,
      sessions,
      refused: this.#failed,
      nameOf: (address) => this.#nameOf(address),
    };
    this.#mailJobs = new MailJobs(this.#rows, `${world.name}.test`);
    this.#answers = new Answers(world, this.#rows);
    this.#successes = new Successes(world, this.#rows, () => this.#lastHistory);
    this.#leases = new Leases(world, this.#rows);
    this.#jobEnds = new JobEnds(world, this.#rows, this.#mailJobs);
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
      signed: this.#ids(SIGNED),
      received: this.#ids(RECEIVED),
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
    this.#restoredAt = this.#world.scheduler.now;
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
    this.#mustHold(kept.signed, SIGNED, 'contract', 'signed');
    this.#mustHold(kept.received, RECEIVED, 'request', 'paid');
    this.#mailJobs.restored();
    this.#taken.clear();
    for (const [what, messageId] of this.#copies) if (!this.#isKnown(messageId)) this.#copies.delete(what);
    for (const messageId of this.#sending) if (!this.#isKnown(messageId)) this.#sending.delete(messageId);
    for (const messageId of this.#sent)
      if (!this.#isKnown(messageId) || !this.#isDone(messageId)) this.#sent.delete(messageId);
    this.#answers.restored();
    this.#successes.restored();
    this.#leases.restored();
    this.#jobEnds.restored();
    const over = this.#ids("SELECT id FROM requests WHERE status IN ('COMPLETE', 'CANCELED')");
    for (const id of this.#over.keys()) if (!over.has(id)) this.#over.delete(id);
    this.#lastHistory = this.#rows<{ id: number }>('SELECT max(id) AS id FROM history')[0]?.id ?? 0;
    this.#addresses();
  }

  #ids(sql: string): Set<number> {
    return new Set(this.#rows<{ id: number }>(sql).map(({ id }) => id));
  }

  #mustHold(kept: ReadonlySet<number>, sql: string, what: string, how: string): void {
    const left = this.#ids(sql);
    for (const id of kept)
      this.#expect(left.has(id), `${what} ${id} was ${how} in the backup and is not now`);
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

  /** Contracts whose PDF is genuine, and that were signed long enough ago for the last step, the sync of the file's name, to be over. */
  #storedPdfs(): ContractRow[] {
    const since = this.#world.scheduler.now - SYNC_MS;
    return this.#rows<ContractRow>('SELECT * FROM contracts WHERE pdfSha256 IS NOT NULL').filter(
      (contract) =>
        (this.#signedAt.get(contract.id) ?? Infinity) < since &&
        wrongDocument(contract, this.#contentOf(contract)).length === 0,
    );
  }

  #historyUntil(id: number): number {
    return this.#rows<{ n: number }>('SELECT count(*) AS n FROM history WHERE id <= ?', id)[0]?.n ?? 0;
  }

  /** Whether the job of this mail is there. */
  #isKnown(messageId: string): boolean {
    return this.#mailJobs.idOf(messageId) !== undefined;
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
    // A call from before a restore may arrive after it.
    this.#expect(
      this.#world.scheduler.now < this.#restoredAt + MAIL_MS || isOurs(this.#rows, receiver.host, id),
      `${receiver.host} got ${id}, which is no delivery of ours`,
    );
    const { owner } = receiver;
    if (owner === undefined) return;
    const { data } = JSON.parse(body) as { data: { id: number } };
    const story = this.#world.stories.get(data.id);
    this.#expect(
      !story || story.customer.name === owner,
      `${receiver.host} of ${owner} heard of request ${data.id}`,
    );
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
    return customerOf(this.#rows, this.#outside, contractId);
  }

  /** The bank has refused it at last. */
  paymentFailed(sessionId: string): void {
    this.#failed.add(sessionId);
  }

  /** After each commit: what it says must be so at the providers at this moment. */
  committed(process: Process): void {
    this.#leases.committed(process);
    this.#jobEnds.committed();
    for (const row of this.#rows<Entry>(ENTRIES, this.#lastHistory)) {
      this.#lastHistory = row.id;
      this.#world.trace.add(
        `history ${row.what} request=${row.requestId} contract=${row.contractId} ${row.detail}`,
      );
      const rule = RULES[row.what];
      if (rule && row.contractId !== null) rule(this, row, contractOf(this.#rows, row));
      this.#tell(claimedWrongly(this.#rows, this.#outside, row));
      if (row.what.startsWith('user.')) this.#addresses();
    }
    for (const messageId of this.#sending) if (this.#isDone(messageId)) this.#hasBeenSent(messageId);
  }

  #isDone(messageId: string): boolean {
    const id = this.#mailJobs.idOf(messageId);
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
    // The provider reminds by itself, also of contracts that a restore has lost; and a call from before the restore may arrive after it.
    if (!contract && (isReminder || request.createdAt < this.#restoredAt)) return undefined;
    if (!isReminder) this.#count('contracts sent');
    if (!contract)
      return this.#broken(
        `a contract was sent under the name ${request.externalId}, which nobody here knows`,
      );
    const story = this.#storyOf(contract.requestId);
    const to = request.signers[0]?.info.email;
    this.#expect(
      !story || story.customer.name === this.#nameOf(to ?? ''),
      `the contract of request ${contract.requestId} went to ${to}`,
    );
    this.#tell(signableTwice(this.#rows, this.#outside, contract.requestId));
    for (const { content } of request.documents) this.#mustBeFor(content, to ?? '', 'the document to sign');
    this.#lastDay(request, contract);
    return story;
  }

  /** Undefined when, after a restore, the story of this number is about another request. */
  #storyOf(requestId: number): Story | undefined {
    const story = this.#world.stories.get(requestId);
    const [request] = this.#rows<RequestRow>('SELECT * FROM requests WHERE id = ?', requestId);
    return story?.title === request?.title ? story : undefined;
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
  arrived(letter: Letter, taking: Taking): Story | undefined {
    this.#count('mails');
    const { to, subject, messageId, text } = letter;
    // The office's summaries are written when they leave.
    const same = to === this.#office ? to : `${this.#nameOf(to)} ${subject}`;
    this.#tell(cameAsAnother(this.#letters, messageId, same));
    this.#expect(this.#isKnown(messageId), `the mail ${messageId} belongs to no job`);
    this.#expect(
      !this.#sent.has(messageId) || !this.#world.areLeasesKept(),
      `the mail "${same}" came again after its job was done`,
    );
    this.#sending.add(messageId);
    this.#neededAgain(messageId, taking);
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
    const token = new RegExp(`${this.#world.url}/pay/(\\w+)`).exec(text)?.[1];
    if (token === undefined) return story;
    this.#expect(
      this.#rows('SELECT 1 FROM requests WHERE id = ? AND payToken = ?', requestId, token).length > 0,
      `a mail about request ${requestId} has the link to pay for another`,
    );
    this.#got.add(`${this.#nameOf(to)} request ${requestId}`);
    const overSince = this.#over.get(requestId);
    this.#expect(
      overSince === undefined || now < overSince + MAIL_MS,
      `${to} was asked to pay for request ${requestId}, which was complete or canceled`,
    );
    return story;
  }

  /** A process that knows that a mail was taken sends it again only when it could not store that. */
  #neededAgain(messageId: string, { from, isTold }: Taking): void {
    const { disk } = this.#world;
    this.#expect(
      !this.#taken.get(messageId)?.isAlive || !this.#world.areLeasesKept(),
      `the mail ${messageId} came again although it was taken`,
    );
    if (isTold && !disk.isFull) this.#taken.set(messageId, from);
  }

  /** A link to pay has led its customer to the page of this session. */
  followed({ requestId, customer }: Story, sessionId: string): void {
    this.#count('links followed');
    const whose = { requestId, customer: customer.name };
    this.#tell(ledElsewhere(this.#rows, this.#outside, whose, sessionId));
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
    const name = session.client_reference_id;
    const before = [...this.#outside.sessions.values()].filter((each) => each.client_reference_id === name);
    this.#tell(payableTwice([session, ...before], this.#outside));
  }

  signed(contract: ContractRow): void {
    this.#count('signed');
    this.#signedAt.set(contract.id, this.#world.scheduler.now);
    this.#pdf(contract);
  }

  ended(contract: ContractRow, reason: string): void {
    this.#count(`ended: ${reason}`);
    if (reason === 'date_passed' && contract.signedAt === null) this.#hasPassed(contract);
  }

  /**
   * Names are random: nobody else has one of ours. A restore may bring back an older address of the customer, while the
   * record bears the corrected one, which the data then do not know: it could be anybody's. Until the address is corrected
   * again, the service must take nothing from it. A contract that was made while the clock was ahead has a record that seems older than the contract.
   */
  foreign(entry: Entry, { id, createdAt, signerEmail }: ContractRow): void {
    const there = this.#world.providers.world.signatureRequests.get(detailOf(entry)['signId'] ?? '');
    const signer = there?.signers[0]?.info.email;
    const customer = this.customerOf(id);
    const isOwn = this.#nameOf(signer ?? '') === customer;
    const isOlder = there !== undefined && there.createdAt + CLOCK_TOLERANCE_MS < Date.parse(createdAt);
    if (isOlder && (isOwn || signer === undefined))
      return this.#count('records that seem older than their contracts');
    const known = this.#world.firm.customers
      .filter(({ name }) => name === customer)
      .map((one) => this.addressOf(one));
    if (isOwn && this.#counts['restores'] && ![...known, signerEmail].includes(signer))
      return this.#count('corrections lost by a restore');
    this.#broken(`contract ${id} has the name of somebody else's record: ${entry.detail}`);
  }

  /** Whether each call to a provider gets its true answer. */
  #areProvidersSeen(): boolean {
    const { network, providers } = this.#world;
    return network.weather === FAIR && !providers.isAstray() && providers.world.faults.list().length === 0;
  }

  /** Our clock may only count alone while the provider's cannot be seen. */
  #hasPassed({ id, expiredAt }: ContractRow): void {
    const { scheduler } = this.#world;
    this.#expect(
      !this.#areProvidersSeen() || Date.parse(expiredAt ?? '') <= scheduler.now + CLOCK_TOLERANCE_MS,
      `contract ${id}, which can be signed until ${expiredAt}, has expired`,
    );
  }

  /** From now on somebody can have the session's link. */
  linked(paymentId: string): void {
    this.#linked.add(paymentId);
  }

  /**
   * Nobody can pay for it any more. A session whose answer was lost has a link that nobody has seen. One that a restore has
   * forgotten cannot be found while its provider does not answer, and the office may go on without it; a payment is reported then.
   */
  over(contract: ContractRow, status: string): void {
    const { now } = this.#world.scheduler;
    this.#count(status);
    this.#over.set(contract.requestId, now);
    const open = sessionsOf(this.#outside, contract).filter(
      ({ id, status: state, expires_at }) =>
        this.#linked.has(id) && state === 'open' && expires_at * 1000 > now,
    );
    const isToBeKnown = (id: string) =>
      this.#areProvidersSeen() || this.#rows('SELECT 1 FROM payments WHERE paymentId = ?', id).length > 0;
    for (const { id } of open.filter((session) => isToBeKnown(session.id)))
      this.#broken(`request ${contract.requestId} is ${status}, and can be paid by ${id}`);
  }

  /** A canceled request begins again. */
  reopened(requestId: number): void {
    this.#count('reopened');
    this.#over.delete(requestId);
  }

  received(): void {
    this.#count('paid');
  }

  /** A case for a person. */
  paidInVain(): void {
    this.#count('paid in vain');
  }

  /** The document on disk is the one that its contract promises. */
  #pdf(contract: ContractRow): void {
    const { id, requestId } = contract;
    const content = this.#contentOf(contract);
    this.#tell(wrongDocument(contract, content));
    const story = this.#world.stories.get(requestId);
    if (!content || !story) return;
    const mark = /% (for .*)/.exec(content.toString('latin1'))?.[1];
    this.#expect(
      mark === undefined || mark === markOf(story.customer.name, story.title),
      `contract ${id} holds the document ${mark}`,
    );
  }

  #contentOf({ id }: ContractRow): Buffer | undefined {
    const file = join(this.#world.office.dataDir, 'contracts', `${id}.pdf`);
    return existsSync(file) ? readFileSync(file) : undefined;
  }

  /** What is settled at the providers and not here. */
  unheard(): string[] {
    const contracts = this.#rows<ContractRow>(
      `SELECT c.* FROM contracts c JOIN requests r ON r.id = c.requestId
       WHERE r.status = 'WAITING_SIGNATURE' AND c.status = 'PENDING' ORDER BY c.id`,
    ).flatMap((contract) => {
      const there = signatureOf(this.#outside, contract);
      if (!there || ['draft', 'ongoing'].includes(there.status)) return [];
      return isKnownLate(this.#rows, contract.id, there) ? [] : `contract ${contract.id} is ${there.status}`;
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
    const requests = this.#rows<RequestRow>(REQUESTS);
    const byId = new Map(requests.map((request) => [request.id, request]));
    for (const [id, story] of this.#promised) {
      const request = byId.get(id);
      this.#expect(request !== undefined, `request ${id} was promised and is gone`);
      this.#expect(
        request?.title === story.title && this.#nameOf(request.username) === story.customer.name,
        `request ${id} was promised as ${story.title} and is ${request?.title}`,
      );
    }
    for (const { status } of requests) this.#count(`rest ${status}`);
    this.#tell(standWrong(this.#rows, this.#outside, how));
    const titles = requests.map(({ title }) => title);
    for (const title of titles.filter((each, i) => titles.indexOf(each) !== i))
      this.#broken(`there are several requests for ${title}, and one was wanted`);
    for (const contract of this.#rows<ContractRow>('SELECT * FROM contracts WHERE pdfSha256 IS NOT NULL'))
      this.#pdf(contract);
    this.#tell(overdue(this.#rows, this.#world.scheduler.now));
    this.#tell(movedWrongly(this.#rows));
    this.#tell(happenedTwice(this.#rows));
    this.#tell(paidByEvents(this.#rows));
    this.#strangers();
    for (const receiver of this.#world.firm.receivers) this.#tell(misdelivered(this.#rows, receiver));
    this.#tell(toldTwice(this.#rows));
    this.#tell(untold(this.#rows, this.#world.scheduler.now));
    if (how === 'alone') return;
    this.#tell(failed(this.#rows));
    this.#tell(this.#mailJobs.lost((messageId) => this.#letters.has(messageId)));
    this.#tell(toldNobody(this.#rows));
    this.#tell(paidAndOpen(this.#rows));
    this.#tell(paidUnnoticed(this.#rows, this.#outside));
    this.#hasGotDocuments();
    this.#tell(stillOpen(this.#rows));
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

  #read<T>(sql: string, values: unknown[]): T[] {
    try {
      this.#db ??= new Database(join(this.#world.office.dataDir, 'esign.db'), { fileMustExist: true });
      return this.#statement(sql).all(...values) as T[];
    } catch (error) {
      this.#broken(`the data cannot be read: ${(error as Error).message}`);
      return [];
    }
  }

  readonly #statements = new Map<string, Database.Statement>();

  #statement(sql: string): Database.Statement {
    const statement = this.#statements.get(sql) ?? (this.#db as Database.Database).prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }

  #expect(isSo: boolean, otherwise: string): void {
    if (!isSo) this.#broken(otherwise);
  }

  #tell(findings: readonly string[]): void {
    for (const each of findings) this.#broken(each);
  }

  #broken(words: string): undefined {
    this.#world.trace.broken(words);
  }

  #count(what: string): void {
    this.#counts[what] = (this.#counts[what] ?? 0) + 1;
  }
}

type Rule = (oracle: Oracle, row: Entry, contract: ContractRow) => void;

const RULES: Readonly<Record<string, Rule>> = {
  'contract.signed': (oracle, _, contract) => oracle.signed(contract),
  'contract.ended': (oracle, row, contract) => oracle.ended(contract, detailOf(row)['reason'] ?? ''),
  'request.moved': (oracle, row, contract) => {
    const { to = '' } = detailOf(row);
    if (to === 'COMPLETE' || to === 'CANCELED') oracle.over(contract, to);
    if (to === 'new') oracle.reopened(contract.requestId);
  },
  'contract.foreign_signature': (oracle, row, contract) => oracle.foreign(row, contract),
  'payment.session_created': (oracle, row) => oracle.linked(detailOf(row)['paymentId'] ?? ''),
  'payment.session_found': (oracle, row) => oracle.linked(detailOf(row)['paymentId'] ?? ''),
  'payment.received': (oracle) => oracle.received(),
  'payment.old_session_paid': (oracle) => oracle.paidInVain(),
  'payment.canceled_paid': (oracle) => oracle.paidInVain(),
};
