/**
 * The words of the command line. Only commander is loaded here; a command's file holds its options, and what it does is
 * imported when it is called, so that --help and --version answer at once.
 */
import { Command } from 'commander';
import { registerBackup } from './commands/backup.js';
import { registerCheckSignature } from './commands/check-signature.js';
import { registerContracts } from './commands/contracts.js';
import { registerCompletion } from './commands/completion.js';
import { registerConfig } from './commands/config.js';
import { registerDoctor } from './commands/doctor.js';
import { registerExpireContracts } from './commands/expire-contracts.js';
import { registerExplain } from './commands/explain.js';
import { registerFailed } from './commands/failed.js';
import { registerInbox } from './commands/inbox.js';
import { registerJobs } from './commands/jobs.js';
import { registerMigrate } from './commands/migrate.js';
import { registerPayments } from './commands/payments.js';
import { registerPrune } from './commands/prune.js';
import { registerRequests } from './commands/requests.js';
import { registerResetSignature } from './commands/reset-signature.js';
import { registerRestore } from './commands/restore.js';
import { registerStartSignature } from './commands/start-signature.js';
import { registerStatus } from './commands/status.js';
import { registerUsers } from './commands/users.js';
import { registerWebhooks } from './commands/webhooks.js';
import { EXIT_CODES_HELP, type ExitCode } from './exit-codes.js';
import { Interruption } from './interruption.js';
import type { CliIo, Shell } from './io.js';
import { packageVersion } from '../core/version.js';

/**
 * Makes commander's handler of one that gets the shell, the parsed options and the parsed arguments. Commander knows no
 * types: each handler states what the parsers beside it yield.
 */
export type Act = (
  run: (shell: Shell, flags: never, ...args: never[]) => Promise<ExitCode>,
) => (...params: unknown[]) => Promise<void>;

const COMMANDS = [
  registerExplain,
  registerStatus,
  registerDoctor,
  registerCheckSignature,
  registerStartSignature,
  registerResetSignature,
  registerExpireContracts,
  registerRequests,
  registerContracts,
  registerPayments,
  registerInbox,
  registerJobs,
  registerFailed,
  registerWebhooks,
  registerUsers,
  registerMigrate,
  registerPrune,
  registerBackup,
  registerRestore,
  registerConfig,
  registerCompletion,
];

const ABOUT = `
Settings come from the environment (ESIGN_…), from --env-file or ESIGN_ENV_FILE,
else from /etc/esign/esign.env. Results go to stdout, everything else to stderr.

Examples:
  $ esignctl check-signature REQ-2026-000123
  $ esignctl failed list --json
  $ esignctl failed replay --help

${EXIT_CODES_HELP}`;

interface ProgramParts {
  isJson: boolean;
  done: (code: ExitCode) => void;
  interruption?: Interruption;
}

/** The program; `done` hears the exit code of the command that ran. `isJson` is what a glance at the words says. */
export function createProgram(
  io: CliIo,
  { isJson, done, interruption = new Interruption(io.signal) }: ProgramParts,
): Command {
  const program = new Command('esignctl')
    .description(
      'Carries maintenance contracts from "please sign" to "signed and paid": the operator\'s commands.',
    )
    .version(packageVersion(), '-V, --version', 'print the version')
    .option('--json', 'print one JSON document on stdout, errors as JSON on stderr')
    .option('--env-file <file>', 'read settings from this file, below what the environment says')
    .helpOption('-h, --help', 'show this help')
    .addHelpText('after', ABOUT)
    .configureHelp({ showGlobalOptions: true })
    .configureOutput(outputTo(io, isJson))
    .exitOverride();
  const act: Act =
    (run) =>
    async (...params) => {
      const command = params.at(-1) as Command;
      const shell = await shellFor(io, interruption, command.optsWithGlobals());
      done(await run(shell, command.opts(), ...(command.processedArgs as never[])));
    };
  for (const register of COMMANDS) register(program, act);
  return program;
}

async function shellFor(
  io: CliIo,
  interruption: Interruption,
  { json, envFile }: { json?: boolean; envFile?: string },
): Promise<Shell> {
  const { Output } = await import('./output.js');
  return {
    io,
    out: new Output(io, { json: json ?? false }),
    envFile,
    signal: interruption.signal,
    interruption,
  };
}

function outputTo({ stdout, stderr }: CliIo, isJson: boolean) {
  return {
    writeOut: (text: string) => void stdout.write(text),
    // The help that follows a missing command; a program is told by the fault alone.
    writeErr: (text: string) => void (isJson || stderr.write(text)),
    // Mistakes are told by the one place that tells all faults.
    outputError: () => undefined,
    getOutHelpWidth: () => stdout.columns || 80,
    getErrHelpWidth: () => stderr.columns || 80,
    getOutHasColors: () => false,
    getErrHasColors: () => false,
  };
}
