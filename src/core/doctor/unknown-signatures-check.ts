/** Signature requests of this installation that are unknown here; reported only if there are any. */
import type { Db } from '../../db/db.js';
import { missingMigrations } from '../../db/migrate.js';
import type { Config } from '../settings/config.js';
import { command } from '../commands.js';
import { Round } from '../calls/round.js';
import { listedSignatures } from '../signature/listed-signatures.js';
import type { SignatureProvider } from '../signature/provider.js';
import { asUnknown, type UnknownSignature } from '../signature/unknown-signatures.js';
import { formatMoment } from '../texts/format.js';
import { someOf, warning, type Check } from './check.js';
import { withDatabase } from './database-check.js';
import { signatureProviderOf, type Ways } from './service-checks.js';

/** Few, because a person is waiting and calls are limited; `check-signature --all` reads every page. */
const PAGES_MAX = 3;

export async function checkUnknownSignatures(config: Config, ways: Ways): Promise<Check[]> {
  const provider = signatureProviderOf(config, ways);
  try {
    return (await withDatabase(config, (db) => look(config, db, provider))) ?? [];
  } catch {
    // The checks of database and provider report the reason.
    return [];
  }
}

async function look(config: Config, db: Db, provider: SignatureProvider): Promise<Check[]> {
  if (missingMigrations(db).length > 0) return [];
  const unknown: UnknownSignature[] = [];
  // A person is waiting: it reads what can be had at once.
  const round = new Round({ pauseMsMax: 0 });
  for await (const state of listedSignatures({ provider }, round, {
    isWanted: (pages) => pages < PAGES_MAX,
  })) {
    // Nobody has received a draft; the bulk check lists it.
    if (state.status !== 'draft') unknown.push(...asUnknown(db, state));
  }
  return unknown.length > 0 ? [told(config, unknown)] : [];
}

function told({ timeZone }: Config, unknown: readonly UnknownSignature[]): Check {
  const named = someOf(
    unknown.map((one) => inWords(timeZone, one)),
    '; ',
  );
  return warning(
    'signatures unknown here',
    `${unknown.length} at the provider, probably lost in a restore: ${named}`,
    ['See what can be done about each: ', { ...command('check-signature'), options: ['--all'] }],
  );
}

function inWords(timeZone: string, found: UnknownSignature): string {
  const { signId, externalId, status, createdAt, name } = found;
  const made =
    createdAt === null ? 'at an unknown time' : formatMoment({ locale: 'en', timeZone }, createdAt);
  return `${signId} ${status}, made ${made}, “${name ?? ''}” (${externalId})`;
}
