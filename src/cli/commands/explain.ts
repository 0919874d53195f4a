/** `esignctl explain` (rules 10). */
import type { Say } from '../../core/texts/index.js';
import type { Command } from '../../core/commands.js';
import type { Context } from '../../core/context.js';
import type { RequestRow } from '../../core/rows.js';
import type { Explanation } from '../../core/explain/explain.js';
import type { TimelineEntry } from '../../core/explain/timeline.js';
import { plainly } from '../../core/texts/plain.js';
import { whoOf } from '../../core/users/names.js';
import type { Shell } from '../io.js';
import { tellTable, type ListColumn } from '../output/lists.js';
import { inEnglish } from '../run/open.js';
import { asText, flag, REQUEST } from '../verb/params.js';
import type { Output } from '../output/output.js';
import { withProgress } from '../output/progress.js';
import { verb } from '../verb/verb.js';

export const explain = verb('explain', {
  about: 'what happened to a request, what is wrong with it, and the next command',
  args: { key: { ...REQUEST, parse: asText } },
  options: {
    offline: flag('do not ask the signature and the payment provider'),
    reply: flag('print only a reply to the customer: three sentences, in the language of the mails', {
      group: 'output',
    }),
  },
  examples: [
    '123',
    'REQ-2026-000123 --json',
    'contract:45 --offline',
    'anna@example.org',
    'dupont',
    'dupont --reply',
  ],
  async act(shell, { key, offline, reply }) {
    const core = await import('../../core/explain/explain.js');
    const { requestsByKey } = await import('../../core/requests/find-requests.js');
    const { chooseRequest } = await import('../run/request.js');
    const { sayer } = await import('../../core/explain/timeline-entry.js');
    const { ctx } = shell;
    const named = requestsByKey(ctx, key);
    // Of one customer's requests the most urgent is told; of several customers' a person chooses.
    const isOfOne = named.every(({ ownerId }) => ownerId === named[0].ownerId);
    const chosen = isOfOne ? undefined : await chooseRequest(shell, ctx, key, named);
    if (reply) return tellReply(shell, ctx, chosen ?? core.mostUrgent(ctx, named), offline);
    const told = inEnglish(ctx);
    const work = () =>
      chosen ? core.explainRequest(told, chosen, { offline }) : core.explain(told, key, { offline });
    const found = await (offline ? work() : withProgress(shell, 'asking the providers', work));
    const story = withCommandLines(shell.out, found);
    shell.out.result(story, () => tell(shell, sayer(told), story));
  },
});

/** To be pasted into a mail, so never wrapped; on a terminal its link has a line of its own. */
async function tellReply(shell: Shell, ctx: Context, request: RequestRow, offline: boolean): Promise<void> {
  const { replyAbout } = await import('../../core/explain/explain.js');
  const work = () => replyAbout(ctx, request, { offline });
  const reply = await (offline ? work() : withProgress(shell, 'asking the providers', work));
  const { id: requestId, reference } = request;
  const { out } = shell;
  const shown = out.isTerminal ? reply.replaceAll(/ (https?:\/\/)/g, '\n$1') : reply;
  out.result({ requestId, reference, reply }, () => out.text(`${plainly(shown)}\n`));
}

type Story = ReturnType<typeof withCommandLines>;

function withCommandLines(out: Output, story: Explanation) {
  const line = (next: Command | null) => next && out.command(next);
  const findings = story.findings.map(({ key, cause, level, message, next }) => ({
    key,
    cause,
    level,
    message: out.advice(message),
    next: line(next),
  }));
  const { earlier, verdict, next } = story;
  return { ...story, earlier: line(earlier), findings, verdict: out.advice(verdict), next: line(next) };
}

/** Prints who and what it is about, what happened, and what to do. */
function tell(shell: Shell, say: Say, { subject, timeline, earlier, findings, verdict, next }: Story): void {
  const { out } = shell;
  const { id, reference, title, status, customer, contractId, signId, others } = subject;
  out.line(say('explain.title', { reference, id, title }));
  const contract =
    contractId === null ? say('explain.no_contract') : `${say('explain.contract')} ${contractId}`;
  out.stateLine(status, `, ${say('who.customer')} ${customer}, ${contract}`);
  if (signId) out.line(`signId ${signId}`);
  for (const other of others)
    out.line(say('explain.other', { ...other, status: out.stateWords(other.status) }));
  out.line('');
  // On a terminal, people without the prefix of their account.
  const named = (actor: string) => (shell.io.stdout.isTTY ? whoOf(say, actor) : actor);
  if (earlier !== null) out.line(`${say('explain.earlier')} ${earlier}`);
  tellTimeline(shell, say, timeline, named);
  out.line('');
  out.paragraph(say('explain.verdict'), out.timesIn(verdict));
  for (const { message, next: command } of findings.slice(1)) {
    const how = command === null ? '' : ` (${command})`;
    out.paragraph(say('explain.also'), out.timesIn(message) + how);
  }
  out.line(`${say('explain.next')} ${next ?? say('explain.nothing')}`);
}

function tellTimeline(
  { out }: Shell,
  say: Say,
  timeline: TimelineEntry[],
  named: (actor: string) => string,
): void {
  const columns: ListColumn<TimelineEntry>[] = [
    { head: say('explain.time'), of: ({ at }) => out.time(at) },
    { head: say('explain.who'), of: ({ actor }) => named(actor ?? '') },
    {
      head: say('explain.what'),
      isWhole: true,
      of: ({ message, note }) =>
        out.timesIn(note === null ? message : say('explain.noted', { message, note })),
    },
  ];
  tellTable(out, columns, timeline);
}
