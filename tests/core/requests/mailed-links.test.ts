/** What the office is told of links mailed earlier, before it acts. */
import { expect, test } from 'vitest';
import { cancelRequest } from '../../../src/core/requests/cancel-request.js';
import { actCalled, type ActName } from '../../../src/core/requests/acts.js';
import { ourPayments } from '../../../src/core/payment/our-payments.js';
import { fateOfLinks } from '../../../src/core/requests/before-act.js';
import { resetSignature } from '../../../src/core/signature/reset-signature.js';
import { correctUser } from '../../../src/core/users/change-user.js';
import { startApp, TESTER, type TestApp } from '../../support/app.js';
import { DAY } from '../../support/clock.js';
import { deliver } from '../../support/webhooks.js';

const told = (app: TestApp, id: number, act: ActName) =>
  fateOfLinks(app.ctx, ourPayments(app.ctx.db, id), actCalled(act));

test('a link to sign stops working by a reset or a cancellation; once over, it stays so', async () => {
  const app = await startApp();
  const fresh = await app.addRequest();
  expect(told(app, fresh.id, 'start-signature')).toEqual([
    'Ada Lovelace will get an e-mail with a signing link.',
  ]);
  expect(told(app, fresh.id, 'cancel')).toEqual([]);

  const { request } = await app.waitingRequest();
  const link = 'The signing link mailed to Ada Lovelace on 2 March 2026';
  expect(told(app, request.id, 'reset-signature')).toEqual([
    `${link} will stop working; a new one will be mailed.`,
  ]);
  expect(told(app, request.id, 'cancel')).toEqual([`${link} will stop working.`]);

  app.ctx.db.raw.prepare("UPDATE contracts SET status = 'EXPIRED' WHERE requestId = ?").run(request.id);
  expect(told(app, request.id, 'reset-signature')).toEqual([
    `${link} no longer works; a new one will be mailed.`,
  ]);
  expect(told(app, request.id, 'cancel')).toEqual([]);
});

test('the day is that of the last mail: of the new contract, or of the corrected address', async () => {
  const app = await startApp();
  const { request, owner } = await app.waitingRequest();
  app.clock.advance(DAY);
  await resetSignature(app.ctx, request.id, { actor: TESTER });
  expect(told(app, request.id, 'cancel')[0]).toContain('on 3 March 2026');
  app.clock.advance(DAY);
  await correctUser(app.ctx, owner.id, { username: 'ada@example.net' }, { actor: TESTER });
  expect(told(app, request.id, 'cancel')[0]).toContain('on 4 March 2026');
});

test('a payment link stops working by a cancellation, and by completion only says that it is paid', async () => {
  const app = await startApp();
  const { request, signId } = await app.waitingRequest();
  app.sandbox.sign(signId);
  await deliver(app, signId);
  await app.drain();
  const link = 'The payment link mailed to Ada Lovelace on 2 March 2026';
  expect(told(app, request.id, 'complete')).toEqual([`${link} will only say that everything is paid.`]);
  expect(told(app, request.id, 'cancel')).toEqual([`${link} will stop working.`]);
  await cancelRequest(app.ctx, request.id, { actor: TESTER, reason: 'sold' });
  expect(told(app, request.id, 'reopen')).toEqual([
    'The links mailed to Ada Lovelace earlier still do not work; a new one will be mailed when the signature is started.',
  ]);
});
