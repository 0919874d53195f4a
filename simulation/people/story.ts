/** One request for maintenance, from the first call to the payment: the customer, and what the office does for it. */
import { lastSecondOf } from '../../sandbox/signature/last-day.js';
import type { SignatureRequest } from '../../sandbox/signature/types.js';
import type { Chance } from '../machine/chance.js';
import { isOfAnotherPrice } from '../rules/facts.js';
import type { Customer, Place } from './place.js';
import type { Reply, Sending } from './client.js';
import { contractPdf, markOf } from './contract-pdf.js';
import { meddle, reopen } from './meddling.js';
import { chargeOf } from './purse.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const MEGABYTE = 2 ** 20;

/** Tries of a person who gets no useful answer; after that the office has forgotten it. */
const TRIES_MAX = 60;

export class Story {
  readonly number: number;
  readonly title: string;
  readonly customer: Customer;
  /** Once the service has told it. */
  requestId: number | undefined;
  readonly #world: Place;
  readonly #chance: Chance;
  #starts = 0;
  /** Links by which the office has asked for another payment although money was on its way. */
  readonly #askedAgain = new Set<string>();

  constructor(world: Place, number: number, customer: Customer, chance: Chance) {
    this.#world = world;
    this.number = number;
    this.customer = customer;
    this.#chance = chance;
    this.title = `Maintenance ${number}`;
  }

  async run(): Promise<void> {
    const chance = this.#chance;
    this.requestId = await this.#ask();
    if (this.requestId === undefined) return;
    this.#world.stories.set(this.requestId, this);
    void this.#pry();
    meddle(this.#world, this, chance.of('meddling'));
    await this.#sleep(chance.wait(2 * HOUR, 3 * DAY));
    if (chance.happens(0.3))
      await this.#office('PATCH', `/api/requests/${this.requestId}`, {
        json: { status: 'in_progress' },
        type: 'application/merge-patch+json',
      });
    if (chance.of('offers').happens(0.5)) await this.#offer(chance.of('offer'));
    await this.start();
  }

  /** The customer tries the numbers of others, later. */
  async #pry(): Promise<void> {
    const chance = this.#chance.of('pry');
    if (!chance.happens(0.3)) return;
    await this.#sleep(chance.wait(DAY, 3 * DAY));
    const { stories, trace } = this.#world;
    const others = [...stories].filter(([, { customer }]) => customer !== this.customer);
    if (others.length === 0) return;
    const [id] = chance.pick(others);
    for (const path of [`/api/requests/${id}`, `/api/contracts/${id}`, `/api/contracts/${id}/pdf`]) {
      const reply = await this.customer.client.call('GET', path);
      const isOwn = reply?.status === 200 && path.includes('contracts') && this.#isOfMine(id);
      if (reply?.status === 200 && !isOwn)
        trace.broken(`${this.customer.name} has seen ${path}, which is somebody else's`);
    }
  }

  /** Contracts have numbers of their own. */
  #isOfMine(contractId: number): boolean {
    return this.#world.oracle.evidence.customerOf(contractId) === this.customer.name;
  }

  /** The customer asks; without an answer it looks whether the request is there. */
  async #ask(): Promise<number | undefined> {
    const { client, equipment } = this.customer;
    const json = { title: this.title, description: 'Check burner and valves.', equipment };
    // Each customer's program counts for itself, so that two of them choose the same.
    const turn = Math.ceil(this.number / this.#world.firm.customers.length);
    const key = this.#chance.happens(0.5) ? `ask-${turn}` : undefined;
    for (let tries = 0; tries < TRIES_MAX; tries += 1) {
      const reply = await client.call('POST', '/api/requests', { json, ...(key && { key }) });
      if (reply?.status === 201) return this.#world.oracle.survival.promised(reply.body.id as number, this);
      if (reply && reply.status < 500 && ![401, 409, 429].includes(reply.status))
        this.#world.trace.broken(`${this.title} was refused: ${reply.status} ${JSON.stringify(reply.body)}`);
      const found = key ? await this.#sleep(this.#chance.between(MINUTE, 10 * MINUTE)) : await this.#look();
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** Asking once more without a key would make another request: the customer looks until there is an answer. */
  async #look(): Promise<number | undefined> {
    const { client } = this.customer;
    for (;;) {
      await this.#sleep(this.#chance.between(MINUTE, 10 * MINUTE));
      const reply = await client.call('GET', `/api/requests?title=${encodeURIComponent(this.title)}`);
      if (reply?.status === 200) return list(reply).find(({ title }) => title === this.title)?.id;
    }
  }

  /** A price for this request; some offers stay drafts, which count for nothing. */
  async #offer(chance: Chance): Promise<void> {
    const json = {
      request: `/api/requests/${this.requestId}`,
      amount: chance.int(50, 400) * 100,
      currency: chance.pick(['eur', 'usd']),
      description: 'As discussed.',
    };
    const made = await this.#office('POST', '/api/offers', { json, key: `offer-${this.number}` });
    const status = chance.pick(['draft', 'sent', 'accepted']);
    if (made?.status !== 201 || status === 'draft') return;
    const type = 'application/merge-patch+json';
    await this.#office('PATCH', `/api/offers/${made.body.id}`, { json: { status }, type });
  }

  /** The office sends the contract, by the API or the command line, and again until the request waits. */
  async start(): Promise<void> {
    this.#starts += 1;
    const chance = this.#chance;
    const byCommand = chance.happens(0.15);
    const key = chance.happens(0.3);
    const isOwn = chance.happens(0.9);
    const changes = chance.of(`drafts ${this.#starts}`);
    let draft = `${this.#starts}`;
    const another = chance.of(`another ${this.#starts}`);
    const scanBytes = chance.of('scan').happens(0.03) ? chance.of('scanned').int(1, 4) * MEGABYTE : 0;
    for (let tries = 0; tries < TRIES_MAX; tries += 1) {
      if (this.isLost || (await this.#hasBeenSent()) || this.isLost) return;
      if (another.happens(0.2)) void this.#startToo(another);
      if (byCommand) await this.#world.office.command('start-signature', String(this.requestId), '--yes');
      else {
        const sending: Sending = {
          ...(isOwn && { file: contractPdf(`${this.#mark()}\n% Draft ${draft}`, scanBytes) }),
          ...(key && { key: `start-${this.number}-${draft}` }),
        };
        const reply = await this.#office('POST', `/api/requests/${this.requestId}/signature`, sending);
        if (reply?.status === 201) return;
      }
      // Somebody has seen a mistake in it, or does not want to wait.
      if (changes.happens(0.3)) draft = `${this.#starts}, version ${tries + 2}`;
      const isHasty = changes.happens(0.4);
      await this.#sleep(isHasty ? changes.wait(5_000, 5 * MINUTE) : chance.wait(20 * MINUTE, 6 * HOUR));
    }
  }

  /** Somebody else in the office does the same, at the same moment or while the provider is asked. */
  async #startToo(chance: Chance): Promise<void> {
    await this.#sleep(chance.pick([0, chance.between(1, 100), chance.wait(300, 3_000)]));
    if (this.isLost) return;
    if (chance.happens(0.5)) await this.#office('POST', `/api/requests/${this.requestId}/signature`, {});
    else await this.#world.office.command('start-signature', String(this.requestId), '--yes');
  }

  #mark(): string {
    return markOf(this.customer.name, this.title);
  }

  async #hasBeenSent(): Promise<boolean> {
    const seen = await this.#office('GET', `/api/requests/${this.requestId}`);
    return seen?.status === 200 && !['new', 'in_progress'].includes(seen.body.status as string);
  }

  #office(method: string, path: string, sending?: Sending): Promise<Reply | undefined> {
    return this.#world.staff.call(method, path, sending);
  }

  /** The customer has got the provider's link. */
  async decide(request: SignatureRequest): Promise<void> {
    const { providers } = this.#world;
    const chance = this.#chance.of(`sign ${this.#world.numberOf(request.id)}`);
    const dice = chance.next();
    if (dice < 0.08) {
      await this.#sleep(chance.wait(6 * HOUR, 5 * DAY));
      providers.decline(request.id);
    } else if (dice < 0.13) {
      // Never looks at it again: it expires.
    } else if (dice < 0.24) {
      const end = lastSecondOf(request) + 1_000;
      const unheard = chance.of('unheard');
      // The next check finds it, mostly when our clock says that the last day is over.
      const isUnheard = unheard.happens(0.4);
      const ms = isUnheard ? -unheard.wait(5 * MINUTE, HOUR) : aroundTheEnd(chance);
      await this.#sleep(end + ms - this.#world.scheduler.now);
      if (isUnheard && !this.#world.isCalm) providers.signUnheard(request.id);
      else providers.sign(request.id);
    } else if (dice < 0.27) {
      await this.#sleep(chance.wait(2 * HOUR, 2 * DAY));
      await this.#reset();
    } else {
      // Some before the office has heard that the contract is out.
      const isEager = chance.happens(0.4);
      await this.#sleep(isEager ? chance.wait(20_000, 5 * MINUTE) : chance.wait(5 * HOUR, 6 * DAY));
      providers.sign(request.id);
      if (chance.happens(0.3)) await this.#tellOffice();
    }
  }

  /** On the phone: the office looks at once, while the provider's webhook is still on its way. */
  async #tellOffice(): Promise<void> {
    await this.#sleep(this.#chance.wait(100, 5_000));
    if (this.isLost) return;
    await this.#world.office.command('check-signature', String(this.requestId), '--yes');
  }

  /** The customer wants it changed; the office withdraws the contract and sends another. */
  async #reset(): Promise<void> {
    for (let tries = 0; tries < 5 && !this.isLost; tries += 1) {
      const path = `/api/requests/${this.requestId}/signature/reset`;
      const reply = await this.#office('POST', path, {
        json: { reason: 'other terms' },
        key: `reset-${this.number}`,
      });
      if (reply && (reply.status < 300 || reply.status === 422)) return;
      await this.#sleep(this.#chance.between(MINUTE, HOUR));
    }
  }

  /** The customer has got a link to pay. */
  async pay(link: string): Promise<void> {
    if (this.#askedAgain.has(link)) return this.#payAgain(link);
    const chance = this.#chance.of(`pay ${this.#world.numberOf(link)}`);
    const dice = chance.next();
    // The customer has mislaid it, and the office tries to make another one.
    if (chance.of('mislaid').happens(0.1)) await this.#renew();
    if (dice < 0.1) {
      // Late: the payment page behind the link is over.
      await this.#sleep(chance.between(DAY, 3 * DAY));
      const sessionId = await this.#follow(link);
      if (sessionId === undefined || !this.#pays(sessionId)) await this.#renew();
    } else if (dice < 0.2) {
      await this.#sleep(chance.wait(4 * HOUR, 20 * HOUR));
      const sessionId = await this.#follow(link);
      if (sessionId === undefined || !this.#pays(sessionId, { async: true })) return;
      await this.#onItsWay(link, sessionId, chance);
    } else if (dice < 0.25) {
      await this.#sleep(chance.wait(HOUR, 10 * HOUR));
      await this.#byHand();
    } else {
      await this.#sleep(chance.wait(4 * HOUR, 22 * HOUR));
      let sessionId = await this.#follow(link);
      // The page stays open for a while, in which the office may have closed it.
      if (chance.of('lingers').happens(0.15)) await this.#sleep(chance.wait(5 * HOUR, 30 * HOUR));
      if (sessionId !== undefined && !this.#pays(sessionId)) {
        sessionId = await this.#follow(link);
        if (sessionId !== undefined) this.#pays(sessionId);
      }
      if (chance.of('calls').happens(0.2)) await this.#hasPaid();
      if (sessionId === undefined || !chance.happens(this.#isPlain(sessionId) ? 0.2 : 0.7)) return;
      // The old link once more, and the page that is still open.
      await this.#sleep(chance.wait(HOUR, DAY));
      const another = await this.#follow(link);
      // Who has paid another amount may have been asked again.
      if (!this.#isPlain(sessionId)) return;
      for (const each of [sessionId, another])
        if (each !== undefined && this.#pays(each)) this.#world.trace.broken(`${link} was paid twice`);
    }
  }

  /** False when the page is over. */
  #pays(sessionId: string, options: { async?: boolean } = {}): boolean {
    const { providers } = this.#world;
    const session = providers.world.sessions.get(sessionId);
    const chance = this.#chance.of(`purse ${this.#world.numberOf(sessionId)}`);
    const isPaid = providers.pay(sessionId, { ...options, charged: session && chargeOf(session, chance) });
    if (isPaid && !this.#isPlain(sessionId)) void this.#decideAbout(chance);
    return isPaid;
  }

  /** The office has seen that another amount was paid; at times two people decide about it at once. */
  async #decideAbout(chance: Chance): Promise<void> {
    await this.#sleep(chance.wait(8 * HOUR, 2 * DAY));
    const how = chance.pick(DECISIONS);
    for (let people = chance.int(1, 2); people > 0 && !this.isLost; people -= 1) {
      void this.#world.office.command(...how, String(this.requestId), '--reason', 'as agreed', '--yes');
      await this.#sleep(chance.pick([0, chance.between(0, 20)]));
    }
  }

  /** What was paid is the price. */
  #isPlain(sessionId: string): boolean {
    const session = this.#world.providers.world.sessions.get(sessionId);
    return session !== undefined && !isOfAnotherPrice(session);
  }

  /** Says so on the phone: the office looks at once. */
  async #hasPaid(): Promise<void> {
    await this.#sleep(this.#chance.of('has paid').wait(100, 5_000));
    if (this.isLost) return;
    const which = this.#chance.of('paid').happens(0.4) ? '--all' : String(this.requestId);
    await this.#world.office.command('payments', 'check', which, '--yes');
  }

  /** The money takes days. Some in the office do not believe that it will come: they ask for another payment, or close the request. */
  async #onItsWay(link: string, sessionId: string, chance: Chance): Promise<void> {
    const { oracle, providers } = this.#world;
    const ms = chance.wait(2 * DAY, 5 * DAY);
    const impatient = chance.of('impatient');
    const untilMs = impatient.happens(0.5) ? givenUpAfter(impatient, ms) : 0;
    if (untilMs > 0) {
      await this.#sleep(untilMs);
      void this.#askAgain(link);
    }
    await this.#sleep(ms - untilMs);
    const outcome = chance.happens(0.8) ? 'succeeded' : 'failed';
    oracle.sessions.settles(sessionId, outcome);
    providers.settlePayment(sessionId, outcome);
  }

  async #askAgain(link: string): Promise<void> {
    if (this.isLost) return;
    const { office } = this.#world;
    const why = ['--reason', 'the bank knows of no payment', '--yes'];
    await office.command('payments', 'give-up', String(this.requestId), ...why);
    if (this.isLost) return;
    const closing = this.#chance.of('closes');
    if (closing.happens(0.4)) {
      const how = closing.happens(0.5) ? 'complete' : 'cancel';
      await office.command('requests', how, String(this.requestId), ...why);
      if (how === 'cancel' && closing.happens(0.6)) await reopen(this.#world, this, closing);
      return;
    }
    this.#askedAgain.add(link);
    await office.command('payments', 'renew', String(this.requestId), ...why);
  }

  /** A second link, while the money of the first payment is on its way: some pay once more, before or after it has come. */
  async #payAgain(link: string): Promise<void> {
    const { providers, oracle } = this.#world;
    const chance = this.#chance.of(`pay again ${this.#world.numberOf(link)}`);
    if (chance.happens(0.3)) return;
    await this.#sleep(chance.wait(2 * HOUR, 20 * HOUR));
    const sessionId = await this.#follow(link);
    if (chance.happens(0.4)) await this.#sleep(chance.between(HOUR, 20 * HOUR));
    const takesDays = chance.happens(0.2);
    if (sessionId === undefined || !this.#pays(sessionId, { async: takesDays }) || !takesDays) return;
    await this.#sleep(chance.wait(DAY, 3 * DAY));
    oracle.sessions.settles(sessionId, 'succeeded');
    providers.settlePayment(sessionId, 'succeeded');
  }

  /** The payment page to which the link leads; undefined when it leads to none. */
  async #follow(link: string): Promise<string | undefined> {
    const { network, url } = this.#world;
    const { address } = this.customer.client.person;
    for (let tries = 0; tries < TRIES_MAX; tries += 1) {
      const call = { method: 'GET', url: `${url}${link}`, headers: {}, from: address };
      const answer = await network.call(call).catch(() => undefined);
      const place = answer?.headers['location'];
      const sessionId = answer?.status === 303 ? /\/pay\/(\w+)/.exec(place ?? '')?.[1] : undefined;
      if (sessionId !== undefined) this.#world.oracle.sessions.followed(this, sessionId);
      if (answer?.status === 303) return sessionId;
      if (answer && answer.status < 429) return undefined;
      await this.#sleep(this.#chance.between(MINUTE, HOUR));
    }
    return undefined;
  }

  async #renew(): Promise<void> {
    if (this.isLost) return;
    await this.#world.office.command('payments', 'renew', String(this.requestId), '--yes');
  }

  /** Paid in cash. */
  async #byHand(): Promise<void> {
    if (this.isLost) return;
    const json = { reason: 'paid in cash' };
    await this.#office('POST', `/api/requests/${this.requestId}/complete`, { json });
  }

  /** A restore has lost the request; its number may be another's by now. */
  get isLost(): boolean {
    return this.#world.stories.get(this.requestId ?? 0) !== this;
  }

  #sleep(ms: number): Promise<void> {
    return this.#world.scheduler.sleep(ms);
  }
}

/** Of the time that money takes. For some only hours are missing: the other page is still open when the money comes. */
function givenUpAfter(chance: Chance, ms: number): number {
  const last = chance.of('last hours');
  return last.happens(0.4) ? ms - last.between(2 * HOUR, 16 * HOUR) : chance.between(0.05, 0.8) * ms;
}

const DECISIONS = [
  ['payments', 'renew'],
  ['requests', 'complete'],
  ['requests', 'settle'],
] as const;

/** When somebody who waits until the last day signs: hours before its end, or moments before or after it. */
function aroundTheEnd(chance: Chance): number {
  return chance.pick([
    chance.between(-4 * HOUR, 0),
    chance.between(-MINUTE, 0),
    chance.between(-2_000, 2_000),
    chance.pick([-1_000, -500, -1]),
    chance.pick([0, 1, 500, 999]),
    chance.between(0, 15 * MINUTE),
  ]);
}

function list(reply: Reply | undefined): { id: number; title: string }[] {
  if (reply?.status !== 200) return [];
  const { body } = reply;
  return (Array.isArray(body) ? body : (body['hydra:member'] ?? body.member ?? [])) as {
    id: number;
    title: string;
  }[];
}
