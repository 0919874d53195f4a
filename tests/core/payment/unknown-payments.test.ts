/** Money for a contract that a restore has forgotten: it needs the office until somebody settles it. */
import { expect, test } from 'vitest';
import { adviceText } from '../../../src/core/commands.js';
import { listNeeds } from '../../../src/core/needs/needs.js';
import { settleUnknownPayment } from '../../../src/core/payment/unknown-payments.js';
import { eraseUser } from '../../../src/core/personal-data/erase-user.js';
import { rejection, type TestApp } from '../../support/app.js';
import { BY, story, UNPAID } from '../../support/story.js';
import { aSessionLike, deliverPayment } from '../../support/webhooks.js';

/** Paid through a page that bears this installation's name. */
async function unknownPayment() {
  let name = '';
  const { app, page } = await story()
    .linked()
    .does((app, id) => {
      name = app.contract(id).externalId.replace(/[0-9a-f]{16}$/, 'deadbeefdeadbeef');
      return aSessionLike(app, name);
    })
    .pays('newer')
    .end();
  return { app, paymentId: page('newer'), name };
}
const needs = async (app: TestApp) => (await listNeeds(app.ctx, 9)).needs;
const mails = (app: TestApp) =>
  app.jobs('send-mail').filter(({ payload }) => payload.includes('unknown-payment'));
const settle = (app: TestApp, paymentId: string, changes = {}) =>
  settleUnknownPayment(app.ctx, paymentId, { ...BY, reason: 'refunded', ...changes });

test('it is told once, and needs the office until somebody settles it', async () => {
  const { app, paymentId } = await unknownPayment();
  await deliverPayment(app, paymentId);
  await deliverPayment(app, paymentId);
  await app.drain();

  expect(mails(app)).toMatchObject([{ state: 'completed' }]);
  const [need] = await needs(app);
  expect(need).toMatchObject({ kind: 'unknown', request: null, next: { name: 'payments check' } });
  expect(adviceText(need?.what ?? '')).toContain('€120.00');

  await settle(app, paymentId, { dryRun: true });
  expect(await needs(app)).toHaveLength(1);
  await settle(app, paymentId);
  await deliverPayment(app, paymentId);
  expect(await needs(app)).toEqual([]);
  expect(await rejection(settle(app, paymentId))).toMatchObject({ code: 'not_found' });
  expect(mails(app)).toHaveLength(1);
});

/** What was written about her, and whether an erasure of somebody with this name ends it. */
test.each([
  // Names that stand only within other words: of the reason, and of how it is stored; then with other accents.
  ['refunded to MÉTÉO-Élan, her father', ['Byron', 'Ath', 'Son', 'Reason'], 'Meteo-Élàn'],
  // A script that puts no blanks between words.
  ['已退款给王先生', ['李'], '王'],
])(
  'no words are left about a person who was erased, and those about others stay: %s',
  async (reason, others, name) => {
    const { app, paymentId } = await unknownPayment();
    await deliverPayment(app, paymentId);
    await settle(app, paymentId, { reason });
    const { raw } = app.ctx.db;
    const reasons = () => [
      raw.prepare('SELECT reason FROM cases WHERE subject = ?').pluck().get(paymentId),
      raw.prepare(`SELECT detail ->> '$.reason' FROM history WHERE what = 'payment.settled'`).pluck().get(),
    ];
    const erase = async (lastName: string) =>
      eraseUser(app.ctx, (await app.addUser({ lastName })).id, { ...BY, reason: 'asked' });

    for (const other of others) await erase(other);
    expect(reasons()).toEqual([reason, reason]);
    await erase(name);
    expect(reasons()).toEqual(['', '']);
  },
);

test('it is told although its amount is not said, but not before it is paid, nor under another installation’s name', async () => {
  const { app, paymentId, name } = await unknownPayment();
  const unsaid = { amount_total: null, currency: null };
  await deliverPayment(app, paymentId, UNPAID);
  const object = { client_reference_id: 'esign-0123456789abcdef-deadbeefdeadbeef' };
  await deliverPayment(app, 'cs_theirs', { object });
  await deliverPayment(app, 'cs_bare', { object: { client_reference_id: name, ...unsaid } });
  await app.drain();
  expect(mails(app)).toMatchObject([{ state: 'completed' }]);
  const all = (await needs(app)).map(({ what }) => adviceText(what));
  expect(all).toEqual([expect.stringMatching(/^Payment cs_bare \(unknown\) came/)]);
});
