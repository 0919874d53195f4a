/** What a person reads when the payment provider refuses our key: the same from every command, and what to do about it. */
import { expect, test } from 'vitest';
import { command, commandIn } from '../../../src/core/commands.js';
import type { AppError } from '../../../src/core/errors.js';
import { renewPaymentSession } from '../../../src/core/payment/renew-payment-session.js';
import { remindRequest } from '../../../src/core/reminders/remind-request.js';
import { cancelRequest } from '../../../src/core/requests/cancel-request.js';
import { completeRequest } from '../../../src/core/requests/complete-request.js';
import { rejection } from '../../support/app.js';
import { REASON, story } from '../../support/story.js';

const COMMANDS = { renewPaymentSession, remindRequest, cancelRequest, completeRequest };

test.each(
  Object.entries(COMMANDS).flatMap(([name, run]) =>
    (['401', '403'] as const).map((status) => ({ name, run, status })),
  ),
)('$name says that the key is refused when the payment provider answers $status', async ({ run, status }) => {
  const { app, id } = await story().linked().end();
  app.sandbox.faults.add(`payment:${status}`);

  const refusal = (await rejection(run(app.ctx, id, REASON))) as AppError;

  expect(refusal).toMatchObject({
    kind: 'unavailable',
    code: 'payment_unavailable',
    said: { words: status === '401' ? 'payment_refuses_key' : 'payment_forbids' },
  });
  expect(refusal.message).toContain(
    `payment provider ${status === '401' ? 'refuses the API key' : 'answered 403'}`,
  );
  expect(commandIn(refusal.hint ?? '')).toEqual(command('doctor'));
  expect(app.request(id).status).toBe('WAITING_PAYMENT');
});
