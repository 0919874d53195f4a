/**
 * The format of log lines: ids and no personal data; who did what is in the history. Quoted words of others, such as
 * a mail server's refusal, are logged without the addresses in them.
 */
import { pino, type LoggerOptions } from 'pino';

export const LOG_FORM = {
  base: null,
  serializers: {
    error: (words: unknown) => (typeof words === 'string' ? withoutAddresses(words) : words),
    err: (error: unknown) => (error instanceof Error ? quoteless(pino.stdSerializers.err(error)) : error),
  },
} satisfies LoggerOptions;

function withoutAddresses(words: string): string {
  return words.replaceAll(/[^\s<>"'(),;:=/]+@[^\s<>"'(),;:=/]+/g, '…@…');
}

function quoteless(error: object): object {
  return JSON.parse(JSON.stringify(error), (_, value: unknown) =>
    typeof value === 'string' ? withoutAddresses(value) : value,
  );
}
