/** What a check has found, for programs: 200, or 422 with its key (rules 4). */
import { z } from 'zod';
import { adviceText, writerOf } from '../../core/commands.js';
import type { ActOutcome } from '../../core/requests/acts.js';
import { saidParts, text } from '../../core/texts/index.js';
import type { Answer } from './docs/operation.js';
import { HttpError } from '../http/errors.js';
import type { Call, Parts } from '../parts.js';

export const CHECK_ANSWER: Answer = {
  status: 200,
  about: 'What the provider says, and what was done.',
  schema: z.object({
    type: z.enum(['success', 'info']),
    key: z.string().meta({ examples: ['check_signature_success'] }),
    params: z.record(z.string(), z.string()).meta({ examples: [{}] }),
    message: z.string().meta({ examples: [text('en', 'check_signature_success')] }),
  }),
};

export function sendCheck(
  c: Call,
  { ctx }: Pick<Parts, 'ctx'>,
  { type, key, params = {}, words = key }: Omit<ActOutcome, 'document'>,
): Response {
  const message = adviceText(saidParts(ctx.config.locale, { words, params }), writerOf(ctx.config));
  if (type === 'error') throw new HttpError(422, message, { members: { type, key, params } });
  c.header('Cache-Control', 'no-store');
  return c.json({ type, key, params, message });
}
