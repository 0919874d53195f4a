/** Defines the command line. Loads only commander, so that --help and --version answer at once. */
import { Option } from 'commander';
import { troubleshootings, history } from './commands/lists.js';
import { offers } from './commands/offers.js';
import { backup, restore, snapshot } from './commands/backup.js';
import { contracts, expireContracts, renew } from './commands/contracts.js';
import { equipments } from './commands/equipments.js';
import { explain } from './commands/explain.js';
import { failed } from './commands/failed.js';
import { find } from './commands/find.js';
import { importing } from './commands/import.js';
import { inbox } from './commands/inbox.js';
import { completion, config, doctor, init, migrate, prune } from './commands/installation.js';
import { jobs } from './commands/jobs.js';
import { payments } from './commands/payments.js';
import { report } from './commands/report.js';
import { prices } from './commands/prices.js';
import { requests } from './commands/requests.js';
import { checkSignature, resetSignature, startSignature } from './commands/signature.js';
import { status, todo } from './commands/status.js';
import { takeover } from './commands/takeover.js';
import { users } from './commands/users.js';
import { verify } from './commands/verify.js';
import { webhooks } from './commands/webhooks.js';
import { EXIT, type ExitCode } from './exit-codes.js';
import type { CliIo, Shell } from './io.js';
import type { Output } from './output/output.js';
import { PagedOutput } from './output/paged-output.js';
import { withData, withSession } from './run/open.js';
import { Interruption } from './run/interruption.js';
import { build, BuiltCommand, givenTo } from './verb/build.js';
import { flag, GROUPS, param, type Given, type Params } from './verb/params.js';
import { UsageError } from './verb/usage-error.js';
import type { changing, DeclaredCommand, DeclaredGroup } from './verb/verb.js';

/** By group, in the order of --help. */
const COMMANDS: Readonly<Record<string, readonly (DeclaredCommand | DeclaredGroup)[]>> = {
  'See how things stand:': [todo, find, explain, history, report, status, doctor],
  'Signatures:': [checkSignature, startSignature, resetSignature, expireContracts, renew],
  'What is stored:': [
    requests,
    equipments,
    offers,
    troubleshootings,
    prices,
    contracts,
    payments,
    importing,
    verify,
  ],
  'Webhooks and jobs:': [inbox, jobs, failed, webhooks],
  'People:': [users],
  'The installation:': [init, migrate, prune, backup, snapshot, restore, takeover, config],
  'The command line:': [completion],
};

const ABOUT = `
Settings come from the environment (ESIGN_…), from --env-file or ESIGN_ENV_FILE,
else from /etc/esign/esign.env, or NAME.env with --instance NAME. Results go to
stdout, everything else to stderr.

What the exit codes mean: \`esignctl help exit-codes\`.`;

/** Every command takes them. */
const SHARED = {
  json: flag('print one JSON document on stdout, errors as JSON on stderr', { group: 'output' }),
  envFile: param('read settings from this file; the environment overrides it', String, {
    word: 'file',
    group: 'on',
  }),
  wide: flag('show every column of a table, however narrow the terminal', { group: 'output' }),
  instance: param('one of several installations on this machine: read /etc/esign/NAME.env', String, {
    word: 'name',
    group: 'on',
    offers: instanceNames,
  }),
  noPager: flag('do not show long output in a pager', { group: 'output' }),
};

/** What the shell is made from. */
type Common = Partial<Given<{}, typeof SHARED & ReturnType<typeof changing>>>;

interface ProgramParts {
  isJson: boolean;
  /** If it names a command, the others are left out: defining them takes longer than many a command. */
  firstWord?: string | undefined;
  done: (code: ExitCode) => void;
  interruption?: Interruption;
  /** Told what shows the command's results. */
  onOutput?: (out: Output) => void;
  pages?: PagedOutput;
}

/** The program; `done` gets the exit code of the command. `isJson`: whether the words contain --json. */
export function createProgram(
  io: CliIo,
  {
    isJson,
    firstWord,
    done,
    interruption = new Interruption(io.signal),
    onOutput = () => undefined,
    pages = new PagedOutput(io, { isWanted: false }),
  }: ProgramParts,
): BuiltCommand {
  const run = async (command: BuiltCommand, declared: DeclaredCommand) => {
    const common: Common = command.optsWithGlobals();
    const given = givenTo(command, declared);
    // What a command does is told as it happens.
    const isGathered = common.dryRun || !(declared.changes || given['watch']);
    const shell = await shellFor(common, { io, outIo: isGathered ? pages.io : io, interruption });
    onOutput(shell.out);
    const exit = await carriedOut(declared, shell, given);
    if (shell.dryRun) shell.out.note('dry run: nothing was changed');
    done(exit ?? EXIT.done);
  };
  const program = new BuiltCommand('esignctl')
    // src/cli/start.ts answers it.
    .option('-V, --version', 'print the versions of program, schema and Node')
    .takes(SHARED)
    .addHelpOption(new Option('-h, --help', 'show this help').helpGroup(GROUPS.output))
    .explains({
      path: '',
      about:
        'Carries maintenance contracts from "please sign" to "signed and paid": the operator\'s commands.',
      text: ABOUT,
      examples: ['check-signature REQ-2026-000123', 'failed list --json', 'failed replay --help'],
    })
    .configureHelp({ showGlobalOptions: true })
    .configureOutput(outputTo(pages.io, isJson))
    .exitOverride();
  const isWanted = commandNamed(firstWord);
  for (const [heading, commands] of Object.entries(COMMANDS)) {
    program.commandsGroup(heading);
    for (const declared of commands) if (isWanted(declared.path)) build(program, declared, run);
  }
  // In the last group.
  return program.helpCommand(true);
}

/** Which commands are needed: the named one, else all, for the help and for what may have been meant. */
function commandNamed(word: string | undefined): (path: string) => boolean {
  const isKnown = Object.values(COMMANDS)
    .flat()
    .some(({ path }) => path === word);
  return (path) => !isKnown || path === word;
}

async function carriedOut(
  { check, run, read, act }: DeclaredCommand,
  shell: Shell,
  given: Given<Params, Params>,
): Promise<ExitCode | void> {
  check?.(shell, given);
  if (read) return withData(shell, (data) => read({ ...shell, ...data }, given));
  if (act) return withSession(shell, (session) => act({ ...shell, ...session }, given));
  return await run?.(shell, given);
}

async function shellFor(
  {
    json: isJson = false,
    wide: isWide = false,
    envFile,
    instance,
    dryRun = false,
    reason,
    yes = false,
  }: Common,
  { io, outIo, interruption }: { io: CliIo; outIo: CliIo; interruption: Interruption },
): Promise<Shell> {
  const { Output } = await import('./output/output.js');
  const out = new Output(outIo, { isJson, isDryRun: dryRun, envFile, instance, isWide });
  const named = instance === undefined ? io : { ...io, env: await instanceEnv(io.env, instance, envFile) };
  return { io: named, out, envFile, dryRun, reason, yes, signal: interruption.signal, interruption };
}

async function instanceNames(env: CliIo['env']): Promise<readonly string[]> {
  const { listInstances } = await import('../core/settings/instance.js');
  return listInstances(env);
}

/** Throws a UsageError for a name that there is not. */
async function instanceEnv(env: CliIo['env'], name: string, envFile: string | undefined) {
  const { inInstance } = await import('../core/settings/instance.js');
  const { messageOf } = await import('../core/errors.js');
  if (envFile !== undefined) throw new UsageError('--instance and --env-file cannot be given together');
  try {
    return inInstance(env, name);
  } catch (error) {
    throw new UsageError(messageOf(error));
  }
}

function outputTo({ stdout, stderr }: CliIo, isJson: boolean) {
  return {
    writeOut: (text: string) => void stdout.write(text),
    // The help after a missing command; programs only get the fault.
    writeErr: (text: string) => void (isJson || stderr.write(text)),
    // Usage errors are reported like all faults.
    outputError: () => undefined,
    getOutHelpWidth: () => stdout.columns || 80,
    getErrHelpWidth: () => stderr.columns || 80,
    getOutHasColors: () => false,
    getErrHasColors: () => false,
  };
}
