/** Turns anything thrown into a fault: a code, one clear sentence, the next step, an exit code. */
import type { CommanderError } from 'commander';
import { command, type Advice } from '../../core/commands.js';
import { AppError, describeError, messageOf } from '../../core/errors.js';
import { nearestOf } from '../../core/nearest.js';
import { ProviderError } from '../../core/http/provider-error.js';
import { adviceOn } from '../../core/http/refusal.js';
import { faultWords } from '../../core/texts/index.js';
import { EXIT, exitOfError, type ExitCode } from '../exit-codes.js';
import { ENGLISH } from '../output/output.js';
import { cut } from '../output/text-width.js';
import { Interrupted, UsageError } from '../verb/usage-error.js';

export interface Fault {
  code: string;
  message: string;
  hint?: Advice | undefined;
  exit: ExitCode;
}

/** Columns of a wrong value. */
const GIVEN_SHOWN = 60;

export function faultOf(error: unknown): Fault {
  if (error instanceof AppError) return ofAppError(error);
  if (error instanceof UsageError) {
    return { code: error.code, message: error.message, hint: error.hint, exit: EXIT.usage };
  }
  if (error instanceof ProviderError) return ofProviderError(error);
  if (isInterruption(error)) {
    return { code: 'interrupted', message: interruption(error), exit: EXIT.interrupted };
  }
  return ofName(error);
}

/** A usage error; `called` is the command whose help explains more. */
export function usageFault({ message, code }: CommanderError, called: string): Fault {
  const [sentence = '', suggestion] = message.replace(/^error: /, '').split('\n');
  const hint = suggested(sentence, suggestion) ?? meant(sentence) ?? `See \`${called} --help\`.`;
  const isMissing = code === 'commander.help';
  return {
    code: 'wrong_usage',
    message: isMissing ? `${called} needs a command` : plainly(sentence),
    hint,
    exit: EXIT.usage,
  };
}

/** Commander's own suggestion, unless it is another word altogether. */
function suggested(sentence: string, suggestion = ''): string | undefined {
  const typed = /'(?:--)?([^']*)'/.exec(sentence)?.[1] ?? '';
  const words = /^\(Did you mean (?:one of )?(.*)\?\)$/.exec(suggestion)?.[1]?.split(', ') ?? [];
  const isMeant = words.some((word) => isNear(typed, word.replace(/^--/, '')));
  return isMeant ? suggestion.slice(1, -1) : undefined;
}

function isNear(typed: string, word: string): boolean {
  const nearest = nearestOf(typed, [word]);
  return nearest !== undefined && nearest.distance <= Math.max(2, typed.length / 3);
}

/** The value of a list that was mistyped; undefined when none is near. */
function meant(sentence: string): string | undefined {
  const [, typed = '', list = ''] =
    /(?:argument|value) '(.*)' is invalid.* (?:Allowed choices are|Give one of) (.*)\.$/s.exec(sentence) ??
    [];
  const spelt = (word: string) => word.toLowerCase().replaceAll(/[ _]/g, '-');
  const words = list.split(', ').filter(Boolean);
  const nearest = nearestOf(spelt(typed), words.map(spelt));
  if (!nearest || !isNear(spelt(typed), nearest.word)) return undefined;
  return `Did you mean ${words.find((word) => spelt(word) === nearest.word)}?`;
}

/** Rewrites commander's message about a wrong value. */
function plainly(sentence: string): string {
  return sentence
    .replace(/^option '(?:-\w, )?(--[\w-]+)[^']*' argument '(.*)' is invalid\. /s, (_, option, given) =>
      cannotBe(option, given),
    )
    .replace(/^command-argument value '(.*)' is invalid for argument '([^']*)'\. /s, (_, given, name) =>
      cannotBe(`<${name}>`, given),
    )
    .replace(/^option '(?:-\w, )?(--[\w-]+) (<[^>]*>)' argument missing$/, '$1 needs a value: $1 $2')
    .replace(' Allowed choices are ', ' Give one of ');
}

/** A long value need not be read again: what is wrong with it comes after it. */
function cannotBe(name: string, given: string): string {
  return `${name} cannot be '${cut(given, GIVEN_SHOWN)}'. `;
}

function ofAppError(error: AppError): Fault {
  const fields = Object.entries(error.fields)
    .filter(([, fault]) => !error.message.includes(fault))
    .map(([field, fault]) => `${field}: ${faultWords(ENGLISH, fault)}`);
  const message =
    fields.length > 0 ? `${error.message.replace(/\.$/, '')}. ${fields.join(' ')}` : error.message;
  return { code: error.code, message, hint: error.hint, exit: exitOfError(error) };
}

function ofProviderError(error: ProviderError): Fault {
  return {
    code: 'provider_unavailable',
    message: error.message,
    hint: adviceOn(error),
    exit: EXIT.unavailable,
  };
}

const INTERRUPTIONS = new Set([
  'AbortError',
  'CallCut',
  'AbortPromptError',
  'ExitPromptError',
  'CancelPromptError',
]);

function isInterruption(error: unknown): error is Error {
  return error instanceof Interrupted || (error instanceof Error && INTERRUPTIONS.has(error.name));
}

function interruption(error: Error): string {
  return error instanceof Interrupted ? error.message : 'interrupted';
}

const WHERE_SETTINGS =
  'Settings come from the environment and from --env-file, else from /etc/esign/esign.env, or NAME.env with --instance NAME, if you may read it.';

/** By name, because importing these classes would load database and settings even for a usage error. */
function ofName(error: unknown): Fault {
  const name = error instanceof Error ? error.name : '';
  const message = describeError(error);
  switch (name) {
    case 'ConfigError':
      // The whole message, which lists one fault per line.
      return {
        code: 'wrong_settings',
        message: messageOf(error),
        hint: WHERE_SETTINGS,
        exit: EXIT.usage,
      };
    case 'SchemaError':
      return { code: 'wrong_schema', message, exit: EXIT.usage };
    case 'DatabaseBusyError':
      return { code: 'database_busy', message, hint: 'Try again in a moment.', exit: EXIT.unavailable };
    default:
      return ofFiles(error, message);
  }
}

/** File errors of the system and SQLite, by code. */
const FILE_TROUBLE: readonly (Omit<Fault, 'message'> & { codes: RegExp })[] = [
  {
    codes: /^SQLITE_(NOTADB|CORRUPT)/,
    code: 'database_damaged',
    hint: ['Stop esignd and put a backup in its place: ', command('restore', 'FILE')],
    exit: EXIT.failed,
  },
  {
    codes: /^(EACCES|EPERM|EROFS|SQLITE_(READONLY|CANTOPEN|PERM))/,
    code: 'not_permitted',
    hint: ['Run it as the service’s user. `', command('doctor'), '` shows which files and modes are wrong.'],
    exit: EXIT.usage,
  },
  {
    codes: /^(ENOSPC|EDQUOT|SQLITE_FULL)/,
    code: 'disk_full',
    hint: 'Free some space and try again; nothing was left half-done.',
    exit: EXIT.failed,
  },
  {
    codes: /^SQLITE_BUSY/,
    code: 'database_busy',
    hint: 'Another process is using it. Try again in a moment.',
    exit: EXIT.unavailable,
  },
];

function ofFiles(error: unknown, message: string): Fault {
  const said = error instanceof Error && 'code' in error ? String(error.code) : '';
  const found = FILE_TROUBLE.find(({ codes }) => codes.test(said));
  if (found) return { code: found.code, message, hint: found.hint, exit: found.exit };
  return {
    code: 'internal_error',
    message,
    hint: 'Set ESIGN_LOG_LEVEL=debug for details.',
    exit: EXIT.failed,
  };
}
