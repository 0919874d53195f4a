/** Runs a batch one by one: with progress, going on over failures, with a summary even after Ctrl-C. */
import type { Advice } from '../../core/commands.js';
import { refusalOf, type EachAct } from '../../core/calls/each-act.js';
import { withHint, type AppError } from '../../core/errors.js';
import type { TextParams } from '../../core/texts/index.js';
import { EXIT, exitOfCheck, type ExitCode } from '../exit-codes.js';
import type { Shell } from '../io.js';
import { bar, withProgress } from '../output/progress.js';
import type { Output } from '../output/output.js';
import { counted, type Noun } from '../output/words.js';

/** The words of each batch, by what it does, as in "would replay". */
const WORDS = {
  replay: {
    noun: 'job',
    doing: 'replaying',
    did: 'replayed',
    done: 'replayed',
    tried: 'tried',
    rest: 'the others are still in the list',
  },
  process: {
    noun: 'event',
    doing: 'processing',
    did: 'replayed',
    done: 'replayed',
    tried: 'processed',
    rest: 'the others are as before',
  },
  send: {
    noun: ['delivery', 'deliveries'],
    doing: 'sending',
    did: 'redelivered',
    done: 'delivered',
    tried: 'sent again',
    rest: 'the one under way may have arrived',
  },
  try: {
    noun: 'job',
    doing: 'trying',
    did: 'pushed',
    done: 'done',
    tried: 'tried',
    rest: 'the others wait as before',
  },
} as const satisfies Record<string, BatchWords>;

interface BatchWords extends Pick<Work<object>, 'doing' | 'did'> {
  noun: Noun;
  /** Successes, in the last line. */
  done: string;
  /** The answer to Ctrl-C: "1 of 3 jobs tried". */
  tried: string;
  /** It goes on with this while some are left. */
  rest: string;
}

/** Why it failed, or what became of it. */
interface Told {
  error?: Advice | null;
  outcome?: Advice | null;
}

export interface Batch<Item, Result extends Told>
  extends EachAct<Item, Result>, Pick<Work<Result>, 'isDone' | 'isWaiting'> {
  does: keyof typeof WORDS;
  /** What stands beside its number. */
  named: (item: Item) => string;
  /** What a dry run says beside that. */
  note?: (item: Item) => string | null;
  line: (result: Result) => string;
  perMinute?: number | undefined;
  /** In place of one after the other. */
  runAll?: Work<Result>['run'];
}

/** The refusal of a single item is thrown. */
export async function runBatch<Item, Result extends Told>(
  shell: Shell,
  ids: readonly number[],
  batch: Batch<Item, Result>,
): Promise<ExitCode> {
  const { out, signal } = shell;
  const looked = shell.dryRun || ids.length === 1 ? ids.map((id) => look(id, batch)) : [];
  const [only] = looked;
  if (ids.length === 1 && only?.refusal) throw only.refusal;
  if (shell.dryRun) return preview(shell, looked, batch);
  const { tryEach } = await import('../../core/calls/round.js');
  const { does, perMinute, line, isDone, isWaiting } = batch;
  const { noun, doing, did, done, tried, rest } = WORDS[does];
  const all = counted(ids.length, noun);
  return workThrough(shell, ids.length, {
    doing,
    did,
    isDone,
    ...(isWaiting && { isWaiting }),
    document: documentIn(out),
    run: batch.runAll ?? ((onResult) => tryEach(batch, ids, { signal, perMinute, onResult })),
    tell: (result) => out.line(line(result)),
    summary: (successes, failed) => `${done} ${successes}, failed ${failed}`,
    soFar: (count) => `${count} of ${all} ${tried}${count < ids.length ? `; ${rest}` : ''}`,
  });
}

/** With its advice in words, without the refusal that led to it. */
function documentIn(out: Output) {
  return (told: Told & { refusal?: AppError }): object => {
    const { refusal: _, ...result } = told;
    return {
      ...result,
      ...('outcome' in result && { outcome: out.advice(result.outcome ?? null) }),
      ...('error' in result && { error: out.advice(result.error ?? null) }),
    };
  };
}

interface Looked<Item> {
  id: number;
  item?: Item;
  refusal?: AppError | undefined;
}

function look<Item, Result extends Told>(id: number, { find, refuse }: Batch<Item, Result>): Looked<Item> {
  const looked: Looked<Item> = { id };
  looked.refusal = refusalOf(() => (looked.item = find(id))) ?? (looked.item && refuse?.(looked.item));
  return looked;
}

interface Work<Result> {
  /** For the progress line: "replaying". */
  doing: string;
  run: (onResult: (result: Result) => void) => Promise<readonly Result[]>;
  /** Says what became of one. */
  tell: (result: Result) => void;
  isDone: (result: Result) => boolean;
  /** Not done, but tried again by itself: no failure yet. */
  isWaiting?: (result: Result) => boolean;
  /** The document's member that counts successes. */
  did: string;
  document: (result: Result) => object;
  /** The last line, unless only one was named. */
  summary: (did: number, failed: number) => string;
  /** The answer to Ctrl-C. */
  soFar: (done: number) => string;
}

/** Tells each result as it comes, and the whole at the end. A failure does not stop the others; the exit code is then 1. */
export async function workThrough<Result>(
  shell: Shell,
  total: number,
  { doing, run, tell, soFar, isDone, isWaiting, did, document, summary }: Work<Result>,
): Promise<ExitCode> {
  let told = 0;
  shell.interruption.say(() => soFar(told));
  const results = await withProgress(shell, doing, (progress) =>
    run((result) => {
      told += 1;
      progress.around(() => tell(result));
      if (total > 1) progress.update(bar(told, total));
    }),
  );
  const done = results.filter(isDone).length;
  const waiting = isWaiting ? results.filter(isWaiting).length : 0;
  const failed = results.length - done - waiting;
  const counts = { [did]: done, ...(isWaiting && { waiting }), failed };
  shell.out.result({ ...counts, results: results.map(document) }, () => {
    const more = waiting > 0 ? `, waiting for the next attempt ${waiting}` : '';
    if (total !== 1) shell.out.line(summary(done, failed) + more);
  });
  return done < results.length ? EXIT.failed : EXIT.done;
}

function preview<Item, Result extends Told>(
  { out }: Shell,
  looked: readonly Looked<Item>[],
  { does, named, note, untried, isWaiting }: Batch<Item, Result>,
): ExitCode {
  const { did, noun } = WORDS[does];
  const failed = looked.filter(({ refusal }) => refusal).length;
  const results = looked.map(({ id, item, refusal }) => {
    const why = refusal ? withHint(refusal) : null;
    const words = why === null ? item && note?.(item) : out.advice(why);
    const name = `${id}${item === undefined ? '' : ` ${named(item)}`}${words ? `: ${words}` : ''}`;
    const line = `would ${why === null ? '' : 'not '}${does} ${name}`;
    return { line, result: untried(id, item, why) };
  });
  const counts = { [did]: 0, ...(isWaiting && { waiting: 0 }), failed };
  out.result({ ...counts, results: results.map(({ result }) => documentIn(out)(result)) }, () => {
    for (const { line } of results) out.line(line);
    if (looked.length !== 1) out.line(`would ${does} ${counted(looked.length - failed, noun)}`);
  });
  return failed > 0 ? EXIT.failed : EXIT.done;
}

/** Asks a provider about everything that waits, with a progress line that counts `whats`. */
export function askAboutAll<T>(
  shell: Shell,
  { provider, what }: { provider: string; what: string },
  ask: (onProgress: (done: number, total?: number) => void) => Promise<T>,
): Promise<T> {
  shell.interruption.say(() => `no ${what} was checked`);
  return withProgress(shell, `asking the ${provider} provider`, (progress) =>
    ask((done, total) => {
      progress.update(total === undefined ? `checked ${done}` : bar(done, total));
      const checked = total === undefined ? counted(done, what) : `${done} of ${counted(total, what)}`;
      shell.interruption.say(() => `${checked} checked`);
    }),
  );
}

/** The last line about them. */
export function checkedLine(
  { dryRun }: Shell,
  { checked, changed, failed }: { checked: number; changed: number; failed: number },
): string {
  return `checked ${checked}, ${dryRun ? 'would change' : 'changed'} ${changed}, failed ${failed}`;
}

/** Why not all of them were answered. */
export function tellTrouble(
  { out }: Shell,
  { trouble, brokeOff }: { trouble?: string; brokeOff?: true },
): void {
  if (trouble === undefined) return;
  out.note(brokeOff ? `The check ${trouble}. The next one continues from there.` : `No answer: ${trouble}.`);
}

/** When none was answered, the provider is down. */
export function exitOfAll({
  checked,
  failed,
  trouble,
}: {
  checked: number;
  failed: number;
  trouble?: string;
}) {
  if (failed === 0 && trouble === undefined) return EXIT.done;
  return trouble !== undefined && failed === checked ? EXIT.unavailable : EXIT.failed;
}

export interface Answer {
  type: 'success' | 'info' | 'error';
  key: string;
  params?: TextParams;
  message: string;
}

/** Reports an error as a fault; `hint` is the next step. */
export function tellAnswer({ out }: Shell, answer: Answer, hint: Advice | undefined): ExitCode {
  const { type, key, message } = answer;
  const exit = exitOfCheck(answer);
  out.result(answer, () => {
    if (type !== 'error') out.line(out.keyed(key, message));
  });
  if (type === 'error') out.fault({ code: key, message, hint, exit });
  else if (hint) out.note(`hint: ${out.advice(hint)}`);
  return exit;
}
