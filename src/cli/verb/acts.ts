/** Commands that act on requests, as core declares them: each is about one request, or about several. */
import { command } from '../../core/commands.js';
import type { Context } from '../../core/context.js';
import type { IdSource } from '../../core/installation/known-ids.js';
import type { Act } from '../../core/requests/acts.js';
import type { ExitCode } from '../exit-codes.js';
import type { Shell } from '../io.js';
import { withSession, type By, type Session } from '../run/open.js';
import { asId, asText, flag, optional, param, REQUEST, several, type Params } from './params.js';
import { reasonOf, UsageError } from './usage-error.js';
import { verb, type DeclaredCommand } from './verb.js';

const ONE_BY_ONE = 'several are done one after the other';
const CONTRACTS = param(`number of the contract; ${ONE_BY_ONE}`, (text) => String(asId(text)), {
  word: 'id',
  offers: 'contracts',
});
const REQUESTS = { ...REQUEST, about: `${REQUEST.about}; ${ONE_BY_ONE}`, word: 'request' };

/** What the record of its command says, but for what it runs. */
export function ofAct({ about, examples, namesContracts, options = {}, reason }: Act) {
  const taken = Object.entries(options).map(([name, { kind, about, flag: long = name }]) => [
    long,
    {
      flag: flag(about),
      list: several(param(about, String, { word: name })),
      pdf: param(about, String, { word: 'file' }),
      money: param(about, asText, { word: 'money' }),
    }[kind],
  ]);
  return {
    about,
    examples,
    args: { keys: several(namesContracts ? CONTRACTS : REQUESTS) },
    options: Object.fromEntries(taken) as Params,
    changes: reason === 'required' ? 'why; required, kept in the history' : true,
  };
}

export function actCommand(act: Act): DeclaredCommand {
  return verb(act.command, {
    ...ofAct(act),
    run: (shell, { keys, ...given }) => actOn(shell, act, given, keys),
  });
}

/** Loaded when it is run: only then does it need what acts. */
export async function actOn(
  shell: Shell,
  act: Act,
  given: Readonly<Record<string, unknown>>,
  keys: readonly string[],
): Promise<ExitCode> {
  const { act: run } = await import('../run/run-act.js');
  return run(shell, act, given, keys);
}

interface Check {
  all: string;
  settles: {
    what: string;
    word: string;
    offers: IdSource;
    settle: (ctx: Context, id: string, by: By) => Promise<unknown>;
  };
  checkAll: (shell: Shell, session: Session) => Promise<ExitCode>;
}

/** The command of an act that asks a provider: about requests, about all that wait, or to settle what is unknown here. */
export function checkCommand(
  act: Act,
  { all, settles: { what, settle, ...named }, checkAll }: Check,
): DeclaredCommand {
  const record = ofAct(act);
  return verb(act.command, {
    ...record,
    args: { keys: optional(record.args.keys) },
    options: {
      all: flag(all, { group: 'on' }),
      settle: param(`stop listing a ${what}; needs --reason`, asText, named),
    },
    async run(shell, { keys, all, settle: id }) {
      const isNamed = keys.length > 0;
      if (id !== undefined && (all || isNamed))
        throw new UsageError(`--settle is about a ${what}: it goes with neither a request nor --all.`, [
          'Run `',
          { ...command(act.command), options: ['--settle', id] },
          '` alone.',
        ]);
      if (id !== undefined) {
        if (!shell.reason && !shell.dryRun) reasonOf(shell, `A ${what} is settled only with --reason.`);
        return withSession(shell, async ({ ctx, by }) => {
          await settle(ctx, id, by);
          shell.out.result({ settled: id }, () =>
            shell.out.line(`${shell.dryRun ? 'would settle' : 'settled'} ${id}`),
          );
        });
      }
      if (all && isNamed) throw new UsageError('Give a request or --all, not both.');
      if (!all && !isNamed)
        throw new UsageError('Which request? None was given.', 'Name one, or check every one with --all.');
      return all ? withSession(shell, (session) => checkAll(shell, session)) : actOn(shell, act, {}, keys);
    },
  });
}
