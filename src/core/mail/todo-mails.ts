/** Mails of what needs the office: the daily list, and jobs that have just failed for good. */
import { adviceText, command } from '../commands.js';
import { jobName } from '../explain/timeline-jobs.js';
import type { failedStats } from '../jobs/failed.js';
import type { NeedRow } from '../needs/rows.js';
import { customersOf } from '../resources/todo.js';
import { outcomeWords } from '../webhooks/words.js';
import { formatMoment, withMoments } from '../texts/format.js';
import { sayIn, type Say } from '../texts/index.js';
import { type MailContent, writeLetter } from './letter.js';
import type { Sender } from './mails.js';

export function digestMail(
  { rows, isMore }: { rows: readonly NeedRow[]; isMore: boolean },
  sender: Sender,
): MailContent {
  const say = sayIn(sender.locale);
  const count = isMore ? `${rows.length}+` : rows.length;
  return writeLetter({
    ...ends(sender),
    subject: say('mail.digest.subject', { count }),
    intro: [say('mail.digest.intro')],
    facts: rows.map(({ request, requests, since, what, next, also }) => [
      aboutWhom(say, request, requests),
      [{ what, next }, ...also]
        .map((each) =>
          say('mail.digest.need', {
            since: formatMoment(sender, since),
            what: withMoments(sender, adviceText(each.what, sender.write)),
            next: sender.write(each.next),
          }),
        )
        .join(' '),
    ]),
    action: { label: say('mail.digest.action'), url: `${sender.baseUrl}/admin/todo` },
    next: isMore ? [say('mail.digest.more')] : [],
  });
}

function aboutWhom(say: Say, request: NeedRow['request'], requests: NeedRow['requests']): string {
  if (request) return `${request.reference} ${request.customer}`;
  if (requests.length === 0) return say('mail.digest.no_request');
  const count = say('todo.requests', { count: requests.length });
  return `${count} (${customersOf(requests, say)})`;
}

type FailedGroups = ReturnType<typeof failedStats>;

export function jobsFailedMail(groups: FailedGroups, since: string, sender: Sender): MailContent {
  const say = sayIn(sender.locale);
  const count = groups.reduce((sum, group) => sum + group.count, 0);
  const kinds = new Set(groups.map(({ kind }) => kind));
  const [only] = kinds;
  const ofKind = kinds.size === 1 && only ? ['--kind', only] : [];
  return writeLetter({
    ...ends(sender),
    subject: say('mail.jobs_failed.subject', { count }),
    intro: [say('mail.jobs_failed.intro', { since: formatMoment(sender, since) })],
    facts: groups.map((group) => [
      `${group.count} × ${jobName(say, group.kind)}`,
      outcomeWords(say, group.error),
    ]),
    action: { label: say('mail.jobs_failed.action'), url: `${sender.baseUrl}/admin/failed` },
    next: [say('mail.jobs_failed.next')],
    command: sender.write({ ...command('failed replay'), options: ['--all', ...ofKind] }),
  });
}

function ends({ locale, issuer, company }: Sender) {
  const say = sayIn(locale);
  return {
    locale,
    issuer,
    greeting: say('mail.greeting.admin'),
    footer: say('mail.footer.admin', { issuer }),
    company,
  };
}
