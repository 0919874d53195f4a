/** How a person is named. */
import type { UserRow } from '../../db/schema.js';
import type { Say, Locale } from '../texts/index.js';
import type { Config } from '../settings/config.js';

type Names = Pick<UserRow, 'firstName' | 'lastName'>;

/** `Ada Lovelace`; empty for a person without a name. */
export function fullName({ firstName, lastName }: Names): string {
  return `${firstName} ${lastName}`.trim();
}

/** The name, or the address of a person without one. */
export function nameOrAddress(user: Names & Pick<UserRow, 'username'>): string {
  return fullName(user) || user.username;
}

/** `Ada Lovelace <ada@example.org>` */
export function nameWithAddress(user: Names & Pick<UserRow, 'username'>): string {
  return `${fullName(user)} <${user.username}>`.trim();
}

/**
 * Who acted, for people: `user:anna@example.org` is the person, `webhook` a provider's message. `who`: short, for tables.
 * `evidence.actor`: told to somebody who does not know this system.
 */
export function whoOf(say: Say, actor: string, words: 'who' | 'evidence.actor' = 'who'): string {
  const name = actor.slice(actor.indexOf(':') + 1);
  if (actor.startsWith('user:')) return name;
  return actor.startsWith('cli:') ? say(`${words}.cli`, { name }) : (say.find(`${words}.${actor}`) ?? actor);
}

// In which language somebody reads: their own, else that of the settings. Times are in the zone of the settings.

export function localeOf({ locale }: Pick<Config, 'locale'>, user: Pick<UserRow, 'locale'>): Locale {
  return user.locale ?? locale;
}

/** The settings for who reads another language. A copy by `...` would find what is found only when it is needed, such as the zone. */
export function inLanguage<T extends { locale: Locale }>(config: T, locale: Locale): T {
  return Object.create(Object.prototype, {
    ...Object.getOwnPropertyDescriptors(config),
    ...Object.getOwnPropertyDescriptors({ locale }),
  });
}

export function settingsFor(config: Config, user: Pick<UserRow, 'locale'>): Config {
  return inLanguage(config, localeOf(config, user));
}
