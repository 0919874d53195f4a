/** The result of an action in the reader's language. A refusal is a message, not an error of the page. */
import { AppError, BLANK, withHint } from '../../../core/errors.js';
import { label, type TextParams } from '../../../core/texts/index.js';
import type { Flash } from '../../../core/users/sessions.js';
import type { View } from './view.js';
import type { PageKey } from '../texts.js';

export interface Outcome {
  type: 'success' | 'info' | 'error';
  key: PageKey;
  params?: TextParams;
  /** The text to show; by default that of the key. */
  words?: PageKey;
}

/** The result of an action, or a message about it; a plain text means success. */
export type Done = Outcome | Flash | string;

export function flashOf({ t }: View, done: Done): Flash {
  if (typeof done === 'string') return { type: 'success', message: done };
  if ('message' in done) return done;
  const { type, key, params, words = key } = done;
  return { type: type === 'error' ? 'danger' : type, message: label(t, words, words, params) };
}

/** Refusals and outages become messages; anything else is rethrown. */
export async function orRefusal(view: View, act: () => Promise<Done>): Promise<Flash> {
  try {
    return flashOf(view, await act());
  } catch (error) {
    return flashOfRefusal(view, error);
  }
}

export function flashOfRefusal(view: View, error: unknown): Flash {
  if (!(error instanceof AppError) || error.kind === 'forbidden' || error.kind === 'not_found') throw error;
  return { type: 'danger', message: messageFor(view, error) };
}

function messageFor(view: View, error: AppError): string {
  const { code, fields, said } = error;
  if (said) return label(view.t, said.words, error.message, said.params);
  const refusal = view.t.find(code);
  if (refusal) return refusal;
  if (fields['reason'] === BLANK) return view.t('admin.error.reason');
  const faults = [...new Set(Object.values(fields))].map((fault) => faultOf(view, fault));
  return faults.length > 0 ? faults.join(' ') : view.advice(withHint(error));
}

/** A field's fault, translated where there is a text for it. The letter that it names stays. */
export function faultOf(view: View, fault: string): string {
  const [, letter = ''] = /“(.*?)”/su.exec(fault) ?? [];
  return label(view.t, `fault.${fault.replace(`“${letter}”`, '“%letter%”')}`, fault, { letter });
}
