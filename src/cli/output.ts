/** Results go to stdout, everything else to stderr; with --json stdout gets exactly one document (rules 10). */
import { Chalk, type ChalkInstance } from 'chalk';
import { adviceText, commandLine, type Advice, type Command } from '../core/commands.js';
import { formatMoney, STORED_TIME, type Reader } from '../core/texts/format.js';
import { plainly } from '../core/texts/plain.js';
import { colorLevel } from './colors.js';
import type { Fault } from './faults.js';
import type { CliIo, OutStream } from './io.js';
import { oneCell, tableLines, tsvLines, type Column } from './table.js';
import { wrapped } from './text-width.js';
import { localTime } from './shown-times.js';
import { systemZone } from '../core/zone.js';

const WIDTH_IF_UNKNOWN = 80;

interface OutputOptions {
  isJson: boolean;
  /** Marked in every document. */
  isDryRun?: boolean;
  /** Named in every command that is advised, which then reads the same settings. */
  envFile?: string | undefined;
}

export class Output {
  readonly isJson: boolean;
  readonly #isDryRun: boolean;
  readonly #envFile: string | undefined;
  /** How times and money are shown to people: as the settings say, once they are read. */
  reader: Reader | undefined;
  readonly #stdout: OutStream;
  readonly #stderr: OutStream;
  readonly #onStdout: ChalkInstance;
  readonly #onStderr: ChalkInstance;

  constructor({ stdout, stderr, env }: CliIo, { isJson, isDryRun = false, envFile }: OutputOptions) {
    this.isJson = isJson;
    this.#isDryRun = isDryRun;
    this.#envFile = envFile;
    this.#stdout = stdout;
    this.#stderr = stderr;
    this.#onStdout = new Chalk({ level: colorLevel(stdout, env) });
    this.#onStderr = new Chalk({ level: colorLevel(stderr, env) });
  }

  /** The result: the document with --json, else what `forPeople` prints. */
  result(document: object, forPeople: () => void): void {
    if (!this.isJson) return forPeople();
    const told = this.#isDryRun ? { ...document, dryRun: true } : document;
    this.#stdout.write(`${jsonText(told, 2)}\n`);
  }

  /** One line of the result, for people; silent with --json. */
  line(text: string): void {
    if (!this.isJson) this.#stdout.write(`${printable(text)}\n`);
  }

  /** Sentences after a label: wrapped on a terminal, one line in a pipe. */
  paragraph(label: string, sentences: string): void {
    if (this.isJson) return;
    const words = printable(`${label} ${sentences}`);
    const lines = this.#stdout.isTTY ? wrapped(words, this.#stdout.columns || WIDTH_IF_UNKNOWN) : [words];
    const shown = lines.join('\n').replace(label, (text) => this.#onStdout.bold(text));
    this.#stdout.write(`${shown}\n`);
  }

  /** An address after its label; on a terminal alone on its line, which nothing breaks, so that it can be copied. */
  link(label: string, url: string): void {
    this.line(`${label}${this.isTerminal ? '\n' : ' '}${url}`);
  }

  /** Our own lines, unescaped. */
  text(text: string): void {
    this.#stdout.write(text);
  }

  /** A person reads the result. */
  get isTerminal(): boolean {
    return this.#stdout.isTTY ?? false;
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

  /** A stored time: unchanged for programs, in the settings' zone for people. */
  time(iso: string | null): string {
    if (iso === null) return '';
    return this.#stdout.isTTY ? localTime(this.reader?.timeZone ?? systemZone(), iso) : iso;
  }

  /** The same for stored times within a text. */
  timesIn(text: string): string {
    return text.replaceAll(STORED_TIME, (iso) => this.time(iso));
  }

  /** Money: minor units for programs, in the language of the settings for people. */
  money(amount: number, currency: string): string {
    return this.#stdout.isTTY ? formatMoney(this.reader?.locale ?? 'en', amount, currency) : String(amount);
  }

  /** What prevented the result from being written, after the stream's turn. */
  trouble(): Promise<Error | undefined> {
    return new Promise((resolve) => void this.#stdout.write('', (error) => resolve(error ?? undefined)));
  }

  /** A command as it is to be typed. */
  command(command: Command): string {
    const file = this.#envFile && ` --env-file ${shellWord(this.#envFile)}`;
    return commandLine(command) + (file ?? '');
  }

  /** Advice in words, with its commands as they are to be typed. */
  advice(advice: Advice): string {
    return adviceText(advice, (command) => this.command(command));
  }

  /** A remark for people; the JSON document says it in its own way. */
  note(text: string): void {
    if (!this.isJson) this.warn(text);
  }

  /** A warning for people and programs. */
  warn(text: string): void {
    this.#stderr.write(`${printable(text)}\n`);
  }

  fault({ code, message, hint: advice }: Fault): void {
    const hint = advice === undefined ? null : this.advice(advice);
    if (this.isJson) {
      this.#stderr.write(`${jsonText({ error: { code, message, hint } })}\n`);
      return;
    }
    const key = code === 'wrong_usage' || code === 'interrupted' ? '' : `${code}: `;
    this.#stderr.write(`${this.#onStderr.red('esignctl:')} ${printable(`${key}${message}`)}\n`);
    if (hint) this.#stderr.write(`${this.#onStderr.dim('hint:')} ${printable(hint)}\n`);
  }
}

/** A file name as a shell reads it. */
function shellWord(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Removes control and direction characters from foreign text, such as a provider's answer. Line ends stay. */
function printable(text: string): string {
  return plainly(text.replaceAll(/[^\P{Cc}\n]+/gu, ' '));
}

/** JSON, with direction characters escaped. */
function jsonText(document: unknown, indent?: number): string {
  const escaped = (letter: string) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(document, undefined, indent).replaceAll(
    /[\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g,
    escaped,
  );
}
