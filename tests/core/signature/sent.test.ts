/**
 * A start or a reset whose end was lost, with the provider's answer or with the process (rules 2): from then on it
 * counts as possibly under way, and the first to learn the truth brings the request to where the provider is.
 */
import { setImmediate as turn } from 'node:timers/promises';
import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import { change } from '../../../src/core/change.js';
import { command } from '../../../src/core/commands.js';
import { expireContracts } from '../../../src/core/contracts/expire-contracts.js';
import { explain } from '../../../src/core/explain/explain.js';
import { listNeeds } from '../../../src/core/needs/needs.js';
import { cancelRequest } from '../../../src/core/requests/cancel-request.js';
import { checkAllSignatures } from '../../../src/core/signature/check-all-signatures.js';
import { findAtProvider } from '../../../src/core/signature/observe.js';
import type { SignatureState } from '../../../src/core/signature/provider-answers.js';
import { prepare } from '../../../src/core/signature/reconcile.js';
import { resetSignature } from '../../../src/core/signature/reset-signature.js';
import { sentAs, storeSent } from '../../../src/core/signature/sent.js';
import { listOpenUnknown } from '../../../src/core/signature/unknown-signatures.js';
import { readStatus } from '../../../src/core/status/status.js';
import type { ContractRow } from '../../../src/db/schema.js';
import { anyContractPdf, rejection, type TestApp } from '../../support/app.js';
import { startSignature } from '../../support/start-signature.js';
import { BY, REASON, story, type Story } from '../../support/story.js';
import { table, type Words } from '../../support/table.js';
import { deliver } from '../../support/webhooks.js';

const fails = async (acts: Promise<unknown>) =>
  expect(await rejection(acts)).toMatchObject({ code: 'provider_unavailable' });
/** Cut at this step; `answer_lost`: the provider did what it was asked for. */
const cutStart = (s: Story, fault = 'activate:answer_lost:1') =>
  s
    .entered()
    .fault(`signature.${fault}`)
    .does(async ({ ctx }, id) => fails(startSignature(ctx, id, { ...BY, pdf: await anyContractPdf() })))
    .noFaults();
const cutReset = (s: Story, fault = 'activate:answer_lost:1') =>
  s
    .sent()
    .fault(`signature.${fault}`)
    .does(({ ctx }, id) => fails(resetSignature(ctx, id, BY)))
    .noFaults();
/** As a backup from before the sending leaves it. */
const unnamed = (s: Story) =>
  cutStart(s).sql("UPDATE contracts SET signId = NULL, signerEmail = NULL, sending = 'unsent'");

const there = (app: TestApp) => app.sandbox.state().signatureRequests;
const newest = (app: TestApp) => there(app).at(-1)?.id as string;
/** The provider has one document that counts. */
const one = (s: Story) =>
  s.does((app) => expect(there(app).filter(({ status }) => status !== 'canceled')).toHaveLength(1));
const calls = (app: TestApp) => ({ ...app.sandbox.state().counters.calls });
const history = (app: TestApp, id: number) =>
  app.history(id).filter((what) => /^contract|^request.moved/.test(what));
const SENT = ['contract.created', 'contract.sent', 'request.moved'];
const SIGNED = [...SENT, 'contract.signed', 'request.moved'];

const names = (app: TestApp, id: number) => ({ signature: { external_id: app.contract(id).externalId } });
/** Webhooks of this id that claim the contract’s name. */
const claims = (s: Story, status: number | string, signId?: string) =>
  s.does(async (app, id) =>
    expect(await deliver(app, signId ?? newest(app), names(app, id))).toBe(Number(status)),
  );
const hasNewest = (s: Story) => s.does((app, id) => expect(app.contract(id).signId).toBe(newest(app)));
const isElses = (s: Story) => s.sql("UPDATE users SET username = 'somebody@else.example'");

const words: Words = {
  cutStart,
  cutReset,
  unnamed,
  one,
  claims,
  hasNewest,
  isElses,
  isSent: (s) =>
    one(s).does((app, id) =>
      expect(app.contract(id)).toMatchObject({
        status: 'PENDING',
        sending: 'sent',
        signId: newest(app),
        signerId: expect.any(String),
        signUrl: expect.stringContaining('/sign/'),
        signUrlExpiresAt: expect.any(String),
      }),
    ),
  hasHistory: (s, how) =>
    s.does((app, id) => expect(history(app, id)).toEqual(how === 'sent' ? SENT : SIGNED)),
  mailSaysStart: (s) =>
    s.does(async (app, id) => {
      const mail = app.sandbox.mails().find(({ to }) => to.includes('office@acme.test'));
      expect(mail?.text).toContain(`esignctl start-signature ${id}`);
      expect(mail?.text).not.toContain('reset');
      const { next } = (await explain(app.ctx, String(id))).findings[0] ?? {};
      expect(next).toEqual(command('start-signature', id));
    }),
  expiring: (s) => s.does(({ ctx }) => expireContracts(ctx, BY)),
  /** While the provider looks for the name. */
  getsAnotherId: (s) =>
    s.does(({ ctx: { provider, db } }) => {
      const find = provider.findByExternalId.bind(provider);
      provider.findByExternalId = async (name) => {
        db.raw.exec("UPDATE contracts SET signId = 'another'");
        return find(name);
      };
    }),
  newestIsUnknown: (s) =>
    s.does((app) => expect(listOpenUnknown(app.ctx.db, 9)).toMatchObject([{ signId: newest(app) }])),
  namesOneThatIsGone: (s) => s.sql("UPDATE contracts SET signId = '00000000-0000-4000-8000-000000000001'"),
  forgetsTerms: (s) => s.sql('UPDATE contracts SET termsDigest = NULL'),
  forgetsSigner: (s) => s.sql('UPDATE contracts SET signerEmail = NULL'),
  saysDraft: (s) => s.checksSignature({ key: 'check_signature_info.status', params: { status: 'draft' } }),
  namesNoTerms: (s) =>
    s.does((app) => {
      const detail = "SELECT detail FROM history WHERE what = 'contract.sent'";
      expect(app.ctx.db.raw.prepare(detail).pluck().get()).not.toContain('"terms"');
    }),
};

const NOTHING_YET = 'in_progress; contract PENDING';
const WAITS = 'WAITING_SIGNATURE; contract PENDING';
const COMPLETED = 'WAITING_PAYMENT; contract SIGNED';
const ONE_EACH = 'mails contract-signed 1 admin-signed 1 payment-link 1';

table(
  `
  ongoing there: its webhook brings the request there
    cutStart; delivers 200 activated; isSent → ${WAITS}; told contract.sent 1
  ongoing there: a person’s check does, and says that the request waits from then on
    cutStart; checksSignature key=check_signature_info.ongoing words=check_signature_caught_up; isSent → ${WAITS}
  ongoing there: the bulk check does, once
    cutStart; signaturesChecked checked=1 changed=1 failed=0; isSent; signaturesChecked changed=0 → ${WAITS}
  ongoing there after a reset, a check does
    cutReset; checksSignature; isSent → ${WAITS}; told contract.sent 2
  signed there: its webhook completes it
    cutStart; there signed; delivers 200; hasHistory signed; delivers 422; drained; one → ${COMPLETED}; ${ONE_EACH}
  signed there after a reset: the bulk check completes it
    cutReset; there signed; signaturesChecked changed=1; one
    → ${COMPLETED}; told contract.signed 1; ${ONE_EACH}
  signed there: a person’s check completes it, and says just that
    cutStart; there signed; checksSignature key=check_signature_success → ${COMPLETED}
  declined there: its webhook ends it with that reason; the mail says start, not reset; it can be started again
    cutStart; there declined; delivers 200 declined; drained; mailSaysStart
    → in_progress; contract EXPIRED endReason=declined; findings ended: declined_because; told contract.ended 1
    sentNext → ${WAITS}; contracts EXPIRED PENDING
  expired there: a person’s check ends it, its words say start, and an ended contract is no start under way
    cutStart; there expired; checksSignature words=check_signature_start_expired;
    unasked: checksSignature key=not_waiting_signature → in_progress; contract EXPIRED endReason=expired
  expired there after a reset: a check ends it and leaves the request waiting
    cutReset; there expired; checksSignature → WAITING_SIGNATURE; contract EXPIRED endReason=expired
  a dry run of a check changes nothing, whatever the provider says
    cutStart; unchanged: dry checksSignature, dry signaturesChecked changed=1; there signed
    unchanged: dry checksSignature, dry signaturesChecked changed=1 → ${NOTHING_YET}
  signed, and the provider does not answer our question: owed, and finished by the job
    cutStart; there signed; fault signature.get:500; delivers 202 → ${NOTHING_YET}
    noFaults; waits 1m; drained → ${COMPLETED}
  a webhook says “signed” while the provider says that it is not: refused, and nothing is believed
    cutStart activate:500:1; delivers 422; delivers 422 → ${NOTHING_YET}
  signed in time and heard of after its last day: our clock does not end it, the provider’s decides
    cutStart; there signed; waits 40d; expiring → ${NOTHING_YET}
    delivers 200 → ${COMPLETED}
  any other webhook is 200 when the provider cannot be asked, and changes nothing
    cutStart; fault signature:500; delivers 200 activated → ${NOTHING_YET}
  one whose signId never got here is found by its name in the body
    unnamed; there signed; claims 200; one; hasNewest → ${COMPLETED}
  and by its name in the provider’s record alone by its webhook
    unnamed; delivers 200 activated; isSent → ${WAITS}
  so by the bulk check, which asks for no id
    unnamed; signaturesChecked changed=1; isSent → ${WAITS}; calls signature.get 0
  and by a person’s check
    unnamed; checksSignature; isSent → ${WAITS}
  a cancellation finds that one signed, and names the check
    unnamed; there signed; refuses cancel already_signed check-signature → ${NOTHING_YET}
  then an end is known as well, and its record gets the id
    unnamed; there declined; delivers 200 declined; hasNewest → in_progress; contract EXPIRED
  signed, and the provider cannot be asked about its name: 404, so that it is sent again; then it counts
    unnamed; there signed; fault signature:500; delivers 404; noFaults; delivers 200 → ${COMPLETED}
  what was sent to somebody else is not taken, whatever name it bears
    unnamed; there signed; isElses; claims 404 → contract signId=nothing
  an id that is not the one there is not believed, though it claims our name
    unnamed; there signed; claims 404 theirs → contract signId=nothing
  nor is it while the document was only made
    cutStart create:answer_lost:1; claims 404 theirs → contract signId=nothing
  one that gets another id while the provider is asked keeps it: what was signed is a second document
    unnamed; getsAnotherId; delivers 200; newestIsUnknown → contract signId=another
  a second id for a contract that has its own is kept for a person, and nobody is asked about it
    sent; unasked: claims 200 theirs; hasNewest → ${WAITS}
${['create:500', 'create:answer_lost', 'upload:500', 'signer:answer_lost', 'activate:500']
  .map(
    (fault) => `
  nothing was sent when the start ended at ${fault}: checks change nothing, and the next start goes on
    cutStart ${fault}:1; signaturesChecked changed=0 failed=0;
    checksSignature key=not_waiting_signature words=check_signature_not_sent → ${NOTHING_YET}
    sentNext; isSent → ${WAITS}`,
  )
  .join('')}
  the provider down: a person’s check says so, and nothing is changed
    cutStart; fault signature:500; checksSignature type=error key=provider_unavailable words=provider_answered
    → ${NOTHING_YET}
  sent as another document than the one noted here, which is gone: that one is noted
    cutStart; namesOneThatIsGone; checksSignature; isSent → ${WAITS}
  the history speaks of no earlier terms where those are the same
    cutStart; checksSignature; namesNoTerms → ${WAITS}
  nor of any where they are not known
    cutStart; forgetsTerms; checksSignature; namesNoTerms → ${WAITS}
  a second start takes it over, with one invitation in all
    cutStart; sentNext; isSent; hasHistory sent → ${WAITS}; invited 1
  a second start while the signed PDF is not ready: the request waits for its signature and is completed later
    cutStart; there signed; fault signature.download:500; sentNext → ${WAITS}
    noFaults; signaturesChecked → ${COMPLETED}
  after a check or a webhook has finished the first, a second start is refused
    cutStart; signaturesChecked; refuses start already_started; there signed; delivers 200;
    refuses start already_signed; one → WAITING_PAYMENT
  what the provider has forgotten was not sent
    cutStart; there gone; untold: delivers 200 activated, delivers 422 → ${NOTHING_YET}
  a reset that ended before there was a signer: the manual check says draft
    cutReset upload:500:1; forgetsSigner; saysDraft → ${WAITS}
  and when that draft is gone, that nothing was sent
    cutReset upload:500:1; there gone; checksSignature type=error key=no_sign_id → ${WAITS}
  the next reset completes one that was signed instead of sending a third contract
    cutReset; there signed; reset; one → ${COMPLETED}`,
  { of: 'an end that was lost: ', words },
);

test('only a question that the provider does not answer is logged, whatever a webhook claims', async () => {
  const lines: string[] = [];
  const context = { log: pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) }) };
  const onlyMade = cutStart(story({ context }), 'create:answer_lost:1');
  const { app } = await claims(onlyMade, 404, 'theirs').end();
  expect(await deliver(app, newest(app), { signature: { external_id: 'nobody’s' } })).toBe(200);
  expect(await deliver(app, '00000000-0000-4000-8000-000000000001')).toBe(404);
  const elses = isElses(unnamed(story({ context })).there('signed'));
  const { app: other } = await claims(elses, 404, 'theirs').end();
  expect(lines.filter((line) => line.includes('webhook waited'))).toEqual([]);
  other.sandbox.faults.add('signature:500');
  expect(await deliver(other, newest(other))).toBe(404);
  expect(lines.map((line) => JSON.parse(line) as unknown)).toContainEqual(
    expect.objectContaining({
      error: expect.stringContaining('500') as string,
      msg: 'the provider could not be asked while its webhook waited',
    }),
  );
});

/** The provider has activated it; its answer comes when the test takes the fault away. */
async function underWay(keep?: (contract: ContractRow) => void) {
  const { app, id } = await story().entered().end();
  const late = { target: 'signature', operation: 'activate', kind: 'answer_late' } as const;
  app.sandbox.faults.add({ ...late, delayMs: 600_000, times: 1 });
  const pdf = await anyContractPdf();
  const kept = keep && { keep: (_: unknown, contract: ContractRow) => keep(contract) };
  const starting = startSignature(app.ctx, id, { ...BY, pdf, ...kept });
  while (there(app)[0]?.status !== 'ongoing') await turn();
  return { app, id, starting, signId: newest(app) };
}

describe('while the start still runs,', () => {
  test('a webhook completes the request at once; the start finds it done and answers well', async () => {
    let kept: ContractRow | undefined;
    const { app, id, starting, signId } = await underWay((contract) => (kept = contract));
    app.sandbox.sign(signId);
    expect(await deliver(app, signId)).toBe(200);
    app.sandbox.faults.clear();
    const contract = await starting;
    expect(contract).toMatchObject({ id: app.contract(id).id, signId, status: 'SIGNED' });
    expect(kept).toEqual(contract);
    expect(history(app, id)).toEqual(SIGNED);
    await one(story.on(app, id).drained().is({ link: 'payment_page older' })).end();
  });

  test('“declined” is believed: no second contract is sent to somebody who has just declined', async () => {
    const { app, id, starting, signId } = await underWay();
    app.sandbox.decline(signId);
    expect(await deliver(app, signId, { name: 'signature_request.declined' })).toBe(200);
    app.sandbox.faults.clear();
    expect(await starting).toMatchObject({ signId, status: 'EXPIRED' });
    expect(app.request(id).status).toBe('WAITING_SIGNATURE');
    expect(there(app)).toHaveLength(1);
  });

  test('“activated” asks nobody, and the bulk check leaves it alone', async () => {
    const { app, id, starting, signId } = await underWay();
    const before = calls(app);
    expect(await deliver(app, signId, { name: 'signature_request.activated' })).toBe(200);
    expect(calls(app)).toEqual(before);
    expect(await checkAllSignatures(app.ctx, BY)).toMatchObject({ checked: 1, changed: 0, failed: 0 });
    app.sandbox.faults.clear();
    await starting;
    expect(app.request(id).status).toBe('WAITING_SIGNATURE');
  });
});

test('a second start of what was signed answers with the signed contract, and the whole story is told', async () => {
  const { app, id } = await cutStart(story()).there('signed').end();
  let kept: ContractRow | undefined;
  const contract = await startSignature(app.ctx, id, { ...BY, keep: (_, made) => (kept = made) });
  expect(contract).toMatchObject({ id: app.contract(id).id, status: 'SIGNED' });
  expect(kept).toEqual(contract);
  expect(history(app, id)).toEqual(SIGNED);
});

test('an error of our own at its completion is not taken for the provider’s', async () => {
  const full = `CREATE TRIGGER full BEFORE UPDATE OF signedAt ON contracts WHEN new.signedAt IS NOT NULL
    BEGIN SELECT RAISE(ABORT, 'the disk is full'); END`;
  const message = 'the disk is full';
  await cutStart(story()).there('signed').sql(full).refuses(startSignature, { message }).end();
});

test.each<[string, (app: TestApp, id: number) => unknown]>([
  ['deleted', (app) => app.ctx.db.raw.exec('DELETE FROM history; DELETE FROM contracts')],
  ['canceled', (app, id) => cancelRequest(app.ctx, id, REASON)],
])('%s here while the provider was asked: it is not recorded as sent', async (_, happen) => {
  const { app, id } = await cutStart(story()).end();
  const { step } = await prepare(app.ctx, app.contract(id).id, BY);
  await happen(app, id);
  expect((await change(app.ctx, BY, step)).answer).toBe('not_waiting');
  expect(app.history(id)).not.toContain('contract.sent');
});

test('a contract that goes by another name since the provider was asked is not given what it said', async () => {
  const { app, id } = await cutStart(story()).end();
  const { step } = await prepare(app.ctx, app.contract(id).id, BY);
  app.ctx.db.raw.exec("UPDATE contracts SET externalId = 'another'");
  expect((await rejection(change(app.ctx, BY, step))).name).toBe('MovedError');
});

test('of what the provider names neither signer nor last moment, ours stays', async () => {
  const { app, id } = await cutStart(story()).end();
  const contract = app.contract(id);
  const { ours } = await findAtProvider(app.ctx, contract);
  const found = { ...(ours as SignatureState), status: 'done', lastMoment: null, signers: [] };
  const sent = await sentAs(app.ctx, found);
  await change(app.ctx, BY, (tx) => storeSent(app.ctx, tx, contract.id, sent));
  const { expiredAt, signerEmail } = contract;
  expect(app.contract(id)).toMatchObject({ expiredAt, signerEmail, signerId: expect.any(String) });
});

describe('explain', () => {
  test.each([
    ['start', cutStart, 'in_progress'],
    ['reset', cutReset, 'WAITING_SIGNATURE'],
  ] as const)('of a %s shows what the provider says, and changes nothing', async (_, cut, status) => {
    const { app, id } = await cut(story()).end();
    const found = async (cause: string, options = {}) =>
      expect((await explain(app.ctx, String(id), options)).findings[0]).toMatchObject({
        key: 'sent_unrecorded',
        cause,
        next: command('check-signature', id),
      });
    await found('unsigned');
    await found('unknown', { offline: true });
    app.sandbox.faults.add('signature:reset');
    await found('unknown');
    app.sandbox.faults.clear();
    app.sandbox.sign(newest(app));
    await found('signed');
    expect([app.request(id).status, app.contract(id).status]).toEqual([status, 'PENDING']);
  });

  test('as status and the list of what needs the office, names it until its end is known', async () => {
    const { app, id } = await cutStart(story()).end();
    const { reference } = app.request(id);
    expect(readStatus(app.ctx).perhapsSent).toMatchObject([{ requestId: id, reference }]);
    const { needs } = await listNeeds(app.ctx, 5);
    expect(needs).toMatchObject([{ request: { id }, next: command('check-signature', id) }]);
    await checkAllSignatures(app.ctx, BY);
    expect(readStatus(app.ctx).perhapsSent).toBeUndefined();
    expect((await listNeeds(app.ctx, 5)).needs).toEqual([]);
  });

  table(
    Object.entries({
      'create:500': 'refused',
      'create:answer_lost': 'interrupted',
      'upload:500': 'refused',
      'signer:500': 'refused',
      'activate:500': 'interrupted',
    })
      .map(([fault, cause]) => `\n${fault}\n  cutStart ${fault}:1 → findings start_unfinished: ${cause}`)
      .join(''),
    { of: 'says that the customer has got nothing only when that is sure: ', words },
  );
});
