/**
 * A whole world from one seed: providers, mail, network, the service, the people, and the oracle that watches them. In
 * some worlds a second firm has its own installation on the same accounts of both providers.
 */
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Installation } from './installation.js';
import { Chance } from './machine/chance.js';
import { aDisk, type Disk } from './machine/disk.js';
import { inhabit, realPid } from './machine/install.js';
import { Scheduler } from './machine/scheduler.js';
import { Network, simulatedFetch } from './network.js';
import { Oracle } from './oracle/oracle.js';
import { Client } from './people/client.js';
import { Firm } from './people/firm.js';
import type { Story } from './people/story.js';
import { branchPlanOf, keysOf, planOf, USUAL_PRICE, type Options, type Plan } from './plan.js';
import { PostOffice } from './post-office.js';
import { openProviders, SECRETS, type FirmName, type Providers } from './providers.js';
import { Trace } from './trace.js';
import { plague } from './troubles.js';

export interface Outcome {
  /** What the service did wrong; undefined when nothing. */
  violation: string | undefined;
  digest: string;
  steps: number;
  /** Simulated. */
  hours: number;
  lastLines: string[];
  /** Of what was planned, and can be left out. */
  keys: string[];
  counts: Record<string, number>;
}

/** What the firms of a world share. */
type Nature = Pick<World, 'scheduler' | 'trace' | 'network' | 'postOffice' | 'providers' | 'home'>;

/** The world as one firm sees it. */
export class World {
  /** Of the firm, and before `.sim` and `.test` in its addresses. */
  readonly name: FirmName;
  /** Where its installation answers. */
  readonly url: string;
  readonly options: Options;
  readonly chance: Chance;
  readonly plan: Plan;
  readonly scheduler: Scheduler;
  readonly trace: Trace;
  readonly network: Network;
  readonly postOffice: PostOffice;
  readonly providers: Providers;
  readonly home: string;
  readonly disk: Disk;
  readonly office: Installation;
  readonly oracle: Oracle;
  readonly staff: Client;
  readonly firm: Firm;
  /** The other firm's. */
  readonly branch: World | undefined;
  /** Nothing goes wrong any more. */
  isCalm = false;
  /** When the office's clock was set last. */
  clockSetAt = -Infinity;
  /** By the id of their request. */
  readonly stories = new Map<number, Story>();
  readonly #numbers = new Map<string, number>();

  constructor(options: Options, first?: World) {
    this.options = options;
    this.name = first ? 'branch' : 'office';
    this.url = `http://${this.name}.sim`;
    this.chance = first ? first.chance.of(this.name) : new Chance(options.seed);
    const { chance, name } = this;
    this.plan = first ? branchPlanOf(options, chance, first.plan) : planOf(options, chance.of('plan'));
    this.disk = aDisk(chance.of('disk'));
    const nature = first ?? natureOf(options, chance, this.plan);
    ({ scheduler: this.scheduler, trace: this.trace, network: this.network, home: this.home } = nature);
    ({ postOffice: this.postOffice, providers: this.providers } = nature);
    if (!first) this.#begin();
    const { scheduler, network, postOffice, trace } = this;
    const id = chance.of('installation').bytes(8).toString('hex');
    const machine = { aheadMs: 0, disk: this.disk };
    const parts = { scheduler, network, postOffice, trace, machine, id };
    this.office = new Installation(name, join(this.home, name), settings(name, this.plan), parts);
    for (const host of [`${name}.sim`, LOOPBACK[name]]) this.network.connect(host, this.office);
    this.staff = new Client(this, {
      username: `olga@${name}.test`,
      password: 'a pass phrase of the office',
      address: first ? '198.51.100.11' : '198.51.100.1',
    });
    this.oracle = new Oracle(this);
    this.office.onPowerFailure = () => this.oracle.survival.powerFails();
    this.firm = new Firm(this);
    this.branch = !first && this.plan.hasBranch ? new World(options, this) : undefined;
  }

  /** From now on the whole program is in this world. */
  #begin(): void {
    const { scheduler, chance, network, disk } = this;
    inhabit({
      scheduler,
      random: chance.of('random'),
      disk,
      fetch: simulatedFetch(network),
      onCommit: (process) =>
        this.firms.find(({ office }) => office.machine === process.machine)?.oracle.committed(process),
    });
  }

  get firms(): World[] {
    return this.branch ? [this, this.branch] : [this];
  }

  /** Runs it to the end, or to the first violation. */
  async run(): Promise<Outcome> {
    const { scheduler, trace, plan, options } = this;
    const work = async (world: World) => {
      const { firm } = world;
      await firm.open();
      plague(world);
      await firm.work();
      await firm.comeToRest();
    };
    let isDone = false;
    scheduler.in(
      scheduler.nobody,
      () =>
        void Promise.all(this.firms.map(work)).then(
          () => (isDone = true),
          (error: unknown) => trace.broken(`the simulation itself: ${(error as Error).stack}`),
        ),
    );
    const isOver = () =>
      isDone ||
      trace.violation !== undefined ||
      (options.until !== undefined && scheduler.steps + 1 >= options.until);
    await scheduler.run(isOver);
    if (!isOver()) trace.broken('nothing is left to happen, and the people still wait');
    return {
      violation: trace.violation?.message,
      digest: trace.digest(),
      steps: scheduler.steps,
      hours: (scheduler.now - plan.start) / 3_600_000,
      lastLines: trace.end(60),
      keys: this.firms.flatMap((firm) => keysOf(firm.plan)),
      counts: { ...this.oracle.evidence.counts, ...(this.branch && { 'second installation': 1 }) },
    };
  }

  /** Setting a clock ends leases: for a while, work that had begun is done twice. */
  areLeasesKept(): boolean {
    return this.scheduler.now > this.clockSetAt + 600_000;
  }

  /** Leaves nothing behind. */
  end(): void {
    this.scheduler.end();
    for (const { oracle } of this.firms) oracle.evidence.close();
    rmSync(this.home, { recursive: true, force: true });
  }

  /** The same for the same thing in each run of a seed: its place in the order of appearance. */
  numberOf(id: string): number {
    const number = this.#numbers.get(id) ?? this.#numbers.size + 1;
    this.#numbers.set(id, number);
    return number;
  }
}

function natureOf(options: Options, chance: Chance, plan: Plan): Nature {
  const scheduler = new Scheduler(plan.start);
  const trace = new Trace(scheduler, options.onLine);
  const network = new Network(scheduler, chance.of('network'), trace);
  const postOffice = new PostOffice(scheduler, chance.of('mail'), trace);
  const providers = openProviders(scheduler, options.seed, plan);
  network.connect('providers.sim', providers.host);
  return { scheduler, trace, network, postOffice, providers, home: aHome() };
}

/** Where the commands of a machine find its daemon. */
const LOOPBACK: Readonly<Record<FirmName, string>> = { office: '127.0.0.1', branch: '127.0.0.2' };

let homes = 0;

/** In memory, where there is such a disk. */
function aHome(): string {
  const base = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();
  homes += 1;
  const home = join(base, `esign-simulation-${realPid}-${homes}`);
  rmSync(home, { recursive: true, force: true });
  mkdirSync(home, { recursive: true });
  return home;
}

function settings(name: FirmName, { timeZone, validDays, locale }: Plan): Record<string, string> {
  return {
    ...SECRETS[name],
    ESIGN_BASE_URL: `http://${name}.sim`,
    ESIGN_HOST: LOOPBACK[name],
    ESIGN_API_URL: 'http://providers.sim/v3',
    ESIGN_API_KEY: 'sandbox-api-key',
    ESIGN_PAYMENT_API_URL: 'http://providers.sim',
    ESIGN_PAYMENT_API_KEY: 'sandbox-payment-key',
    ESIGN_SMTP_URL: 'smtp://mail.sim',
    // No copies are sent elsewhere in a simulated world.
    ESIGN_OFFSITE_MAX_AGE: 'off',
    ESIGN_MAIL_FROM: `Acme Maintenance <contracts@${name}.test>`,
    ESIGN_ADMIN_EMAIL: `office@${name}.test`,
    ESIGN_TIMEZONE: timeZone,
    ESIGN_LOCALE: locale,
    ESIGN_CONTRACT_AMOUNT: String(USUAL_PRICE.amount),
    ESIGN_CURRENCY: USUAL_PRICE.currency,
    ESIGN_RATE_LIMIT_USER: '0',
    ESIGN_CONTRACT_VALID_DAYS: String(validDays),
  };
}
