/** A late signature that a person lets stand (rules 2): only the rule about the last moment is waived. */
import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { adviceText, command } from '../../../src/core/commands.js';
import { signedPdfPath } from '../../../src/core/contracts/contract-files.js';
import { expireContracts } from '../../../src/core/contracts/expire-contracts.js';
import { explain } from '../../../src/core/explain/explain.js';
import { orderDigest } from '../../../src/core/needs/digest.js';
import { acceptLate } from '../../../src/core/signature/accept-late.js';
import { resetSignature } from '../../../src/core/signature/reset-signature.js';
import { openActNames } from '../../support/acts.js';
import { rejection, type TestApp } from '../../support/app.js';
import { BY, REASON, story, type Story } from '../../support/story.js';
import { holding, table, type Words } from '../../support/table.js';

const LATE = '2026-04-02T00:00:07.000Z';
const LAST_MOMENT = '2026-04-01T23:59:59.000Z';

const nextDay = (s: Story) => s.does(({ clock }) => clock.set('2026-04-02T08:00:00.000Z'));
/** Signed seven seconds after the last moment, and told. */
const late = (s: Story) =>
  nextDay(s.sent().signs(LATE))
    .does(({ ctx }) => expireContracts(ctx, BY))
    .delivers(422);
const accept = (app: TestApp, id: number, dryRun = false) =>
  acceptLate(app.ctx, app.contract(id).id, { ...REASON, dryRun });

const words: Words = {
  nextDay,
  late,
  accepted: (s, answer) =>
    s.does(async (app, id) => expect(await accept(app, id)).toMatchObject(holding(answer))),
  previewed: (s, answer) =>
    s.does(async (app, id) => expect(await accept(app, id, true)).toMatchObject(holding(answer))),
  refused: (s, code, says = '') =>
    s.unchanged((t) =>
      t.does(async (app, id) => {
        const message = expect.stringContaining(says) as unknown;
        expect(await rejection(accept(app, id))).toMatchObject({ code, message });
      }),
    ),
  isTold: (s, expected) =>
    s.does(({ ctx }) => {
      const sql = "SELECT actor, detail FROM history WHERE what = 'contract.late_accepted'";
      const { actor, detail } = ctx.db.raw.prepare(sql).get() as { actor: string; detail: string };
      expect({ actor, ...(JSON.parse(detail) as object) }).toMatchObject(holding(expected));
    }),
  caseIs: (s, decision) =>
    s.does(({ ctx }) =>
      expect(ctx.db.raw.prepare('SELECT decision FROM cases').pluck().all()).toEqual([decision]),
    ),
  hasPdf: (s) =>
    s.does((app, id) => expect(existsSync(signedPdfPath(app.ctx, app.contract(id).id))).toBe(true)),
  acceptedTwiceAtOnce: (s) =>
    s.does(async (app, id) => {
      const both = await Promise.allSettled([accept(app, id), accept(app, id)]);
      const lost = both.filter(({ status }) => status === 'rejected');
      expect(lost).toMatchObject([{ reason: { code: 'not_waiting_signature' } }]);
    }),
  toTheMinute: (s) => s.sql("UPDATE contracts SET expiredAt = '2026-04-01T09:14:07.250Z'"),
  notSigned: (s) => s.there((sandbox, signId) => sandbox.setStatus(signId, 'declined')),
  wasNeverSent: (s) => s.sql('UPDATE contracts SET signUrl = NULL, signId = NULL'),
  isElses: (s) => s.sql("UPDATE contracts SET externalId = 'esign-other-other'"),
  namesTheCheck: (s) =>
    s.does(async (app, id) => {
      const hint = ['Run `', command('check-signature', 1), '` instead.'];
      expect(await rejection(accept(app, id))).toMatchObject({ hint });
    }),
  refusedOtherwise: (s) =>
    s.does(async (app, id) => {
      const { id: replaced } = app.contract(id);
      const blank = acceptLate(app.ctx, replaced, { ...BY, reason: ' ' });
      expect(await rejection(blank)).toMatchObject({ kind: 'invalid' });
      await resetSignature(app.ctx, id, BY);
      for (const [contractId, code] of [
        [replaced, 'already_reset'],
        [4711, 'contract_not_found'],
      ] as const)
        expect(await rejection(acceptLate(app.ctx, contractId, REASON))).toMatchObject({ code });
    }),
  isOffered: (s) =>
    s.does(async (app, id) => {
      const { request: other } = await app.waitingRequest();
      expect(openActNames(app.ctx, app.request(id))).toContain('accept-late');
      expect(openActNames(app.ctx, other)).not.toContain('accept-late');
      const { verdict } = await explain(app.ctx, String(id), { offline: true });
      expect(adviceText(verdict)).toContain(`contracts accept-late ${app.contract(id).id} --reason`);
    }),
};

const MOMENTS = `signedAt=${LATE} lastMoment=${LAST_MOMENT}`;
/** What happens after it was told, and the refusal. */
const REFUSED = [
  ['the provider cannot be asked', 'fault signature.get:500', 'provider_unavailable'],
  ['an HTML page says “not found”', 'fault signature.get:404_html', 'provider_unavailable'],
  ['the PDF cannot be had', 'fault signature.download:500', 'provider_unavailable'],
  ['the provider does not know it', 'there gone', 'signature_not_found'],
  ['it is not signed there', 'notSigned', 'contract_not_signed', 'declined'],
  ['what it is there has a new word', 'there paused', 'contract_not_signed', 'paused'],
  ['it was never sent', 'wasNeverSent', 'no_sign_id'],
  ['it is somebody else’s there', 'isElses', 'foreign_signature'],
];

table(
  `
  it counts from then on as every other: PDF, term, mails, payment, and the history with the reason
    late; unchanged: previewed ${MOMENTS} isPayable=false; accepted ${MOMENTS} isPayable=true; drained; hasPdf;
    isTold actor=user:tester@example.org reason=${REASON.reason} ${MOMENTS}; caseIs accepted
    → WAITING_PAYMENT; shown; contract SIGNED signedAt=${LATE} expiredAt=2027-04-02T00:00:07.000Z;
    ordered signed-late + contract-signed + admin-signed + payment-link
  twice, at the same time or later, is once
    late; acceptedTwiceAtOnce; refused not_waiting_signature → contracts SIGNED; told contract.late_accepted 1
  one of which only the person knows is accepted at once; the provider’s last moment counts, not an earlier one of ours
    sent; signs ${LATE}; nextDay; toTheMinute; accepted lastMoment=${LAST_MOMENT};
    isTold lastMoment=${LAST_MOMENT} → contracts SIGNED
${REFUSED.map(
  ([when, happens, code, says = '']) => `
  it is refused, and nothing changes, when ${when}
    late; ${happens}; refused ${code} ${says} → contracts EXPIRED`,
).join('')}
  it is refused when it was signed in time: the check completes it
    sent; signs; nextDay; refused not_late; namesTheCheck → contracts PENDING
  it is refused without a reason, when a reset has replaced it, and when there is no such contract
    late; refusedOtherwise → contracts EXPIRED PENDING
  the office is offered it only for what came too late, and explain names the command
    late; isOffered → contracts EXPIRED
  until somebody decides, checks change nothing and later bulk checks do not fail
    late; checksSignature key=contract_expired words=check_signature_late; signaturesChecked changed=0 failed=0; accepted;
    signaturesChecked checked=0 → contracts SIGNED
  a payment page that cannot be made now is tried again; the signature stands
    late; fault payment.create:500:1; accepted isPayable=false → WAITING_PAYMENT; not shown
    waits 1s; drained → shown`,
  { words },
);

test('the mails of an instance name it in every command: in a sentence, in the daily list and alone', async () => {
  const { app, id } = await late(story()).end();
  Object.assign(app.ctx.config, { instance: 'acme' });
  await orderDigest(app.ctx, BY);
  await app.drain();
  const mails = app.sandbox.mails().map(({ text }) => text.replaceAll(/\s+/g, ' '));
  const contract = app.contract(id).id;
  for (const words of [
    `\`esignctl reset-signature ${id} --instance acme\`.`,
    `esignctl contracts accept-late ${contract} --reason "…" --instance acme`,
    `\`esignctl contracts accept-late ${contract} --reason … --instance acme\``,
    `(esignctl reset-signature ${id} --instance acme)`,
  ])
    expect(mails.filter((mail) => mail.includes(words))).toHaveLength(1);
  expect(mails.join(' ').split('esignctl ')).toHaveLength(5);
});
