/** Who acted, for people: `user:anna@example.org` is the person, `webhook` a provider's message. */
import { label, type Say } from './index.js';

/** `who`: short, for tables. `evidence.actor`: told to somebody who does not know this system. */
export function whoOf(say: Say, actor: string, words: 'who' | 'evidence.actor' = 'who'): string {
  const [, kind = '', name = ''] = /^(user|cli):(.*)$/.exec(actor) ?? [];
  if (kind === 'user') return name;
  return kind === 'cli' ? say(`${words}.cli`, { name }) : label(say, `${words}.${actor}`, actor);
}
