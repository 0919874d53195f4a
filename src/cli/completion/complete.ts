/** Completion candidates at the cursor, from the same definitions as --help, for the shells' scripts. */
import type { Command, Option } from 'commander';
import { plainly } from '../../core/texts/plain.js';
import { BuiltArgument, BuiltOption } from '../verb/build.js';
import type { Param } from '../verb/params.js';

export interface Candidate {
  value: string;
  about: string;
}

/** `files`: the shell completes file names itself. */
export type Completion = Candidate[] | 'files';

/** `words`: those after the program's name; the last one is being typed and may be empty. */
export async function complete(
  program: Command,
  words: readonly string[],
  env: Record<string, string | undefined>,
): Promise<Completion> {
  const whole = rejoined(words);
  const typed = whole.at(-1) ?? '';
  const place = placeOf(program, whole.slice(0, -1));
  if (place.instance !== undefined)
    env = { ...env, ESIGN_INSTANCE: place.instance, ESIGN_ENV_FILE: undefined };
  const [, name, begun = ''] = /^(--[^=]+)=(.*)$/s.exec(typed) ?? [];
  const option = name && optionsOf(place.command).find(({ long }) => long === name);
  const candidates = name
    ? prefixed(`${name}=`, option ? await valuesOf(option, begun, place, env) : [])
    : await at(place, typed, env);
  if (candidates === 'files') return name ? [] : 'files';
  return candidates.filter(({ value }) => value.startsWith(typed));
}

interface Place {
  command: Command;
  /** Arguments typed so far. */
  argumentCount: number;
  /** An option whose value comes next. */
  open: Option | undefined;
  used: Set<string>;
  onlyArguments: boolean;
  envFile: string | undefined;
  instance: string | undefined;
}

function placeOf(program: Command, words: readonly string[]): Place {
  const place: Place = {
    command: program,
    argumentCount: 0,
    open: undefined,
    used: new Set(),
    onlyArguments: false,
    envFile: undefined,
    instance: undefined,
  };
  for (const word of words) step(place, word);
  return place;
}

function step(place: Place, word: string): void {
  if (place.open) {
    given(place, place.open.long, word);
    place.open = undefined;
    return;
  }
  if (word === '--') {
    place.onlyArguments = true;
    return;
  }
  if (word.startsWith('-') && !place.onlyArguments) {
    const [, name = word, value] = /^(--[^=]+)=(.*)$/s.exec(word) ?? [];
    if (value !== undefined) given(place, name, value);
    place.used.add(name);
    const option = optionsOf(place.command).find(({ long, short }) => long === name || short === name);
    if (option?.required && !word.includes('=')) place.open = option;
    return;
  }
  const next = place.command.commands.find((command) => command.name() === word);
  if (next && place.argumentCount === 0) {
    place.command = next;
  } else place.argumentCount += 1;
}

function given(place: Place, name: string | undefined, value: string): void {
  if (name === '--env-file') place.envFile = value;
  if (name === '--instance') place.instance = value;
}

/** bash passes `--kind=send-mail` as three words. */
function rejoined(words: readonly string[]): string[] {
  const whole: string[] = [];
  for (const word of words) {
    const before = whole.at(-1);
    const belongs = before?.startsWith('--') && (word === '=' || before.endsWith('='));
    if (belongs) whole[whole.length - 1] = before + word;
    else whole.push(word);
  }
  return whole;
}

async function at(place: Place, typed: string, env: Record<string, string | undefined>): Promise<Completion> {
  const { command, open, used, onlyArguments, argumentCount, envFile } = place;
  if (open) return valuesOf(open, typed, place, env);
  if (typed.startsWith('-') && !onlyArguments) {
    return optionsOf(command)
      .filter(({ long, hidden }) => long && !hidden && !used.has(long))
      .map(({ long, description }) => ({ value: long as string, about: description }));
  }
  if (command.commands.length > 0) {
    // Nothing sensible can follow an unknown command.
    const visible = argumentCount > 0 ? [] : command.createHelp().visibleCommands(command);
    return visible
      .filter((each) => each.name() !== 'help')
      .map((each) => ({ value: each.name(), about: each.description() }));
  }
  const all = command.registeredArguments;
  const argument = all[argumentCount] ?? (all.at(-1)?.variadic ? all.at(-1) : undefined);
  if (!argument) return [];
  if (argument.name() === 'file') return 'files';
  if (argument.argChoices) return plain(argument.argChoices);
  return argument instanceof BuiltArgument ? offered(argument.param, typed, env, envFile) : [];
}

async function valuesOf(
  option: Option,
  begun: string,
  { envFile }: Place,
  env: Record<string, string | undefined>,
): Promise<Completion> {
  if (option.flags.includes('<file>')) return 'files';
  const param = option instanceof BuiltOption ? option.param : undefined;
  if (param?.offers) return offered(param, begun, env, envFile);
  const given = param?.isList ? begun.split(',').slice(0, -1) : [];
  const all = [...(option.argChoices ?? []), ...(param?.others ?? [])];
  const left = all.filter((choice) => !given.includes(choice));
  return prefixed(given.map((word) => `${word},`).join(''), plain(left));
}

const OFFERED_MAX = 100;

/** What is stored, the newest first. Empty on any failure, because completion must never print into the line being typed. */
async function offered(
  { offers }: Param,
  typed: string,
  env: Record<string, string | undefined>,
  envFile: string | undefined,
): Promise<Candidate[]> {
  if (typeof offers === 'function') return plain(await offers(env));
  if (offers === undefined) return [];
  try {
    const { idsFor } = await import('../../core/installation/known-ids.js');
    const found = idsFor(offers, { environment: env, envFile, begun: typed, limit: OFFERED_MAX });
    return found.map(({ value, about }) => ({ value, about: plainly(about) }));
  } catch {
    return [];
  }
}

function plain(values: readonly string[]): Candidate[] {
  return values.map((value) => ({ value, about: '' }));
}

function prefixed(prefix: string, values: Completion): Completion {
  if (values === 'files') return values;
  return values.map(({ value, about }) => ({ value: prefix + value, about }));
}

/** Its own options and the program's. */
function optionsOf(command: Command): Option[] {
  const help = command.createHelp();
  return [...help.visibleOptions(command), ...help.visibleGlobalOptions(command)];
}
