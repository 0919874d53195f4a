/** Customers whom the signature provider would refuse; reported only if there are any. */
import type { Db } from '../../db/db.js';
import type { UserRow } from '../../db/schema.js';
import { listUsers } from '../../db/users/users.js';
import { everyRow } from '../calls/every-row.js';
import { oneLine } from '../texts/plain.js';
import { isRefusedSigner, signerRefusal } from '../users/signer-fields.js';
import { warning, type Check } from './check.js';
import { nameWithAddress } from '../users/names.js';

const NAMED_MAX = 5;

export function checkSigners(db: Db): Check[] {
  const found = refusedSigners(db, NAMED_MAX + 1).flatMap((user) => {
    const refusal = signerRefusal(user);
    return refusal ? [{ refusal, about: oneLine(nameWithAddress(user)) }] : [];
  });
  if (found.length === 0) return [];
  const named = found.slice(0, NAMED_MAX);
  const told = named.map(({ about, refusal }) => `${about}: ${Object.values(refusal.fields).join(' ')}`);
  const more = found.length > NAMED_MAX ? ['There are more.'] : [];
  return [
    warning(
      'customers',
      ['The signature provider would refuse these customers:', ...told, ...more].join(' '),
      [
        'Correct each: ',
        ...named.flatMap(({ refusal }, i) => (i === 0 ? [refusal.fix] : ['; ', refusal.fix])),
      ],
    ),
  ];
}

/** The first `limit` of them. */
export function refusedSigners(db: Db, limit: number): UserRow[] {
  const found: UserRow[] = [];
  for (const user of everyRow<UserRow>((last, limit) => listUsers(db, { after: last?.id ?? 0, limit }))) {
    if (isCustomer(user) && isRefusedSigner(user)) found.push(user);
    if (found.length === limit) break;
  }
  return found;
}

function isCustomer({ role, erasedAt }: UserRow): boolean {
  return role === 'ROLE_USER' && erasedAt === null;
}
