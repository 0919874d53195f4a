/** Commands that act on requests, as core declares them: each is about one request, or about several. */
import type { Act } from '../../core/requests/acts.js';
import type { ExitCode } from '../exit-codes.js';
import type { Shell } from '../io.js';
import { idArgument, REQUEST, requestArgument, several } from './options.js';
import type { Verb } from './verb.js';

export type Flags = Record<string, unknown>;

/** The command of an act; what it does is still to be said. `isOptional`: it can be about all requests, too. */
export function defineAct(group: Verb, act: Act, { isOptional = false } = {}): Verb {
  const words = act.command.split(' ');
  const verb = group.command(words.at(-1) as string).description(act.about);
  const flags = (noun: string) => (isOptional ? `[${noun}...]` : `<${noun}...>`);
  if (act.namesContracts)
    verb.known(
      flags('id'),
      'number of the contract; several are done one after the other',
      'contracts',
      several(idArgument),
    );
  else
    verb.known(
      flags('request'),
      `${REQUEST}; several are done one after the other`,
      'requests',
      several(requestArgument),
    );
  for (const [name, { kind, about, flag = name }] of Object.entries(act.options ?? {}))
    verb.option(`--${flag}${{ flag: '', list: ` <${name}...>`, pdf: ' <file>' }[kind]}`, about);
  return verb
    .changes(act.reason === 'required' ? 'why; required, kept in the history' : undefined)
    .examples(...act.examples.map((example) => `${act.command} ${example}`));
}

export function addAct(group: Verb, act: Act): void {
  defineAct(group, act).does((shell, flags: Flags, keys: (string | number)[]) =>
    actOn(shell, act, flags, keys.map(String)),
  );
}

/** Loaded when it is run: only then does it need what acts. */
export async function actOn(
  shell: Shell,
  act: Act,
  flags: Flags,
  keys: readonly string[],
): Promise<ExitCode> {
  const { act: run } = await import('../run/run-act.js');
  return run(shell, act, flags, keys);
}
