/**
 * The form of every log line: ids, and no personal data. Who did what stands in the history. The words of others (a mail
 * server's refusal, a provider's complaint) are kept without the addresses they quote.
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
  ) as object;
}
