/**
 * What happens to one request, told in a row: each step is done before the next one begins, and `is` looks at how it stands.
 * Its first page to pay is called `older`, the next ones `newer` and `third`; other payments go by their own ids.
 */
import { expect, onTestFinished } from 'vitest';
import { SCHEDULE } from '../../src/core/actor.js';
import type { By } from '../../src/core/change.js';
import { iso } from '../../src/core/clock.js';
import type { Context } from '../../src/core/context.js';
import { explain } from '../../src/core/explain/explain.js';
import { listNeeds } from '../../src/core/needs/needs.js';
import { checkAllPayments } from '../../src/core/payment/check-all-payments.js';
import { checkPayment } from '../../src/core/payment/check-payment.js';
import { followPayLink } from '../../src/core/payment/follow-pay-link.js';
import { ourPayments } from '../../src/core/payment/our-payments.js';
import { giveUpPayment } from '../../src/core/payment/give-up-payment.js';
import { checkAllSignatures } from '../../src/core/signature/check-all-signatures.js';
import { replayFailed } from '../../src/core/jobs/failed.js';
import { isHeld } from '../../src/core/installation/hold.js';
import { remindRequest } from '../../src/core/reminders/remind-request.js';
import { renewPaymentSession } from '../../src/core/payment/renew-payment-session.js';
import { cancelRequest } from '../../src/core/requests/cancel-request.js';
import { reopenRequest } from '../../src/core/requests/reopen-request.js';
import { completeRequest } from '../../src/core/requests/complete-request.js';
import { settleRequest } from '../../src/core/requests/settle-request.js';
import { surveyTakeover, takeOver } from '../../src/core/takeover/take-over.js';
import type { ContractRow, RequestStatus } from '../../src/core/rows.js';
import { checkSignature } from '../../src/core/signature/check-signature.js';
import { resetSignature } from '../../src/core/signature/reset-signature.js';
import { HISTORY_WORDS, type HistoryWord } from '../../src/core/history/words.js';
import type { MailOrder } from '../../src/core/mail/mail-job.js';
import { isTextKey } from '../../src/core/texts/index.js';
import { putHold } from '../../src/db/installation/installation.js';
import { newestJobId } from '../../src/db/jobs/jobs.js';
import type { Sandbox } from '../../sandbox/start.js';
import type { Charged } from '../../sandbox/payment/session.js';
import { rejection, startApp, TESTER, type AppOptions, type TestApp, type Waiting } from './app.js';
import { HOUR } from './clock.js';
import { findingName } from './finding-names.js';
import { usual, type Told } from './kept.js';
import { anotherMachine, backupOf, restored } from './restored.js';
import { startSignature } from './start-signature.js';
import {
  type EventChanges,
  aSessionLike,
  deliver,
  deliverOtherAmount,
  deliverPayment,
  loseAllAnswers,
  signWithAllTries,
} from './webhooks.js';

export const BY = { actor: TESTER };
export const REASON = { ...BY, reason: 'moved' };
export const UNPAID = { paymentStatus: 'unpaid' };

type ProviderCall =
  | 'listSessions'
  | 'createSession'
  | 'getSession'
  | 'expireSession'
  | 'createRequest'
  | 'addSigner'
  | 'activate'
  | 'cancel'
  | 'downloadDocument'
  | 'getSignatureStatus';
const PAGES: readonly string[] = ['older', 'newer', 'third'];
/** The calls that are counted. */
const COUNTED = [
  'payment.create',
  'payment.get',
  'payment.list',
  'signature.activate',
  'signature.cancel',
  'signature.download',
  'signature.get',
  'signature.list',
  'signature.upload',
] as const;
type Act = (ctx: Context, id: number, by: By & { reason: string }) => Promise<unknown>;

type Counts<Name extends string> = Partial<Record<Name, number>>;

/** How a request stands; what is left out is not looked at. */
export interface Standing {
  status?: RequestStatus;
  /** The page or payment that the request names. */
  names?: string | null;
  isShown?: boolean;
  findings?: unknown;
  /** The state of each page at the provider, in the order in which they were made. */
  sessions?: string[];
  /** Of the mails that were ordered. */
  mails?: Counts<MailOrder['mail']>;
  /** What is looked at of each mail that was ordered. */
  ordered?: Record<string, unknown>[];
  /** Of the mails that have left. */
  sent?: Counts<MailOrder['mail']>;
  /** Where its lasting link leads, and to which page. */
  link?: string;
  /** The payment that explain is about. */
  about?: string;
  /** What the office has to do, by its kind and its command. */
  needs?: unknown;
  /** How often its history tells something. */
  told?: Counts<HistoryWord>;
  /** The states of the jobs that make a page. */
  jobs?: string[];
  /** Of the sessions that we know, the oldest first. */
  payments?: string[];
  /** How often the providers were called. */
  calls?: Counts<(typeof COUNTED)[number]>;
  /** What became of the payment's webhooks. */
  outcomes?: string[];
  /** What became of the signature's webhooks. */
  events?: string[];
  /** What is looked at of its contract. */
  contract?: Partial<ContractRow>;
  /** Why its contracts ended, as its history says. */
  ends?: string[];
  /** How often the provider has invited to sign. */
  invited?: number;
  /** The statuses of all its contracts, and of the documents at the provider. */
  contracts?: string[];
  documents?: string[];
  /** The states of the jobs of a kind. */
  work?: Record<string, string[]>;
}

type Happens = (sandbox: Sandbox, signId: string) => unknown;
const BECOMES: Record<string, Happens> = {
  signed: (sandbox, id) => sandbox.sign(id),
  declined: (sandbox, id) => sandbox.decline(id),
  expired: (sandbox, id) => sandbox.expire(id),
  canceled: (sandbox, id) => sandbox.cancel(id),
  rejected: (sandbox, id) => sandbox.reject(id),
  deleted: (sandbox, id) => sandbox.delete(id),
  gone: (sandbox, id) => sandbox.delete(id, { permanent: true }),
  failed: (sandbox, id) => sandbox.fail(id),
};
/** Any other word is the provider’s. */
export const becomes = (word: string): Happens =>
  BECOMES[word] ?? ((sandbox, id) => sandbox.setStatus(id, word));

const signIdOf = (app: TestApp, id: number) =>
  app.contract(id).signId ?? (app.sandbox.state().signatureRequests.at(-1)?.id as string);
const eventOf = (word: string) => ({ name: word.includes('.') ? word : `signature_request.${word}` });

/** A table names them in a text: of a misspelt one there would be none, as expected. */
function counted(
  counts: Record<string, number> = {},
  isName: (name: string) => boolean,
  of: (name: string) => number,
): Record<string, number> {
  const wrong = Object.keys(counts).filter((name) => !isName(name));
  if (wrong.length > 0) throw new Error(`nothing is called ${wrong.join(', ')}`);
  return Object.fromEntries(Object.keys(counts).map((name) => [name, of(name)]));
}
const isIn = (names: readonly string[]) => (name: string) => names.includes(name);
const isMail = (name: string) => isTextKey(`mail.name.${name}`);

/** What happens during a call that nobody makes would prove nothing. */
function mustHappen(what: string, hasHappened: () => boolean): void {
  onTestFinished(() => expect(hasHappened(), `there was ${what}`).toBe(true));
}

const picked = (row: Record<string, unknown>, names: object = {}) =>
  Object.fromEntries(Object.keys(names).map((name) => [name, row[name]]));

export class Story {
  app!: TestApp;
  id = 0;
  #backup = '';
  /** Undefined: nothing has happened. */
  #steps: Promise<unknown> | undefined;

  readonly #options: AppOptions | undefined;

  constructor(options?: AppOptions) {
    this.#options = options;
  }

  async #begin(): Promise<void> {
    this.app = await startApp(this.#options);
  }

  goingOn(told: Told): this {
    this.#steps = Promise.resolve(Object.assign(this, told));
    return this;
  }

  /** Anything that has no word of its own. */
  does(step: (app: TestApp, id: number) => unknown): this {
    this.#steps = (this.#steps ?? this.#begin()).then(() => step(this.app, this.id));
    // Whoever waits for the end hears of it.
    this.#steps.catch(() => undefined);
    return this;
  }

  /** A story that begins so copies what has come of it (tests/support/kept.ts). */
  #usual(name: string, tell: (story: Story) => Story): this {
    if (this.#steps || this.#options) tell(this);
    else
      this.#steps = usual(name, () => tell(new Story()).end()).then(({ app, id }) => {
        Object.assign(this, { app, id });
      });
    return this;
  }

  async end() {
    await this.#steps;
    const { app, id } = this;
    return {
      app,
      id,
      page: (name: string) => this.page(name),
      /** Of one that was sent. */
      get waiting(): Waiting {
        return app.waiting(id);
      },
    };
  }

  /** Its id; any other name is an id. */
  page(name: string): string {
    return PAGES.includes(name)
      ? (this.app.sandbox.state().sessions[PAGES.indexOf(name)]?.id as string)
      : name;
  }

  // Up to its first page.

  /** Nothing was sent. */
  entered(): this {
    return this.does(async (app) => {
      this.id = (await app.addRequest()).id;
    });
  }

  sent(): this {
    return this.does(async (app) => {
      this.id = (await app.waitingRequest()).request.id;
    });
  }

  /** Its start failed at this call of the provider. */
  stopped(fault: string, pdf?: Buffer): this {
    return this.entered()
      .fault(`signature.${fault}:1`)
      .does(async ({ ctx }, id) => {
        const refusal = await rejection(startSignature(ctx, id, { ...BY, pdf }));
        expect(refusal).toMatchObject({ kind: 'unavailable', code: 'provider_unavailable' });
      })
      .noFaults();
  }

  signed(): this {
    return this.does(async (app, id) => {
      const { signId } = app.contract(id);
      app.sandbox.sign(signId as string);
      await deliver(app, signId as string);
    });
  }

  /** At the provider, where nobody tells us of it. */
  signs(completedAt?: string): this {
    return this.there((sandbox, signId) => sandbox.sign(signId, completedAt ? { completedAt } : {}));
  }

  /** What becomes of its document at the provider: of the newest one where we know none. */
  there(happens: string | Happens): this {
    const does = typeof happens === 'string' ? becomes(happens) : happens;
    return this.does((app, id) => void does(app.sandbox, signIdOf(app, id)));
  }

  /** The signature provider's webhook, perhaps of another event, and our answer. */
  delivers(status: number, changes: string | EventChanges = {}): this {
    const event = typeof changes === 'string' ? eventOf(changes) : changes;
    return this.does(async (app, id) => {
      expect(await deliver(app, signIdOf(app, id), event)).toBe(status);
    });
  }

  sql(statement: string): this {
    return this.does((app) => void app.ctx.db.raw.exec(statement));
  }

  /** No provider is called. */
  unasked(steps: (story: this) => this): this {
    return this.#same(({ sandbox }) => sandbox.state().counters.calls, steps);
  }

  /** No provider is called, and no row is written. */
  idle(steps: (story: this) => this): this {
    const written = ({ ctx }: TestApp) => ctx.db.raw.prepare('SELECT total_changes()').pluck().get();
    return this.#same(written, (s) => s.unasked(steps));
  }

  #same(look: (app: TestApp, id: number) => unknown, steps: (story: this) => this): this {
    let before: unknown;
    this.does((app, id) => {
      before = structuredClone(look(app, id));
    });
    return steps(this).does((app, id) => expect(look(app, id)).toEqual(before));
  }

  /** A person's check of the signature, and what it answers: in the words of its key, where none are named. */
  checksSignature(answer: object = {}, options: { dryRun?: boolean } = {}): this {
    return this.does(async (app, id) => {
      const found = { words: undefined, ...(await checkSignature(app.ctx, id, { ...BY, ...options })) };
      expect(found).toMatchObject('key' in answer ? { words: undefined, ...answer } : answer);
    });
  }

  /** The webhook has told of the signature, and its jobs are owed. */
  completed(): this {
    return this.#usual('completed', (s) => s.sent().signed());
  }

  /** Its customer has the mail with the link. */
  linked(): this {
    return this.#usual('linked', (s) => s.sent().signed().drained());
  }

  /** The provider has another page for it, of which we know nothing. */
  another(): this {
    return this.does((app) => aSessionLike(app));
  }

  takenOver(): this {
    return this.does(async ({ ctx, clock }) => {
      const now = iso(clock.now());
      if (!isHeld(ctx))
        await ctx.writer.write((db) => putHold(db, { since: now, madeAt: now, lastJobId: newestJobId(db) }));
      const found = await surveyTakeover(ctx, BY);
      if (found) await takeOver(ctx, found, BY);
    });
  }

  /** The newer one, made an hour later, was found by a takeover; it ends later, and counts. */
  twoOpen(): this {
    return this.#usual('twoOpen', (s) =>
      s.linked().waits(HOUR).another().takenOver().drained().is({ names: 'newer' }),
    );
  }

  /** What happens from now on is forgotten by whoever restores. */
  backedUp(): this {
    return this.does(async (app) => {
      this.#backup = await backupOf(app);
    });
  }

  /** Here, and let go without a look at the providers. */
  restored(): this {
    return this.does(async (before) => {
      this.app = await restored(before, this.#backup);
    });
  }

  /** On another machine, which is held. */
  moved(): this {
    return this.does(async (before) => {
      await before.ctx.close();
      this.app = await anotherMachine(before, this.#backup);
    });
  }

  held(): this {
    return this.backedUp().moved();
  }

  // At the provider, where nobody tells us of it, or with its webhook.

  pays(page: string, charged?: Charged): this {
    return this.does((app) => void app.sandbox.pay(this.page(page), charged && { charged }));
  }

  paid(page: string): this {
    return this.pays(page).hears(page);
  }

  /** By a method that takes days. */
  promises(page: string): this {
    return this.does((app) => void app.sandbox.pay(this.page(page), { async: true }));
  }

  pending(page: string): this {
    return this.promises(page).hears(page, UNPAID);
  }

  arrives(page: string): this {
    return this.does((app) => void app.sandbox.settlePayment(this.page(page), 'succeeded'));
  }

  refused(page: string): this {
    return this.does((app) => void app.sandbox.settlePayment(this.page(page), 'failed')).hears(page, {
      type: 'checkout.session.async_payment_failed',
      ...UNPAID,
    });
  }

  ends(page: string): this {
    return this.does((app) => void app.sandbox.expireSession(this.page(page)));
  }

  ended(page: string): this {
    return this.hears(page, { type: 'checkout.session.expired', ...UNPAID });
  }

  hears(page: string, changes: Parameters<typeof deliverPayment>[2] = {}): this {
    return this.does((app) => deliverPayment(app, this.page(page), changes));
  }

  otherAmount(paymentId = 'cs_other'): this {
    return this.does((app, id) => deliverOtherAmount(app, id, paymentId));
  }

  /** Money of the contract's price, or on its way, through a page that is unknown here. */
  early(changes: { type?: string; paymentStatus?: string } = {}): this {
    return this.does((app, id) => {
      const { externalId: client_reference_id, amount: amount_total, currency } = app.contract(id);
      const object = { client_reference_id, amount_total, currency };
      return deliverPayment(app, 'cs_early', { ...changes, object });
    });
  }

  fault(...faults: string[]): this {
    return this.does((app) => faults.forEach((fault) => app.sandbox.faults.add(fault)));
  }

  noFaults(): this {
    return this.does((app) => app.sandbox.faults.clear());
  }

  // Here.

  waits(ms: number): this {
    return this.does((app) => app.clock.advance(ms));
  }

  drained(): this {
    return this.does((app) => app.drain());
  }

  by(act: Act): this {
    return this.does((app, id) => act(app.ctx, id, REASON));
  }

  canceled = () => this.by(cancelRequest);
  reopened = () => this.by(reopenRequest);
  reminded = () => this.by(remindRequest);
  completedByHand = () => this.by(completeRequest);
  settled = () => this.by(settleRequest);
  renewed = () => this.by(renewPaymentSession);
  givenUp = () => this.by(giveUpPayment);
  reset = () => this.by(resetSignature);

  refuses(act: Act, refusal: object): this {
    return this.does(async (app, id) => {
      expect(await rejection(act(app.ctx, id, REASON))).toMatchObject(refusal);
    });
  }

  /** A person's check of the payment, and what it answers. */
  checked(answer: object = {}, options: { dryRun?: boolean } = {}): this {
    return this.does(async (app, id) => {
      expect(await checkPayment(app.ctx, id, { ...BY, ...options })).toMatchObject(answer);
    });
  }

  /** The schedule's check of all payments, and what it answers. */
  scheduled(answer: object = {}, options: { dryRun?: boolean } = {}): this {
    return this.does(async (app) => {
      expect(await checkAllPayments(app.ctx, { actor: SCHEDULE, ...options })).toMatchObject(answer);
    });
  }

  /** A person's check of all payments. */
  allChecked(answer: object = {}, options: { dryRun?: boolean } = {}): this {
    return this.does(async (app) => {
      expect(await checkAllPayments(app.ctx, { ...BY, ...options })).toMatchObject(answer);
    });
  }

  /** A person's check of all signatures, with what follows. */
  signaturesChecked(answer: object = {}, options: { dryRun?: boolean } = {}): this {
    return this.does(async (app) => {
      expect(await checkAllSignatures(app.ctx, { ...BY, ...options })).toMatchObject(answer);
    }).drained();
  }

  /** Signed; its page is made, but every answer is lost, and the job has failed: nobody has the link. */
  answersLost(): this {
    return this.sent().does((app, id) => loseAllAnswers(app, app.contract(id).signId as string));
  }

  /** Signed, and the job that makes the page has used up all its tries. */
  signedInVain(): this {
    return this.does((app, id) => signWithAllTries(app, app.contract(id).signId as string));
  }

  /** The failed job that makes a page is run again. */
  replayed(): this {
    return this.does((app) =>
      replayFailed(app.ctx, [app.jobs('create-payment-session').at(-1)?.id as number], BY),
    ).drained();
  }

  /** Happens before the answer to the provider's next such call is read. */
  meanwhile(call: ProviderCall, tell: (story: Story) => Story): this {
    return this.#aside(call, tell, async (ask, happen) => {
      const answer = await ask();
      await happen();
      return answer;
    });
  }

  /** Happens just before the provider's next such call. */
  before(call: ProviderCall, tell: (story: Story) => Story): this {
    return this.#aside(call, tell, async (ask, happen) => {
      await happen();
      return ask();
    });
  }

  #aside(
    call: ProviderCall,
    tell: (story: Story) => Story,
    inOrder: (ask: () => Promise<unknown>, happen: () => Promise<unknown>) => Promise<unknown>,
  ): this {
    return this.does((app, id) => {
      const aside = story.on(app, id);
      const { payment, provider } = app.ctx;
      const client = call in payment ? payment : provider;
      const ask = (Reflect.get(client, call) as (...all: unknown[]) => Promise<unknown>).bind(client);
      const once = (...all: unknown[]) => {
        Object.assign(client, { [call]: ask });
        return inOrder(
          () => ask(...all),
          () => tell(aside).end(),
        );
      };
      Object.assign(client, { [call]: once });
      mustHappen(call, () => Reflect.get(client, call) !== once);
    });
  }

  /** Happens when the next act has its lock and is about to write. */
  underLock(tell: (story: Story) => Story): this {
    return this.does((app, id) => {
      const { writer } = app.ctx;
      const write = writer.write.bind(writer);
      const second: typeof write = async (unit) => {
        writer.write = write;
        await tell(story.on(app, id)).end();
        return write(unit);
      };
      writer.write = (lock) => {
        writer.write = second;
        return write(lock);
      };
      mustHappen('a write under a lock', () => writer.write === write);
    });
  }

  /** The next contract is sent and signed. */
  signedNext(): this {
    return this.sentNext().signed().drained();
  }

  sentNext(): this {
    return this.does((app, id) => startSignature(app.ctx, id, BY));
  }

  /** Nothing is stored. */
  unchanged(steps: (story: this) => this): this {
    const tables = ['requests', 'contracts', 'payments', 'jobs', 'history'];
    const rows = ({ ctx }: TestApp) =>
      tables.map((table) => ctx.db.raw.prepare(`SELECT * FROM ${table}`).all());
    return this.#same(rows, steps);
  }

  /** The history is the same afterwards. */
  untold(steps: (story: this) => this): this {
    return this.#same((app, id) => app.history(id), steps);
  }

  is(expected: Standing): this {
    return this.does(async (app, id) => {
      const stands: Standing = {};
      for (const what of Object.keys(expected))
        Object.assign(stands, await this.#look(what, app, id, expected));
      const named = (['names', 'about'] as const).flatMap((what) => {
        const name = expected[what];
        return name ? [[what, this.page(name)]] : [];
      });
      expect(stands).toEqual({ ...expected, ...Object.fromEntries(named) });
    });
  }

  async #look(what: string, app: TestApp, id: number, expected: Standing): Promise<Standing> {
    const { ctx } = app;
    const request = app.request(id);
    switch (what as keyof Standing) {
      case 'status':
        return { status: request.status };
      case 'names':
        return { names: request.paymentId };
      case 'isShown':
        return { isShown: request.paymentUrl !== null };
      case 'about':
        return { about: (await explain(ctx, String(id))).subject.paymentId as string };
      case 'findings':
        // Nothing runs in the background.
        return {
          findings: (await explain(ctx, String(id))).findings
            .map(findingName)
            .filter((name) => name !== 'daemon_down'),
        };
      case 'sessions':
        return { sessions: app.sandbox.state().sessions.map(({ status }) => status) };
      case 'mails': {
        const sent = app.jobs('send-mail').map(({ payload }) => payload);
        return {
          mails: counted(
            expected.mails,
            isMail,
            (name) => sent.filter((one) => one.includes(`"${name}"`)).length,
          ),
        };
      }
      case 'ordered': {
        const orders = app
          .jobs('send-mail')
          .map(({ payload }) => JSON.parse(payload) as Record<string, unknown>);
        return { ordered: orders.map((order, n) => picked(order, expected.ordered?.[n])) };
      }
      case 'sent': {
        const sent = ctx.db.raw.prepare('SELECT mail FROM sentMails WHERE requestId = ?').pluck().all(id);
        return { sent: counted(expected.sent, isMail, (name) => sent.filter((one) => one === name).length) };
      }
      case 'link': {
        const leads = await followPayLink(ctx, request.payToken as string);
        const page = app.sandbox.state().sessions.findIndex(({ url }) => 'url' in leads && url === leads.url);
        return { link: page < 0 ? leads.place : `${leads.place} ${PAGES[page]}` };
      }
      case 'needs':
        return { needs: (await listNeeds(ctx, 30)).needs.map(({ kind, next }) => `${kind}: ${next?.name}`) };
      case 'told':
        return {
          told: counted(
            expected.told,
            isIn(HISTORY_WORDS),
            (name) => app.history(id).filter((one) => one === name).length,
          ),
        };
      case 'payments':
        return { payments: ourPayments(ctx.db, id).payments.map(({ state }) => state) };
      case 'calls':
        return {
          calls: counted(
            expected.calls,
            isIn(COUNTED),
            (name) => app.sandbox.state().counters.calls[name] ?? 0,
          ),
        };
      case 'outcomes': {
        const sql = "SELECT outcome FROM inbox WHERE source = 'payment' ORDER BY id";
        return { outcomes: ctx.db.raw.prepare(sql).pluck().all() as string[] };
      }
      case 'events': {
        const sql =
          "SELECT state || coalesce(': ' || outcome, '') FROM inbox WHERE source = 'signature' ORDER BY id";
        return { events: ctx.db.raw.prepare(sql).pluck().all() as string[] };
      }
      case 'contract': {
        return { contract: picked({ ...app.contract(id) }, expected.contract) };
      }
      case 'contracts': {
        const statuses = ctx.db.raw.prepare('SELECT status FROM contracts WHERE requestId = ? ORDER BY id');
        return { contracts: statuses.pluck().all(id) as string[] };
      }
      case 'ends': {
        const sql = `SELECT json_extract(detail, '$.reason') FROM history
          WHERE requestId = ? AND what = 'contract.ended' ORDER BY id`;
        return { ends: ctx.db.raw.prepare(sql).pluck().all(id) as string[] };
      }
      case 'invited':
        return { invited: app.sandbox.mails().filter(({ source }) => source === 'provider').length };
      case 'documents':
        return { documents: app.sandbox.state().signatureRequests.map(({ status }) => status) };
      case 'work': {
        const kinds = Object.keys(expected.work ?? {});
        const states = (kind: string) => app.jobs(kind).map(({ state }) => state);
        return { work: Object.fromEntries(kinds.map((kind) => [kind, states(kind)])) };
      }
      case 'jobs':
        return { jobs: app.jobs('create-payment-session').map(({ state }) => state) };
    }
  }
}

export const story = Object.assign((options?: AppOptions): Story => new Story(options), {
  /** Goes on from here. */
  on: (app: TestApp, id: number): Story => new Story().goingOn({ app, id }),
});
