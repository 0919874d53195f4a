/** An inbound event processed again (rules 5): the provider is asked what is so now, and what follows is done once. */
import { expect } from 'vitest';
import { iso } from '../../../src/core/clock.js';
import { inboxReplay } from '../../../src/core/inbox/replay.js';
import { resetSignature } from '../../../src/core/signature/reset-signature.js';
import { putHold } from '../../../src/db/installation/installation.js';
import { rejection, type TestApp } from '../../support/app.js';
import { BY, UNPAID, type Story } from '../../support/story.js';
import { holding, table, type Words } from '../../support/table.js';
import { aSessionLike, deliver } from '../../support/webhooks.js';

const again = ({ ctx }: TestApp) =>
  inboxReplay(ctx, BY).run(ctx.db.raw.prepare('SELECT max(id) FROM inbox').pluck().get() as number);
const cases = (s: Story, subjects: () => string[]) =>
  s.does(({ ctx }) =>
    expect(ctx.db.raw.prepare('SELECT subject FROM cases').pluck().all()).toEqual(subjects()),
  );

const words: Words = {
  /** The newest event. */
  replays: (s, answer) => s.does(async (app) => expect(await again(app)).toMatchObject(holding(answer))),
  isSilent: (s, answer) =>
    s.does(async (app) => {
      const error = expect.stringContaining('503') as string;
      expect(await again(app)).toMatchObject({ ...holding(answer), error });
    }),
  hears: (s) => s.does((app, id) => deliver(app, app.contract(id).signId as string)),
  hearsOfPayment: (s, page) => s.hears(page, UNPAID),
  /** What waits has its last try behind it. */
  triesAreUsedUp: (s) =>
    s.sql("UPDATE jobs SET runAt = '2026-01-01', attempt = 6 WHERE state = 'available'").drained(),
  ofAnotherPrice: (s) => s.does((app) => aSessionLike(app, undefined, 5_000)),
  hasCase: (s, page) => cases(s, () => [s.page(page)]),
  hasNoCase: (s) => cases(s, () => []),
  theirsIsSignedAfterReset: (s) =>
    s.does(async (app, id) => {
      const signId = app.contract(id).signId as string;
      await resetSignature(app.ctx, id, BY);
      await deliver(app, signId, { signature: { external_id: 'theirs' } });
    }),
  refusesWhileHeld: (s) =>
    s.does(async (app) => {
      const now = iso(app.clock.now());
      await app.ctx.writer.write((db) => putHold(db, { since: now, madeAt: now, lastJobId: 0 }));
      expect(await rejection(again(app))).toMatchObject({ code: 'held' });
    }),
};

table(
  `
  one whose work failed is done once the cause is fixed; once more changes nothing
    sent; fault pdf:not_pdf; signs; hears; noFaults; replays outcome=completed; replays error=nothing
    → WAITING_PAYMENT; told contract.signed 1 inbox.replayed 2
  one whose job has failed for good does its work, and takes the job out of the failed list
    sent; fault pdf:not_pdf; signs; hears; triesAreUsedUp; noFaults; replays outcome=completed
    → WAITING_PAYMENT; work complete-signature completed
  while the signature provider is silent it fails; its job then has all its tries again, and does the work
    sent; fault signature:503; signs; hears; triesAreUsedUp; isSilent state=received outcome=nothing
    → work complete-signature available
    noFaults; drained → WAITING_PAYMENT; events done: completed
  of a payment, asks what is so now; while the provider is silent it fails and records nothing
    linked; hearsOfPayment older; pays older; fault payment:503; isSilent outcome=not_paid_yet → told inbox.replayed 0
    noFaults; replays outcome=paid error=nothing → COMPLETE; told inbox.replayed 1
  of a payment, asks about its own session, although another page is open
    linked; ofAnotherPrice; pending newer; arrives newer; replays; hasCase newer → WAITING_PAYMENT
  of a payment, tells what became of that one, whatever is found of another page
    twoOpen; pending newer; ends older; replays outcome=repeat → payments over pending
  of somebody else’s signature of a contract that was replaced, opens no case
    sent; theirsIsSignedAfterReset; replays; hasNoCase → told inbox.replayed 1
  while restored data are held, asks nobody and ends no contract
    sent; fault signature:503; hears; noFaults; refusesWhileHeld
    → contract PENDING endReason=nothing; told inbox.replayed 0`,
  { words },
);
