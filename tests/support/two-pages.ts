/** Two payment pages of one contract that are both open, and how to look at what became of them. */
import { expect } from 'vitest';
import { findingName } from './finding-names.js';
import { explain } from '../../src/core/explain/explain.js';
import { followPayLink } from '../../src/core/payment/follow-pay-link.js';
import { surveyTakeover } from '../../src/core/takeover/survey.js';
import { takeOver } from '../../src/core/takeover/take-over.js';
import { TESTER, type TestApp } from './app.js';
import { DAY } from './clock.js';
import { aSessionLike, completedApp } from './webhooks.js';
import { iso } from '../../src/core/clock.js';
import { putHold } from '../../src/db/installation/hold.js';
import { newestJobId } from '../../src/db/jobs/jobs.js';

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
  const { app, waiting } = await completedApp();
  const { id } = waiting.request;
  await app.drain();
  const older = app.request(id).paymentId as string;
  app.clock.advance(HOUR);
  await aSessionLike(app);
  const newer = sessions(app).at(-1)?.id as string;
  const now = iso(app.clock.now());
  await app.ctx.writer.write((db) => putHold(db, { since: now, madeAt: now, lastJobId: newestJobId(db) }));
  const found = await surveyTakeover(app.ctx, BY);
  if (found) await takeOver(app.ctx, found, BY);
  await app.drain();
  expect(app.request(id).paymentId).toBe(newer);
  const link = () => followPayLink(app.ctx, app.request(id).payToken as string);
  return { app, id, older, newer, link };
}
