/**
 * Sending a contract and withdrawing it are one loop (rules 2): from what the signature provider has under the contract's name, and
 * what we want, `nextStep` says the one call that comes next. It is pure and total. `reach` takes the steps.
 */
import { isProviderError, ProviderError } from '../http/provider-error.js';
import { PROVIDER_ENDS } from '../lifecycle.js';

/**
 * sent: the customer can sign it. unsent: taken back, unless the customer can sign it by now. replaced: also then, unless it is signed.
 * withdrawn: nobody can sign it any more.
 */
export type Want = 'sent' | 'unsent' | 'replaced' | 'withdrawn';

/** How far a document got, the furthest first. other: a word that is unknown here; the customer may be able to sign. */
const STAGES = ['done', 'ongoing', 'other', 'draft', 'ended'] as const;

function stageOf(status: string): (typeof STAGES)[number] {
  if (PROVIDER_ENDS.some((end) => end === status)) return 'ended';
  return status === 'done' || status === 'ongoing' || status === 'draft' ? status : 'other';
}

/** Of several that are the contract's the one that counts. */
export function furthest<D extends { status: string }>(documents: readonly D[]): D | undefined {
  const inOrder = STAGES.flatMap((stage) => documents.filter(({ status }) => stageOf(status) === stage));
  return inOrder[0];
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

export type Call<D> =
  | { do: 'tell_foreign'; on?: never }
  | { do: 'create'; on?: never }
  | { do: 'upload' | 'add_signer' | 'look' | 'activate' | 'delete' | 'cancel'; on: D };

/** Nothing is left to do. clear: nothing is open there. */
export type Rest<D> = { stop: 'sent' | 'ended' | 'signed'; on: D } | { stop: 'clear'; on?: never };

export function nextStep<D extends Document>(want: Want, { ours, foreign }: There<D>): Call<D> | Rest<D> {
  if (foreign.length > 0) return { do: 'tell_foreign' };
  // A late signature does not count; only a new contract helps.
  const isOver = ({ status, isLate }: D) => isLate || stageOf(status) === 'ended';
  const on = furthest(want === 'withdrawn' ? ours.filter((one) => !isOver(one)) : ours);
  if (!on) return want === 'sent' ? { do: 'create' } : { stop: 'clear' };
  switch (stageOf(on.status)) {
    case 'done':
      return { stop: want === 'withdrawn' ? 'signed' : 'sent', on };
    case 'ongoing':
    case 'other':
      return want === 'sent' || want === 'unsent' ? { stop: 'sent', on } : { do: 'cancel', on };
    case 'draft':
      // Once it is deleted, an activation that is on its way finds nothing.
      return { do: want === 'sent' ? nextOfDraft(on) : 'delete', on };
    case 'ended':
      return { stop: 'ended', on };
  }
}

function nextOfDraft({ pdfs, signers, isSure }: Document) {
  // A late call has put something in a second time: the customer would sign twice, or the provider would refuse to send it.
  if (pdfs > 1 || signers > pdfs) return 'delete';
  if (pdfs === 0) return 'upload';
  if (signers === 0) return 'add_signer';
  return isSure ? 'activate' : 'look';
}

/** Without this document, which was closed. What counted is over then, so how others ended says nothing. */
export function without<D extends Document>({ ours, foreign }: There<D>, { signId }: D): There<D> {
  return { foreign, ours: ours.filter((one) => one.signId !== signId && stageOf(one.status) !== 'ended') };
}

/** More than any history needs. */
const STEPS_MAX = 20;

export interface Course<D extends Document> {
  want: Want;
  first: There<D>;
  look: () => Promise<There<D>>;
  /** What is there after the call. Throws a ProviderError. */
  take: (call: Call<D>, there: There<D>) => Promise<There<D>>;
}

/** Takes steps until it comes to rest. Throws a ProviderError when one fails; the next time it goes on from what is there. */
export async function reach<D extends Document>({ want, first, look, take }: Course<D>): Promise<Rest<D>> {
  let there = first;
  let failed: { what: string; error: unknown } | undefined;
  for (let taken = 0; taken < STEPS_MAX; taken += 1) {
    const step = nextStep(want, there);
    if ('stop' in step) return step;
    const what = `${step.do} ${step.on?.signId}`;
    if (failed?.what === what) throw failed.error;
    try {
      there = await take(step, there);
    } catch (error) {
      // The document may have changed since we looked.
      if (!isProviderError(error, 'rejected') || !step.on) throw error;
      failed = { what, error };
      // Where that cannot be seen, the refusal is what a person needs to know.
      there = await look().catch(() => Promise.reject(error));
    }
  }
  throw new ProviderError(
    'unavailable',
    'what the signature provider has of the contract changes all the time',
  );
}
