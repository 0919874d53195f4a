/**
 * Sending a contract and withdrawing it are one loop (rules 2): from what the signature provider has under the contract's name, and
 * what we want, `nextStep` says the one call that comes next. It is pure and total. `reach` takes the steps, and looks again where
 * something may have changed.
 */
import { isProviderError, ProviderError } from '../http/provider-error.js';
import { PROVIDER_ENDS } from '../lifecycle.js';

/**
 * sent: the customer can sign it. unsent: taken back, unless the customer can sign it by now. replaced: also then, unless it is signed.
 * withdrawn: nobody can sign it any more.
 */
export type Want = 'sent' | ToClose;
export type ToClose = 'unsent' | 'replaced' | 'withdrawn';

/** How far a document got, the furthest first. other: a word that is unknown here; the customer may be able to sign. */
export const STAGES = ['done', 'ongoing', 'other', 'draft', 'ended'] as const;

type Stage = (typeof STAGES)[number];

function stageOf(status: string): Stage {
  if (PROVIDER_ENDS.some((end) => end === status)) return 'ended';
  return status === 'done' || status === 'ongoing' || status === 'draft' ? status : 'other';
}

/** Of several that are the contract's the one that counts. */
export function furthest<D extends { status: string }>(documents: readonly D[]): D | undefined {
  const at = (stage: Stage) => documents.find(({ status }) => stageOf(status) === stage);
  return STAGES.map(at).find((found) => found !== undefined);
}

/** A document that is proved to be the contract's. */
export interface Document {
  signId: string;
  /** The provider's word. */
  status: string;
  pdfs: number;
  signers: number;
  /** Signed too late to count. */
  isLate: boolean;
  /** Made by this attempt, or looked at twice: no call of an interrupted one is on its way any more. */
  isSure: boolean;
}

export interface There<D extends Document> {
  ours: readonly D[];
  /** Somebody else's under its name, until they are told. */
  foreign: readonly { signId: string; externalId: string | null }[];
}

/** Without this document, which was closed. What counted is over then, so how others ended says nothing. */
export function without<D extends Document>({ ours, foreign }: There<D>, { signId }: D): There<D> {
  return { foreign, ours: ours.filter((one) => one.signId !== signId && stageOf(one.status) !== 'ended') };
}

/** A call, and the document that it is about. */
export type Closing<D> = { do: 'tell_foreign'; on?: never } | { do: 'delete' | 'cancel'; on: D };
export type Making<D> =
  | { do: 'create'; on?: never }
  | { do: 'upload' | 'add_signer' | 'look' | 'activate'; on: D };

/** Nothing is left to do. clear: nothing is open there. */
export type AsSent<D> = { stop: 'sent' | 'ended'; on: D };
export type AsClosed<D> = { stop: 'sent' | 'ended' | 'signed'; on: D } | { stop: 'clear'; on?: never };

type Step<D> = Closing<D> | Making<D> | AsSent<D> | AsClosed<D>;

export function nextStep<D extends Document>(want: Want, there: There<D>): Step<D> {
  return want === 'sent' ? nextToSend(there) : nextToClose(want, there);
}

export function nextToSend<D extends Document>({
  ours,
  foreign,
}: There<D>): AsSent<D> | Closing<D> | Making<D> {
  if (foreign.length > 0) return { do: 'tell_foreign' };
  const on = furthest(ours);
  if (!on) return { do: 'create' };
  const stage = stageOf(on.status);
  if (stage !== 'draft') return { stop: stage === 'ended' ? 'ended' : 'sent', on };
  // A late call has put something in a second time: the customer would sign twice, or the provider would refuse to send it.
  if (on.pdfs > 1 || on.signers > on.pdfs) return { do: 'delete', on };
  if (on.pdfs === 0) return { do: 'upload', on };
  if (on.signers === 0) return { do: 'add_signer', on };
  return { do: on.isSure ? 'activate' : 'look', on };
}

export function nextToClose<D extends Document>(
  want: ToClose,
  { ours, foreign }: There<D>,
): AsClosed<D> | Closing<D> {
  if (foreign.length > 0) return { do: 'tell_foreign' };
  // A late signature does not count; only a new contract helps.
  const counts = ours.filter(
    ({ status, isLate }) => want !== 'withdrawn' || (stageOf(status) !== 'ended' && !isLate),
  );
  const on = furthest(counts);
  if (!on) return { stop: 'clear' };
  switch (stageOf(on.status)) {
    case 'done':
      return { stop: want === 'withdrawn' ? 'signed' : 'sent', on };
    case 'ongoing':
    case 'other':
      return want === 'unsent' ? { stop: 'sent', on } : { do: 'cancel', on };
    case 'draft':
      // An activation that is on its way finds nothing then.
      return { do: 'delete', on };
    case 'ended':
      return { stop: 'ended', on };
  }
}

interface Course<D extends Document, C, R> {
  next: (there: There<D>) => C | R;
  look: () => Promise<There<D>>;
  /** What is there after the call. Throws a ProviderError. */
  take: (call: C, there: There<D>) => Promise<There<D>>;
}

/** More than any history needs. */
const STEPS_MAX = 20;

/** Takes steps until it comes to rest. Throws a ProviderError when one fails; the next time it goes on from what is there. */
export async function reach<D extends Document, C extends { do: string; on?: D }, R extends { stop: string }>(
  first: There<D>,
  { next, look, take }: Course<D, C, R>,
): Promise<R> {
  const isRest = (step: C | R): step is R => 'stop' in step;
  let there = first;
  let failed: { call: C; error: unknown } | undefined;
  for (let taken = 0; taken < STEPS_MAX; taken += 1) {
    const step = next(there);
    if (isRest(step)) return step;
    if (failed?.call.do === step.do && failed.call.on?.signId === step.on?.signId) throw failed.error;
    try {
      there = await take(step, there);
    } catch (error) {
      // The document may have changed since we looked.
      if (!isProviderError(error, 'rejected') || !step.on) throw error;
      failed = { call: step, error };
      there = await look().catch(() => Promise.reject(error));
    }
  }
  throw new ProviderError(
    'unavailable',
    'what the signature provider has of the contract changes all the time',
  );
}
