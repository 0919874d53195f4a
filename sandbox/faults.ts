/** Faults on demand: what goes wrong, where and how often. Randomness comes from the seed, so a run can be repeated. */
import { z } from 'zod';
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
  'interim',
] as const;
const WEBHOOK_KINDS = ['lost', 'duplicate', 'late', 'bad_hmac'] as const;

/**
 * Every kind of fault. `404_html` is the page of a proxy or a wrong address; `404_resource` and `404_blank` are two more
 * forms of the signature provider's own "not found". `403` is a feature that the account lacks, or a permission that the payment key lacks, `400` invalid data with
 * the field's name, `400_document` and `400_locked` a PDF that it cannot read or unlock, `422` the same in another form. `answer_late` does the work at once and
 * answers when its delay is over or the fault is removed. `first_page` has a list give its first page again, under a new
 * cursor. `interim` sends 100 and 103, unasked, before the answer. `500_stored` is replayed by the payment provider for the same idempotency key.
 * `thin` sends what an endpoint gets that was set up for thin payloads.
 */
export const FAULT_KINDS = {
  signature: [
    ...HTTP_KINDS,
    '400',
    '400_document',
    '400_locked',
    '403',
    '404_resource',
    '404_blank',
    '405',
    '422',
    'first_page',
  ],
  payment: [...HTTP_KINDS, '403', 'first_page', '500_stored'],
  webhook: WEBHOOK_KINDS,
  payment_webhook: [...WEBHOOK_KINDS, 'thin'],
  pdf: ['empty', 'not_pdf', 'truncated', 'too_large'],
  /** It lags behind the signature. */
  audit_trail: ['not_ready'],
  /** 550: no such mailbox. 552: the mail is too large, which the server says only when it has it. 554: it takes none from this machine. */
  smtp: ['delay', 'refuse', '421', '451', '550', '552', '554', 'hang'],
} as const;

export type FaultTarget = keyof typeof FAULT_KINDS;
export type FaultKind = (typeof FAULT_KINDS)[FaultTarget][number];

const uncheckedFault = z.object({
  target: z.string(),
  kind: z.string(),
  /** How often it strikes; by default until it is cleared. */
  times: z.number().optional(),
  /** Probability from 0 to 1. */
  rate: z.number().optional(),
  /** Wait before it takes effect. */
  delayMs: z.number().optional(),
  /** Only this call (create, upload, signer, activate, get, list, cancel, download, expire …). */
  operation: z.string().optional(),
  /** Only provider calls about this: text in their path, query or body, or in the name or an address of what they are about. */
  about: z.string().optional(),
  /** Only this page of a list, from 1. */
  page: z.number().optional(),
  /** Spares a payment call whose idempotency key faults have struck that often already. */
  timesPerKey: z.number().optional(),
});
/** A fault as the control API takes it: in one word, or in full. */
export const faultSchema = z.union([z.object({ fault: z.string() }), uncheckedFault]);

export type UncheckedFault = z.infer<typeof uncheckedFault>;
export type FaultInput = Omit<UncheckedFault, 'target' | 'kind'> & { target: FaultTarget; kind: FaultKind };
export type Fault = FaultInput & { id: number; struck: number };

/** What a fault may look at before it strikes. */
export type StruckCall = {
  idempotencyKey: string | undefined;
  about: string;
  /** The number of a list's page. */
  page: (() => number) | undefined;
};

export class FaultList {
  #faults: Fault[] = [];
  #lastId = 0;
  readonly #struckByKey = new Map<string, number>();
  /** Releases what a fault holds back, even after its last strike. */
  readonly #takenAway = new Map<number, AbortController>();
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  /** Throws RangeError with a readable message for a fault that makes no sense. */
  add(input: UncheckedFault | string): Fault {
    const fault = { ...checkFault(typeof input === 'string' ? parseFault(input) : input), struck: 0 };
    const added = { id: (this.#lastId += 1), ...fault };
    this.#faults.push(added);
    this.#takenAway.set(added.id, new AbortController());
    return added;
  }

  get isEmpty(): boolean {
    return this.#faults.length === 0;
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

  /** Aborts when the fault is removed. */
  untilTakenAway({ id }: Fault): AbortSignal {
    return this.#takenAway.get(id)?.signal ?? AbortSignal.abort();
  }

  #release(id: number): void {
    this.#takenAway.get(id)?.abort();
    this.#takenAway.delete(id);
  }

  /** The first fault that strikes this call, counted down by one; undefined when none does. */
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
      if (fault.about !== undefined && !call?.about.includes(fault.about)) continue;
      if (fault.page !== undefined && call?.page?.() !== fault.page) continue;
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

/**
 * Reads `target[.operation][@page][~about]:kind[:times]`, for example `payment:500:3`, `signature.list@2:429` or
 * `payment.get~ada@example.org:500`.
 */
export function parseFault(text: string): UncheckedFault {
  const [, target = '', operation, page, about, kind = '', times] = FAULT.exec(text.trim()) ?? [];
  if (!target) throw new RangeError(`fault "${text}": ${HOW_TO_WRITE}`);
  return {
    target,
    kind,
    ...(times !== undefined && { times: Number(times) }),
    ...(operation && { operation }),
    ...(page !== undefined && { page: Number(page) }),
    ...(about && { about }),
  };
}

const FAULT = /^(\w+)(?:\.([\w.]+))?(?:@(\d+))?(?:~([^:]+))?:(\w+)(?::(\w+))?$/;

/** How `parseFault` reads it back. */
export function whereOf({ target, operation, page, about }: Fault): string {
  const of = operation === undefined ? '' : `.${operation}`;
  return `${target}${of}${page === undefined ? '' : `@${page}`}${about === undefined ? '' : `~${about}`}`;
}

const HOW_TO_WRITE = 'write target[.operation][@page][~about]:kind[:times], for example payment:500:3';

function checkFault(input: UncheckedFault): FaultInput {
  const { target, kind, times = 1, rate = 0, delayMs = 0, page = 1 } = input;
  if (!isTarget(target)) {
    const known = Object.keys(FAULT_KINDS).join(', ');
    throw new RangeError(`fault target "${target}" is unknown; there are ${known}; ${HOW_TO_WRITE}`);
  }
  const kinds: readonly FaultKind[] = FAULT_KINDS[target];
  if (!isOneOf(kinds, kind)) {
    throw new RangeError(`fault kind "${kind}" is unknown for ${target}; there are ${kinds.join(', ')}`);
  }
  if (!(Number.isInteger(times) && times > 0))
    throw new RangeError('fault times must be a whole number above 0');
  if (!(Number.isInteger(page) && page > 0))
    throw new RangeError('fault page must be a whole number above 0');
  if (!(rate >= 0 && rate <= 1)) throw new RangeError('fault rate must be from 0 to 1');
  if (!(delayMs >= 0 && delayMs <= 600_000)) throw new RangeError('fault delayMs must be from 0 to 600000');
  return { ...input, target, kind };
}

const isTarget = (word: string): word is FaultTarget => Object.hasOwn(FAULT_KINDS, word);

export function isOneOf<T extends string>(list: readonly T[], word: string): word is T {
  return list.some((one) => one === word);
}
