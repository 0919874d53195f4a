/** `esignctl history`: who did what, when and why, about anything (rules 10). */
import type { Place } from '../../core/calls/cursor.js';
import type { HistoryLine } from '../../core/history/search.js';
import type { Shell } from '../io.js';
import { tellPage, type List } from '../output/lists.js';
import { inEnglish, withData } from '../run/open.js';
import type { AskedTime } from '../../core/calls/asked-time.js';
import { textOption } from '../verb/options.js';
import { UsageError } from '../verb/usage-error.js';
import { WordOption, type Verb } from '../verb/verb.js';

export function history(program: Verb): void {
  program
    .command('history')
    .description('who did what, when and why: about requests, users, webhooks, settings, restores, prunes')
    .knownOption(
      '--by <who>',
      'only what this user or login did; also webhook, schedule, job, provider',
      'users',
      textOption,
    )
    .knownOption(
      '--about <thing>',
      'only about this: what names a request, words, an e-mail address, user:<id>, webhook:<id> or equipment:<id>',
      'requests',
      textOption,
    )
    .addOption(
      new WordOption(
        '--what <word>',
        'only this, such as request.moved, or everything of its kind: request',
        async () => (await import('../../core/history/search.js')).historyTerms(),
      ).argParser(textOption),
    )
    .times('happened')
    .cursor()
    .limit('at most this many entries')
    .examples(
      'history --about REQ-2026-000123',
      'history --by anna@example.org --since yesterday',
      'history --about webhook:3',
      'history --what user --json',
    )
    .does(list);
}

const entries = (who: (actor: string) => string): List<HistoryLine> => ({
  noun: ['entry', 'entries'],
  columns: [
    { head: 'TIME', of: ({ at }, out) => out.time(at) },
    // For people without the prefix of their account.
    { head: 'WHO', of: ({ actor }, out) => (out.isTerminal ? who(actor) : actor) },
    { head: 'ABOUT', of: ({ about }) => about },
    {
      head: 'WHAT',
      isWhole: true,
      of: ({ message, note }, out) => out.timesIn(note === null ? message : `${message}: ${note}`),
    },
  ],
});

interface Flags {
  by?: string;
  about?: string;
  what?: string;
  since?: AskedTime;
  until?: AskedTime;
  cursor?: Place;
  limit: number;
}

async function list(shell: Shell, { what, since, until, cursor, limit, ...asked }: Flags): Promise<void> {
  const { historyNouns, historyWords, searchHistory } = await import('../../core/history/search.js');
  const words = what === undefined ? undefined : historyWords(what);
  if (words?.length === 0) {
    throw new UsageError(`The history has no word “${what}”.`, `It has: ${historyNouns().join(', ')}.`);
  }
  const { sayIn, whoOf } = await import('../../core/texts/index.js');
  return withData(shell, (data) => {
    const say = sayIn('en');
    const list = entries((actor) => whoOf(say, actor));
    return tellPage(shell.out, list, {
      found: searchHistory(inEnglish(data), {
        ...asked,
        words,
        since: since?.(data),
        until: until?.(data),
        beforeId: cursor?.id,
        limit: limit + 1,
      }),
      limit,
    });
  });
}
