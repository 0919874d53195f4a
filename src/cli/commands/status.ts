/** `esignctl status`, once or again and again (rules 10). */
import { setTimeout as pause } from 'node:timers/promises';
import type { Copy } from '../../core/backup/copies.js';
import { command } from '../../core/commands.js';
import type { NeedRow } from '../../core/needs/rows.js';
import type { LongestWaiting } from '../../core/status/depths.js';
import type { ScheduledRun, BulkCheck } from '../../core/schedule/runs.js';
import type { ServiceStatus } from '../../core/status/status.js';
import { EXIT } from '../exit-codes.js';
import { tellFields, type Field } from '../output/lists.js';
import { inEnglish } from '../run/open.js';
import type { Output } from '../output/output.js';
import { resultWords, ageWords, counted } from '../output/words.js';
import { UsageError } from '../verb/usage-error.js';
import { flag } from '../verb/params.js';
import { verb } from '../verb/verb.js';
import { AT_MOST, CSV, LIMIT, noCsvAndJson } from '../verb/list-command.js';

export const status = verb('status', {
  about: 'requests, contracts and jobs by state, what has waited longest, what ran last',
  options: {
    watch: flag('refresh every two seconds until Ctrl-C; only on a terminal', { group: 'output' }),
  },
  examples: ['', '--watch', '--json'],
  check({ io, out }, { watch }) {
    if (watch && (!io.stdout.isTTY || out.isJson))
      throw new UsageError('--watch needs a terminal to draw on.', 'Leave it out to get the state once.');
  },
  async act({ ctx, io, out, signal }, { watch }) {
    const { beginningOf } = await import('../../core/needs/needs.js');
    const { documentOf } = await import('../../core/resources/show.js');
    const { todoIn } = await import('../../core/resources/todo.js');
    const { readStatus } = await import('../../core/status/status.js');
    const noun = todoIn((advice) => out.advice(advice));
    const { config: reader } = inEnglish(ctx);
    for (;;) {
      const { rows: needs, isMore } = await beginningOf(inEnglish(ctx), NEEDS_SHOWN);
      const todo = needs.map((need) => documentOf(noun, need, reader));
      const now = { ...readStatus(ctx), todo, isMoreToDo: isMore };
      if (watch) io.stdout.write(CLEAR);
      out.result(now, () => tellFields(out, fieldsOf(out, now, needs)));
      if (!watch) return EXIT.done;
      out.line(`\nas of ${out.time(ctx.clock.now().toISOString())}; Ctrl-C ends it`);
      await pause(REFRESH_MS, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return EXIT.interrupted;
    }
  },
});

/** The first of them; `todo` shows all. */
const NEEDS_SHOWN = 10;

type Status = ServiceStatus & { isMoreToDo: boolean };

const REFRESH_MS = 2_000;
/** Moves to the top left and clears everything below. */
const CLEAR = '\u001b[H\u001b[J';

function fieldsOf(out: Output, now: Status, needs: readonly NeedRow[]): Field[] {
  const { daemon, requests, contracts, jobs, failed, oldestWaiting, perhapsSent = [], failing } = now;
  const inState =
    (what: string) =>
    ([state, count]: [string, number]): Field => {
      const name = out.isTerminal ? `, ${out.stateWords(state).toLowerCase()}` : ` ${state}`;
      return [what + name, count];
    };
  return [
    ['needs attention', needsWords(out, now, needs)],
    ['daemon', daemon.running ? `running, process ${daemon.pid ?? 'unknown'}` : 'not running'],
    ...heldFields(out, now),
    ...Object.entries(requests).map(inState('requests')),
    ...Object.entries(contracts).map(inState('contracts')),
    ['jobs waiting', jobs.available],
    ['jobs running', jobs.running],
    ['jobs failed', failed],
    ['longest waiting signature', waitingWords(out, oldestWaiting.signature)],
    ['longest waiting payment', waitingWords(out, oldestWaiting.payment)],
    ...perhapsSent.map(({ requestId, reference, since }): Field => {
      const next = out.command(command('check-signature', requestId));
      return ['perhaps sent', `${reference}, since ${out.time(since)}: ${next}`];
    }),
    ...now.runs.map((run): Field => [RUNS[run.run], runWords(out, run)]),
    ['last copy here', copyWords(out, now.copies.here)],
    ['last off-site copy', copyWords(out, now.copies.offSite)],
    ...failing.map(({ run, since, times, error }): Field => {
      return [`failing: ${run}`, `since ${out.time(since)}, ${counted(times, 'time')}: ${error}`];
    }),
  ];
}

function heldFields(out: Output, { held }: Status): Field[] {
  if (!held) return [];
  const next = out.command(command('takeover'));
  return [['HELD', `nothing is sent: restored from a backup of ${out.time(held.madeAt)}; ${next}`]];
}

function needsWords(out: Output, { isMoreToDo }: Status, needs: readonly NeedRow[]): string {
  const [first] = needs;
  if (!first) return 'nothing';
  const count = `${casesIn(needs)}${isMoreToDo ? ' or more' : ''}`;
  return `${count}; first: ${nameOfRow(first)} (${out.command(first.next)}); all: ${out.command(command('todo'))}`;
}

/** `37 cases in 3 rows`: what has one cause is one row. */
function casesIn(rows: readonly NeedRow[]): string {
  const cases = rows.reduce((sum, { count }) => sum + count, 0);
  const inRows = cases === rows.length ? '' : ` in ${counted(rows.length, 'row')}`;
  return `${counted(cases, 'case')}${inRows}`;
}

function nameOfRow({ request, count, kind }: NeedRow): string {
  return request?.reference ?? (count > 1 ? `${count} requests` : kind);
}

function waitingWords(out: Output, longest: LongestWaiting | null): string {
  if (!longest) return 'none';
  const { reference, since, seconds } = longest;
  return `${reference}, ${ageWords(seconds)}, since ${out.time(since)}`;
}

const RUNS: Readonly<Record<ScheduledRun['run'], string>> = {
  expire: 'last expiry',
  reconcile: 'last bulk check',
  trails: 'last audit trails',
  payments: 'last payment check',
  reminders: 'last reminders',
  housekeeping: 'last nightly housekeeping',
  digest: 'last daily mail',
  backup: 'last scheduled backup',
};

function copyWords(out: Output, copy: Copy & { isLate?: boolean }): string {
  const { madeAt, ageSeconds, where, isLate = false } = copy;
  const words =
    madeAt === null ? ['none'] : [out.time(madeAt), `${ageWords(ageSeconds ?? 0)} ago`, where ?? ''];
  return [...(isLate ? ['LATE'] : []), ...words].join(', ');
}

function runWords(out: Output, { lastAt, ageSeconds, result, nextAt, isLate }: ScheduledRun): string {
  const last =
    lastAt === null
      ? ['never']
      : [out.time(lastAt), `${ageWords(ageSeconds ?? 0)} ago`, ...resultWords(result)];
  const next = nextAt === null ? 'not scheduled' : `next ${out.time(nextAt)}`;
  return [...(isLate ? ['LATE'] : []), ...last, next].join(', ');
}

// `esignctl todo` (rules 10, 12).

export const todo = verb('todo', {
  about: 'what needs the office: since when, what happened, and the next command',
  options: {
    limit: AT_MOST,
    csv: CSV,
  },
  examples: ['', '--json', '--limit 200', '--csv'],
  check: (shell, { csv }) => noCsvAndJson(shell, { csv }),
  async act(shell, { csv: isCsv, limit = isCsv ? Infinity : LIMIT }) {
    const { listNeeds, listRows } = await import('../../core/needs/needs.js');
    const { apart } = await import('../../core/needs/rows.js');
    const { bulkCheck } = await import('../../core/schedule/runs.js');
    const { tellRows } = await import('../output/rows.js');
    const { todoIn } = await import('../../core/resources/todo.js');
    const { ctx, out } = shell;
    const each = async () => {
      const { needs, isMore } = await listNeeds(ctx, limit);
      return { rows: apart(needs), isMore };
    };
    const { rows, isMore } = isCsv ? await each() : await listRows(inEnglish(ctx), limit);
    const noun = todoIn((advice) => out.advice(advice));
    tellRows(out, noun, rows, { config: ctx.config, isCsv });
    const cases = casesIn(rows);
    if (isMore) out.warn(`${cases} shown, there are more: --limit shows them`);
    else out.note(rows.length === 0 ? 'no action needed' : cases);
    out.note(asOf(out, bulkCheck(ctx)));
  },
});

/** A signature or payment whose webhook was lost is not in the list: the next bulk check finds it, or nobody does. */
function asOf(out: Output, { lastAt, nextAt }: BulkCheck): string {
  const last =
    lastAt === null ? 'The providers have not been asked yet' : `The providers were last asked at ${lastAt}`;
  const all = (name: 'check-signature' | 'payments check') =>
    `\`${out.command({ ...command(name), options: ['--all'] })}\``;
  const next =
    nextAt === null
      ? `esignd is not asking them now, ${all('check-signature')} and ${all('payments check')} do`
      : `the next time is ${nextAt}`;
  return `${last}; ${next}.`;
}
