/** How an action went, in the reader's words: core's keys have texts; a refusal says why, and is no error of the page. */
import { AppError } from '../../core/errors.js';
import { isTextKey, type TextKey, type TextParams } from '../../core/texts/index.js';
import type { Flash } from '../../core/users/sessions.js';
import type { View } from './view.js';

export interface Outcome {
  type: 'success' | 'info' | 'error';
  key: TextKey;
  params?: TextParams;
}

export function flashOf({ t }: View, { type, key, params }: Outcome): Flash {
  return { type: type === 'error' ? 'danger' : type, message: t(key, params) };
}

/** What is refused or not possible now is told; everything else is thrown on. */
export async function orRefusal(view: View, act: () => Promise<Outcome>): Promise<Flash> {
  try {
    return flashOf(view, await act());
  } catch (error) {
    if (!(error instanceof AppError) || error.kind === 'forbidden' || error.kind === 'not_found') throw error;
    const fields = Object.values(error.fields);
    const { code, message } = error;
    const said = isTextKey(code) ? view.t(code) : message;
    return { type: 'danger', message: fields.length > 0 ? fields.join(' ') : said };
  }
}
