/** Questions to the person at the terminal: only when there is one, on stderr, answered beforehand by an option. */
import type { CliIo, Shell } from './io.js';
import { colorLevel } from './colors.js';
import { Interrupted, UsageError } from './usage-error.js';

/** Resolves when the answer is yes; throws when it is no, or when nobody can be asked. */
export async function confirm(shell: Shell, question: string, { yes }: { yes?: boolean }): Promise<void> {
  if (yes) return;
  mustBeAskable(shell.io, `${question} There is no terminal to ask on.`, 'Add --yes to answer yes.');
  shell.interruption.say(() => 'nothing was changed');
  const { confirm: ask } = await import('@inquirer/prompts');
  const theme = plainTheme(shell.io);
  const answer = await asking(shell, (context) => ask({ message: question, default: false, theme }, context));
  shell.interruption.say(() => '');
  if (!answer) throw new Interrupted('nothing was changed');
}

/** One of several words, chosen with the arrow keys; the first is the default. */
export async function choose<T extends string>(
  shell: Shell,
  question: string,
  choices: readonly { value: T; name: string }[],
): Promise<T> {
  mustBeAskable(shell.io, `${question} There is no terminal to ask on.`, 'Say it with options.');
  const { select } = await import('@inquirer/prompts');
  const theme = plainTheme(shell.io);
  return asking(shell, (context) => select({ message: question, choices: [...choices], theme }, context));
}

/** A new password, typed twice and never shown. `faultOf` tells what is wrong with one. */
export async function askNewPassword(
  shell: Shell,
  faultOf: (password: string) => string | undefined,
): Promise<string> {
  mustBeAskable(
    shell.io,
    'A password is needed, and there is no terminal to ask on.',
    'Use --password-stdin or --generate.',
  );
  const { password } = await import('@inquirer/prompts');
  const theme = plainTheme(shell.io);
  const validate = (typed: string) => faultOf(typed) ?? true;
  for (;;) {
    const first = await asking(shell, (context) =>
      password({ message: 'Password', validate, toggleMask: false, theme }, context),
    );
    const second = await asking(shell, (context) =>
      password({ message: 'The same again', toggleMask: false, theme }, context),
    );
    if (first === second) return first;
    shell.out.warn('The two differ. Once more, please.');
  }
}

function mustBeAskable({ stdin, stderr }: CliIo, message: string, hint: string): void {
  if (!stdin.isTTY || !stderr.isTTY) throw new UsageError(message, hint);
}

interface PromptContext {
  input: NodeJS.ReadableStream;
  output: NodeJS.WritableStream;
  signal: AbortSignal;
}

/** Without this the prompt never settles when the terminal goes away or Ctrl-D closes the input. */
async function asking<T>(shell: Shell, ask: (context: PromptContext) => Promise<T>): Promise<T> {
  const { stdin, stderr } = shell.io;
  const gone = new AbortController();
  const end = () => gone.abort();
  const key = (_: unknown, { ctrl, name }: { ctrl?: boolean; name?: string }) => {
    if (ctrl && name === 'd') end();
  };
  stdin.on('keypress', key).on('end', end).on('close', end);
  try {
    const signal = AbortSignal.any([shell.signal, gone.signal]);
    return await ask({ input: stdin, output: stderr, signal });
  } finally {
    stdin.off('keypress', key).off('end', end).off('close', end);
  }
}

/** The prompts of this library are coloured whatever NO_COLOR says. */
function plainTheme({ stderr, env }: CliIo) {
  if (colorLevel(stderr, env) > 0) return {};
  const plain = (text: string) => text;
  const style = { answer: plain, message: plain, error: plain, defaultAnswer: plain, help: plain };
  return { prefix: { idle: '?', done: '-' }, style };
}
