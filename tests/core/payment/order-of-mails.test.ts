/** The mail with the signed contract announces the link to pay: that one leaves after it, whatever the mail server does (rules 5). */
import { expect, test } from 'vitest';
import { findJobByKey } from '../../../src/db/jobs/jobs.js';
import { replayFailed } from '../../../src/core/jobs/failed.js';
import { startApp, TESTER, type TestApp } from '../../support/app.js';
import { HOUR, MINUTE } from '../../support/clock.js';
import { table } from '../../support/table.js';
import { deliver } from '../../support/webhooks.js';

const toCustomer = ({ sandbox }: TestApp, username: string) =>
  sandbox
    .mails()
    .filter(({ source, to }) => source === 'smtp' && to.includes(username))
    .map(({ subject }) =>
      /signed|Signed/.test(subject) ? 'signed' : /pay/i.test(subject) ? 'link' : subject,
    );

async function signedWhileNoMailLeaves() {
  const app = await startApp();
  const { request, contract, signId, owner } = await app.waitingRequest();
  app.sandbox.faults.add({ target: 'smtp', kind: '451' });
  app.sandbox.sign(signId);
  await deliver(app, signId);
  await app.drain();
  const link = () => {
    const { paymentId } = app.request(request.id);
    return findJobByKey(app.ctx.db, { uniqueKey: `mail:payment-link:${paymentId}` })?.state;
  };
  return { app, request, contract, username: owner.username, link };
}

test('the link waits for the mail that announces it, and leaves after it', async () => {
  const { app, request, username, link } = await signedWhileNoMailLeaves();
  expect(app.request(request.id).paymentUrl).not.toBeNull();
  expect(link()).toBeUndefined();
  app.sandbox.faults.clear();
  app.clock.advance(MINUTE);
  await app.drain();
  expect(toCustomer(app, username)).toEqual(['signed', 'link']);
});

test('once the mail that announces it has failed for good, the link leaves alone; a replay of that mail orders no second one', async () => {
  const { app, contract, username, link } = await signedWhileNoMailLeaves();
  for (let i = 0; i < 8; i++) {
    app.clock.advance(HOUR);
    await app.drain();
  }
  const signed = findJobByKey(app.ctx.db, { uniqueKey: `mail:contract-signed:${contract.id}` });
  expect([signed?.state, link()]).toEqual(['failed', 'available']);
  app.sandbox.faults.clear();
  app.clock.advance(3 * HOUR);
  await app.drain();
  expect(toCustomer(app, username)).toEqual(['link']);
  await replayFailed(app.ctx, [signed?.id as number], { actor: TESTER });
  await app.drain();
  expect(toCustomer(app, username)).toEqual(['link', 'signed']);
});

const ANNOUNCING = 'completed; fault smtp:451; drained';

table(`
  while the mail that announces it waits, neither a reminder nor another link is sent
    ${ANNOUNCING}; refuses remind in_progress; refuses renew payment_link_works; noFaults; waits 1h; drained
    → sent payment-link 1 payment-reminder 0
  while it waits itself, no other is sent
    completed; fault payment.create:500:1; drained; fault smtp:451; waits 1m; drained
    → sent contract-signed 1; sessions open
    refuses renew payment_link_works; noFaults; waits 1h; drained → sent payment-link 1
  a mail that announced the link of an earlier contract, and leaves late, does not take the place of the next one’s link
    ${ANNOUNCING}; canceled; reopened; sentNext; signed; drained; noFaults; waits 1h; drained
    → sent contract-signed 2 payment-link 1; findings waiting_for_payment
  where the page is over before the mail that announces it could leave, the link leaves all the same
    ${ANNOUNCING}; noFaults; waits 25h; ends older; ended older; drained
    → sent contract-signed 1 payment-link 1; link payment_page newer`);
