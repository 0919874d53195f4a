/** Two payment pages of one contract that are both open, and how to look at what became of them. */
import { expect } from 'vitest';
import { findingName } from './finding-names.js';
import { explain } from '../../src/core/explain/explain.js';
import { followPayLink } from '../../src/core/payment/follow-pay-link.js';
import { surveyTakeover } from '../../src/core/takeover/survey.js';
import { takeOver } from '../../src/core/takeover/take-over.js';
import { TESTER, type TestApp } from './app.js';
import { DAY } from './clock.js';
import { anotherMachine, backupOf } from './restored.js';
import { aSessionLike, completedApp } from './webhooks.js';

export const HOUR = DAY / 24;
export const BY = { actor: TESTER };
export const REASON = { ...BY, reason: 'moved' };
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
  const { app: before, waiting } = await completedApp();
  const { id } = waiting.request;
  await before.drain();
  const older = before.request(id).paymentId as string;
  before.clock.advance(HOUR);
  await aSessionLike(before);
  const newer = sessions(before).at(-1)?.id as string;
  const file = await backupOf(before);
  await before.ctx.close();
  const app = await anotherMachine(before, file);
  const found = await surveyTakeover(app.ctx, BY);
  if (found) await takeOver(app.ctx, found, BY);
  await app.drain();
  expect(app.request(id).paymentId).toBe(newer);
  const link = () => followPayLink(app.ctx, app.request(id).payToken as string);
  return { app, id, older, newer, link };
}
