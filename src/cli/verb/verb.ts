/** Commander's Command with the arguments, options and help that many commands share. */
import { Argument, Command, Help, Option } from 'commander';
import type { IdSource } from '../../core/installation/known-ids.js';
import type { ExitCode } from '../exit-codes.js';
import type { Shell } from '../io.js';
import { cursorOption, limitOption, reasonOption, timeOption, TIMES } from './options.js';

/**
 * A command's action. It gets its options as one object, then its parsed arguments. Commander does not type them, so
 * each action states what its command's parsers yield. One that returns no exit code is done.
 */
export type Action = (shell: Shell, ...parsed: never[]) => Promise<ExitCode | void>;

const GROUPS = ['What it acts on:', 'What it does:', 'Output:', 'Options:'] as const;

/** In which group of the help an option stands; all others say what is done. */
const GROUP_OF = new Map<string, (typeof GROUPS)[number]>([
  ...['all', 'kind', 'state', 'status', 'request', 'webhook', 'subject', 'rejected'].map(
    (name) => [name, GROUPS[0]] as const,
  ),
  ...['owner', 'search', 'username', 'active', 'event', 'source', 'equipment'].map(
    (name) => [name, GROUPS[0]] as const,
  ),
  ...['failed', 'error', 'by', 'about', 'what', 'since', 'until', 'envFile', 'instance'].map(
    (name) => [name, GROUPS[0]] as const,
  ),
  ...[
    'order',
    'limit',
    'cursor',
    'csv',
    'out',
    'stats',
    'watch',
    'reply',
    'json',
    'wide',
    'pager',
    'help',
  ].map((name) => [name, GROUPS[2]] as const),
]);

const OF_THE_PROGRAM = GROUPS[3];

function groupOf({ parent }: Command, option: Option): string {
  if (!parent) return OF_THE_PROGRAM;
  return GROUP_OF.get(option.attributeName()) ?? GROUPS[1];
}

const HELP_WIDTH = 80;

/** Options in groups, those of every command among them. */
class GroupedHelp extends Help {
  override visibleOptions(command: Command): Option[] {
    const shared = super.visibleGlobalOptions(command).filter(({ long }) => long !== '--version');
    const all = [...super.visibleOptions(command), ...shared];
    for (const option of all) option.helpGroup(groupOf(command, option));
    return GROUPS.flatMap((group) => all.filter(({ helpGroupHeading }) => helpGroupHeading === group));
  }

  override visibleGlobalOptions(): Option[] {
    return [];
  }

  /** Every command has options. */
  override subcommandTerm(command: Command): string {
    return super.subcommandTerm(command).replace(' [options]', '');
  }

  /** In the order shown. */
  override groupItems<T extends Command | Option>(_: T[], shown: T[], groupOf: (item: T) => string) {
    return super.groupItems(shown, shown, groupOf);
  }
}

/** Loaded at every start; an action imports what it needs when it runs. */
export class Verb extends Command {
  /** The help's text below the options, and the examples at its end. */
  aboutText = '';
  exampleText = '';
  readonly #run: (command: Command, action: Action) => Promise<void>;

  constructor(run: (command: Command, action: Action) => Promise<void>, name?: string) {
    super(name);
    this.#run = run;
  }

  override createCommand(name?: string): Verb {
    return new Verb(this.#run, name);
  }

  override createHelp(): Help {
    return Object.assign(new GroupedHelp(), this.configureHelp());
  }

  /** An argument that names something stored; completion offers what exists. */
  known<T>(flags: string, about: string, source: IdSource, parse: (text: string, before: T) => T): this {
    return this.addArgument(new KnownArgument(flags, about, source).argParser(parse));
  }

  /** An option whose value names something stored; completion offers what exists. */
  knownOption(flags: string, about: string, source: IdSource, parse: (text: string) => unknown): this {
    return this.addOption(new KnownOption(flags, about, source).argParser(parse));
  }

  limit(about: string): this {
    return this.option('--limit <count>', about, limitOption, 50);
  }

  /** For a list that is walked step by step; what it prints names the cursor. */
  cursor(): this {
    return this.option(
      '--cursor <cursor>',
      'continue where the list ended that printed this cursor',
      cursorOption,
    );
  }

  /** `what` happened in the time that is asked for. */
  times(what: string): this {
    return this.option('--since <time>', `${what} at this time or later; ${TIMES}`, timeOption).option(
      '--until <time>',
      `${what} before this time`,
      timeOption,
    );
  }

  /** The options of a changing command. `reason` describes that option. */
  changes(reason = 'why; kept in the history'): this {
    return this.option('--dry-run', 'tell what would be done, and change nothing')
      .option('--reason <text>', reason, reasonOption)
      .option('--yes', 'answer every question with yes');
  }

  about(text: string): this {
    this.aboutText += `${text}\n`;
    const paragraphs = text.trim().split('\n\n');
    const lines = paragraphs.map((each) => new Help().boxWrap(each.replaceAll('\n', ' '), HELP_WIDTH));
    return this.addHelpText('after', `\n${lines.join('\n\n')}`);
  }

  /** Examples at the end of the help. */
  examples(...lines: string[]): this {
    const shown = lines.map((line) => `  $ esignctl ${line}`).join('\n');
    this.exampleText = `\nExamples:\n${shown}\n`;
    return this.addHelpText('after', this.exampleText.trimEnd());
  }

  does(action: Action): this {
    return this.action(() => this.#run(this, action));
  }
}

export class KnownArgument extends Argument {
  readonly source: IdSource;

  constructor(flags: string, about: string, source: IdSource) {
    super(flags, about);
    this.source = source;
  }
}

export class KnownOption extends Option {
  readonly source: IdSource;

  constructor(flags: string, about: string, source: IdSource) {
    super(flags, about);
    this.source = source;
  }
}

type Words = (env: Record<string, string | undefined>) => Promise<readonly string[]>;

/** A word of a list that --help does not show; completion offers them. */
export class WordOption extends Option {
  readonly words: Words;

  constructor(flags: string, about: string, words: Words) {
    super(flags, about);
    this.words = words;
  }
}
