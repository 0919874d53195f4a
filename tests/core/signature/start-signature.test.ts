/** Start of a signature (rules 2): from the request to the customer's link, and on again after trouble at any step. */
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { command } from '../../../src/core/commands.js';
import { digestOf, readTerms } from '../../../src/core/contracts/terms.js';
import { listHistory } from '../../../src/db/history/history.js';
import { rejection, startApp, type AppOptions, type TestApp } from '../../support/app.js';
import { A4, pdfOf } from '../../support/odd-pdfs.js';
import { startSignature } from '../../support/start-signature.js';
import { draftOf, PDF, START_WORDS, withPdf } from '../../support/start-words.js';
import { BY, story } from '../../support/story.js';
import { table, type Words } from '../../support/table.js';

const there = (app: TestApp) => app.sandbox.state().signatureRequests;

/** Where a mark to sign was added, as the provider tells it. */
async function fieldsOf({ ctx, sandbox }: TestApp, signId: string) {
  const headers = { authorization: `Bearer ${ctx.config.apiKey}` };
  const answer = await sandbox.fetch(`${sandbox.apiUrl}/signature_requests/${signId}/signers`, { headers });
  return ((await answer.json()) as { fields: object[] }[])[0]?.fields;
}

/** A start with these settings, whose terms are the plain ones. */
async function started(env: AppOptions['env'] = {}) {
  const { app, id } = await story({ env }).entered().sentNext().end();
  return { app, id, contract: app.contract(id), wording: readTerms(app.ctx, app.ctx.db, id).wording };
}

test('it makes contract and PDF, sends them, keeps signId and link, and the request waits', async () => {
  const app = await startApp();
  const owner = await app.addUser({ username: 'zoe@example.org', firstName: 'Zoé', lastName: "O'Neil" });
  const request = await app.addRequest(owner, { status: 'new' });

  const contract = await startSignature(app.ctx, request.id, BY);

  const [sent] = there(app);
  expect(sent).toMatchObject({
    status: 'ongoing',
    name: `${request.reference} Yearly maintenance`,
    external_id: expect.stringMatching(/^esign-[0-9a-f]{16}-[0-9a-f]{16}$/),
    expiration_date: '2026-04-01T23:59:59+00:00',
    signers_allowed_to_decline: true,
    delivery_mode: 'email',
  });
  expect(contract).toMatchObject({
    status: 'PENDING',
    signId: sent?.id,
    signUrl: sent?.signers[0]?.signature_link,
    amount: 12_000,
    currency: 'eur',
    ownPdf: 0,
    createdAt: '2026-03-02T09:14:07.250Z',
    expiredAt: '2026-04-01T23:59:59.000Z',
  });
  expect(app.request(request.id).status).toBe('WAITING_SIGNATURE');
  const told = listHistory(app.ctx.db, { requestId: request.id });
  expect(told.map(({ what, contractId }) => [what, contractId])).toEqual([
    ['contract.created', contract.id],
    ['contract.sent', contract.id],
    ['request.moved', contract.id],
  ]);
  expect(app.sandbox.mails()).toMatchObject([{ source: 'provider', to: ['zoe@example.org'] }]);
  expect(readFileSync(draftOf(app, request.id), 'latin1')).toMatch(/^%PDF-/);
  expect(await fieldsOf(app, contract.signId as string)).toEqual([]);
});

test('price, currency, days to sign and the firm’s details come from the settings', async () => {
  const { app, contract, wording } = await started({
    ESIGN_CONTRACT_AMOUNT: '4900',
    ESIGN_CURRENCY: 'chf',
    ESIGN_CONTRACT_VALID_DAYS: '7',
    ESIGN_COMPANY_NAME: 'Acme SA',
    ESIGN_COMPANY_ADDRESS: '12 Main Street, 1000 Brussels',
  });
  expect(contract).toMatchObject({ amount: 4900, currency: 'chf', expiredAt: '2026-03-09T23:59:59.000Z' });
  expect(there(app)[0]?.expiration_date).toBe('2026-03-09T23:59:59+00:00');
  expect(wording).toMatchObject({
    issuer: 'Acme SA',
    company: { address: '12 Main Street, 1000 Brussels' },
  });
});

test('contracts made before there were details of the firm keep their digest: these members, in this order', async () => {
  const { app, id, contract, wording } = await started();
  expect(Object.keys(wording).join(' ')).toBe(
    'reference title description customer equipment amount currency issuer termDays locale timeZone',
  );
  expect(digestOf(readTerms(app.ctx, app.ctx.db, id))).toBe(contract.termsDigest);
});

test('a long title is cut for the provider, not refused', async () => {
  const app = await startApp();
  // So that the cut falls on a character of two units.
  const { id } = await app.addRequest(undefined, { title: `x${'😀'.repeat(120)}` });
  await withPdf()(app.ctx, id, BY);
  expect(there(app)[0]?.name.length).toBeLessThanOrEqual(128);
  expect(there(app)[0]?.name).toMatch(/^REQ-2026-000001 x(😀)+…$/u);
});

test('two starts at once send one contract, and do not wait for those of other requests', async () => {
  const app = await startApp();
  const ids = [(await app.addRequest()).id, (await app.addRequest()).id];
  const starts = [...ids, ...ids].map((id) => withPdf()(app.ctx, id, BY));
  const lost = (await Promise.allSettled(starts)).flatMap((one) =>
    one.status === 'rejected' ? [one.reason.code] : [],
  );
  expect(lost).toEqual(['in_progress', 'in_progress']);
  expect(there(app).map(({ status }) => status)).toEqual(['ongoing', 'ongoing']);
});

describe('it is refused, and nothing is made here or there:', () => {
  const anew = (id: number) => ({
    hint: expect.arrayContaining([command('check-signature', id), command('reset-signature', id)]) as unknown,
  });
  const accepts = (words: string) => expect.stringMatching(`^The signature provider .*${words}`) as string;
  test.each([
    ['a waiting request', "requests SET status = 'WAITING_SIGNATURE'", 'already_started', anew(1)],
    ['one that is signed', "requests SET status = 'WAITING_PAYMENT'", 'already_signed', {}],
    ['a complete one', "requests SET status = 'COMPLETE'", 'already_signed', {}],
    [
      'a canceled one',
      "requests SET status = 'CANCELED'",
      'request_canceled',
      { hint: expect.arrayContaining([{ ...command('requests reopen', 1), reason: '…' }]) as unknown },
    ],
    [
      'names that the provider does not take',
      "users SET firstName = 'Ада', lastName = 'D’Arc'",
      'invalid_signer_name',
      { kind: 'invalid', fields: { firstName: accepts('not “А”'), lastName: accepts('not “’”') } },
    ],
    [
      'an address that it does not take',
      "users SET username = 'ada@intranet'",
      'invalid_signer_email',
      {
        kind: 'invalid',
        fields: { username: accepts('with a dot in the domain') },
        hint: expect.arrayContaining([command('users set-email', 'ada@intranet', '…')]) as unknown,
      },
    ],
    [
      'words that the contract cannot print',
      "requests SET title = 'Service ሀ'",
      'unprintable_words',
      {
        kind: 'invalid',
        fields: { title: 'The contract cannot print “ሀ”.' },
        hint: expect.stringContaining('(title)') as unknown,
      },
    ],
  ] as const)('%s', async (_, change, code, more) => {
    await story()
      .entered()
      .sql(`UPDATE ${change}`)
      .idle((t) => t.refuses(startSignature, { code, ...more }))
      .is({ contracts: [], documents: [] })
      .end();
  });

  test('restored data that are held; a dry run still answers', async () => {
    const held = story().entered().held();
    await held
      .idle((t) =>
        t.refuses(startSignature, { code: 'held' }).does(async ({ ctx }, id) => {
          expect(await startSignature(ctx, id, { ...BY, dryRun: true })).toBeUndefined();
        }),
      )
      .is({ documents: [] })
      .end();
  });

  test('a request that does not exist', async () => {
    const { ctx } = await startApp();
    const error = await rejection(startSignature(ctx, 99, BY));
    expect(error).toMatchObject({ kind: 'not_found', code: 'request_not_found' });
  });
});

const REJECTED = {
  kind: 'refused',
  code: 'provider_rejected',
  message: expect.stringContaining(
    'answered 400 (You have some invalid params in your payload. info.phone_number: ',
  ) as unknown,
};

const words: Words = {
  ...START_WORDS,
  /** The service ends while this call is on its way, and begins again. */
  dies: (s, operation) =>
    s.entered().does(async (app, id) => {
      app.sandbox.faults.add({ target: 'signature', kind: 'delay', operation, delayMs: 300, times: 1 });
      const dying = rejection(withPdf()(app.ctx, id, BY));
      const called = () => app.sandbox.state().counters.calls[`signature.${operation}`];
      await expect.poll(called).toBe(1);
      await app.ctx.close();
      await dying;
      s.app = await startApp({ dataDir: app.dataDir, beside: app });
    }),
  hasOneOfEach: (s) =>
    s.does((app) => expect(there(app)).toMatchObject([{ documents: [{}], signers: [{}] }])),
  refusesStartingWith: (s, which, code) => s.refuses(withPdf(which), { code }),
  draftIsOwn: (s) => s.does((app, id) => expect(readFileSync(draftOf(app, id)).equals(PDF)).toBe(true)),
  draftIsThere: (s) => s.does((app, id) => expect(existsSync(draftOf(app, id))).toBe(true)),
  activates: (s) => s.does((app, id) => app.ctx.provider.activate(app.contract(id).signId as string)),
  draftComesLate: (s) =>
    s.does((app, id) => {
      const { externalId } = app.contract(id);
      const end = { expirationDate: '2026-04-01', timeZone: 'UTC', locale: 'en' } as const;
      return app.ctx.provider.createRequest({ name: 'late', externalId, ...end });
    }),
  lateDraftIsEmpty: (s) =>
    s.does((app) => expect(there(app)[1]).toMatchObject({ documents: [], signers: [] })),
  equipmentIs: (s, name) => s.sql(`UPDATE equipments SET name = '${name}'`),
  titleIs: (s, ...title) => s.sql(`UPDATE requests SET title = '${title.join(' ')}'`),
  phoneIs: (s, phone) => s.sql(`UPDATE users SET phone = ${phone ? `'${phone}'` : 'NULL'}`),
  isRejected: (s) => s.refuses(startSignature, REJECTED),
};

const ONCE = 'WAITING_SIGNATURE; contracts PENDING; documents ongoing; invited 1';
const UNANSWERED = 'stopped activate:answer_lost';
const UNANSWERED_PDF = 'stoppedWithPdf activate:answer_lost';

table(
  `
  what was just made is asked about nowhere
    entered; sentNext → ${ONCE}; calls signature.list 0 signature.get 0
  nor is the contract of a reset, once the old one is withdrawn
    sent; reset → documents canceled ongoing; calls signature.list 1 signature.get 1
${['create', 'upload', 'signer', 'activate']
  .map(
    (step) => `
  ${step}: 500, it goes on: one contract, one document, one invitation
    stoppedWithPdf ${step}:500 → in_progress; contracts PENDING
    sentNext; hasOneOfEach → ${ONCE}
  ${step}: answer_lost, the same
    stoppedWithPdf ${step}:answer_lost → in_progress; contracts PENDING
    sentNext; hasOneOfEach → ${ONCE}
  ${step}: the service ends, the same
    dies ${step}; sentNext; hasOneOfEach → ${ONCE}`,
  )
  .join('')}
  also with the same PDF handed in again
    ${UNANSWERED_PDF}; startedWith own → ${ONCE}; contract ownPdf=1
  with another PDF, the first contract is taken out of the customer’s hands before the second is sent
    ${UNANSWERED_PDF}; startedWith another → contracts EXPIRED PENDING; documents canceled ongoing
  a signature that is there already counts even if another PDF is supplied
    ${UNANSWERED_PDF}; there signed; refusesStartingWith another already_signed → WAITING_PAYMENT
  a customer who was faster than the next start has signed: the request goes on at once
    ${UNANSWERED_PDF}; there signed; sentNext → WAITING_PAYMENT; contracts SIGNED; documents done
  the same PDF is sent once even if the terms have changed: the customer has it already
    ${UNANSWERED_PDF}; equipmentIs Kettle; refusesStartingWith own already_started → ${ONCE}
  a call of the interrupted start that arrives just before ours has sent the contract: that counts
    stopped activate:500; before activate: activates; sentNext
    → ${ONCE}; contract sending=sent; calls signature.activate 3
  of two drafts under the name one is filled and sent, the other is left as it is
    stopped upload:500; draftComesLate; sentNext; lateDraftIsEmpty → documents ongoing draft
  one in a state that we do not know may be with the customer: no other takes its place
    ${UNANSWERED}; there paused; titleIs Weekly maintenance; refuses start already_started
    → documents paused; contracts PENDING; contract sending=asked
  one that is declined there by now is closed here, and the same PDF goes out as a new contract
    ${UNANSWERED_PDF}; there declined; sentNext; draftIsOwn
    → contracts EXPIRED PENDING; documents declined ongoing; ends declined; contract ownPdf=1
  one that was generated and is closed there is generated again, and nobody asks about the new one
    ${UNANSWERED}; there canceled; sentNext
    → calls signature.list 1 signature.get 1; contracts EXPIRED PENDING; documents canceled ongoing; contract ownPdf=0
  one whose draft was deleted there for good is made again under the same contract
    stoppedWithPdf upload:500; there gone; sentNext → ${ONCE}
  a “not found” for what is under way is not believed: no second one is sent
    ${UNANSWERED_PDF}; fault signature.get:404:1; sentNext → ${ONCE}
  before a generated PDF was stored, a supplied one goes out as a contract of its own
    stopped create:500; wasNeverStored; startedWith own → contracts EXPIRED PENDING; contract ownPdf=1
  a generated PDF that is not there is made then
    stopped create:500; draftIsGone; sentNext; draftIsThere → ${ONCE}
  a contract begun long ago that has passed its date is not sent as it is
    stoppedWithPdf upload:500; waits 40d; sentNext
    → contracts EXPIRED PENDING; documents ongoing; invited 1;
    contract expiredAt=2026-05-11T23:59:59.000Z ownPdf=1
  what the provider refuses is told in its words, and can be corrected
    entered; phoneIs none; isRejected; phoneIs; sentNext → documents ongoing
  a PDF of one’s own is sent although the contract could not print the words
    entered; titleIs Service ሀ; startedWith own → ${ONCE}`,
  { of: 'a start: ', words },
);

test('a supplied PDF is kept byte by byte; without an anchor it keeps its place on its last page', async () => {
  const pages = pdfOf([A4, A4, A4]);
  const { app, id } = await story().stopped('signer:500', pages).sentNext().end();
  expect(readFileSync(draftOf(app, id)).equals(pages)).toBe(true);
  const field = { type: 'signature', page: 3, x: 60, y: 700, width: 85, height: 37 };
  expect(await fieldsOf(app, app.contract(id).signId as string)).toMatchObject([field]);
  expect(app.sandbox.state().counters.calls['signature.upload']).toBe(1);
});
