/** Results go to stdout, everything else to stderr; with --json stdout gets exactly one document (decisions 10, 12). */
import { Chalk, type ChalkInstance } from 'chalk';
import { formatMoney } from '../core/texts/format.js';
import { plainly } from '../core/texts/plain.js';
import { colorLevel } from './colors.js';
import type { Fault } from './faults.js';
import type { CliIo, OutStream } from './io.js';
import { oneCell, tableLines, tsvLines, type Column } from './table.js';
import { wrapped } from './text-width.js';
import { localTime } from './shown-times.js';
import { systemZone } from '../core/zone.js';

const WIDTH_IF_UNKNOWN = 80;

export class Output {
  readonly isJson: boolean;
  /** Of the times that people are told; the settings', once they are read. */
  timeZone: string | undefined;
  readonly #stdout: OutStream;
  readonly #stderr: OutStream;
  readonly #onStdout: ChalkInstance;
  readonly #onStderr: ChalkInstance;

  constructor({ stdout, stderr, env }: CliIo, { json }: { json: boolean }) {
    this.isJson = json;
    this.#stdout = stdout;
    this.#stderr = stderr;
    this.#onStdout = new Chalk({ level: colorLevel(stdout, env) });
    this.#onStderr = new Chalk({ level: colorLevel(stderr, env) });
  }

  /** The result: the document with --json, else what `forPeople` prints. */
  result(document: unknown, forPeople: () => void): void {
    if (this.isJson) this.#stdout.write(`${jsonText(document, 2)}\n`);
    else forPeople();
  }

  /** One line of the result, for people; silent with --json. */
  line(text: string): void {
    if (!this.isJson) this.#stdout.write(`${printable(text)}\n`);
  }

  /** Some sentences under a label: broken between words to fit a terminal, one line in a pipe. */
  paragraph(label: string, sentences: string): void {
    if (this.isJson) return;
    const words = printable(`${label} ${sentences}`);
    const lines = this.#stdout.isTTY ? wrapped(words, this.#stdout.columns || WIDTH_IF_UNKNOWN) : [words];
    const shown = lines.join('\n').replace(label, (text) => this.#onStdout.bold(text));
    this.#stdout.write(`${shown}\n`);
  }

  /** Lines made by ourselves, as they are. */
  text(text: string): void {
    this.#stdout.write(text);
  }

  /** A list: a table on a terminal, tab-separated lines in a pipe. */
  table(columns: readonly Column[], rows: readonly string[][]): void {
    if (!this.#stdout.isTTY) {
      for (const line of tsvLines(columns, rows)) this.#stdout.write(`${line}\n`);
      return;
    }
    if (rows.length === 0) return;
    const cells = rows.map((row) => row.map(oneCell));
    const head = (text: string) => this.#onStdout.bold(text);
    const width = this.#stdout.columns || WIDTH_IF_UNKNOWN;
    for (const line of tableLines(columns, cells, { width, head })) this.#stdout.write(`${line}\n`);
  }

  /** A stored time: as it is for programs, in the zone of the settings for people. */
  time(iso: string | null): string {
    if (iso === null) return '';
    return this.#stdout.isTTY ? localTime(this.timeZone ?? systemZone(), iso) : iso;
  }

  /** Money in minor units: as it is for programs, written out for people. */
  money(amount: number, currency: string): string {
    return this.#stdout.isTTY ? formatMoney('en', amount, currency) : String(amount);
  }

  /** What kept the result from being written, once the stream has had its turn. */
  trouble(): Promise<Error | undefined> {
    return new Promise((resolve) => void this.#stdout.write('', (error) => resolve(error ?? undefined)));
  }

  /** Something for people beside the result; the JSON document says it in its own way. */
  note(text: string): void {
    if (!this.isJson) this.warn(text);
  }

  /** Something that must be known whatever reads the result. */
  warn(text: string): void {
    this.#stderr.write(`${printable(text)}\n`);
  }

  fault({ code, message, hint }: Fault): void {
    if (this.isJson) {
      this.#stderr.write(`${jsonText({ error: { code, message, hint: hint ?? null } })}\n`);
      return;
    }
    const key = code === 'wrong_usage' || code === 'interrupted' ? '' : `${code}: `;
    this.#stderr.write(`${this.#onStderr.red('esignctl:')} ${printable(`${key}${message}`)}\n`);
    if (hint) this.#stderr.write(`${this.#onStderr.dim('hint:')} ${printable(hint)}\n`);
  }
}

/** Words from outside (a provider's answer, a title) must steer neither the terminal nor the eye. Line ends stay. */
function printable(text: string): string {
  return plainly(text.replaceAll(/[^\P{Cc}\n]+/gu, ' '));
}

/** The same document for whoever parses it; on a terminal no letter of it turns the direction. */
function jsonText(document: unknown, indent?: number): string {
  const escaped = (letter: string) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(document, undefined, indent).replaceAll(
    /[\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g,
    escaped,
  );
}
