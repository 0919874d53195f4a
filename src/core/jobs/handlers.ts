/** How each kind of job is done. */
import { JOB } from '../actor.js';
import type { Context } from '../context.js';
import { sendMail } from '../mail/send-mail.js';
import { createPaymentSession } from '../payment/create-payment-session.js';
import { prepareCompletion } from '../signature/complete-signature.js';
import { deliverWebhook } from '../webhooks/deliver-webhook.js';
import type { JobHandlers } from './attempts.js';

export function jobHandlers(ctx: Context): JobHandlers {
  return {
    'create-payment-session': (job) => createPaymentSession(ctx, job),
    'send-mail': (job) => sendMail(ctx, job),
    'complete-signature': async ({ payload }) => ({
      settle: await prepareCompletion(ctx, { ...payload, actor: JOB }),
    }),
    'deliver-webhook': (job, signal) => deliverWebhook(ctx, job, signal),
  };
}
