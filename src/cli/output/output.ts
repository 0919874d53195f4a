/** Results go to stdout, everything else to stderr; with --json stdout gets exactly one document (rules 10). */
import { adviceText, commandLine, type Advice, type Command } from '../../core/commands.js';
import { formatMoney, STORED_TIME } from '../../core/texts/format.js';
import { faultWords, label, sayIn } from '../../core/texts/index.js';
import { plainly } from '../../core/texts/plain.js';
import { TONES, type Tone } from '../../core/resources/tones.js';
import { styling, type Style, type Styling } from './colors.js';
import type { Fault } from '../run/faults.js';
import type { CliIo, OutStream } from '../io.js';
import { laidOut, oneCell, tsvLines, type Column, localTime } from './table.js';
import { paragraphLines } from './text-width.js';
import { systemZone } from '../../core/zone.js';
import { counted } from './words.js';

const WIDTH_IF_UNKNOWN = 80;

interface OutputOptions {
  isJson: boolean;
  /** Marked in every document. */
  isDryRun?: boolean;
  /** Named in every command that is advised, which then reads the same settings. */
  envFile?: string | undefined;
  /** Every column of a table, however narrow the terminal. */
  isWide?: boolean;
  instance?: string | undefined;
}

export interface StateCell {
  state: string;
  /** For programs; the state itself by default. */
  plain?: string;
  /** For people; as on the pages by default. */
  words?: string;
}

const COLORS = {
  busy: 'cyan',
  wait: 'yellow',
  good: 'green',
  bad: 'red',
} as const satisfies Record<Exclude<Tone, 'plain'>, Style>;

/** The texts of the core, as the command line speaks them. */
export const ENGLISH = sayIn('en');

export class Output {
  readonly isJson: boolean;
  readonly #isDryRun: boolean;
  /** Named in every command that is advised. */
  readonly #source: readonly string[];
  readonly #isWide: boolean;
  /** That of the settings, once they are read; found when a time is shown. */
  zone: () => string = () => systemZone() ?? 'UTC';
  readonly #stdout: OutStream;
  readonly #stderr: OutStream;
  readonly #onStdout: Styling;
  readonly #onStderr: Styling;

  constructor(
    { stdout, stderr, env }: CliIo,
    { isJson, isDryRun = false, envFile, instance, isWide = false }: OutputOptions,
  ) {
    this.isJson = isJson;
    this.#isDryRun = isDryRun;
    this.#isWide = isWide;
    this.#source = instance ? ['--instance', instance] : envFile ? ['--env-file', envFile] : [];
    this.#stdout = stdout;
    this.#stderr = stderr;
    this.#onStdout = styling(stdout, env);
    this.#onStderr = styling(stderr, env);
  }

  /** The result: the document with --json, else what `forPeople` prints. */
  result(document: object, forPeople: () => void): void {
    if (!this.isJson) return forPeople();
    const told = this.#isDryRun ? { ...document, dryRun: true } : document;
    this.#stdout.write(`${jsonText(told, 2)}\n`);
  }

  /** Sentences of the result, for people: wrapped on a terminal, one line in a pipe; silent with --json. */
  line(text: string): void {
    if (!this.isJson) this.#write(this.#stdout, text);
  }

  /** The same after a label that stands out. */
  paragraph(title: string, sentences: string): void {
    if (!this.isJson) this.#write(this.#stdout, `${title} ${sentences}`, [title, this.#onStdout('bold')]);
  }

  /** The answer of a rule: on a terminal only its sentence, for programs its key too. */
  keyed(key: string, message: string): string {
    return this.isTerminal ? message : `${message} [${key}]`;
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
  table(columns: readonly Column[], rows: readonly (string | StateCell)[][]): void {
    const cells = rows.map((row) =>
      row.map((cell) => (typeof cell === 'string' ? oneCell(cell) : this.#stateCell(cell))),
    );
    if (!this.#stdout.isTTY) {
      for (const line of tsvLines(columns, cells)) this.#stdout.write(`${line}\n`);
      return;
    }
    if (rows.length === 0) return;
    const head = this.#onStdout('bold');
    const width = this.#isWide ? Number.POSITIVE_INFINITY : widthOf(this.#stdout);
    const { lines, hidden } = laidOut(columns, cells, { width, head });
    for (const line of lines) this.#stdout.write(`${line}\n`);
    if (hidden.length === 0) return;
    const names = hidden.map((name) => name.toLowerCase().replace(/ \(.*/, '')).join(', ');
    this.note(`${counted(hidden.length, 'column')} hidden (${names}): use a wider terminal, or --wide`);
  }

  /** A line that begins with a state: for people in words and in its colour. */
  stateLine(state: string, rest: string): void {
    const words = this.stateWords(state);
    const mark = (text: string) => this.#stateCell({ state, words: text, plain: text });
    if (!this.isJson) this.#write(this.#stdout, `${words}${rest}`, [words, mark]);
  }

  /** In words for people; unchanged for programs. */
  stateWords(state: string): string {
    return this.isTerminal ? stateWords(state) : state;
  }

  /** The words of a stored word for people, the stored word for programs. */
  words(key: string, stored: string): string {
    return this.isTerminal ? label(ENGLISH, key, stored) : stored;
  }

  faultWords(fault: string): string {
    return faultWords(ENGLISH, fault);
  }

  #stateCell({ state, plain = state, words = stateWords(state) }: StateCell): string {
    if (!this.isTerminal) return plain;
    const tone = Object.hasOwn(TONES, state) ? TONES[state as keyof typeof TONES] : 'plain';
    return tone === 'plain' ? words : this.#onStdout(COLORS[tone])(words);
  }

  /** A stored time: unchanged for programs, in the settings' zone for people. */
  time(iso: string | null): string {
    if (iso === null) return '';
    return this.isTerminal ? this.#inZone(iso) : iso;
  }

  /** The same for stored times within a text. */
  timesIn(text: string): string {
    return this.isTerminal ? this.#inZone(text) : text;
  }

  #inZone(text: string): string {
    return text.replaceAll(STORED_TIME, (iso) => localTime(this.zone(), iso));
  }

  /** Money: minor units for programs. */
  money(amount: number, currency: string): string {
    return this.#stdout.isTTY ? formatMoney('en', amount, currency) : String(amount);
  }

  /** What prevented the result from being written, after the stream's turn. */
  trouble(): Promise<Error | undefined> {
    return new Promise((resolve) => void this.#stdout.write('', (error) => resolve(error ?? undefined)));
  }

  /** A command as it is to be typed. */
  command(command: Command): string {
    return commandLine(command, this.#source);
  }

  /** Words, with the commands in them as they are to be typed. */
  advice(advice: Advice): string;
  advice(advice: Advice | null): string | null;
  advice(advice: Advice | null): string | null {
    return advice && adviceText(advice, (command) => this.command(command));
  }

  /** A remark for people; the JSON document says it in its own way. */
  note(text: string): void {
    if (!this.isJson) this.warn(text);
  }

  /** A warning for people and programs. */
  warn(text: string): void {
    this.#write(this.#stderr, text);
  }

  /** The sentence first; the key is for those who look it up. */
  fault({ code, message, hint: advice }: Fault): void {
    const hint = advice === undefined ? null : this.advice(advice);
    if (this.isJson) {
      this.#stderr.write(`${jsonText({ error: { code, message, hint } })}\n`);
      return;
    }
    const key = code === 'wrong_usage' || code === 'interrupted' ? '' : ` [${code}]`;
    this.#write(this.#stderr, `esignctl: ${message}${key}`, ['esignctl:', this.#onStderr('red')]);
    if (hint) this.#write(this.#stderr, `hint: ${hint}`, ['hint:', this.#onStderr('dim')]);
  }

  /** Programs get one line and stored times; people lines that fit, and times of their zone. */
  #write(stream: OutStream, text: string, [title, mark]: [string, (text: string) => string] = ['', String]) {
    const words = printable(stream.isTTY ? this.#inZone(text) : text);
    const lines = stream.isTTY ? paragraphLines(words, widthOf(stream)) : [words];
    stream.write(`${lines.join('\n').replace(title, () => mark(title))}\n`);
  }
}

/** `Waiting for payment`: as on the pages. */
export function stateWords(state: string): string {
  return label(ENGLISH, `state.${state}`, state);
}

function widthOf({ columns }: OutStream): number {
  return columns || WIDTH_IF_UNKNOWN;
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
