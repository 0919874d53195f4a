/** Colours, decided per stream: a file stays plain while the terminal is coloured. */
import { Chalk } from 'chalk';
import type { CliIo, OutStream } from '../io.js';

export type Style = 'bold' | 'dim' | 'cyan' | 'yellow' | 'green' | 'red';

/** FORCE_COLOR wins over NO_COLOR, which wins over the kind of stream. */
export function isColored(stream: OutStream, env: CliIo['env']): boolean {
  const forced = env['FORCE_COLOR'];
  if (forced !== undefined) return forced !== '0' && forced !== 'false';
  if (env['NO_COLOR'] || env['TERM'] === 'dumb') return false;
  return stream.isTTY ?? false;
}

/** Gives a text a style. */
export type Styling = (style: Style) => (text: string) => string;

export function styling(stream: OutStream, env: CliIo['env']): Styling {
  if (!isColored(stream, env)) return () => String;
  const chalk = new Chalk({ level: 1 });
  return (style) => chalk[style];
}
