/**
 * Row ids prove nothing at the providers (rules 2): after a restore, and beside other installations on the same
 * account, nobody's document, link or money reaches somebody else.
 */
import { describe, expect, test } from 'vitest';
import { addMs, iso } from '../../../src/core/clock.js';
import { command } from '../../../src/core/commands.js';
import { explain } from '../../../src/core/explain/explain.js';
import { changeRequest } from '../../../src/core/requests/change-request.js';
import { checkAllPayments } from '../../../src/core/payment/check-all-payments.js';
import { checkAllSignatures } from '../../../src/core/signature/check-all-signatures.js';
import { checkSignature } from '../../../src/core/signature/check-signature.js';
import { withFreshSignLink } from '../../../src/core/signature/sent.js';
import { resetSignature } from '../../../src/core/signature/reset-signature.js';
import { fetchPdf } from '../../../src/core/signature/signed-pdf.js';
import { listNeeds } from '../../../src/core/needs/needs.js';
import { settleUnknown, adviceOn } from '../../../src/core/signature/unknown-signatures.js';
import { text } from '../../../src/core/texts/index.js';
import { startSignature } from '../../support/start-signature.js';
import { requireContract } from '../../../src/db/contracts/contracts.js';
import type { ContractRow, RequestRow, UserRow } from '../../../src/db/schema.js';
import { anyContractPdf, rejection, startApp, TESTER, type TestApp } from '../../support/app.js';
import { DAY, HOUR } from '../../support/clock.js';
import { backupOf, restored } from '../../support/restored.js';
import { deliver, deliverPayment } from '../../support/webhooks.js';
import { openFile } from '../../support/open-file.js';

const BY = { actor: TESTER };
const start = async (app: TestApp, { id }: RequestRow) =>
  startSignature(app.ctx, id, { ...BY, pdf: await anyContractPdf() });
const there = (app: TestApp) => app.sandbox.state().signatureRequests;
const oneThere = (app: TestApp, signId: string) => there(app).find(({ id }) => id === signId);
const sessions = (app: TestApp) => app.sandbox.state().sessions;
const sql = (app: TestApp, text: string, ...values: unknown[]) => app.ctx.db.raw.prepare(text).run(...values);
const mailsTo = (app: TestApp, { username }: UserRow) =>
  app.sandbox.mails().filter(({ to, source }) => source === 'smtp' && to.includes(username));
const told = (app: TestApp) =>
  app.jobs('send-mail').filter(({ payload }) => JSON.parse(payload).mail === 'foreign-signature');

/** The customer has signed, and the provider says so; how that is answered. */
function signs(app: TestApp, signId: string | null): Promise<number> {
  app.sandbox.sign(signId as string);
  return deliver(app, signId as string);
}

/** A page of others in the provider's list. */
async function hundredOthers({ ctx: { provider } }: TestApp): Promise<void> {
  const theirs = { name: 'Theirs', expirationDate: '2026-04-01', timeZone: 'UTC', locale: 'en' } as const;
  for (let n = 0; n < 100; n += 1) await provider.createRequest({ ...theirs, externalId: `other-${n}` });
}

/** Somebody else's signature request, with a signed document of its own. */
async function stranger(
  app: TestApp,
  { externalId, email, status }: { externalId: string; email: string; status: 'ongoing' | 'done' },
): Promise<string> {
  const { provider, clock } = app.ctx;
  const expirationDate = new Date(clock.now().getTime() + 20 * DAY).toISOString().slice(0, 10);
  const theirs = { name: 'Theirs', externalId, expirationDate } as const;
  const signId = await provider.createRequest({ ...theirs, timeZone: 'UTC', locale: 'en' });
  await provider.uploadDocument(signId, await openFile(await anyContractPdf()), 'theirs.pdf');
  const name = { firstName: 'Sam', lastName: 'Stranger' };
  await provider.addSigner(signId, { ...name, email, phone: null, locale: 'en' });
  await provider.activate(signId);
  if (status === 'done') app.sandbox.sign(signId);
  return signId;
}

/** A contract whose names at the providers are not its own alone. */
function asOfBefore(app: TestApp, { id }: Pick<ContractRow, 'id'>, signId: string | null = null): void {
  const names = "externalId = 'contract-' || id, signerEmail = NULL, signId = ?";
  sql(app, `UPDATE contracts SET ${names} WHERE id = ?`, signId, id);
}

describe('after a restore', () => {
  /** Anna's contract 1 is signed after the backup was made; then the backup comes back. */
  async function lostOne() {
    const first = await startApp();
    const anna = await first.addUser({ username: 'anna@example.org' });
    const ben = await first.addUser({ username: 'ben@example.org' });
    const backup = await backupOf(first);
    const annas = await first.addRequest(anna);
    const { id: contractId, signId, externalId } = await start(first, annas);
    await signs(first, signId);
    await first.drain();
    const app = await restored(first, backup);
    app.clock.advance(HOUR);
    return { app, anna, ben, annas, lost: { contractId, signId: signId as string, externalId } };
  }

  test('another customer whose request gets the same number is never served the other’s contract', async () => {
    const { app, anna, ben, annas, lost } = await lostOne();
    const before = mailsTo(app, anna).length;
    const bens = await app.addRequest(ben);
    expect(bens.id).toBe(annas.id);
    app.sandbox.faults.add('signature.create:500:1');
    await rejection(start(app, bens));

    const contract = await start(app, bens);

    expect(contract.id).toBe(lost.contractId);
    expect(contract.signId).not.toBe(lost.signId);
    expect(contract.signUrl).toContain(contract.signId);
    expect(await checkSignature(app.ctx, bens.id, BY)).toMatchObject({ key: 'check_signature_info.ongoing' });
    expect(await checkAllSignatures(app.ctx, BY)).toMatchObject({ checked: 1, changed: 0, failed: 0 });
    await app.drain();
    expect(mailsTo(app, ben)).toEqual([]);
    expect(mailsTo(app, anna)).toHaveLength(before);
    expect(oneThere(app, lost.signId)).toMatchObject({ status: 'done', external_id: lost.externalId });
  });

  test('the payment session of the one with the same number can be made, and is its own', async () => {
    const { app, ben } = await lostOne();
    const [annas] = sessions(app);
    const bens = await app.addRequest(ben);
    const { signId } = await start(app, bens);
    await signs(app, signId);
    await app.drain();

    expect(app.jobs().filter(({ state }) => state === 'failed')).toEqual([]);
    const { paymentId } = app.request(bens.id);
    expect(paymentId).not.toBe(annas?.id);
    expect(sessions(app)).toMatchObject([{ id: annas?.id }, { id: paymentId, customer_email: ben.username }]);
    // Anna pays by the link that she was mailed.
    const object = { ...annas, payment_status: 'paid' };
    expect(await deliverPayment(app, annas?.id as string, { object })).toBe(200);
    expect(app.request(bens.id)).toMatchObject({ status: 'WAITING_PAYMENT', paymentId });
    expect(await checkAllPayments(app.ctx, BY)).toMatchObject({ changed: 0 });
  });

  test('a start that the backup caught half-way finds what was sent after it, and sends nothing twice', async () => {
    const first = await startApp();
    const request = await first.addRequest();
    first.sandbox.faults.add('signature.create:500:1');
    await rejection(start(first, request));
    const backup = await backupOf(first);
    const { signId } = await start(first, request);
    const app = await restored(first, backup);

    expect(await start(app, request)).toMatchObject({ signId, status: 'PENDING' });
    expect(there(app)).toHaveLength(1);
  });
});

describe('what a restore has lost sight of', () => {
  test('is listed by the bulk check although nothing waits, with what the provider tells of it, and left as it is', async () => {
    const first = await startApp();
    const backup = await backupOf(first);
    const waiting = [
      await first.waitingRequest(),
      await first.waitingRequest(),
      await first.waitingRequest(),
    ];
    const begun = await first.addRequest();
    first.sandbox.faults.add('signature.upload:500:1');
    await rejection(start(first, begun));
    first.sandbox.sign(waiting[0]?.signId as string);
    first.sandbox.cancel(waiting[1]?.signId as string);
    await stranger(first, { externalId: 'contract-1', email: 'sam@example.org', status: 'done' });
    const other = await startApp({ beside: first });
    await other.waitingRequest();
    const app = await restored(first, backup);
    const before = there(app);

    const { unknown = [], ...result } = await checkAllSignatures(app.ctx, { ...BY, isWhole: true });

    expect(result).toMatchObject({ checked: 0, failed: 0, results: [] });
    const name = 'REQ-2026-000001 Yearly maintenance';
    expect(unknown.toReversed()).toEqual([
      {
        signId: waiting[0]?.signId,
        externalId: waiting[0]?.contract.externalId,
        status: 'done',
        createdAt: '2026-03-02T09:14:07.000Z',
        name,
      },
      expect.objectContaining({ signId: waiting[2]?.signId, status: 'ongoing' }),
      expect.objectContaining({ status: 'draft' }),
    ]);
    expect(unknown.map((one) => adviceOn('en', app.ctx.db, one)).toReversed()).toEqual([
      text('en', 'unknown_signature.done'),
      text('en', 'unknown_signature.open'),
      text('en', 'unknown_signature.draft'),
    ]);
    expect(there(app)).toEqual(before);
  });

  test('needs the office until it is gone there, or a person has settled it, and again when it is signed after that; listing it asks nobody', async () => {
    const app = await startApp();
    const signed = await app.waitingRequest();
    const open = await app.waitingRequest();
    app.sandbox.sign(signed.signId);
    app.ctx.db.raw.exec("DELETE FROM contracts; DELETE FROM jobs; UPDATE requests SET status = 'new'");
    const check = () => checkAllSignatures(app.ctx, { ...BY, isWhole: true });
    const needs = async () => {
      const before = app.sandbox.state().counters.calls;
      const listed = (await listNeeds(app.ctx, 20)).needs.filter(({ kind }) => kind === 'unknown');
      expect(app.sandbox.state().counters.calls).toEqual(before);
      return listed.map(({ next }) => next.options);
    };
    await check();
    expect((await needs()).toSorted()).toEqual(
      [signed.signId, open.signId].map((signId) => ['--settle', signId]).toSorted(),
    );

    await check();
    expect(app.sandbox.state().counters.calls['signature.get'] ?? 0, 'the list says enough').toBe(0);

    await settleUnknown(app.ctx, open.signId, { ...BY, reason: 'sent a new one' });
    await check();
    expect(await needs()).toEqual([['--settle', signed.signId]]);
    app.sandbox.sign(open.signId);
    await check();
    expect(await needs(), 'signed after it was settled').toHaveLength(2);

    app.sandbox.delete(open.signId, { permanent: true });
    await check();
    expect(await needs()).toEqual([['--settle', signed.signId]]);

    await settleUnknown(app.ctx, signed.signId, { ...BY, reason: 'sent a new one' });
    await check();
    expect(await needs()).toEqual([]);
    expect(await rejection(settleUnknown(app.ctx, signed.signId, BY))).toMatchObject({ code: 'not_found' });
  });

  test('is looked for in the whole list, page by page', async () => {
    const app = await startApp();
    const { signId } = await app.waitingRequest();
    app.ctx.db.raw.exec('DELETE FROM contracts');
    await hundredOthers(app);
    expect(await checkAllSignatures(app.ctx, { ...BY, isWhole: true })).toMatchObject({
      unknown: [{ signId }],
    });
    expect(app.sandbox.state().counters.calls['signature.list']).toBe(2);
  });

  test('a start that stopped half-way is known by its name', async () => {
    const app = await startApp();
    const request = await app.addRequest();
    app.sandbox.faults.add('signature.create:answer_lost:1');
    await rejection(start(app, request));
    expect(await checkAllSignatures(app.ctx, { ...BY, isWhole: true })).not.toHaveProperty('unknown');
  });

  test('may be more than was found when the provider’s list breaks off, and that is reported', async () => {
    const app = await startApp();
    await hundredOthers(app);
    await app.waitingRequest();
    const onListed = () =>
      void (app.sandbox.faults.list().length || app.sandbox.faults.add('signature.list:500'));
    expect(await checkAllSignatures(app.ctx, { ...BY, isWhole: true, onListed })).toMatchObject({
      checked: 1,
      failed: 0,
      brokeOff: true,
    });
  });
});

describe('under the name of a contract from before', () => {
  /** Its first start has failed at the provider, where a stranger's signature request bears its name. */
  async function begun(status: 'ongoing' | 'done', email = 'sam@example.org') {
    const app = await startApp();
    const owner = await app.addUser({ username: 'ben@example.org' });
    const signId = await stranger(app, { externalId: 'contract-1', email, status });
    app.clock.advance(HOUR);
    const request = await app.addRequest(owner);
    app.sandbox.faults.add('signature.create:500:1');
    await rejection(start(app, request));
    asOfBefore(app, app.contract(request.id));
    return { app, owner, request, theirs: signId };
  }

  test('somebody else’s that is signed is left alone and told once; the customer is served under a name of his own', async () => {
    const { app, owner, request, theirs } = await begun('done');
    const before = oneThere(app, theirs);

    const contract = await start(app, request);

    expect(contract).toMatchObject({ id: 1, externalId: expect.stringMatching(/^esign-/) });
    expect(contract.signId).not.toBe(theirs);
    expect(oneThere(app, contract.signId as string)).toMatchObject({
      status: 'ongoing',
      external_id: contract.externalId,
    });
    expect(oneThere(app, theirs)).toEqual(before);
    expect(app.history(request.id)).toContain('contract.foreign_signature');
    expect(told(app).map(({ payload }) => JSON.parse(payload).isServed)).toEqual([true]);
    await app.drain();
    const mail = app.sandbox.mails().find(({ subject }) => subject.startsWith('Mismatched document'));
    expect(mail?.to).toEqual(['office@acme.test']);
    expect(mail?.text).toContain(theirs);

    await signs(app, contract.signId);
    await app.drain();
    expect(app.request(request.id).status).toBe('WAITING_PAYMENT');
    expect(mailsTo(app, owner)).toHaveLength(2);
  });

  test('the customer’s own that is older than the contract is another one', async () => {
    const { app, request, theirs } = await begun('ongoing', 'ben@example.org');
    const { signId } = await start(app, request);
    expect(signId).not.toBe(theirs);
    expect(told(app)).toHaveLength(1);
  });

  test('it is left alone and told also when another PDF is supplied', async () => {
    const { app, request, theirs } = await begun('ongoing');
    const pdf = Buffer.concat([await anyContractPdf(), Buffer.from('\n% another\n%%EOF\n')]);
    await startSignature(app.ctx, request.id, { ...BY, pdf });
    expect(oneThere(app, theirs)).toMatchObject({ status: 'ongoing' });
    expect(told(app)).toHaveLength(1);
  });

  test('once told, it hides no other case: a late signature of the customer’s own fails the bulk check', async () => {
    const { app, request } = await begun('ongoing');
    const { signId, expiredAt } = await start(app, request);
    const late = addMs(new Date(expiredAt as string), HOUR);
    app.sandbox.sign(signId as string, { completedAt: iso(late) });
    app.clock.set(iso(addMs(late, HOUR)));
    expect(await checkAllSignatures(app.ctx, BY)).toMatchObject({
      failed: 1,
      results: [{ requestId: request.id, key: 'contract_expired', type: 'error' }],
    });
  });

  test('it is left alone and told also when the words of the request are changed after a start that may have got through', async () => {
    const { app, owner, request, theirs } = await begun('ongoing');
    sql(app, "UPDATE contracts SET sending = 'asked'");
    await changeRequest(app.ctx, owner, request.id, { title: 'Weekly maintenance' });
    expect(oneThere(app, theirs)).toMatchObject({ status: 'ongoing' });
    expect(told(app)).toHaveLength(1);
    expect(app.contract(request.id).status).toBe('EXPIRED');
  });

  test('its own is found again, whatever letter case the provider gives the address', async () => {
    const app = await startApp();
    const request = await app.addRequest(await app.addUser({ username: 'ben@example.org' }));
    app.sandbox.faults.add('signature.create:500:1');
    await rejection(start(app, request));
    asOfBefore(app, app.contract(request.id));
    const signId = await stranger(app, {
      externalId: 'contract-1',
      email: 'Ben@Example.org',
      status: 'ongoing',
    });

    expect(await start(app, request)).toMatchObject({ signId, externalId: 'contract-1' });
    expect(told(app)).toEqual([]);
    await signs(app, signId);
    expect(app.request(request.id).status).toBe('WAITING_PAYMENT');
  });

  test('its own is found beside somebody else’s, and keeps the name by which it is known there', async () => {
    const { app, owner, request } = await begun('ongoing');
    const { username: email } = owner;
    const signId = await stranger(app, { externalId: 'contract-1', email, status: 'ongoing' });

    expect(await start(app, request)).toMatchObject({ signId, externalId: 'contract-1' });
    expect(told(app)).toHaveLength(1);
    await signs(app, signId);
    expect(app.request(request.id).status).toBe('WAITING_PAYMENT');
  });

  test('a draft that nobody is to sign yet is not taken over: whose text it holds is not known', async () => {
    const app = await startApp();
    const request = await app.addRequest();
    app.sandbox.faults.add('signature.upload:500:1');
    await rejection(start(app, request));
    const { signId } = app.contract(request.id);
    asOfBefore(app, app.contract(request.id));
    sql(app, "UPDATE contracts SET externalId = 'contract-1'");
    const contract = await start(app, request);
    expect(contract.signId).not.toBe(signId);
    expect(there(app).filter(({ status }) => status === 'ongoing')).toHaveLength(1);
  });
});

describe('a contract that is tied to somebody else’s signature request', () => {
  async function tied(status: 'ongoing' | 'done') {
    const app = await startApp();
    const theirs = await stranger(app, { externalId: 'contract-1', email: 'sam@example.org', status });
    app.clock.advance(HOUR);
    const waiting = await app.waitingRequest();
    const own = waiting.signId;
    asOfBefore(app, waiting.contract, theirs);
    return { app, ...waiting, own, theirs };
  }

  test('is never completed by it: not by the webhook, the manual check or the bulk check; a person is notified once', async () => {
    const { app, owner, request, theirs } = await tied('done');

    expect(await deliver(app, theirs)).toBe(422);
    expect(await checkSignature(app.ctx, request.id, BY)).toMatchObject({
      type: 'error',
      key: 'foreign_signature',
    });
    // Told by the webhook: the checks that follow are no failures.
    const bulk = await checkAllSignatures(app.ctx, BY);
    expect(bulk).toMatchObject({
      changed: 0,
      failed: 0,
      results: [{ type: 'info', key: 'foreign_signature' }],
    });
    await app.drain();

    expect(app.request(request.id).status).toBe('WAITING_SIGNATURE');
    expect(app.contract(request.id)).toMatchObject({ status: 'PENDING', pdfSha256: null });
    expect(mailsTo(app, owner)).toEqual([]);
    expect(told(app).map(({ payload }) => JSON.parse(payload).isServed)).toEqual([false]);
    expect(app.history(request.id).filter((what) => what === 'contract.foreign_signature')).toHaveLength(1);
    expect(await explain(app.ctx, String(request.id))).toMatchObject({
      findings: [{ key: 'foreign_signature', next: command('reset-signature', request.id) }],
    });
  });

  test('is found by the bulk check although that one still runs; one that is its own is asked about once', async () => {
    const { app, request } = await tied('ongoing');
    const own = await app.waitingRequest();
    sql(app, 'UPDATE contracts SET signerEmail = NULL WHERE id = ?', own.contract.id);
    const asked = () => app.sandbox.state().counters.calls['signature.signer_get'] ?? 0;

    expect(await checkAllSignatures(app.ctx, BY)).toMatchObject({ checked: 2, failed: 1 });
    expect(told(app)).toHaveLength(1);
    expect(app.contract(own.request.id).signerEmail).toBe(own.owner.username);
    const before = asked();
    expect(await checkAllSignatures(app.ctx, BY)).toMatchObject({ checked: 2, failed: 0 });
    // About the other, of which nobody knows to whom it was sent.
    expect(asked() - before).toBe(1);
    expect(app.history(request.id).filter((what) => what === 'contract.foreign_signature')).toHaveLength(1);
  });

  test('is not closed because that one is declined', async () => {
    const { app, request, theirs } = await tied('ongoing');
    app.sandbox.decline(theirs);
    await checkSignature(app.ctx, request.id, BY);
    const signature = { external_id: 'esign-0123456789abcdef-0123456789abcdef' };
    expect(await deliver(app, theirs, { name: 'signature_request.declined', signature })).toBe(200);
    expect(app.contract(request.id).status).toBe('PENDING');
  });

  test('is reset without touching it, and its link is not handed out', async () => {
    const { app, request, theirs } = await tied('ongoing');
    app.clock.advance(3 * DAY);
    expect(await withFreshSignLink(app.ctx, app.contract(request.id))).toMatchObject({ signUrl: null });

    await resetSignature(app.ctx, request.id, { ...BY, dryRun: true });
    expect(told(app)).toEqual([]);
    const contract = await resetSignature(app.ctx, request.id, BY);

    expect(told(app).map(({ payload }) => JSON.parse(payload).isServed)).toEqual([true]);
    expect(oneThere(app, theirs)).toMatchObject({ status: 'ongoing' });
    expect(oneThere(app, contract.signId as string)).toMatchObject({ status: 'ongoing' });
    expect(app.contract(request.id)).toMatchObject({ id: contract.id, status: 'PENDING' });
    expect(requireContract(app.ctx.db, { id: 1 })).toMatchObject({ externalId: 'contract-1' });
  });

  test('does not get its PDF when its own is missing', async () => {
    const { app, theirs } = await tied('done');
    const contract = { ...app.contract(1), signId: theirs };
    expect(await rejection(fetchPdf(app.ctx, contract, BY))).toMatchObject({ code: 'foreign_signature' });
  });
});

describe('the signer', () => {
  async function exchanged() {
    const app = await startApp();
    const { request, signId } = await app.waitingRequest();
    const [signer] = oneThere(app, signId)?.signers ?? [];
    await app.sandbox.fetch(`${app.sandbox.apiUrl}/signature_requests/${signId}/signers/${signer?.id}`, {
      method: 'PATCH',
      headers: { authorization: 'Bearer sandbox-api-key', 'content-type': 'application/json' },
      body: JSON.stringify({ info: { email: 'sam@example.org' } }),
    });
    return { app, request, signId };
  }

  test('who was exchanged at the provider is a case for a person', async () => {
    const { app, request, signId } = await exchanged();
    expect(await signs(app, signId)).toBe(422);
    expect(app.request(request.id).status).toBe('WAITING_SIGNATURE');
    expect(told(app)).toHaveLength(1);
  });

  test('who was exchanged there is noticed by the bulk check too before it believes anything, and previewed by its dry run', async () => {
    const { app, request, signId } = await exchanged();
    app.sandbox.sign(signId);
    const found = { changed: 0, results: [{ key: 'foreign_signature' }] };

    expect(await checkAllSignatures(app.ctx, { ...BY, dryRun: true })).toMatchObject(found);
    expect(told(app)).toEqual([]);
    expect(await checkAllSignatures(app.ctx, BY)).toMatchObject({ ...found, failed: 1 });

    expect(app.contract(request.id).status).toBe('PENDING');
    expect(told(app).map(({ payload }) => JSON.parse(payload).isServed)).toEqual([false]);
  });

  test('whom the provider does not tell now leaves everything unchanged', async () => {
    const app = await startApp();
    const { request, signId } = await app.waitingRequest();
    app.sandbox.sign(signId);
    app.sandbox.faults.add('signature.signer_get:404:9');
    expect(await checkSignature(app.ctx, request.id, BY)).toMatchObject({ key: 'provider_unavailable' });
    expect(app.contract(request.id).status).toBe('PENDING');
    expect(told(app)).toEqual([]);
  });
});

test('a clock that is ahead of the provider’s loses no signature: a random name is proof enough of its time', async () => {
  const app = await startApp();
  const { request, signId, contract } = await app.waitingRequest();
  sql(app, "UPDATE contracts SET createdAt = '2026-03-05T00:00:00.000Z' WHERE id = ?", contract.id);
  expect(await signs(app, signId)).toBe(200);
  expect(app.request(request.id).status).toBe('WAITING_PAYMENT');
});

describe('two installations on one account', () => {
  test('never take each other’s documents, links or money, although all row ids are the same', async () => {
    const one = await startApp();
    const two = await startApp({ beside: one });
    const [first, second] = [await one.waitingRequest(), await two.waitingRequest()];
    expect(first.contract.id).toBe(second.contract.id);

    expect(await signs(one, first.signId)).toBe(200);
    await checkAllSignatures(two.ctx, BY);
    await one.drain();
    const [session] = sessions(one);
    const object = { ...session, payment_status: 'paid' };
    expect(await deliverPayment(two, session?.id as string, { object })).toBe(200);
    expect(await deliverPayment(one, session?.id as string, { object })).toBe(200);

    expect(one.request(1).status).toBe('COMPLETE');
    expect(two.request(1).status).toBe('WAITING_SIGNATURE');
    await signs(two, second.signId);
    await two.drain();
    expect(two.request(1)).toMatchObject({ status: 'WAITING_PAYMENT' });
    expect(sessions(one)).toHaveLength(2);
    expect(two.request(1).paymentId).not.toBe(one.request(1).paymentId);
  });

  test('hear of each other’s signatures, and only of what could be theirs they want to hear again', async () => {
    const one = await startApp();
    const two = await startApp({ beside: one });
    const { signId, contract } = await one.waitingRequest();
    const signature = { external_id: contract.externalId };
    expect(await deliver(two, signId, { signature })).toBe(200);
    expect(two.ctx.db.raw.prepare('SELECT state, outcome FROM inbox').all()).toEqual([
      { state: 'ignored', outcome: 'unknown_signature' },
    ]);
    const lost = { external_id: `${contract.externalId.slice(0, -16)}0123456789abcdef` };
    expect(await deliver(one, 'lost-by-a-restore', { signature: lost })).toBe(404);
    expect(await deliver(one, 'of-another', { signature: { external_id: 'contract-4711' } })).toBe(200);
  });
});
