/** In which language somebody reads: their own, else that of the settings. Times are in the zone of the settings. */
import type { UserRow } from '../../db/schema.js';
import type { Config } from '../settings/config.js';
import type { Locale } from '../texts/index.js';

export function localeOf({ locale }: Pick<Config, 'locale'>, user: Pick<UserRow, 'locale'>): Locale {
  return user.locale ?? locale;
}

/** The settings as they are for this person. */
export function settingsFor(config: Config, user: Pick<UserRow, 'locale'>): Config {
  return { ...config, locale: localeOf(config, user) };
}
