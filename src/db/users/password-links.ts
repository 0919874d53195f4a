/** Links by mail to set a password: only the digests of their tokens are stored. */
import { all, first, run, sqlite } from '../db.js';
import { newestBy, newRow, rowsBy } from '../table.js';

export const findPasswordLink = first(rowsBy('passwordLinks', 'tokenHash'));

export const insertPasswordLink = run(
  newRow('passwordLinks', ['userId', 'purpose', 'tokenHash', 'version', 'expiresAt'], {
    stamps: ['createdAt'],
  }),
);

/** Notes its use. */
export const markPasswordLinkUsed = run((p: { tokenHash: string; now: string }) =>
  sqlite.updateTable('passwordLinks').set({ usedAt: p.now }).where('tokenHash', '=', p.tokenHash),
);

export const listPasswordLinksOf = all(newestBy('passwordLinks', 'userId'));

/** Removes all that have not expired. */
export const deleteOpenPasswordLinks = run((p: { now: string }) =>
  sqlite.deleteFrom('passwordLinks').where('expiresAt', '>', p.now),
);
