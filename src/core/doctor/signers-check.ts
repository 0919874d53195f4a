/** Customers whom the signature provider would refuse; reported only if there are any. */
import type { Db } from '../../db/db.js';
import { listRefusedSigners } from '../../db/users/users.js';
import { oneLine } from '../texts/plain.js';
import { signerRefusal } from '../users/signer-fields.js';
import { warning, type Check } from './check.js';

const NAMED_MAX = 5;

export function checkSigners(db: Db): Check[] {
  const found = listRefusedSigners(db, { limit: NAMED_MAX + 1 }).flatMap((user) => {
    const refusal = signerRefusal(user);
    const { firstName, lastName, username } = user;
    return refusal ? [{ refusal, about: oneLine(`${firstName} ${lastName} <${username}>`) }] : [];
  });
  if (found.length === 0) return [];
  const named = found.slice(0, NAMED_MAX);
  const told = named.map(({ about, refusal }) => `${about}: ${Object.values(refusal.fields).join(' ')}`);
  const more = found.length > NAMED_MAX ? ['There are more.'] : [];
  return [
    warning('customers', ['The signature provider would refuse:', ...told, ...more].join(' '), [
      'Correct each: ',
      ...named.flatMap(({ refusal }, i) => (i === 0 ? [refusal.mend] : ['; ', refusal.mend])),
    ]),
  ];
}
