/** Runs `esignctl explain`. */
import { explain, type Explanation } from '../../core/explain/explain.js';
import type { TimelineEntry } from '../../core/explain/timeline.js';
import { STORED_TIME } from '../../core/texts/format.js';
import { sayer, type Say } from '../../core/explain/timeline-entry.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import type { Shell } from '../io.js';
import { withProgress } from '../progress.js';
import { withSession } from '../session.js';
import { withoutZone } from '../shown-times.js';

export function explainCommand(
  shell: Shell,
  { key, offline = false }: { key: string; offline?: boolean },
): Promise<ExitCode> {
  return withSession(shell, async ({ ctx }) => {
    const work = () => explain(ctx, key, { offline });
    const found = await (offline ? work() : withProgress(shell, 'asking the providers', work));
    const story = onSameSettings(shell, found);
    shell.out.result(story, () => tell(shell, sayer(ctx), story));
    return EXIT.done;
  });
}

/** The commands go by the settings that this one goes by. */
function onSameSettings({ envFile }: Shell, story: Explanation): Explanation {
  if (envFile === undefined) return story;
  const file = /^[\w./-]+$/.test(envFile) ? envFile : `'${envFile.replaceAll("'", `'\\''`)}'`;
  const complete = (next: string | null) => next && `${next} --env-file ${file}`;
  const findings = story.findings.map((finding) => ({ ...finding, next: complete(finding.next) }));
  return { ...story, findings, next: complete(story.next) };
}

/** Who and what it is about, what happened, and at the end what to do. */
function tell(shell: Shell, say: Say, { subject, timeline, findings, verdict, next }: Explanation): void {
  const { out } = shell;
  const { id, reference, title, status, customer, contractId, signId, others } = subject;
  out.line(say('explain.title', { reference, id, title }));
  const contract =
    contractId === null ? say('explain.no_contract') : `${say('explain.contract')} ${contractId}`;
  const facts = [status, `${say('explain.customer')} ${customer}`, contract];
  out.line([...facts, ...(signId ? [`signId ${signId}`] : [])].join(', '));
  for (const other of others) out.line(say('explain.other', { ...other }));
  out.line('');
  tellTimeline(shell, say, timeline);
  out.line('');
  out.paragraph(say('explain.verdict'), inLocalTimes(out, verdict));
  for (const { message, next: command } of findings.slice(1)) {
    const how = command === null ? '' : ` (${command})`;
    out.paragraph(say('explain.also'), inLocalTimes(out, message) + how);
  }
  // Never broken into lines: it is to be copied.
  out.line(`${say('explain.next')} ${next ?? say('explain.nothing')}`);
}

function tellTimeline(shell: Shell, say: Say, timeline: TimelineEntry[]): void {
  const { out } = shell;
  const { zone, times } = withoutZone(timeline.map(({ at }) => out.time(at)));
  const columns = [
    { head: zone ? `${say('explain.time')} (${zone})` : say('explain.time') },
    { head: say('explain.who') },
    { head: say('explain.what'), isWhole: true },
  ];
  const rows = timeline.map(({ actor, message, note }, i) => [
    times[i] as string,
    // An address is a person; the kinds that stand before names are for programs.
    shell.io.stdout.isTTY ? (actor ?? '').replace(/^user:/, '') : (actor ?? ''),
    inLocalTimes(out, note === null ? message : say('explain.noted', { message, note })),
  ]);
  out.table(columns, rows);
}

function inLocalTimes(out: Shell['out'], words: string): string {
  return words.replaceAll(STORED_TIME, (iso) => out.time(iso));
}
