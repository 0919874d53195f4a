/** What the office is told of links mailed earlier, before it acts. */
import { expect, test } from 'vitest';
import { actCalled, type ActName } from '../../../src/core/requests/acts.js';
import { ourPayments } from '../../../src/core/payment/our-payments.js';
import { fateOfLinks } from '../../../src/core/requests/before-act.js';
import { resetSignature } from '../../../src/core/signature/reset-signature.js';
import { correctUser } from '../../../src/core/users/change-user.js';
import { DAY } from '../../support/clock.js';
import { BY, story, type Story } from '../../support/story.js';

const told = (s: Story, act: ActName, ...words: string[]) =>
  s.does(({ ctx }, id) => {
    expect(fateOfLinks(ctx, ourPayments(ctx.db, id), actCalled(act))).toEqual(words);
  });
const LINK = 'The signing link mailed to Ada Lovelace on 2 March 2026';

test('a link to sign stops working by a reset or a cancellation; once over, it stays so', async () => {
  const fresh = story().entered();
  told(fresh, 'start-signature', 'Ada Lovelace will get an e-mail with a signing link.');
  await told(fresh, 'cancel').end();

  const s = story().sent();
  told(s, 'reset-signature', `${LINK} will stop working; a new one will be mailed.`);
  told(s, 'cancel', `${LINK} will stop working.`).sql("UPDATE contracts SET status = 'EXPIRED'");
  told(s, 'reset-signature', `${LINK} no longer works; a new one will be mailed.`);
  await told(s, 'cancel').end();
});

test('the day is that of the last mail: of the new contract, or of the corrected address', async () => {
  const s = story().sent().waits(DAY).by(resetSignature);
  told(s, 'cancel', `${LINK.replace('2 March', '3 March')} will stop working.`).waits(DAY);
  s.does((app, id) => correctUser(app.ctx, app.request(id).ownerId, { username: 'ada@example.net' }, BY));
  await told(s, 'cancel', `${LINK.replace('2 March', '4 March')} will stop working.`).end();
});

test('a payment link stops working by a cancellation, and by completion only says that it is paid', async () => {
  const link = LINK.replace('signing', 'payment');
  const s = told(story().linked(), 'complete', `${link} will only say that everything is paid.`);
  told(s, 'cancel', `${link} will stop working.`).canceled();
  const anew = 'a new one will be mailed when the signature is started.';
  await told(s, 'reopen', `The links mailed to Ada Lovelace earlier still do not work; ${anew}`).end();
});
