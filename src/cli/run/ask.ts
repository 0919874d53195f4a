/** Questions on stderr, only at a terminal; options can answer them beforehand. */
import type { CliIo, Shell } from '../io.js';
import { isColored } from '../output/colors.js';
import { Interrupted, UsageError } from '../verb/usage-error.js';

/**
 * Resolves when the answer is yes; throws when it is no, or nobody can be asked. Skipped in a dry run. `facts` stand above
 * the question: who is concerned, and what cannot be undone.
 */
export async function confirm(shell: Shell, question: string, facts: readonly string[] = []): Promise<void> {
  if (shell.yes || shell.dryRun) return;
  mustBeAskable(shell.io, `${question} There is no terminal to ask on.`, 'Add --yes to answer yes.');
  for (const fact of facts) shell.out.warn(fact);
  const before = shell.interruption.say(() => 'nothing was changed');
  const { confirm: ask } = await import('@inquirer/prompts');
  const theme = plainTheme(shell.io);
  const message = await inLines(shell.io, question);
  const answer = await asking(shell, (context) => ask({ message, default: false, theme }, context));
  shell.interruption.say(before);
  if (!answer) throw new Interrupted('nothing was changed');
}

/** The prompt, its mark before and the answer behind, has room; the library breaks words. */
async function inLines({ stderr: { columns } }: CliIo, question: string): Promise<string> {
  const { paragraphLines } = await import('../output/text-width.js');
  return columns ? paragraphLines(question, columns - '? '.length - ' (y/N) n'.length).join('\n') : question;
}

/** The same on a terminal; elsewhere the command itself is the answer. */
export async function confirmHere(shell: Shell, question: string, facts: readonly string[]): Promise<void> {
  const { stdin, stderr } = shell.io;
  if (stdin.isTTY && stderr.isTTY) await confirm(shell, question, facts);
}

/** Chooses one of several with the arrow keys; the first is the default. `hint` is for those who cannot be asked. */
export async function choose<T extends string | number>(
  shell: Shell,
  question: string,
  choices: readonly { value: T; name: string }[],
  hint = 'Use options instead.',
): Promise<T> {
  mustBeAskable(shell.io, `${question} There is no terminal to ask on.`, hint);
  const { select } = await import('@inquirer/prompts');
  const theme = plainTheme(shell.io);
  return asking(shell, (context) => select({ message: question, choices: [...choices], theme }, context));
}

/** Asks for a new password twice, without showing it. `faultOf` returns what is wrong with one, `hint` is for those who cannot be asked. */
export async function askNewPassword(
  shell: Shell,
  faultOf: (password: string) => string | undefined,
  hint: string,
): Promise<string> {
  mustBeAskable(shell.io, 'A password is needed, and there is no terminal to ask on.', hint);
  const { password } = await import('@inquirer/prompts');
  const theme = plainTheme(shell.io);
  const validate = (typed: string) => faultOf(typed) ?? true;
  for (;;) {
    const first = await asking(shell, (context) =>
      password({ message: 'Password', validate, toggleMask: false, theme }, context),
    );
    const second = await asking(shell, (context) =>
      password({ message: 'Repeat password', toggleMask: false, theme }, context),
    );
    if (first === second) return first;
    shell.out.warn('The passwords differ. Please try again.');
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

/** Otherwise the prompt would never settle when the terminal goes away or Ctrl-D closes the input. */
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

/** This library's prompts ignore NO_COLOR. */
function plainTheme({ stderr, env }: CliIo) {
  if (isColored(stderr, env)) return {};
  const plain = (text: string) => text;
  const style = { answer: plain, message: plain, error: plain, defaultAnswer: plain, help: plain };
  return { prefix: { idle: '?', done: '-' }, style };
}
