/** Colours, decided per stream: a file stays plain while the terminal is coloured. */
import type { CliIo, OutStream } from '../io.js';

export type ColorLevel = 0 | 1 | 2 | 3;

/** FORCE_COLOR wins over NO_COLOR, which wins over the kind of stream. */
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
