/** Two payment pages of one contract that are both open, and how to look at what became of them. */
import { findingName } from './finding-names.js';
import { explain } from '../../src/core/explain/explain.js';
import { followPayLink } from '../../src/core/payment/follow-pay-link.js';
import type { TestApp } from './app.js';
import { BY, REASON, story } from './story.js';

export { BY, REASON };

export const RECEIVED = { type: 'checkout.session.async_payment_succeeded' };
export const REFUSED = { type: 'checkout.session.async_payment_failed', paymentStatus: 'unpaid' };
export const EXPIRED = { type: 'checkout.session.expired', paymentStatus: 'unpaid' };

export const sessions = (app: TestApp) => app.sandbox.state().sessions;
export const mails = (app: TestApp, name: string) =>
  app.jobs('send-mail').filter(({ payload }) => payload.includes(`"${name}"`));
export const findings = async (app: TestApp, id: number) =>
  (await explain(app.ctx, String(id))).findings.map(findingName);

/** The first is mailed; the second was made an hour later, and found by a takeover. It ends later, and counts. */
export async function twoOpen() {
  const { app, id, page } = await story().twoOpen().end();
  const link = () => followPayLink(app.ctx, app.request(id).payToken as string);
  return { app, id, older: page('older'), newer: page('newer'), link };
}
