/** Why a person's data cannot be erased now, and from when on they can (rules 13). */
import { isAnyJobRunning, listContractsOfOwner, listRequestsOfOwner } from '../../db/users/erase.js';
import type { RequestRow, UserRow } from '../../db/schema.js';
import type { OwnedContract } from '../../db/users/erase.js';
import type { Db } from '../../db/db.js';
import { iso } from '../clock.js';
import { command } from '../commands.js';
import type { Context } from '../context.js';
import { AppError } from '../errors.js';
import { isOver } from '../lifecycle.js';
import { busyWith, isLocked, requestLock } from '../lock.js';
import { keepAnAdministrator } from '../users/users.js';

/** What belongs to one person. */
export interface Owned {
  requests: RequestRow[];
  contracts: OwnedContract[];
}

export function ownedBy(db: Db, { id: ownerId }: Pick<UserRow, 'id'>): Owned {
  return {
    requests: listRequestsOfOwner(db, { ownerId }),
    contracts: listContractsOfOwner(db, { ownerId }),
  };
}

/**
 * Throws `requests_open`, `contracts_under_retention`, `last_administrator`, and `in_progress` while something of theirs is
 * being worked on.
 */
export function mustBeErasable(ctx: Context, db: Db, user: UserRow, { requests, contracts }: Owned): void {
  keepAnAdministrator(db, user.id, 'enabled');
  const open = requests.filter((request) => !isOver(request));
  const [first] = open;
  if (first) {
    throw new AppError(
      'refused',
      'requests_open',
      `Something is still under way for this person: ${open.map(({ reference, status }) => `${reference} is ${status}`).join(', ')}.`,
      {
        // By reference, for pages.
        fields: Object.fromEntries(open.map(({ reference, status }) => [reference, status])),
        hint: [
          'Complete or cancel it first: `',
          { ...command('requests cancel', first.id), reason: '…' },
          '`.',
        ],
      },
    );
  }
  const kept = contracts.flatMap((contract) => keptBecause(ctx, contract));
  if (kept.length > 0) throw underRetention(ctx, kept);
  const ids = requests.map(({ id }) => id);
  if (ids.some((id) => isLocked(ctx, db, requestLock(id))) || isAnyJobRunning(db, { requestIds: ids })) {
    throw busyWith('Someone is working on a request of this person right now.');
  }
}

interface Kept {
  reference: string;
  /** ISO 8601; null: the contract has no end. */
  until: string | null;
}

/** A signed contract is kept as long as it runs, and for the years of the setting after its signature. */
function keptBecause({ clock, config }: Context, contract: OwnedContract): Kept[] {
  const { reference, status, signedAt, expiredAt } = contract;
  if (signedAt === null) return [];
  if (status === 'SIGNED' && expiredAt === null) return [{ reference, until: null }];
  const runsUntil = status === 'SIGNED' ? expiredAt : null;
  const [until = ''] = [yearsAfter(signedAt, config.retentionYears), runsUntil ?? ''].toSorted().toReversed();
  return until > iso(clock.now()) ? [{ reference, until }] : [];
}

function yearsAfter(at: string, years: number): string {
  const date = new Date(at);
  date.setUTCFullYear(date.getUTCFullYear() + years);
  return iso(date);
}

function underRetention({ config }: Context, kept: readonly Kept[]): AppError {
  const each = kept.map(({ reference, until }) =>
    until === null ? `${reference} (its contract has no end)` : `${reference} until ${until.slice(0, 10)}`,
  );
  const ends = kept.flatMap(({ until }) => until ?? []);
  const last = ends.length === kept.length ? ends.toSorted().at(-1) : undefined;
  return new AppError(
    'refused',
    'contracts_under_retention',
    `Signed contracts of this person must be kept: ${each.join(', ')}.`,
    {
      // By reference, for pages; empty: no end.
      fields: Object.fromEntries(kept.map(({ reference, until }) => [reference, until ?? ''])),
      hint: last
        ? `Erasing becomes possible on ${last.slice(0, 10)} (ESIGN_RETENTION_YEARS is ${config.retentionYears}). Until then, \`users disable\` closes the account.`
        : 'A contract with no end date must be ended first.',
    },
  );
}
