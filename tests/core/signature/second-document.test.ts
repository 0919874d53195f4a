/** Two documents for one contract: a holder that lost its lock makes none, and one that exists is told and decided by a person. */
import { expect, test } from 'vitest';
import { command, commandLine } from '../../../src/core/commands.js';
import type { Context } from '../../../src/core/context.js';
import { listNeeds } from '../../../src/core/needs/needs.js';
import { acceptLate } from '../../../src/core/signature/accept-late.js';
import { settleUnknown } from '../../../src/core/signature/unknown-signatures.js';
import { resetSignature } from '../../../src/core/signature/reset-signature.js';
import { startSignature } from '../../../src/core/signature/start-signature.js';
import { findCurrentContract } from '../../../src/db/contracts/contracts.js';
import { rejection, startApp, type TestApp } from '../../support/app.js';
import { openActNames } from '../../support/acts.js';
import { MINUTE } from '../../support/clock.js';
import { DEAD } from '../../support/holders.js';
import { sendSecond } from '../../support/second-document.js';
import { BY, REASON, story, type Story } from '../../support/story.js';
import { table, type Words } from '../../support/table.js';
import { deliver } from '../../support/webhooks.js';

const there = (app: TestApp) => app.sandbox.state().signatureRequests;
const secondOf = (app: TestApp) => there(app)[1]?.id as string;

test.each(['create', 'upload', 'signer'])(
  'a start whose call hangs (%s): another that has taken its lock over sends the only document, and the late one stores nothing',
  async (operation) => {
    const app = await startApp();
    const { id } = await app.addRequest();
    const hanging = app.sandbox.faults.add({
      target: 'signature',
      kind: 'answer_late',
      operation,
      delayMs: 10 * MINUTE,
      times: 1,
    });
    const late = rejection(startSignature(app.ctx, id, BY));
    await expect.poll(() => app.sandbox.faults.list()[0]?.struck ?? 1).toBe(1);
    // As a process that takes this one for dead does, before it goes on.
    app.ctx.db.raw.prepare('UPDATE locks SET token = ?, holder = ?').run('theirs', DEAD);
    const { signId } = await startSignature(app.ctx, id, BY);
    app.sandbox.faults.remove(hanging.id);
    // Where both work on one draft, the provider refuses the late one first.
    expect(['in_progress', 'provider_rejected']).toContain((await late).code);
    expect(app.contract(id)).toMatchObject({ signId, status: 'PENDING' });
    expect(there(app).filter(({ status }) => status === 'ongoing')).toMatchObject([{ id: signId }]);
  },
);

/** The customer has a second document under the contract’s name. */
const two = (s: Story) => s.sent().does((app, id) => sendSecond(app, app.waiting(id)));
const accept = (ctx: Context, requestId: number) =>
  acceptLate(ctx, (findCurrentContract(ctx.db, { requestId }) as { id: number }).id, REASON);
/** The office has to decide about the second document, by this command. */
const needing = (s: Story, next: (app: TestApp, id: number) => string) =>
  s.does(async (app, id) => {
    const { needs } = await listNeeds(app.ctx, 10);
    expect(needs.map((need) => [need.kind, commandLine(need.next)])).toEqual([
      ['second_document', `esignctl ${next(app, id)} --reason "…"`],
    ]);
  });

const isOffered = (s: Story, isSo: boolean) =>
  s.does((app, id) => {
    const offered = openActNames(app.ctx, app.request(id));
    expect(offered.includes('accept-late')).toBe(isSo);
  });

const words: Words = {
  offersAccepting: (s) => isOffered(s, true),
  offersNone: (s) => isOffered(s, false),
  two,
  signedSecond: (s) => two(s).does((app) => void app.sandbox.sign(secondOf(app))),
  /** Of three. */
  signedNth: (s, nth) =>
    two(s).does(async (app, id) => {
      await sendSecond(app, app.waiting(id));
      app.sandbox.sign(there(app)[Number(nth)]?.id as string);
    }),
  checkNames: (s, nth, status) =>
    s.does((app, id) => {
      const sign = there(app)[Number(nth)]?.id;
      const named = { type: 'error', key: 'second_document', params: { sign, status } };
      return story.on(app, id).checksSignature(named).end();
    }),
  settledSecond: (s) => s.does((app) => settleUnknown(app.ctx, secondOf(app), REASON)),
  cannotSettle: (s, code) => s.refuses((ctx) => settleUnknown(ctx, secondOf(s.app), REASON), { code }),
  accepted: (s) => s.by(accept),
  refusesAccepting: (s, code) => s.refuses(accept, { code }),
  unsettled: (s) => needing(s, (app) => `check-signature --settle ${secondOf(app)}`),
  unaccepted: (s) => needing(s, (app, id) => `contracts accept-late ${app.contract(id).id}`),
  signsSecond: (s) => s.does((app) => void app.sandbox.sign(secondOf(app))),
  historyNamesBoth: (s) =>
    s.does((app) => {
      const sql = "SELECT detail FROM history WHERE what = 'contract.second_accepted'";
      const [{ id: instead } = { id: '' }] = there(app);
      expect(JSON.parse(app.ctx.db.raw.prepare(sql).pluck().get() as string)).toEqual({
        signId: secondOf(app),
        instead,
        reason: REASON.reason,
      });
    }),
  isSecond: (s) => s.does((app, id) => expect(app.contract(id).signId).toBe(secondOf(app))),
  isFirst: (s) => s.does((app, id) => expect(app.contract(id).signId).toBe(there(app)[0]?.id)),
  webhookOfSecond: (s, status) =>
    s.does(async (app) => {
      const signature = { external_id: there(app)[1]?.external_id };
      expect(await deliver(app, secondOf(app), { signature })).toBe(status);
    }),
  resetNamesAccepting: (s) =>
    s.refuses(resetSignature, {
      code: 'already_signed',
      hint: expect.arrayContaining([command('contracts accept-late', 1)]) as unknown,
    }),
};

/** The contract is signed with the second, or still the first one's. */
const SIGNED = 'WAITING_PAYMENT; contracts SIGNED; documents canceled done';
const UNDECIDED = 'contracts PENDING; documents ongoing done';
const SECOND = 'type=error key=second_document';

table(
  `
  a start is not repeated by somebody who presses start again, however far the clock was set ahead
    entered; meanwhile createRequest: waits 1h, refuses start in_progress; sentNext → documents ongoing
  an open one is told after a check, and one command cancels it and leaves the other
    two; checksSignature; offersNone; unsettled → findings has second_document: open
    settledSecond → documents ongoing canceled; findings waiting_for_customer; needs none
  so is it after the bulk check
    two; signaturesChecked; unsettled → findings has second_document: open
  a signed one is told after a check; accepted, it completes the request, and the other can no longer be signed
    signedSecond; checksSignature; offersAccepting → findings has second_document: signed
    accepted; isSecond; historyNamesBoth → ${SIGNED}; told contract.second_accepted 1; needs none
  so is it after the bulk check, when it is signed
    signedSecond; signaturesChecked; unaccepted → findings has second_document: signed
  the check answers that a person must decide, and changes nothing at the provider; its dry run stores nothing
    two; dry checksSignature ${SECOND} → needs none
    checkNames 1 ongoing → documents ongoing ongoing
  of several, the check names the signed one, be it the second
    signedNth 1; checkNames 1 done → contracts PENDING
  or the third
    signedNth 2; checkNames 2 done → contracts PENDING
  it is withdrawn with the other one by a reset
    two; reset → documents canceled canceled ongoing; contracts EXPIRED PENDING
  and by a cancellation
    two; canceled → documents canceled canceled; contracts EXPIRED
  one that is signed once the other counts can only be settled
    two; signed; drained; signsSecond; webhookOfSecond 200; unsettled; offersNone → WAITING_PAYMENT
  so can a second document of a contract that a reset has replaced
    two; reset; webhookOfSecond 200; unsettled; offersNone → contracts EXPIRED PENDING
  it is not settled while the provider cannot be asked
    two; signaturesChecked; fault signature:500; cannotSettle provider_unavailable; unsettled → contracts PENDING
  the webhook of a signed one is kept and answered 200, and the office is told
    signedSecond; webhookOfSecond 200; unaccepted → WAITING_SIGNATURE
  it is not accepted while its PDF cannot be had, and the other copy can still be signed
    signedSecond; checksSignature; fault signature.download:500; refusesAccepting provider_unavailable; unaccepted
    → ${UNDECIDED}
  accepted while the other copy cannot be withdrawn, nothing is signed; the next attempt does both
    signedSecond; fault signature.cancel:500; refusesAccepting provider_unavailable → ${UNDECIDED}
    noFaults; accepted → ${SIGNED}
  while it is accepted, a reset is refused
    signedSecond; before cancel: refuses reset in_progress; accepted → ${SIGNED}
  where the customer has signed both, the first is not replaced
    signedSecond; signs; refusesAccepting not_late; checksSignature type=success; isFirst → contracts SIGNED
  a reset is refused, and names the command that accepts it
    signedSecond; resetNamesAccepting → ${UNDECIDED}
  settled instead, a signed one does not count and is not told again
    signedSecond; signaturesChecked; settledSecond; signaturesChecked
    → WAITING_SIGNATURE; ${UNDECIDED}; needs none`,
  { of: 'two documents: ', words },
);
