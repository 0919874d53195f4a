/** A whole world from one seed: providers, mail, network, the service, the people, and the oracle that watches them. */
import { mkdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Installation } from './installation.js';
import { Chance } from './machine/chance.js';
import { aDisk, type Disk } from './machine/files.js';
import { inhabit, realPid } from './machine/install.js';
import { Scheduler } from './machine/scheduler.js';
import { Network, simulatedFetch } from './network.js';
import { Oracle } from './oracle.js';
import { Client } from './people/client.js';
import { Firm } from './people/firm.js';
import type { Story } from './people/story.js';
import { planOf, type Options, type Plan } from './plan.js';
import { PostOffice } from './post-office.js';
import { openProviders, SECRETS, type Providers } from './providers.js';
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
  plan: Plan;
  counts: Record<string, number>;
}

export class World {
  readonly options: Options;
  readonly chance: Chance;
  readonly plan: Plan;
  readonly scheduler: Scheduler;
  readonly trace: Trace;
  readonly network: Network;
  readonly postOffice: PostOffice;
  readonly providers: Providers;
  readonly disk: Disk;
  readonly office: Installation;
  readonly oracle: Oracle;
  readonly staff: Client;
  readonly firm: Firm;
  /** By the id of their request. */
  readonly stories = new Map<number, Story>();
  readonly #home: string;
  readonly #numbers = new Map<string, number>();

  constructor(options: Options) {
    this.options = options;
    this.chance = new Chance(options.seed);
    const { chance } = this;
    this.plan = planOf(options, chance.of('plan'));
    this.scheduler = new Scheduler(this.plan.start);
    const { scheduler } = this;
    this.trace = new Trace(scheduler, options.onLine);
    const { trace } = this;
    this.network = new Network(scheduler, chance.of('network'), trace);
    this.disk = aDisk(chance.of('disk'));
    inhabit({
      scheduler,
      random: chance.of('random'),
      disk: this.disk,
      fetch: simulatedFetch(this.network),
      onCommit: () => this.oracle.committed(),
    });
    this.postOffice = new PostOffice(scheduler, chance.of('mail'), trace);
    this.providers = openProviders(scheduler, options.seed);
    this.network.connect('providers.sim', this.providers.host);
    this.#home = aHome();
    const parts = {
      scheduler,
      network: this.network,
      postOffice: this.postOffice,
      trace,
      disk: this.disk,
      id: chance.of('installation').bytes(8).toString('hex'),
    };
    this.office = new Installation('office', this.#home, settings(this.plan), parts);
    this.network.connect('office.sim', this.office);
    this.staff = new Client(this, {
      username: 'olga@office.test',
      password: 'a pass phrase of the office',
      address: '198.51.100.1',
    });
    this.oracle = new Oracle(this);
    this.firm = new Firm(this);
  }

  /** Runs it to its end, or to its first violation. */
  async run(): Promise<Outcome> {
    const { scheduler, trace, plan, options } = this;
    const work = async () => {
      await this.firm.open();
      plague(this);
      await this.firm.work();
      await this.firm.comeToRest();
    };
    let isDone = false;
    scheduler.in(
      scheduler.nobody,
      () =>
        void work().then(
          () => (isDone = true),
          (error: unknown) => trace.broken(`the simulation itself: ${(error as Error).stack}`),
        ),
    );
    const isOver = () =>
      isDone ||
      trace.violation !== undefined ||
      (options.until !== undefined && scheduler.steps >= options.until);
    await scheduler.run(isOver);
    if (!isOver()) trace.broken('nothing is left to happen, and the people still wait');
    return {
      violation: trace.violation?.message,
      digest: trace.digest(),
      steps: scheduler.steps,
      hours: (scheduler.now - plan.start) / 3_600_000,
      lastLines: trace.end(60),
      plan,
      counts: this.oracle.counts(),
    };
  }

  /** Leaves nothing behind. */
  end(): void {
    for (const process of this.scheduler.processes.values()) this.scheduler.kill(process);
    this.oracle.close();
    rmSync(this.#home, { recursive: true, force: true });
  }

  /** The same for the same thing in each run of a seed: its place in the order of appearance. */
  numberOf(id: string): number {
    const number = this.#numbers.get(id) ?? this.#numbers.size + 1;
    this.#numbers.set(id, number);
    return number;
  }
}

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

function settings({ timeZone }: Plan): Record<string, string> {
  return {
    ...SECRETS,
    ESIGN_BASE_URL: 'http://office.sim',
    ESIGN_API_URL: 'http://providers.sim/v3',
    ESIGN_API_KEY: 'sandbox-api-key',
    ESIGN_PAYMENT_API_URL: 'http://providers.sim',
    ESIGN_PAYMENT_API_KEY: 'sandbox-payment-key',
    ESIGN_SMTP_URL: 'smtp://mail.sim',
    ESIGN_MAIL_FROM: 'Acme Maintenance <contracts@office.test>',
    ESIGN_ADMIN_EMAIL: 'office@office.test',
    ESIGN_TIMEZONE: timeZone,
    ESIGN_RATE_LIMIT_USER: '0',
    ESIGN_CONTRACT_VALID_DAYS: '10',
  };
}
