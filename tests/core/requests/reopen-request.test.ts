/** Reopening a canceled request (rules 2): what is open then, and what the old contract may still bring. */
import { expect, test } from 'vitest';
import { eraseUser } from '../../../src/core/personal-data/erase-user.js';
import { deleteRequest } from '../../../src/core/requests/delete-request.js';
import { reopenRequest } from '../../../src/core/requests/cancel-request.js';
import { openActNames } from '../../support/acts.js';
import { rejection } from '../../support/app.js';
import { tell } from '../../support/histories.js';
import { BY, REASON, story } from '../../support/story.js';

tell([
  [
    'it is new again; the old contract stays over, and a start sends the next one, which goes its way',
    (s) =>
      s
        .linked()
        .canceled()
        .reopened()
        .is({ status: 'new', contracts: ['EXPIRED'] })
        .refuses(reopenRequest, { code: 'not_canceled' })
        .signedNext(),
    { status: 'WAITING_PAYMENT', documents: ['done', 'done'], sessions: ['expired', 'open'] },
  ],
  [
    'what was signed once is not deleted with it',
    (s) =>
      s
        .linked()
        .canceled()
        .reopened()
        .does(async (app, id) => {
          const admin = await app.addUser({ role: 'ROLE_ADMIN' });
          const refusal = await rejection(deleteRequest(app.ctx, admin, id));
          expect(refusal).toMatchObject({ code: 'cannot_be_changed' });
        }),
    { contracts: ['EXPIRED'] },
  ],
  [
    'it is refused, and not offered, when nobody is left to sign: the person was erased',
    (s) =>
      s
        .entered()
        .canceled()
        .does((app, id) => eraseUser(app.ctx, app.request(id).ownerId, REASON))
        .refuses(reopenRequest, { code: 'user_erased' })
        .does((app, id) => expect(openActNames(app.ctx, app.request(id))).toEqual([])),
    { findings: ['finished: erased'] },
  ],
]);

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
