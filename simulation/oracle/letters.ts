/** Looks at each mail that arrives: to whom it goes, what it holds, and whether it may come once more. */
import type { Process } from '../machine/scheduler.js';
import type { Letter, Taking } from '../post-office.js';
import { forAnother } from '../rules/documents.js';
import { cameAsAnother, MailJobs, neverGot } from '../rules/mails.js';
import { undecided } from '../rules/payments.js';
import { writtenWrongly } from '../rules/readers.js';
import type { Evidence } from './evidence.js';
import type { Told } from './scene.js';

const PDF = Buffer.from('%PDF-');
/** A mail that is on its way when its request is completed, or a payment reported, may still arrive. */
export const MAIL_MS = 60_000;

export class Letters {
  readonly jobs: MailJobs;
  readonly #of: Evidence;
  /** Of the firm's administrator. */
  readonly #office: string;
  /** By Message-ID, to whom it went and what it was. */
  readonly #letters = new Map<string, string>();
  /** Documents and links that customers have got: `<customer> <digest or request>`. */
  readonly #got = new Set<string>();
  /** The documents among them, with the Message-ID. */
  readonly #copies = new Map<string, string>();
  /** Mails that have arrived and whose jobs are not done yet; and those whose jobs are. */
  readonly #sending = new Set<string>();
  readonly #sent = new Set<string>();
  /** By Message-ID, which process knows that the mail was taken. */
  readonly #taken = new Map<string, Process>();
  /** By request, since when it is complete or canceled. */
  readonly #over = new Map<number, number>();
  /** By request, since when a payment is a case for a person, if nobody has decided. */
  readonly #paidInVain = new Map<number, number>();

  constructor(of: Evidence) {
    const { world, rows } = of;
    this.#of = of;
    this.#office = `office@${world.name}.test`;
    this.jobs = new MailJobs(rows, `${world.name}.test`);
  }

  /** The data is that of an older time; what customers have in their hands stays there. */
  restored(): void {
    this.jobs.restored();
    this.#taken.clear();
    for (const [what, messageId] of this.#copies) if (!this.#isKnown(messageId)) this.#copies.delete(what);
    for (const messageId of this.#sending) if (!this.#isKnown(messageId)) this.#sending.delete(messageId);
    for (const messageId of this.#sent)
      if (!this.#isKnown(messageId) || !this.#isDone(messageId)) this.#sent.delete(messageId);
    const over = this.#of.ids("SELECT id FROM requests WHERE status IN ('COMPLETE', 'CANCELED')");
    for (const id of this.#over.keys()) if (!over.has(id)) this.#over.delete(id);
  }

  /** After each commit. */
  committed(): void {
    for (const messageId of this.#sending) {
      if (!this.#isDone(messageId)) continue;
      this.#sending.delete(messageId);
      this.#sent.add(messageId);
    }
  }

  /** The request is complete or canceled. */
  over(requestId: number): void {
    this.#over.set(requestId, this.#of.world.scheduler.now);
  }

  /** A canceled request begins again. */
  reopened(requestId: number): void {
    this.#of.count('reopened');
    this.#over.delete(requestId);
  }

  /** A payment has not completed its request. */
  paidInVain(requestId: number): void {
    this.#paidInVain.set(requestId, this.#of.world.scheduler.now);
  }

  /** A mail has arrived; the story of its customer. */
  arrived(letter: Letter, taking: Taking): Told | undefined {
    const { tell, expect, world } = this.#of;
    this.#of.count('mails');
    const { to, subject, messageId, text, attachments } = letter;
    const name = this.#of.nameOf(to);
    // The office's summaries are written when they leave.
    const same = to === this.#office ? to : `${name} ${subject}`;
    tell(cameAsAnother(this.#letters, messageId, same));
    this.#mayCome(messageId, same, taking);
    const house = { locale: world.plan.locale, office: this.#office };
    tell(writtenWrongly(this.#of.rows, this.#of.outside, this.jobs.idOf(messageId) ?? 0, letter, house));
    if (to === this.#office) return undefined;
    for (const { content, sha256 } of attachments) {
      // A picture may come again.
      if (!content.subarray(0, 5).equals(PDF)) continue;
      tell(forAnother(content, { to, name }, 'an attachment'));
      this.#gotOnce(`${name} ${sha256}`, messageId);
    }
    this.#isAddress(to, subject);
    const requestId = Number(/REQ-\d{4}-(\d+)/.exec(`${subject} ${text}`)?.[1] ?? 0);
    const story = world.stories.get(requestId);
    expect(!story || story.customer.name === name, `a mail about request ${requestId} went to ${to}`);
    const token = new RegExp(`${world.url}/pay/(\\w+)`).exec(text)?.[1];
    if (token !== undefined) this.#isAskedToPay(to, requestId, token);
    return story;
  }

  /** For a job that is not done; a process that knows that it was taken sends it again only when it could not store that. */
  #mayCome(messageId: string, same: string, { from, isTold }: Taking): void {
    const { expect, world } = this.#of;
    const areLeasesKept = world.areLeasesKept();
    const isDone = this.#sent.has(messageId);
    const wasTaken = this.#taken.get(messageId)?.isAlive;
    expect(this.#isKnown(messageId), `the mail ${messageId} belongs to no job`);
    expect(!isDone || !areLeasesKept, `the mail "${same}" came again after its job was done`);
    expect(!wasTaken || !areLeasesKept, `the mail ${messageId} came again although it was taken`);
    this.#sending.add(messageId);
    if (isTold && !world.disk.isFull) this.#taken.set(messageId, from);
  }

  #isAddress(to: string, subject: string): void {
    const { expect, world } = this.#of;
    const { firm, scheduler, name } = world;
    const customer = firm.at(to);
    expect(firm.isOfACustomer(to), `"${subject}" went to ${to}, who is no customer of ${name}`);
    expect(
      !customer || to === this.#of.mailAddressOf(customer) || scheduler.now < customer.correctedAt + MAIL_MS,
      `"${subject}" went to ${to}, which was corrected long ago`,
    );
  }

  #isAskedToPay(to: string, requestId: number, token: string): void {
    const { expect, tell, world, rows } = this.#of;
    const isItsLink = 'SELECT 1 FROM requests WHERE id = ? AND payToken = ?';
    expect(
      rows(isItsLink, requestId, token).length > 0,
      `a mail about request ${requestId} has the link to pay for another`,
    );
    this.#got.add(`${this.#of.nameOf(to)} request ${requestId}`);
    expect(
      world.scheduler.now < (this.#over.get(requestId) ?? Infinity) + MAIL_MS,
      `${to} was asked to pay for request ${requestId}, which was complete or canceled`,
    );
    const isLong = world.scheduler.now >= (this.#paidInVain.get(requestId) ?? Infinity) + MAIL_MS;
    const asked = `${to} was asked to pay for request ${requestId}`;
    if (isLong)
      tell(
        undecided(rows, requestId).map(
          ({ paymentId }) => `${asked}, and nobody has decided about ${paymentId}`,
        ),
      );
  }

  /** Again only as the same mail, which a mailbox shows once. */
  #gotOnce(what: string, messageId: string): void {
    const before = this.#copies.get(what) ?? messageId;
    this.#copies.set(what, messageId);
    this.#got.add(what);
    this.#of.expect(before === messageId, `${what} came by the mails ${before} and ${messageId}`);
  }

  /** Nothing is left to be done. */
  atRest(): void {
    const { tell, rows, nameOf } = this.#of;
    tell(this.jobs.lost((messageId) => this.#letters.has(messageId)));
    tell(neverGot(rows, (username, what) => this.#got.has(`${nameOf(username)} ${what}`)));
  }

  /** Whether the job of this mail is there. */
  #isKnown(messageId: string): boolean {
    return this.jobs.idOf(messageId) !== undefined;
  }

  #isDone(messageId: string): boolean {
    const isDone = "SELECT 1 FROM jobs WHERE id = ? AND state = 'completed'";
    return this.#of.rows(isDone, this.jobs.idOf(messageId)).length > 0;
  }
}
