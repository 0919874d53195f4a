/** How an action went, in the reader's words: core's keys have texts; a refusal says why, and is no error of the page. */
import { AppError } from '../../core/errors.js';
import { isTextKey, type TextKey, type TextParams } from '../../core/texts/index.js';
import type { Flash } from '../../core/users/sessions.js';
import { label, type View } from './view.js';

export interface Outcome {
  type: 'success' | 'info' | 'error';
  key: TextKey;
  params?: TextParams;
  /** The text that tells it; without it the one of the key. */
  words?: TextKey;
}

export function flashOf({ t }: View, { type, key, params, words = key }: Outcome): Flash {
  return { type: type === 'error' ? 'danger' : type, message: t(words, params) };
}

/** What is refused or not possible now is told; everything else is thrown on. */
export async function orRefusal(view: View, act: () => Promise<Outcome>): Promise<Flash> {
  try {
    return flashOf(view, await act());
  } catch (error) {
    if (!(error instanceof AppError) || error.kind === 'forbidden' || error.kind === 'not_found') throw error;
    return { type: 'danger', message: said(view, error) };
  }
}

function said(view: View, { code, message, fields, hint }: AppError): string {
  if (isTextKey(code)) return view.t(code);
  const faults = [...new Set(Object.values(fields))].map((fault) => faultOf(view, fault));
  return faults.length > 0 ? faults.join(' ') : [message, hint].filter(Boolean).join(' ');
}

/** What is wrong with a field: core's sentence, in the reader's language where there is one for it. */
export function faultOf(view: View, fault: string): string {
  return label(view, 'fault', fault);
}
