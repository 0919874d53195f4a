/** Two documents for one contract: a holder that lost its lock makes none, and one that exists is told and decided by a person. */
import { expect, test } from 'vitest';
import { command, commandLine } from '../../../src/core/commands.js';
import type { Context } from '../../../src/core/context.js';
import { listNeeds } from '../../../src/core/needs/needs.js';
import { cancelRequest } from '../../../src/core/requests/cancel-request.js';
import { acceptLate } from '../../../src/core/signature/accept-late.js';
import { checkAllSignatures } from '../../../src/core/signature/check-all-signatures.js';
import { checkSignature } from '../../../src/core/signature/check-signature.js';
import { settleUnknown } from '../../../src/core/signature/unknown-signatures.js';
import { resetSignature } from '../../../src/core/signature/reset-signature.js';
import { startSignature } from '../../../src/core/signature/start-signature.js';
import { findCurrentContract } from '../../../src/db/contracts/contracts.js';
import { rejection, startApp, type TestApp } from '../../support/app.js';
import { MINUTE } from '../../support/clock.js';
import { includes, tell, type History } from '../../support/histories.js';
import { DEAD } from '../../support/holders.js';
import { sendSecond } from '../../support/second-document.js';
import { BY, REASON, type Standing, type Story } from '../../support/story.js';
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

/** The customer has a second document under the contract's name. */
const two = (s: Story) => s.sent().does((app, id) => sendSecond(app, app.waiting(id)));
const signedSecond = (s: Story) => two(s).does((app) => void app.sandbox.sign(secondOf(app)));
const settled = (s: Story) => s.does((app) => settleUnknown(app.ctx, secondOf(app), REASON));
const accept = (ctx: Context, requestId: number) =>
  acceptLate(ctx, (findCurrentContract(ctx.db, { requestId }) as { id: number }).id, REASON);
/** The office has to decide about the second document, by this command; or about nothing. */
const needing = (s: Story, next?: (app: TestApp, id: number) => string) =>
  s.does(async (app, id) => {
    const { needs } = await listNeeds(app.ctx, 10);
    expect(needs.map((need) => [need.kind, commandLine(need.next)])).toEqual(
      next ? [['second_document', `esignctl ${next(app, id)} --reason "…"`]] : [],
    );
  });
const unsettled = (s: Story) => needing(s, (app) => `check-signature --settle ${secondOf(app)}`);
const unaccepted = (s: Story) => needing(s, (app, id) => `contracts accept-late ${app.contract(id).id}`);
/** The contract is signed with the second, or still the first one's. */
const SIGNED: Standing = {
  status: 'WAITING_PAYMENT',
  contracts: ['SIGNED'],
  documents: ['canceled', 'done'],
};
const UNDECIDED = { contracts: ['PENDING'], documents: ['ongoing', 'done'] };
const unavailable = { code: 'provider_unavailable' };

const looks = [
  ['a check', (s: Story) => s.by((ctx, id) => checkSignature(ctx, id, BY))],
  ['the bulk check', (s: Story) => s.by((ctx) => checkAllSignatures(ctx, BY))],
] as const;

tell(
  [
    [
      'a start is not repeated by somebody who presses start again, however far the clock was set ahead',
      (s) =>
        s
          .entered()
          .meanwhile('createRequest', (t) =>
            t.waits(60 * MINUTE).refuses(startSignature, { code: 'in_progress' }),
          )
          .sentNext(),
      { documents: ['ongoing'] },
    ],
    ...looks.flatMap(([name, look]): History[] => [
      [
        `an open one is told after ${name}, and one command cancels it and leaves the other`,
        (s) => needing(settled(unsettled(look(two(s)).is({ findings: includes('second_document: open') })))),
        { documents: ['ongoing', 'canceled'], findings: ['waiting_for_customer'] },
      ],
      [
        `a signed one is told after ${name}; accepted, it completes the request, and the other can no longer be signed`,
        (s) =>
          needing(
            look(signedSecond(s))
              .is({ findings: includes('second_document: signed') })
              .by(accept)
              .does((app, id) => expect(app.contract(id).signId).toBe(secondOf(app))),
          ),
        { ...SIGNED, told: { 'contract.second_accepted': 1 } },
      ],
    ]),
    [
      'the check answers that a person must decide, and changes nothing at the provider; its dry run stores nothing',
      (s) => {
        const answer = { type: 'error', key: 'second_document' };
        return needing(two(s).checksSignature(answer, { dryRun: true })).does(async (app, id) => {
          const params = { sign: secondOf(app), status: 'ongoing' };
          expect(await checkSignature(app.ctx, id, BY)).toMatchObject({ ...answer, params });
        });
      },
      { documents: ['ongoing', 'ongoing'] },
    ],
    ...[1, 2].map((nth): History => [
      `of several, the check names the signed one (${nth})`,
      (s) =>
        two(s).does(async (app, id) => {
          await sendSecond(app, app.waiting(id));
          const sign = there(app)[nth]?.id as string;
          app.sandbox.sign(sign);
          expect(await checkSignature(app.ctx, id, BY)).toMatchObject({ params: { sign, status: 'done' } });
        }),
      { contracts: ['PENDING'] },
    ]),
    ...([resetSignature, cancelRequest] as const).map((withdraw): History => [
      `it is withdrawn with the other one: ${withdraw.name}`,
      (s) => two(s).by(withdraw),
      { documents: includes('canceled', 'canceled'), contracts: includes('EXPIRED') },
    ]),
    [
      'it is not settled while the provider cannot be asked',
      (s) =>
        unsettled(
          looks[1][1](two(s))
            .fault('signature:500')
            .refuses((ctx) => settleUnknown(ctx, secondOf(s.app), REASON), unavailable),
        ),
      {},
    ],
    [
      'the webhook of a signed one is kept and answered 200, and the office is told',
      (s) =>
        unaccepted(
          signedSecond(s).does(async (app, id) => {
            const signature = { external_id: app.contract(id).externalId };
            expect(await deliver(app, secondOf(app), { signature })).toBe(200);
          }),
        ),
      { status: 'WAITING_SIGNATURE' },
    ],
    [
      'it is not accepted while its PDF cannot be had, and the other copy can still be signed',
      (s) =>
        unaccepted(looks[0][1](signedSecond(s)).fault('signature.download:500').refuses(accept, unavailable)),
      UNDECIDED,
    ],
    [
      'accepted while the other copy cannot be withdrawn, nothing is signed; the next attempt does both',
      (s) =>
        signedSecond(s)
          .fault('signature.cancel:500')
          .refuses(accept, unavailable)
          .is(UNDECIDED)
          .noFaults()
          .by(accept),
      SIGNED,
    ],
    [
      'while it is accepted, a reset is refused',
      (s) =>
        signedSecond(s)
          .before('cancel', (t) => t.refuses(resetSignature, { code: 'in_progress' }))
          .by(accept),
      SIGNED,
    ],
    [
      'where the customer has signed both, the first is not replaced',
      (s) =>
        signedSecond(s)
          .signs()
          .refuses(accept, { code: 'not_late' })
          .checksSignature({ type: 'success' })
          .does((app, id) => expect(app.contract(id).signId).not.toBe(secondOf(app))),
      { contracts: ['SIGNED'] },
    ],
    [
      'a reset is refused, and names the command that accepts it',
      (s) =>
        signedSecond(s).refuses(resetSignature, {
          code: 'already_signed',
          hint: expect.arrayContaining([command('contracts accept-late', 1)]) as unknown,
        }),
      UNDECIDED,
    ],
    [
      'settled instead, a signed one does not count and is not told again',
      (s) => needing(looks[1][1](settled(looks[1][1](signedSecond(s))))),
      { ...UNDECIDED, status: 'WAITING_SIGNATURE' },
    ],
  ],
  'two documents: ',
);
