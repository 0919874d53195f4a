/** The command line from words to exit code. Nothing here touches the process: streams, environment and signal come in. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { CommanderError, type Command } from 'commander';
import { COMPLETE, FILES } from './completion/scripts.js';
import { EXIT, exitCodesHelp, type ExitCode } from './exit-codes.js';
import type { Fault } from './run/faults.js';
import { Interruption } from './run/interruption.js';
import type { CliIo } from './io.js';
import type { Output } from './output/output.js';
import { PagedOutput } from './output/paged-output.js';
import { createProgram } from './program.js';

export type { CliIo } from './io.js';

/** Runs one command; resolves with its exit code and never rejects. */
export async function runCli(argv: readonly string[], io: CliIo): Promise<number> {
  const streams = watchStreams(io);
  const exit = await run(argv, io);
  const trouble = await streams.trouble();
  if (trouble) return tellTrouble(io, trouble);
  return io.signal?.aborted ? EXIT.interrupted : exit;
}

async function run(argv: readonly string[], io: CliIo): Promise<ExitCode> {
  // A command that ends without saying how has not done its work.
  let exit: ExitCode = EXIT.failed;
  if (argv[0] === COMPLETE) return answerShell(argv.slice(2), io);
  const isJson = isGiven(argv, '--json');
  const interruption = new Interruption(io.signal);
  const pages = new PagedOutput(io, { isWanted: !isJson && !isGiven(argv, '--no-pager') });
  let out: Output | undefined;
  const onOutput = (made: Output) => (out = made);
  const done = (code: ExitCode) => (exit = code);
  const program = createProgram(io, { isJson, firstWord: argv[0], interruption, onOutput, pages, done });
  const { names, options } = sorted(program, argv);
  if (names[0] === 'help' && names[1] === 'exit-codes') {
    io.stdout.write(exitCodesHelp());
    return EXIT.done;
  }
  const words = names[0] === 'help' ? [...options, ...helpAsOption(program, names.slice(1))] : argv;
  try {
    const work = () => program.parseAsync(words, { from: 'user' });
    await pages.after(() => interruption.during(work));
    if (interruption.signal.aborted) await tellHowFar(interruption, { isJson, io });
    return exit;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return EXIT.done;
    const command = error instanceof CommanderError ? commandOf(program, argv) : undefined;
    const { envFile, instance } = program.opts();
    return tell(error, { command, isJson, envFile, instance, io, interruption, zone: out?.zone });
  }
}

/** The options that every command takes, with their values, and all other words. */
function sorted(program: Command, argv: readonly string[]): { names: string[]; options: string[] } {
  const names: string[] = [];
  const options: string[] = [];
  for (let at = 0; at < argv.length; at += 1) {
    const word = argv[at] as string;
    (word.startsWith('-') ? options : names).push(word);
    const takesNext = program.options.some(({ required, long }) => required && long === word);
    if (takesNext) options.push(...argv.slice((at += 1), at + 1));
  }
  return { names, options };
}

/** `help failed replay` is `failed replay --help`. A name of no command is kept, and reported as mistyped. */
function helpAsOption(program: Command, names: readonly string[]): readonly string[] {
  let command = program;
  for (const [i, name] of names.entries()) {
    const next = command.commands.find((each) => each.name() === name);
    if (!next && command.commands.length > 0) return names.slice(0, i + 1);
    if (!next) break;
    command = next;
  }
  return [...names, '--help'];
}

/** What a shell asks for on Tab: one candidate per line. Errors are not printed into a line that is being typed. */
async function answerShell(words: readonly string[], io: CliIo): Promise<ExitCode> {
  const { complete } = await import('./completion/complete.js');
  const program = createProgram(io, { isJson: true, done: () => undefined });
  const found = await complete(program, words, io.env);
  const lines =
    found === 'files'
      ? [FILES]
      : found.map(({ value, about }) => `${value}\t${about.replaceAll(/\s+/g, ' ')}`);
  if (lines.length > 0) io.stdout.write(`${lines.join('\n')}\n`);
  return EXIT.done;
}

interface Teller {
  /** Whose words were wrong. */
  command: string | undefined;
  isJson: boolean;
  envFile: string | undefined;
  /** That of the settings, if they were read. */
  zone: (() => string) | undefined;
  instance: string | undefined;
  io: CliIo;
  interruption: Interruption;
}

/** The command has come to an end of its own, though perhaps before everything was done. */
async function tellHowFar(
  interruption: Interruption,
  { isJson, io }: Pick<Teller, 'isJson' | 'io'>,
): Promise<void> {
  const words = interruption.words();
  if (!words) return;
  const { Output } = await import('./output/output.js');
  new Output(io, { isJson }).fault(interruptedFault(words));
}

function interruptedFault(words: string): Fault {
  const message = words ? `interrupted: ${words}` : 'interrupted';
  return { code: 'interrupted', message, exit: EXIT.interrupted };
}

async function tell(
  error: unknown,
  { command, isJson, envFile, instance, zone, io, interruption }: Teller,
): Promise<ExitCode> {
  const { faultOf, usageFault } = await import('./run/faults.js');
  const { Output } = await import('./output/output.js');
  const found = error instanceof CommanderError ? usageFault(error, command ?? 'esignctl') : faultOf(error);
  const isInterrupted = interruption.signal.aborted && found.code === 'interrupted';
  const fault = isInterrupted ? interruptedFault(interruption.words(error)) : found;
  const out = new Output(io, { isJson, envFile, instance });
  if (zone) out.zone = zone;
  out.fault(fault);
  const isTraced = /^(debug|trace)$/.test(io.env['ESIGN_LOG_LEVEL'] ?? '');
  if (isTraced && error instanceof Error && error.stack) out.note(error.stack);
  return fault.exit;
}

/** Looked up by hand, because it also counts for errors in arguments that cannot be parsed. */
function isGiven(argv: readonly string[], option: string): boolean {
  const end = argv.indexOf('--');
  return argv.slice(0, end < 0 ? undefined : end).includes(option);
}

/** The deepest command that the words name. */
function commandOf(program: Command, argv: readonly string[]): string {
  let command = program;
  let name = program.name();
  for (const word of argv) {
    const next = command.commands.find((candidate) => candidate.name() === word);
    if (!next) continue;
    command = next;
    name += ` ${word}`;
  }
  return name;
}

function tellTrouble({ stderr }: CliIo, trouble: Error): ExitCode {
  stderr.write(`esignctl: the result could not be written: ${trouble.message}\n`);
  return EXIT.failed;
}

const READER_GONE = new Set(['EPIPE', 'ERR_STREAM_DESTROYED', 'EIO']);

interface StreamWatch {
  /** What prevented stdout from being written, after everything so far has had its turn. */
  trouble(): Promise<Error | undefined>;
}

/** The work continues when its reader has gone: a closed pipe (`esignctl … | head -1`) is no fault; a full disk is. */
function watchStreams({ stdout, stderr }: CliIo): StreamWatch {
  let trouble: Error | undefined;
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (!READER_GONE.has(error.code ?? '')) trouble ??= error;
  });
  stderr.on('error', () => undefined);
  return {
    async trouble() {
      await nextTurn();
      return trouble;
    },
  };
}
