/** Compares, request by request, the daemon's state with what the sandbox's records demand. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import type { SandboxState } from '../../src/sandbox/state.js';
import type { LoadCounts } from './customers.js';
import type { Installation } from './installation.js';
import { MAIL_JOBS, messageIdOf, withoutVersion, type MailJob } from '../../simulation/mail-ids.js';
import { REFUSED_CUSTOMERS } from './sandbox.js';

export interface Verdict {
  violations: string[];
  counts: Record<string, number>;
}

interface RequestRow {
  id: number;
  status: string;
  paymentId: string | null;
  username: string;
}

interface ContractRow {
  id: number;
  requestId: number;
  status: string;
  pdfSha256: string | null;
  externalId: string;
  paymentKey: string;
}

interface EventRow {
  source: string;
  eventKey: string;
  outcome: string | null;
  contractId: number | null;
}

interface JobRow {
  id: number;
  kind: string;
  state: string;
  uniqueKey: string;
  requestId: number;
  contractId: number;
  createdAt: string;
  lastError: string | null;
}

type Signature = SandboxState['signatureRequests'][number];
type Session = SandboxState['sessions'][number];

export async function judge(installation: Installation, load: LoadCounts): Promise<Verdict> {
  const outside = await installation.sandbox.state();
  const db = new Database(`${installation.dataDir}/esign.db`);
  try {
    return new Comparison(installation, db, outside, load).run();
  } finally {
    db.close();
  }
}

class Comparison {
  readonly #violations: string[] = [];
  readonly #counts: Record<string, number> = {};
  readonly #installation: Installation;
  readonly #db: Database.Database;
  readonly #outside: SandboxState;
  readonly #load: LoadCounts;

  constructor(installation: Installation, db: Database.Database, outside: SandboxState, load: LoadCounts) {
    this.#installation = installation;
    this.#db = db;
    this.#outside = outside;
    this.#load = load;
  }

  run(): Verdict {
    this.#states();
    this.#acknowledged();
    this.#movedOnce();
    this.#files();
    this.#mails();
    this.#nothingOpen();
    return { violations: this.#violations, counts: this.#counts };
  }

  #states(): void {
    const requests = this.#rows<RequestRow>(
      'SELECT r.id, r.status, r.paymentId, u.username FROM requests r JOIN users u ON u.id = r.ownerId',
    );
    const contracts = grouped(
      this.#rows<ContractRow>(
        'SELECT id, requestId, status, pdfSha256, externalId, paymentKey FROM contracts',
      ),
      ({ requestId }) => requestId,
    );
    const signatures = grouped(this.#outside.signatureRequests, ({ external_id: id }) => id ?? '');
    const sessions = grouped(this.#outside.sessions, ({ idempotency_key: key }) => key ?? '');
    const failed = new Set(
      this.#rows<JobRow>("SELECT * FROM jobs WHERE state = 'failed'").map((job) => {
        this.#expect(
          job.kind === 'create-payment-session',
          `failed job ${job.id}: ${job.kind}: ${job.lastError}`,
        );
        return job.contractId;
      }),
    );
    for (const request of requests) {
      const [contract, ...more] = contracts.get(request.id) ?? [];
      this.#expect(more.length === 0, `request ${request.id} has ${more.length + 1} contracts`);
      if (!contract) {
        this.#count('asked, answer lost');
        this.#expect(
          request.status === 'new',
          `request ${request.id} has no contract and is ${request.status}`,
        );
        continue;
      }
      const there = this.#withoutLeftDrafts(signatures.get(contract.externalId) ?? []);
      const paid = sessions.get(contract.paymentKey) ?? [];
      this.#expect(there.length === 1, `contract ${contract.id} has ${there.length} signature requests`);
      this.#expect(paid.length <= 1, `contract ${contract.id} has ${paid.length} payment sessions`);
      const isPlanted = REFUSED_CUSTOMERS.includes(request.username);
      const mustFail = isPlanted && there[0]?.status === 'done';
      if (mustFail) this.#count('payments planted to fail');
      this.#expect(
        failed.delete(contract.id) === mustFail,
        `contract ${contract.id} ${mustFail ? 'is missing in' : 'must not be in'} the failed list`,
      );
      const must = mustBe(there[0], paid[0]);
      const is = `${request.status} ${contract.status}`;
      this.#count(must);
      this.#expect(is === must, `request ${request.id} is ${is}, must be ${must}${this.#told(paid[0]?.id)}`);
      if (paid[0] && !mustFail) {
        this.#expect(request.paymentId === paid[0].id, `request ${request.id} has another payment session`);
      } else if (must === 'WAITING_PAYMENT SIGNED') {
        this.#expect(mustFail, `contract ${contract.id} has no payment session`);
      }
    }
    const doubled = Object.entries(this.#outside.counters.sessionsByKey).filter(([, made]) => made !== 1);
    this.#expect(doubled.length === 0, `sessions made twice: ${doubled.map(([key]) => key).join()}`);
    this.#counts['payment sessions'] = this.#outside.sessions.length;
    this.#counts['paid, never told'] = this.#load.unheard.size;
  }

  /**
   * The signature provider has no idempotency keys: when the daemon is killed during a slow call, its draft may
   * appear after the next start has looked for it. It stays a draft that no customer sees.
   */
  #withoutLeftDrafts(there: readonly Signature[]): Signature[] {
    const sent = there.filter(({ status }) => status !== 'draft');
    const left = there.length - sent.length;
    if (left > 0) this.#counts['drafts nobody sees'] = (this.#counts['drafts nobody sees'] ?? 0) + left;
    return sent;
  }

  /** What the sandbox remembers of its webhooks about it. */
  #told(subjectId: string | undefined): string {
    const told = this.#outside.deliveries.filter((delivery) => delivery.subjectId === subjectId);
    return told
      .map(({ event, state, attempts }) => {
        const answers = attempts.map(({ status, error }) => status ?? error);
        return `; ${event} ${state}: ${answers.join()}`;
      })
      .join('');
  }

  /**
   * Everything acknowledged must be stored. A delivery whose answer was lost may or may not be: the result is the
   * same, because the bulk check finds what was lost.
   */
  #acknowledged(): void {
    const { acknowledged } = this.#outside;
    const inbox = this.#rows<EventRow>('SELECT source, eventKey, outcome, contractId FROM inbox');
    const stored = new Map(inbox.map((event) => [`${event.source} ${event.eventKey}`, event]));
    const signedAt = new Map(
      this.#rows<{ signId: string; at: string }>(
        "SELECT c.signId, h.at FROM history h JOIN contracts c ON c.id = h.contractId WHERE h.what = 'contract.signed'",
      ).map(({ signId, at }) => [signId, Date.parse(at)]),
    );
    for (const { side, event, eventId, subjectId, at } of acknowledged) {
      const there = stored.get(`${side} ${eventId}`);
      // A repeated "signed" is not stored.
      const isRepeat = event === 'signature_request.done' && (signedAt.get(subjectId) ?? Infinity) <= at;
      this.#expect(there !== undefined || isRepeat, `${event} of ${subjectId} was acknowledged and is gone`);
      if (there && event === 'checkout.session.completed') {
        this.#expect(
          there.outcome === 'paid' || there.outcome === 'repeat',
          `${event} of ${subjectId} was acknowledged and came to nothing: ${there.outcome}`,
        );
      }
    }
    this.#paidOnceByOneOfThem(inbox);
    this.#counts['events acknowledged'] = acknowledged.length;
  }

  /** Requests that the history says were paid by webhook have one in the inbox; checks found the others. */
  #paidOnceByOneOfThem(inbox: readonly EventRow[]): void {
    const received = this.#rows<{ contractId: number; actor: string }>(
      "SELECT contractId, actor FROM history WHERE what = 'payment.received'",
    );
    const told = inbox.flatMap(({ outcome, contractId }) => (outcome === 'paid' ? [contractId] : []));
    const byWebhook = received.flatMap(({ actor, contractId }) => (actor === 'webhook' ? [contractId] : []));
    const inOrder = (ids: (number | null)[]) => ids.toSorted((a, b) => Number(a) - Number(b)).join();
    this.#expect(
      inOrder(told) === inOrder(byWebhook),
      `paid by webhook: contracts ${inOrder(told)} say the events, ${inOrder(byWebhook)} the history`,
    );
    this.#counts['paid, found by asking'] = received.length - byWebhook.length;
  }

  /** No state was entered twice. */
  #movedOnce(): void {
    const twice = this.#rows<{ contractId: number; what: string; n: number }>(`
      SELECT contractId, what, count(*) AS n FROM history
      WHERE what IN ('contract.signed', 'contract.ended', 'payment.session_created', 'payment.received')
      GROUP BY contractId, what HAVING n > 1`);
    for (const { contractId, what, n } of twice)
      this.#expect(false, `contract ${contractId}: ${what} ${n} times`);
    const moves = this.#rows<{ requestId: number; detail: string; n: number }>(`
      SELECT requestId, detail, count(*) AS n FROM history WHERE what = 'request.moved'
      GROUP BY requestId, detail HAVING n > 1`);
    for (const { requestId, detail } of moves)
      this.#expect(false, `request ${requestId} moved twice: ${detail}`);
  }

  #files(): void {
    const directory = `${this.#installation.dataDir}/contracts`;
    const signed = this.#rows<ContractRow>("SELECT id, pdfSha256 FROM contracts WHERE status = 'SIGNED'");
    const names = new Set(readdirSync(directory));
    for (const { id, pdfSha256 } of signed) {
      const file = `${directory}/${id}.pdf`;
      const digest = existsSync(file)
        ? createHash('sha256').update(readFileSync(file)).digest('hex')
        : 'none';
      this.#expect(digest === pdfSha256, `contract ${id}: its signed PDF is ${digest}, not ${pdfSha256}`);
      names.delete(`${id}.pdf`);
      // The provider's audit trail, as far as it has been fetched.
      for (const kind of ['pdf', 'json']) names.delete(`${id}.audit-trail.${kind}`);
    }
    for (const name of names)
      this.#expect(/^\d+\.draft\.pdf$/.test(name), `the file ${name} belongs to nothing`);
    this.#counts['signed PDFs'] = signed.length;
  }

  /** Each mail at least once, but none that asks for what is paid already; repeats have the same Message-ID. */
  #mails(): void {
    const arrived = this.#outside.counters.mailsById;
    const came = new Set(Object.keys(arrived).map(withoutVersion));
    const jobs = this.#rows<JobRow & MailJob>(MAIL_JOBS);
    const owed = new Map(jobs.map((job) => [messageIdOf(job, 'soak.test'), job]));
    const paid = new Set(
      this.#rows<RequestRow>("SELECT id FROM requests WHERE status = 'COMPLETE'").map(({ id }) => id),
    );
    const isPointless = ({ uniqueKey, requestId }: JobRow) =>
      uniqueKey.startsWith('mail:payment-link:') && paid.has(requestId);
    for (const [id, job] of owed)
      this.#expect(came.has(id) || isPointless(job), `mail ${job.uniqueKey} never arrived`);
    for (const id of came) this.#expect(owed.has(id), `the mail ${id} belongs to no job`);
    this.#counts['mails'] = owed.size;
    this.#counts['mails that came twice'] = Object.values(arrived).filter((times) => times > 1).length;

    const perContract = grouped(jobs, ({ contractId }) => contractId);
    for (const { id } of this.#rows<ContractRow>("SELECT id FROM contracts WHERE status = 'SIGNED'")) {
      const about = (perContract.get(id) ?? []).map(({ uniqueKey }) => uniqueKey.split(':')[1]);
      const wanted = ['admin-signed', 'contract-signed'];
      this.#expect(
        wanted.every((mail) => about.includes(mail)),
        `contract ${id} has only the mails ${about.join()}`,
      );
    }
  }

  #nothingOpen(): void {
    const received = this.#rows("SELECT 1 FROM inbox WHERE state = 'received'").length;
    this.#expect(received === 0, `${received} inbox events are still open`);
    for (const trouble of this.#load.troubles) this.#expect(false, trouble);
  }

  #expect(isSo: boolean, otherwise: string): void {
    if (!isSo) this.#violations.push(otherwise);
  }

  #count(what: string): void {
    this.#counts[what] = (this.#counts[what] ?? 0) + 1;
  }

  #rows<T>(sql: string): T[] {
    return this.#db.prepare(sql).all() as T[];
  }
}

/** The state of request and contract that the providers' records demand. */
function mustBe(signature: Signature | undefined, session: Session | undefined): string {
  switch (signature?.status ?? '') {
    case 'done':
      return session?.payment_status === 'paid' ? 'COMPLETE SIGNED' : 'WAITING_PAYMENT SIGNED';
    case 'ongoing':
      return 'WAITING_SIGNATURE PENDING';
    case 'declined':
    case 'expired':
      return 'WAITING_SIGNATURE EXPIRED';
    default:
      return `nothing known of ${signature?.status ?? 'it'}`;
  }
}

function grouped<T, K>(all: readonly T[], keyOf: (one: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const one of all) {
    const key = keyOf(one);
    const group = groups.get(key);
    if (group) group.push(one);
    else groups.set(key, [one]);
  }
  return groups;
}
