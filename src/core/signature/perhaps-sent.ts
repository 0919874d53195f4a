/** Contracts that may have been sent: the provider was asked to send them and has not answered. */
import { listActivationsWithoutAnswer } from '../../db/contracts/contracts.js';
import type { RequestRow } from '../../db/schema.js';
import type { Context } from '../context.js';

export interface PerhapsSent {
  request: RequestRow;
  /** When the provider was asked. */
  since: string;
}

/** A few are enough: more than a handful means that the provider is down. */
const LOOKED_AT = 200;
const SHOWN = 6;

/** The first of them. */
export function listPerhapsSent({ db }: Pick<Context, 'db'>): PerhapsSent[] {
  const asked = listActivationsWithoutAnswer(db, { lookedAt: LOOKED_AT, limit: SHOWN });
  return asked.map(({ askedAt, ...request }) => ({ request, since: askedAt as string }));
}
