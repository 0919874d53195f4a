/**
 * Reads a settings file as systemd and shells do: one NAME=value per line; `#` begins a comment at the start of a
 * line and after white space; quotes keep a value as it is. Nothing is expanded in a value.
 */
import type { Environment } from './config.js';

/** `export ESIGN_PORT=8080`, `ESIGN_PORT = 8080`. */
const LINE = /^\s*(?:export\s+)?([A-Za-z_][A-Za-z0-9_.-]*)\s*=(.*)$/;
const SINGLE_QUOTED = /^\s*'([^']*)'(?:\s+#.*|\s*)$/;
const DOUBLE_QUOTED = /^\s*"((?:[^"\\]|\\.)*)"(?:\s+#.*|\s*)$/;
const COMMENT = /\s#.*$/;

/** The last of several lines with the same name counts; other lines are skipped. */
export function parseEnvFile(text: string): Environment {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n?|\n/);
  return Object.fromEntries(
    lines.flatMap((line) => {
      const [, name, value] = LINE.exec(line) ?? [];
      return name === undefined ? [] : [[name, valueOf(value as string)]];
    }),
  );
}

function valueOf(text: string): string {
  const single = SINGLE_QUOTED.exec(text)?.[1];
  if (single !== undefined) return single;
  const double = DOUBLE_QUOTED.exec(text)?.[1];
  if (double !== undefined) return double.replaceAll(/\\(["\\$`])/g, '$1');
  // Quotes inside belong to the value, as in "Acme, Ltd." <contracts@acme.example>.
  return text.replace(COMMENT, '').trim();
}
