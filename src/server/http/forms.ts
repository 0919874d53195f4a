/** Forms of our pages, as browsers send them. */
import { readBody } from './body.js';
import { HttpError } from './errors.js';
import { bareType } from './media-types.js';
import type { Call } from '../parts.js';

const FORM_BYTES_MAX = 64 * 1024;
export const FORM_TYPE = 'application/x-www-form-urlencoded';
const FAULT = { members: { key: 'admin.error.form' } };

export async function readForm(c: Call): Promise<URLSearchParams> {
  if (bareType(c.req.header('Content-Type') ?? '') !== FORM_TYPE) {
    throw new HttpError(415, 'A form was expected.', FAULT);
  }
  return new URLSearchParams((await readBody(c, FORM_BYTES_MAX)).toString('utf8'));
}

/** Refuses a form that another site sends; old browsers do not say whose it is. */
export function mustBeOurs(c: Call): void {
  if (!['same-origin', undefined].includes(c.req.header('Sec-Fetch-Site'))) throw notOurs();
}

export function notOurs(): HttpError {
  return new HttpError(403, 'The form is not one of this session.', FAULT);
}
