/** What the provider has of this installation and nothing here knows; told only when there is something. */
import { existsSync } from 'node:fs';
import type { Db } from '../../db/db.js';
import { missingMigrations } from '../../db/migrate.js';
import { openDb } from '../../db/open.js';
import type { Config } from '../config.js';
import { paths } from '../paths.js';
import { listedSignatures } from '../signature/listed-signatures.js';
import { SignatureProvider } from '../signature/provider.js';
import { asUnknown, type UnknownSignature } from '../signature/unknown-signatures.js';
import { formatMoment } from '../texts/format.js';
import { warning, type Check } from './check.js';
import { TIMEOUTS } from './service-checks.js';

/** A person waits for the answer, and others need the calls: `check-signature --all` looks at every page. */
const PAGES_MAX = 3;
const NAMED_MAX = 5;
const BUSY_MS = 2_000;

export async function checkUnknownSignatures(config: Config, cut?: AbortSignal): Promise<Check[]> {
  const { dataDir, apiUrl, apiKey } = config;
  const file = paths.database(dataDir);
  if (!existsSync(file)) return [];
  const provider = new SignatureProvider({ baseUrl: apiUrl, apiKey: () => apiKey, cut, ...TIMEOUTS });
  try {
    const db = openDb(file, { busyTimeoutMs: BUSY_MS });
    try {
      return await look(config, db, provider);
    } finally {
      db.close();
    }
  } catch {
    // The checks of the database and of the provider tell why.
    return [];
  }
}

async function look(config: Config, db: Db, provider: SignatureProvider): Promise<Check[]> {
  if (missingMigrations(db).length > 0) return [];
  const unknown: UnknownSignature[] = [];
  const newest = { pause: async () => undefined, isWanted: (pages: number) => pages < PAGES_MAX };
  for await (const state of listedSignatures({ provider }, newest)) {
    // Nobody has got a draft: the bulk check names it, nothing is lost.
    if (state.status !== 'draft') unknown.push(...asUnknown(db, state));
  }
  return unknown.length > 0 ? [told(config, unknown)] : [];
}

function told({ timeZone }: Config, unknown: readonly UnknownSignature[]): Check {
  const some = unknown
    .slice(0, NAMED_MAX)
    .map((one) => inWords(timeZone, one))
    .join('; ');
  const more = unknown.length > NAMED_MAX ? '; …' : '';
  return warning(
    'signatures unknown here',
    `${unknown.length} at the provider, probably lost in a restore: ${some}${more}`,
    'See what can be done about each: esignctl check-signature --all',
  );
}

function inWords(
  timeZone: string,
  { signId, externalId, status, createdAt, name }: UnknownSignature,
): string {
  const made =
    createdAt === null ? 'at an unknown time' : formatMoment({ locale: 'en', timeZone }, createdAt);
  return `${signId} ${status}, made ${made}, “${name ?? ''}” (${externalId})`;
}
