/** Colours, decided for each stream by itself: what goes into a file stays plain while the terminal beside it is coloured. */
import type { CliIo, OutStream } from './io.js';

export type ColorLevel = 0 | 1 | 2 | 3;

/** FORCE_COLOR beats NO_COLOR beats the kind of the stream. */
export function colorLevel(stream: OutStream, env: CliIo['env']): ColorLevel {
  const forced = env['FORCE_COLOR'];
  if (forced !== undefined) return forcedLevel(forced);
  if (env['NO_COLOR'] || env['TERM'] === 'dumb') return 0;
  return stream.isTTY ? 1 : 0;
}

function forcedLevel(word: string): ColorLevel {
  switch (word) {
    case '0':
    case 'false':
      return 0;
    case '2':
      return 2;
    case '3':
      return 3;
    default:
      return 1;
  }
}
