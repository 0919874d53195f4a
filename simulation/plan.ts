/** What a seed holds: who comes when, and what goes wrong when. Whatever is in the plan can be left out of it. */
import type { Chance } from './machine/chance.js';

export type Mode = 'safety' | 'liveness';

export interface Options {
  seed: number;
  days: number;
  requests: number;
  mode: Mode;
  /** Stops before this step. */
  until?: number | undefined;
  /** The firm's work ends after so many hours, if its days are not over before. */
  hours?: number | undefined;
  /** Keys of what is left in the plan, to find the smallest story that fails. */
  only?: ReadonlySet<string> | undefined;
  /** Kinds of trouble that come several times a day. */
  often?: ReadonlySet<string>;
  onLine?: ((line: string) => void) | undefined;
}

/** Kinds of trouble, and how many there usually are a day. */
const A_DAY = {
  kill: 3,
  power: 0.5,
  restart: 0.5,
  network: 2,
  signature: 2,
  payment: 2,
  webhook: 2,
  mail: 1.5,
  disk: 0.3,
  clock: 0.2,
  command: 3,
  thief: 0.7,
  restore: 0.06,
};
export type TroubleKind = keyof typeof A_DAY;
const TROUBLES = Object.keys(A_DAY) as TroubleKind[];

export function isTroubleKind(word: string): word is TroubleKind {
  return TROUBLES.some((kind) => kind === word);
}

export interface Trouble {
  key: string;
  kind: TroubleKind;
  /** After the start. */
  atMs: number;
  forMs: number;
}

export interface Plan {
  start: number;
  timeZone: string;
  /** Of the settings: the office's, and that of customers who have chosen none. */
  locale: 'en' | 'fr';
  endMs: number;
  customers: number;
  /** Stories by number, with their beginning after the start. */
  stories: { key: string; number: number; atMs: number }[];
  troubles: Trouble[];
  /** In how many days contracts are to be signed. */
  validDays: number;
  /** How long the signature provider takes to notice that a last day has ended. */
  expiresLateMs: number;
  /** Another firm has an installation on the same accounts. */
  hasBranch: boolean;
  /** Programs of others hear of what happens. */
  hasReceivers: boolean;
}

/** By the settings, where no offer counts. */
export const USUAL_PRICE = { amount: 24_900, currency: 'eur' } as const;

const DAY = 86_400_000;
const HOUR = 3_600_000;
const MINUTE = 60_000;
/** A quiet morning before anything begins. */
const OPENING_MS = HOUR;

/** The share of worlds with a second firm, and how many times smaller that is. */
const BRANCHES = 0.5;
const BRANCH_SIZE = 4;
/** What strikes one firm only. */
const LOCAL = new Set<TroubleKind>(['kill', 'power', 'restart', 'disk', 'clock', 'command', 'restore']);

const OFTEN_A_DAY = 3;

const ZONES = ['UTC', 'Europe/Paris', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu'];

export function planOf(options: Options, chance: Chance): Plan {
  const { days, requests, often = new Set(), hours = Infinity } = options;
  const dates = chance.of('dates');
  // Later than the machine that this runs on: file times then never lie in the world's future.
  const start = Date.UTC(2031, 0, 1) + dates.int(0, 364) * DAY + dates.int(0, 23) * HOUR;
  const endMs = OPENING_MS + days * DAY;
  const times = chance.of('stories');
  const stories = Array.from({ length: requests }, (_, i) => ({
    key: `s${i + 1}`,
    number: i + 1,
    atMs: times.between(OPENING_MS, endMs - 0.3 * days * DAY),
  }));
  const troubles = TROUBLES.flatMap((kind) => {
    const drawn = chance.of(`trouble ${kind}`);
    const intensity = drawn.pick([0, 0.5, 1, 1, 2]);
    // A long time is no reason for more of them: they would only take the time of the others.
    const aDay = often.has(kind) ? OFTEN_A_DAY : A_DAY[kind] * intensity;
    const count = Math.round(Math.min(days, 10) * aDay * drawn.between(0.5, 1.5));
    return Array.from({ length: count }, (_, i) => ({
      key: `${kind}${i + 1}`,
      kind,
      atMs: drawn.between(OPENING_MS, endMs),
      forMs: drawn.wait(2 * HOUR, 12 * HOUR),
    }));
  });
  const isEarly = ({ atMs }: { atMs: number }) => atMs < hours * HOUR;
  return {
    start,
    timeZone: dates.pick(ZONES),
    locale: chance.of('locale').pick(['en', 'fr']),
    endMs: Math.min(endMs, hours * HOUR),
    customers: Math.max(2, Math.ceil(requests / 6)),
    stories: stories.filter(isEarly).filter(isKept(options)),
    troubles: troubles.filter(isEarly).filter(isKept(options)),
    // Short worlds are to have last days too.
    validDays: chance.of('validity').pick(days < 10 ? [2, 2, 10] : [2, 10, 10]),
    expiresLateMs: chance.of('expiry').pick([0, chance.of('expires late').int(0, 15 * MINUTE)]),
    hasBranch: chance.of('branch').happens(BRANCHES) && isKept(options)({ key: 'branch' }),
    hasReceivers: isKept(options)({ key: 'receivers' }),
  };
}

function isKept({ only }: Options): (part: { key: string }) => boolean {
  return ({ key }) => !only || only.has(key);
}

/** Of everything that can be left out. */
export function keysOf({ stories, troubles, hasBranch, hasReceivers }: Plan): string[] {
  const parts = [...stories, ...troubles].map(({ key }) => key);
  return [...parts, ...(hasBranch ? ['branch'] : []), ...(hasReceivers ? ['receivers'] : [])];
}

/** The other firm's, in the same days: fewer people, and what goes wrong at its own place. Its keys begin with `b-`. */
export function branchPlanOf(options: Options, chance: Chance, { start, endMs }: Plan): Plan {
  const requests = Math.ceil(options.requests / BRANCH_SIZE);
  const whole = { ...options, requests, only: undefined };
  const plan = planOf(whole, chance.of('plan'));
  const own = <T extends { key: string }>(all: T[]) =>
    all.map((one) => ({ ...one, key: `b-${one.key}` })).filter(isKept(options));
  return {
    ...plan,
    start,
    endMs,
    customers: Math.ceil(requests / 2),
    stories: own(plan.stories),
    troubles: own(plan.troubles.filter(({ kind }) => LOCAL.has(kind))),
    hasBranch: false,
    hasReceivers: isKept(options)({ key: 'b-receivers' }),
  };
}
