/** An act on each of several numbered things, where a refusal of one does not stop the others. */
import type { Advice } from '../commands.js';
import { AppError, withHint } from '../errors.js';

/** How it is found, done, and told of where nothing was done. */
export interface EachAct<Item, Result extends object> {
  /** Throws where there is none, or nothing can be done with it. */
  find: (id: number) => Item;
  /** Why it is not done with this one. */
  refuse?: (item: Item) => AppError | undefined;
  /** Nothing: it was passed over. */
  run: (id: number) => Promise<Result | undefined>;
  /** As it stands, or `why` it was not done. */
  untried: (id: number, item: Item | undefined, why: Advice | null) => Result;
}

/** What became of one, with the refusal if there was one. */
export type Tried<Result extends object> = Result & { refusal?: AppError };

/** Undefined for one that was passed over. */
export async function tryOne<Item, Result extends object>(
  { run, untried }: EachAct<Item, Result>,
  id: number,
): Promise<Tried<Result> | undefined> {
  try {
    return await run(id);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { ...untried(id, undefined, withHint(error)), refusal: error };
  }
}

/** Throws what is no refusal. */
export function refusalOf(act: () => unknown): AppError | undefined {
  try {
    act();
    return undefined;
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}
