/** An inbound event processed again (rules 5): the provider is asked what is so now, and what follows is done once. */
import { expect } from 'vitest';
import { iso } from '../../../src/core/clock.js';
import { inboxReplay } from '../../../src/core/inbox/replay.js';
import { resetSignature } from '../../../src/core/signature/reset-signature.js';
import { putHold } from '../../../src/db/installation/installation.js';
import { rejection, type TestApp } from '../../support/app.js';
import { tell } from '../../support/histories.js';
import { BY, UNPAID, type Story } from '../../support/story.js';
import { aSessionLike, deliver } from '../../support/webhooks.js';

const again = ({ ctx }: TestApp) =>
  inboxReplay(ctx, BY).run(ctx.db.raw.prepare('SELECT max(id) FROM inbox').pluck().get() as number);
const replayed = (s: Story, answer: object) =>
  s.does(async (app) => expect(await again(app)).toMatchObject(answer));
const silent = { error: expect.stringContaining('503') as string };

/** Signed, and its webhook came while there was trouble. */
const hearsIn = (s: Story, trouble: string) =>
  s
    .sent()
    .fault(trouble)
    .signs()
    .does((app, id) => deliver(app, app.contract(id).signId as string));
/** What waits has its last try behind it. */
const givenUp = (s: Story) =>
  s
    .does(({ ctx }) =>
      ctx.db.raw.exec("UPDATE jobs SET runAt = '2026-01-01', attempt = 6 WHERE state = 'available'"),
    )
    .drained();
tell([
  [
    'one whose work failed is done once the cause is fixed; once more changes nothing',
    (s) =>
      replayed(replayed(hearsIn(s, 'pdf:not_pdf').noFaults(), { outcome: 'completed' }), { error: null }),
    { status: 'WAITING_PAYMENT', told: { 'contract.signed': 1, 'inbox.replayed': 2 } },
  ],
  [
    'one whose job has failed for good does its work, and takes the job out of the failed list',
    (s) => replayed(givenUp(hearsIn(s, 'pdf:not_pdf')).noFaults(), { outcome: 'completed' }),
    { status: 'WAITING_PAYMENT', work: { 'complete-signature': ['completed'] } },
  ],
  [
    'while the signature provider is silent it fails; its job then has all its tries again, and does the work',
    (s) =>
      replayed(givenUp(hearsIn(s, 'signature:503')), { state: 'received', outcome: null, ...silent })
        .is({ work: { 'complete-signature': ['available'] } })
        .noFaults()
        .drained(),
    { status: 'WAITING_PAYMENT', events: ['done: completed'] },
  ],
  [
    'of a payment, asks what is so now; while the provider is silent it fails and records nothing',
    (s) =>
      replayed(s.linked().hears('older', UNPAID).pays('older').fault('payment:503'), {
        outcome: 'not_paid_yet',
        ...silent,
      })
        .is({ told: { 'inbox.replayed': 0 } })
        .noFaults()
        .does(async (app) => expect(await again(app)).toMatchObject({ outcome: 'paid', error: null })),
    { status: 'COMPLETE', told: { 'inbox.replayed': 1 } },
  ],
  [
    'of a payment, asks about its own session, although another page is open',
    (s) =>
      s
        .linked()
        .does((app) => aSessionLike(app, undefined, 5_000))
        .pending('newer')
        .arrives('newer')
        .does(again)
        .does(({ ctx }) =>
          expect(ctx.db.raw.prepare('SELECT subject FROM cases').pluck().all()).toEqual([s.page('newer')]),
        ),
    { status: 'WAITING_PAYMENT' },
  ],
  [
    'of somebody else’s signature of a contract that was replaced, opens no case',
    (s) =>
      s
        .sent()
        .does(async (app, id) => {
          const signId = app.contract(id).signId as string;
          await resetSignature(app.ctx, id, BY);
          await deliver(app, signId, { signature: { external_id: 'theirs' } });
        })
        .does(again)
        .does(({ ctx }) => expect(ctx.db.raw.prepare('SELECT * FROM cases').all()).toEqual([])),
    { told: { 'inbox.replayed': 1 } },
  ],
  [
    'while restored data are held, asks nobody and ends no contract',
    (s) =>
      s
        .sent()
        .fault('signature:503')
        .does((app, id) => deliver(app, app.contract(id).signId as string))
        .noFaults()
        .does(async (app) => {
          const now = iso(app.clock.now());
          await app.ctx.writer.write((db) => putHold(db, { since: now, madeAt: now, lastJobId: 0 }));
          expect(await rejection(again(app))).toMatchObject({ code: 'held' });
        }),
    { contract: { status: 'PENDING', endReason: null }, told: { 'inbox.replayed': 0 } },
  ],
]);
