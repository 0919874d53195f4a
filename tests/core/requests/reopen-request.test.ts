/** Reopening a canceled request (rules 2): what is open then, and what the old contract may still bring. */
import { expect, test } from 'vitest';
import type { Context } from '../../../src/core/context.js';
import { enterOffer } from '../../../src/core/offers/offers.js';
import { eraseUser } from '../../../src/core/personal-data/erase-user.js';
import { editRequest } from '../../../src/core/requests/change-request.js';
import { deleteRequest } from '../../../src/core/requests/delete-request.js';
import { reopenRequest } from '../../../src/core/requests/reopen-request.js';
import { openActNames } from '../../support/acts.js';
import { rejection } from '../../support/app.js';
import { BY, REASON, story } from '../../support/story.js';
import { table, type Words } from '../../support/table.js';

const offer = (ctx: Context, requestId: number) => enterOffer(ctx, { requestId, amount: '180' }, BY);

const words: Words = {
  isNotDeleted: (s, code) =>
    s.does(async (app, id) => {
      const admin = await app.addUser({ role: 'ROLE_ADMIN' });
      expect(await rejection(deleteRequest(app.ctx, admin, id))).toMatchObject({ code });
    }),
  refusesReopening: (s, code) => s.refuses(reopenRequest, { code }),
  refusesWords: (s, code) => s.refuses((ctx, id) => editRequest(ctx, id, { title: 'Other' }, BY), { code }),
  refusesOffer: (s, code) => s.refuses(offer, { code }),
  takesOffer: (s) => s.by(offer),
  ownerIsErased: (s) => s.does((app, id) => eraseUser(app.ctx, app.request(id).ownerId, REASON)),
  offersNothing: (s) => s.does((app, id) => expect(openActNames(app.ctx, app.request(id))).toEqual([])),
};

table(
  `
  it is new again; the old contract stays over, and a start sends the next one, which goes its way
    linked; canceled; reopened → new; contracts EXPIRED
    refusesReopening not_canceled; signedNext → WAITING_PAYMENT; documents done done; sessions expired open
  what was signed once is not deleted with it
    linked; canceled; reopened; isNotDeleted cannot_be_changed → contracts EXPIRED
  until then it is neither changed nor offered a price
    entered; canceled; refusesWords request_canceled; refusesOffer request_canceled; reopened; takesOffer → new
  it is refused, and not offered, when nobody is left to sign: the person was erased
    entered; canceled; ownerIsErased; refusesReopening user_erased; offersNothing → findings finished: erased`,
  { words },
);

test('it needs a canceled request and a reason; a dry run changes nothing', async () => {
  const { app, id } = await story()
    .entered()
    .refuses(reopenRequest, { code: 'not_canceled' })
    .canceled()
    .end();
  await reopenRequest(app.ctx, id, { ...REASON, dryRun: true });
  expect(app.request(id).status).toBe('CANCELED');
  expect(await rejection(reopenRequest(app.ctx, id, { ...BY, reason: '' }))).toMatchObject({
    kind: 'invalid',
  });
});
