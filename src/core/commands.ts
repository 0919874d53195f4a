/**
 * The commands that may be advised, as data. Findings, refusals, checks, texts and mails name one; `commandLine` writes
 * it out where it is shown (rules 10).
 */
export const OF_A_REQUEST = [
  'start-signature',
  'check-signature',
  'reset-signature',
  'explain',
  'payments check',
  'payments renew',
  'payments give-up',
  'requests complete',
  'requests cancel',
  'requests reopen',
  'requests settle',
  'requests remind',
  'renew',
] as const;

export const COMMAND_NAMES = [
  ...OF_A_REQUEST,
  'contracts show',
  'contracts accept-late',
  'contracts fetch-pdf',
  'failed list',
  'failed replay',
  'failed remove',
  'jobs push',
  'webhooks enable',
  'webhooks deliveries',
  'webhooks redeliver',
  'todo',
  'verify',
  'prices set',
  'users enable',
  'users edit',
  'users set-email',
  'users set-password',
  'history',
  'equipments list',
  'users list',
  'webhooks list',
  'offers list',
  'prices list',
  'doctor',
  'init',
  'migrate',
  'prune',
  'restore',
  'takeover',
] as const;

export type RequestCommand = (typeof OF_A_REQUEST)[number];

export interface Command {
  name: (typeof COMMAND_NAMES)[number];
  /** What it is about: numbers of requests, contracts or jobs, a user name, or a file. */
  about: readonly (number | string)[];
  /** As they are typed: `--all`. */
  options?: readonly string[];
  /** In our own words, or a placeholder. */
  reason?: string;
}

export function command(name: Command['name'], ...about: Command['about']): Command {
  return { name, about };
}

/** Where all of them stand. */
export function see(name: Command['name']): Advice {
  return ['See `', command(name), '`.'];
}

export function runInstead(name: Command['name'], ...about: Command['about']): Advice {
  return ['Run `', command(name, ...about), '` instead.'];
}

/**
 * What somebody at a terminal types, safe to paste: what others chose, such as a user name, is quoted. `source`: the options by
 * which it finds the settings.
 */
export function commandLine(
  { name, about, options = [], reason }: Command,
  source: readonly string[] = [],
): string {
  const because = reason === undefined ? [] : ['--reason', `"${reason}"`];
  const words = [...about, ...options].map(shellWord);
  return ['esignctl', name, ...words, ...because, ...source.map(shellWord)].join(' ');
}

export type WriteCommand = (command: Command) => string;

/** How the daemon writes commands on pages and in mails: for its own instance. */
export function writerOf({ instance }: { instance?: string | undefined }): WriteCommand {
  const source = instance === undefined ? [] : ['--instance', instance];
  return (named) => commandLine(named, source);
}

/** One word for a shell, quoted unless every shell reads it as it is. */
export function shellWord(word: number | string): string {
  const text = String(word);
  if (/^[\p{L}\p{N}_@%+,./:…-]+$/u.test(text)) return text;
  // O'Brien is read more easily so; a shell takes nothing in it for more than a letter.
  if (/^[\p{L}\p{N} '.-]+$/u.test(text) && text.includes("'")) return `"${text}"`;
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Words, and the commands in them. */
export type Advice = string | readonly (string | Command)[];

/** As it is shown; `write` writes out its commands. */
export function adviceText(advice: Advice, write: WriteCommand = commandLine): string {
  return partsOf(advice)
    .map((part) => (typeof part === 'string' ? part : write(part)))
    .join('');
}

export function commandIn(advice: Advice): Command | undefined {
  return partsOf(advice).find((part) => typeof part !== 'string');
}

function partsOf(advice: Advice): readonly (string | Command)[] {
  return typeof advice === 'string' ? [advice] : advice;
}
