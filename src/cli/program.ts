/** Defines the command line. Loads only commander, so that --help and --version answer at once. */
import { backup, restore, snapshot } from './commands/backup.js';
import { contracts, expireContracts } from './commands/contracts.js';
import { explain } from './commands/explain.js';
import { failed } from './commands/failed.js';
import { find } from './commands/find.js';
import { history } from './commands/history.js';
import { inbox } from './commands/inbox.js';
import { completion, config, doctor, init, migrate, prune } from './commands/installation.js';
import { jobs } from './commands/jobs.js';
import { payments } from './commands/payments.js';
import { requests } from './commands/requests.js';
import { checkSignature } from './commands/signature-check.js';
import { resetSignature, startSignature } from './commands/signature.js';
import { status } from './commands/status.js';
import { takeover } from './commands/takeover.js';
import { todo } from './commands/todo.js';
import { users } from './commands/users.js';
import { verify } from './commands/verify.js';
import { webhooks } from './commands/webhooks.js';
import { EXIT, type ExitCode } from './exit-codes.js';
import { Interruption } from './run/interruption.js';
import type { ChangeFlags, CliIo, Shell } from './io.js';
import type { Output } from './output/output.js';
import { PagedOutput } from './output/paged-output.js';
import { UsageError } from './verb/usage-error.js';
import { Verb, WordOption } from './verb/verb.js';
import { packageVersion } from '../core/installation/version.js';

type AddCommand = (program: Verb) => void;

/** By group and name, in the order of --help. */
const COMMANDS: Readonly<Record<string, Readonly<Record<string, AddCommand>>>> = {
  'See how things stand:': { todo, find, explain, history, status, doctor },
  'Signatures:': {
    'check-signature': checkSignature,
    'start-signature': startSignature,
    'reset-signature': resetSignature,
    'expire-contracts': expireContracts,
  },
  'What is stored:': { requests, contracts, payments, verify },
  'Webhooks and jobs:': { inbox, jobs, failed, webhooks },
  'People:': { users },
  'The installation:': { init, migrate, prune, backup, snapshot, restore, takeover, config },
  'The command line:': { completion },
};

const ABOUT = `
Settings come from the environment (ESIGN_…), from --env-file or ESIGN_ENV_FILE,
else from /etc/esign/esign.env, or NAME.env with --instance NAME. Results go to
stdout, everything else to stderr.

What the exit codes mean: \`esignctl help exit-codes\`.`;

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
): Verb {
  const program = new Verb(async (command, action) => {
    const {
      json,
      wide,
      envFile,
      instance,
      dryRun,
      reason,
      yes,
      pager: _,
      ...flags
    } = command.optsWithGlobals();
    // What a command does is told as it happens.
    const isGathered =
      dryRun || !(command.options.some(({ long }) => long === '--dry-run') || flags['watch']);
    const parts = { io, outIo: isGathered ? pages.io : io, interruption };
    const shell = await shellFor(parts, { json, wide, envFile, instance, dryRun, reason, yes });
    onOutput(shell.out);
    const exit = await action(shell, ...([flags, ...command.processedArgs] as never[]));
    if (shell.dryRun) shell.out.note('dry run: nothing was changed');
    done(exit ?? EXIT.done);
  }, 'esignctl')
    .description(
      'Carries maintenance contracts from "please sign" to "signed and paid": the operator\'s commands.',
    )
    .version(packageVersion(), '-V, --version', 'print the version')
    .option('--json', 'print one JSON document on stdout, errors as JSON on stderr')
    .option('--env-file <file>', 'read settings from this file, below what the environment says')
    .option('--wide', 'show every column of a table, however narrow the terminal')
    .addOption(new WordOption('--instance <name>', INSTANCE, instanceNames))
    .option('--no-pager', 'show long output at once, not on pages')
    .helpOption('-h, --help', 'show this help')
    .about(ABOUT)
    .examples('check-signature REQ-2026-000123', 'failed list --json', 'failed replay --help')
    .configureHelp({ showGlobalOptions: true })
    .configureOutput(outputTo(pages.io, isJson))
    .exitOverride();
  const isWanted = commandNamed(firstWord);
  for (const [group, commands] of Object.entries(COMMANDS)) {
    program.commandsGroup(group);
    for (const [name, add] of Object.entries(commands)) if (isWanted(name)) add(program);
  }
  // In the last group.
  return program.helpCommand(true);
}

/** Which commands are needed: the named one, else all, for the help and for what may have been meant. */
function commandNamed(word: string | undefined): (name: string) => boolean {
  const isKnown = Object.values(COMMANDS).some((commands) => Object.keys(commands).includes(word ?? ''));
  return (name) => !isKnown || name === word;
}

async function shellFor(
  { io, outIo, interruption }: { io: CliIo; outIo: CliIo; interruption: Interruption },
  options: ChangeFlags & { json?: boolean; wide?: boolean; envFile?: string; instance?: string },
): Promise<Shell> {
  const { Output } = await import('./output/output.js');
  const {
    json: isJson = false,
    wide: isWide = false,
    envFile,
    instance,
    dryRun = false,
    reason,
    yes = false,
  } = options;
  const out = new Output(outIo, { isJson, isDryRun: dryRun, envFile, instance, isWide });
  const named = instance === undefined ? io : { ...io, env: await instanceEnv(io.env, instance, envFile) };
  return { io: named, out, envFile, dryRun, reason, yes, signal: interruption.signal, interruption };
}

const INSTANCE = 'one of several installations on this machine: read /etc/esign/NAME.env';

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
