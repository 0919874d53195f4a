/** Faults on demand: what shall go wrong, where, how often. Chance comes from the seed, so a run can be repeated. */
import type { Random } from './seeded.js';

const HTTP_KINDS = [
  'delay',
  'timeout',
  '401',
  '404',
  '404_html',
  '429',
  '500',
  '503',
  'reset',
  'answer_lost',
  'answer_late',
] as const;
const WEBHOOK_KINDS = ['lost', 'duplicate', 'late', 'bad_hmac'] as const;

/** Every fault there is. `404_html` is the page of a proxy or of a wrong address; `answer_late` does its work at once, and its answer comes when its delay is over or the fault is taken away; `500_stored` is an answer that the payment provider replays for the same idempotency key. */
export const FAULT_KINDS = {
  signature: HTTP_KINDS,
  payment: [...HTTP_KINDS, '500_stored'],
  webhook: WEBHOOK_KINDS,
  payment_webhook: WEBHOOK_KINDS,
  pdf: ['empty', 'not_pdf', 'truncated', 'too_large'],
  smtp: ['delay', 'refuse', '421', '451', '550', 'hang'],
} as const;

export type FaultTarget = keyof typeof FAULT_KINDS;
export type FaultKind = (typeof FAULT_KINDS)[FaultTarget][number];

export type FaultInput = {
  target: FaultTarget;
  kind: FaultKind;
  /** How often it strikes; without it until it is cleared. */
  times?: number | undefined;
  /** Chance from 0 to 1 that it strikes when it could. */
  rate?: number | undefined;
  /** Wait before it takes effect. */
  delayMs?: number | undefined;
  /** Only this call (create, upload, signer, activate, get, list, cancel, download, expire …). */
  operation?: string | undefined;
  /** Only payment calls whose body holds this text, such as part of a customer's address. */
  about?: string | undefined;
  /** Spares a payment call whose idempotency key faults have struck that often already. */
  timesPerKey?: number | undefined;
};

/** What a fault may look at before it strikes. */
export type StruckCall = { idempotencyKey: string | undefined; body: string };

/** The same as it comes from outside. */
export type UncheckedFault = Omit<FaultInput, 'target' | 'kind'> & { target: string; kind: string };

export type Fault = FaultInput & { id: number; struck: number };

export class FaultList {
  #faults: Fault[] = [];
  #lastId = 0;
  readonly #struckByKey = new Map<string, number>();
  /** Ends what a fault holds back, also after it has struck for the last time. */
  readonly #takenAway = new Map<number, AbortController>();
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  /** Throws RangeError with a readable sentence when the fault makes no sense. */
  add(input: UncheckedFault | string): Fault {
    const fault = { ...checkFault(typeof input === 'string' ? parseFault(input) : input), struck: 0 };
    const added = { id: (this.#lastId += 1), ...fault };
    this.#faults.push(added);
    this.#takenAway.set(added.id, new AbortController());
    return added;
  }

  list(): Fault[] {
    return this.#faults.map((fault) => ({ ...fault }));
  }

  /** False when there is no such fault. */
  remove(id: number): boolean {
    this.#release(id);
    const before = this.#faults.length;
    this.#faults = this.#faults.filter((fault) => fault.id !== id);
    return this.#faults.length < before;
  }

  clear(): void {
    for (const id of this.#takenAway.keys()) this.#release(id);
    this.#faults = [];
  }

  /** Aborts when somebody takes the fault away. */
  untilTakenAway({ id }: Fault): AbortSignal {
    return this.#takenAway.get(id)?.signal ?? AbortSignal.abort();
  }

  #release(id: number): void {
    this.#takenAway.get(id)?.abort();
    this.#takenAway.delete(id);
  }

  /** The first fault that strikes this call, used up by one; undefined when all is well. */
  take(
    target: FaultTarget,
    operation?: string,
    kinds?: readonly FaultKind[],
    call?: StruckCall,
  ): Fault | undefined {
    const key = call?.idempotencyKey ?? '';
    const struckBefore = this.#struckByKey.get(key) ?? 0;
    for (const fault of this.#faults) {
      if (fault.target !== target || (kinds && !kinds.includes(fault.kind))) continue;
      if (fault.operation !== undefined && fault.operation !== operation) continue;
      if (fault.about !== undefined && !call?.body.includes(fault.about)) continue;
      if (fault.timesPerKey !== undefined && struckBefore >= fault.timesPerKey) continue;
      if (fault.rate !== undefined && this.#random() >= fault.rate) continue;
      fault.struck += 1;
      if (key) this.#struckByKey.set(key, struckBefore + 1);
      if (fault.times !== undefined && fault.struck >= fault.times) {
        this.#faults = this.#faults.filter((other) => other !== fault);
      }
      return fault;
    }
    return undefined;
  }
}

/** Reads `target[.operation]:kind[:times]`, for example `payment:500:3` or `signature.activate:answer_lost`. */
export function parseFault(text: string): UncheckedFault {
  const [where = '', kind = '', times, ...rest] = text.trim().split(':');
  const [target = '', operation, ...more] = where.split('.');
  if (rest.length > 0 || more.length > 0) throw new RangeError(`fault "${text}": ${HOW_TO_WRITE}`);
  return {
    target,
    kind,
    ...(times !== undefined && { times: Number(times) }),
    ...(operation && { operation }),
  };
}

const HOW_TO_WRITE = 'write target[.operation]:kind[:times], for example payment:500:3';

function checkFault(input: UncheckedFault): FaultInput {
  const { target, kind, times, rate, delayMs, operation, about, timesPerKey } = input;
  const targets = Object.keys(FAULT_KINDS);
  if (!isTarget(target)) {
    throw new RangeError(
      `fault target "${target}" is unknown; there are ${targets.join(', ')}; ${HOW_TO_WRITE}`,
    );
  }
  if (!isKindOf(target, kind)) {
    throw new RangeError(
      `fault kind "${kind}" is unknown for ${target}; there are ${FAULT_KINDS[target].join(', ')}`,
    );
  }
  if (times !== undefined && !(Number.isInteger(times) && times > 0)) {
    throw new RangeError('fault times must be a whole number above 0');
  }
  if (rate !== undefined && !(rate >= 0 && rate <= 1)) throw new RangeError('fault rate must be from 0 to 1');
  if (delayMs !== undefined && !(delayMs >= 0 && delayMs <= 600_000)) {
    throw new RangeError('fault delayMs must be from 0 to 600000');
  }
  return { target, kind, times, rate, delayMs, operation, about, timesPerKey };
}

function isTarget(target: string): target is FaultTarget {
  return Object.hasOwn(FAULT_KINDS, target);
}

function isKindOf(target: FaultTarget, kind: string): kind is FaultKind {
  const kinds: readonly string[] = FAULT_KINDS[target];
  return kinds.includes(kind);
}
