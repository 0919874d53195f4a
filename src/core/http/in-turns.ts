/** Large bodies beside small calls. */
import { setImmediate as nextTurn } from 'node:timers/promises';

/** From here on a piece is part of something large. */
const LARGE_BYTES = 16 * 1024;

/**
 * One large piece a turn of the event loop. From a fast peer, Node takes 32 at once of each connection: beside many large
 * bodies, everything else would wait for all of these.
 */
export async function* inTurns(
  pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) {
    yield piece;
    if (piece.byteLength >= LARGE_BYTES) await nextTurn();
  }
}
