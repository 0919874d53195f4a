/** The provider's list of all signature requests, a hundred per call, as fast as its rate headers allow. */
import type { Round } from '../calls/round.js';
import type { Context } from '../context.js';
import { isProviderError } from '../http/provider-error.js';
import { newOnEachPage } from '../http/pages.js';
import type { SignatureState } from './provider-answers.js';

export interface Listing {
  isWanted: (pagesRead: number) => boolean;
  /** The cursor of a page to begin with; those before it come last. One that no longer leads anywhere is ignored. */
  from?: string | undefined;
  /** Called before each page with its cursor; undefined: the first. */
  onPage?: (cursor: string | undefined) => void;
}

/** Ends early when the round is over or nothing more is wanted. Throws a ProviderError. */
export async function* listedSignatures(
  { provider }: Pick<Context, 'provider'>,
  round: Round,
  { isWanted, from, onPage }: Listing,
): AsyncGenerator<SignatureState> {
  let pages = 0;
  let waitMs = 0;
  const read = async (cursor: string | undefined) => {
    const mayGoOn =
      waitMs === 0 || (await round.pause(waitMs, 'the rate limit of the signature provider is used up'));
    onPage?.(cursor);
    if (!mayGoOn) return { items: [], next: undefined };
    const page = await round.ask(() => provider.listSignatures(cursor));
    pages += 1;
    waitMs = page.waitMs;
    return { items: page.signatures, next: page.nextCursor };
  };
  const seen = new Set<string>();
  for (const beginning of from === undefined ? [undefined] : [from, undefined]) {
    try {
      const listed = newOnEachPage(read, ({ signId }) => signId, { from: beginning, seen });
      if (!isWanted(pages) || round.isOver) return;
      for await (const page of listed) {
        yield* page;
        if (!isWanted(pages) || round.isOver) return;
      }
    } catch (error) {
      if (beginning === undefined || !isProviderError(error, 'rejected')) throw error;
    }
  }
}
