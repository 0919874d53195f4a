/** The last day to sign is one day for both (rules 2): in ESIGN_TIMEZONE, here and at the provider. */
import { expect, test } from 'vitest';
import { expireContracts } from '../../../src/core/contracts/expire-contracts.js';
import { surveySignatures } from '../../../src/core/signature/survey-signatures.js';
import { lateSignedAt } from '../../../src/core/signature/told.js';
import { wallClock } from '../../../src/core/zone.js';
import { startApp } from '../../support/app.js';
import { DAY } from '../../support/clock.js';
import { BY, story } from '../../support/story.js';
import { table, type Words } from '../../support/table.js';
import { deliver } from '../../support/webhooks.js';

/** From 2 March 2026, 09:14:07 UTC, 30 days on; days to sign chosen so that the clocks change on the way. */
test.each([
  ['Europe/Paris', '30', '2026-04-01', '2026-04-01T21:59:59.000Z'],
  ['Europe/Paris', '27', '2026-03-29', '2026-03-29T21:59:59.000Z'],
  ['Europe/Paris', '237', '2026-10-25', '2026-10-25T22:59:59.000Z'],
  ['America/Los_Angeles', '30', '2026-04-01', '2026-04-02T06:59:59.000Z'],
  ['America/Los_Angeles', '6', '2026-03-08', '2026-03-09T06:59:59.000Z'],
  ['Pacific/Kiritimati', '30', '2026-04-01', '2026-04-01T09:59:59.000Z'],
  ['UTC', '30', '2026-04-01', '2026-04-01T23:59:59.000Z'],
])(
  '%s, %s days: the last second of %s is in time for both, whenever we hear of it, and the next one for neither',
  async (zone, days, day, end) => {
    const app = await startApp({ env: { ESIGN_TIMEZONE: zone, ESIGN_CONTRACT_VALID_DAYS: days } });
    const [inTime, tooLate] = [await app.waitingRequest(), await app.waitingRequest()];
    const there = () => app.sandbox.state().signatureRequests;
    const status = ({ request }: typeof inTime) => app.contract(request.id).status;

    expect(inTime.contract.expiredAt).toBe(end);
    expect(there()[0]).toMatchObject({ expiration_date: end.replace('.000Z', '+00:00'), timezone: zone });
    expect(wallClock(zone, there()[0]?.expiration_date as string)).toEqual({ day, time: '23:59:59' });
    app.clock.set(end);
    expect(app.sandbox.sign(inTime.signId)).toBe(true);
    expect(await expireContracts(app.ctx, BY)).toMatchObject({ expired: 0 });
    app.clock.advance(1000);
    expect(app.sandbox.sign(tooLate.signId)).toBe(false);
    expect(there()[1]?.status).toBe('expired');
    expect(await expireContracts(app.ctx, BY)).toMatchObject({ expired: 2 });
    expect([status(inTime), status(tooLate)]).toEqual(['EXPIRED', 'EXPIRED']);
    app.clock.advance(DAY);

    expect(await deliver(app, inTime.signId)).toBe(200);

    expect(app.contract(inTime.request.id)).toMatchObject({ status: 'SIGNED', signedAt: end });
  },
);

const words: Words = {
  /** By the office, in the provider's console. */
  extended: (s, expiration_date) =>
    s.does(async ({ sandbox, ctx }) => {
      const [{ id } = { id: '' }] = sandbox.state().signatureRequests;
      const answer = await fetch(`${sandbox.apiUrl}/signature_requests/${id}`, {
        method: 'PATCH',
        headers: { authorization: `Bearer ${ctx.config.apiKey}`, 'content-type': 'application/json' },
        body: JSON.stringify({ expiration_date }),
      });
      expect(answer.status).toBe(200);
    }),
  /** As contracts were made before the last day was one day for both. */
  toTheMinute: (s) => s.sql("UPDATE contracts SET expiredAt = '2026-04-01T09:14:07.250Z'"),
  historyNamesBoth: (s) =>
    s.does(({ ctx }) => {
      const told = ctx.db.raw.prepare("SELECT detail FROM history WHERE what = 'contract.last_moment_told'");
      const both = { from: '2026-04-01T09:14:07.250Z', to: '2026-04-01T23:59:59.000Z' };
      expect(JSON.parse(told.pluck().get() as string)).toEqual(both);
    }),
  expiring: (s) => s.does(({ ctx }) => expireContracts(ctx, BY)),
  isLateSince: (s, time) =>
    s.does((app, id) => expect(lateSignedAt(app.ctx.db, app.contract(id)) ?? 'never').toBe(time)),
  bulkAnswers: (s, failed, type) =>
    s.signaturesChecked({
      changed: 0,
      failed,
      results: [{ type, key: 'contract_expired', changed: false }],
    }),
  surveyFindsOver: (s) =>
    s.does(async ({ ctx }) => {
      const { classes } = await surveySignatures(ctx, BY);
      expect(classes).toMatchObject({ over: 1, late: 0, waiting: 0 });
    }),
};

const BELIEVED = 'contract expiredAt=2026-04-01T23:59:59.000Z; told contract.last_moment_told 1';
const TOO_LATE = '2026-04-02T00:00:00.000Z';

table(
  `
  the moment that the provider names is stored when the contract is sent
    stopped upload:500; extended 2026-04-03; sentNext → contract expiredAt=2026-04-03T23:59:59.000Z
  it is believed by a check, and told once; a dry run leaves ours alone
    sent; toTheMinute; unchanged: dry checksSignature;
    checksSignature key=check_signature_info.ongoing; checksSignature; historyNamesBoth
    → ${BELIEVED}
  and by the bulk check
    sent; toTheMinute; unchanged: dry signaturesChecked; signaturesChecked; signaturesChecked → ${BELIEVED}
  it is believed with a signature that comes too late even so
    sent; isLateSince never; toTheMinute; signs ${TOO_LATE}; at 2026-04-03T12:00:00.000Z; delivers 422; isLateSince ${TOO_LATE}
    → contract expiredAt=2026-04-01T23:59:59.000Z told=late; told contract.last_moment_told 1
  and when a webhook says “signed”, which the provider does not confirm
    sent; toTheMinute; delivers 202; delivers 202 → ${BELIEVED}
  it counts when we closed the contract by our own before the day had ended
    sent; toTheMinute; at 2026-04-01T20:00:00.000Z; expiring; signs; delivers 200 → contracts SIGNED
  it counts when the office has extended the time to sign there
    sent; extended 2026-04-10; at 2026-04-05T12:00:00.000Z; signs; refuses reset already_signed; delivers 200
    → contracts SIGNED
  it is not the end of the term: that of a signed contract stays
    sent; signed; signaturesChecked → contract expiredAt=2027-03-02T09:14:07.000Z
  over here and ongoing there: checks say so, change nothing, and do not fail
    sent; over; checksSignature type=error key=contract_expired; bulkAnswers 0 info; surveyFindsOver
    → contracts EXPIRED; documents ongoing; work send-mail none
  a signature that came too late fails the bulk check that tells of it, and no later one
    sent; signs ${TOO_LATE}; at 2026-04-02T08:00:00.000Z; bulkAnswers 1 error; toTheMinute; bulkAnswers 0 info
    → mails signed-late 1
  signed at a time that nobody knows, and it passes while the PDF comes: what was said is asked for again
    sent; at 2026-04-01T23:59:58.000Z; there done; meanwhile downloadDocument: at 2026-04-02T00:00:01.000Z
    checksSignature key=contract_expired words=check_signature_late
    → contract told=late; told contract.signed 0; mails signed-late 1`,
  { of: 'the last moment: ', words },
);

test('a signature that came too late is reported in a mail that names both times to the second, their zone, and both ways on', async () => {
  const late = story({ env: { ESIGN_TIMEZONE: 'Europe/Paris' } })
    .sent()
    .signs('2026-04-01T22:00:07Z');
  const { app, id } = await late
    .does(({ clock }) => clock.set('2026-04-02T08:00:00.000Z'))
    .delivers(422)
    .drained()
    .end();
  const mail = app.sandbox.mails().find(({ to }) => to.includes('office@acme.test'))?.text ?? '';
  for (const words of [
    '1 April 2026, 23:59:59 CEST (Europe/Paris)',
    '2 April 2026, 00:00:07 CEST (Europe/Paris)',
    `esignctl contracts accept-late ${app.contract(id).id} --reason "…"`,
    `esignctl reset-signature ${id}`,
    `/admin/requests/${id}`,
  ])
    expect(mail).toContain(words);
});
