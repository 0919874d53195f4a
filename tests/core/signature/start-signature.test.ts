/** Start of a signature (rules 2): from the request to the customer's link, and on again after trouble at any step. */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import PdfDocument from 'pdfkit';
import { buffer } from 'node:stream/consumers';
import { pino } from 'pino';
import { describe, expect, onTestFinished, test } from 'vitest';
import { iso } from '../../../src/core/clock.js';
import { command } from '../../../src/core/commands.js';
import { openContext } from '../../../src/core/open-context.js';
import type { Context } from '../../../src/core/context.js';
import { digestOf, readTerms } from '../../../src/core/contracts/terms.js';
import { startSignature } from '../../support/start-signature.js';
import { listHistory } from '../../../src/db/history/history.js';
import { putHold } from '../../../src/db/installation/installation.js';
import type { RequestRow } from '../../../src/db/schema.js';
import { anyContractPdf, rejection, startApp, TESTER, type TestApp } from '../../support/app.js';
import { DAY } from '../../support/clock.js';

const start = (app: TestApp, { id }: RequestRow, pdf?: Buffer) =>
  startSignature(app.ctx, id, { actor: TESTER, ...(pdf && { pdf }) });

const there = (app: TestApp) => app.sandbox.state().signatureRequests;
const calls = (app: TestApp) => app.sandbox.state().counters.calls;
const invitations = (app: TestApp) => app.sandbox.mails().filter(({ source }) => source === 'provider');
const contracts = (app: TestApp) => app.ctx.db.raw.prepare('SELECT * FROM contracts ORDER BY id').all();

/** What the sandbox knows of documents and signers, asked over its API. */
async function provided<T>(app: TestApp, path: string): Promise<T> {
  const answer = await app.sandbox.fetch(`${app.sandbox.apiUrl}${path}`, {
    headers: { authorization: 'Bearer sandbox-api-key' },
  });
  return (await answer.json()) as T;
}

const fieldsOf = async (app: TestApp, signId: string) =>
  (await provided<{ fields: object[] }[]>(app, `/signature_requests/${signId}/signers`))[0]?.fields;

async function aPdf({ pages, anchor }: { pages: number; anchor: boolean }): Promise<Buffer> {
  const pdf = new PdfDocument({ size: 'A4', compress: false });
  for (let page = 1; page < pages; page += 1) pdf.text(`Page ${page}`).addPage();
  pdf
    .font('Helvetica')
    .fontSize(9)
    .text(anchor ? '{{s1|signature|170|74}}' : 'Sign here.');
  pdf.end();
  return buffer(pdf);
}

describe('the story', () => {
  test('makes contract and PDF, sends them, keeps signId and link, and the request waits', async () => {
    const app = await startApp();
    const owner = await app.addUser({ username: 'zoe@example.org', firstName: 'Zoé', lastName: "O'Neil" });
    const request = await app.addRequest(owner, { status: 'new' });

    const contract = await start(app, request);

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
    expect(app.history(request.id)).toEqual(['contract.created', 'contract.sent', 'request.moved']);
    const about = listHistory(app.ctx.db, { requestId: request.id }).map(({ contractId }) => contractId);
    expect(about).toEqual([contract.id, contract.id, contract.id]);
    expect(invitations(app)).toMatchObject([{ to: ['zoe@example.org'] }]);
    const draft = readFileSync(join(app.dataDir, 'contracts', `${contract.id}.draft.pdf`));
    expect(draft.subarray(0, 5).toString()).toBe('%PDF-');
    expect(await fieldsOf(app, contract.signId as string)).toEqual([]);
  });

  test('price, currency and days to sign come from the settings', async () => {
    const app = await startApp({
      env: { ESIGN_CONTRACT_AMOUNT: '4900', ESIGN_CURRENCY: 'chf', ESIGN_CONTRACT_VALID_DAYS: '7' },
    });
    const contract = await start(app, await app.addRequest());
    expect(contract).toMatchObject({ amount: 4900, currency: 'chf', expiredAt: '2026-03-09T23:59:59.000Z' });
    expect(there(app)[0]?.expiration_date).toBe('2026-03-09T23:59:59+00:00');
  });

  test('a long title is cut for the provider, not refused', async () => {
    const app = await startApp();
    const contract = await start(
      app,
      // So that the cut falls on a character of two units.
      await app.addRequest(undefined, { title: `x${'😀'.repeat(120)}` }),
      await anyContractPdf(),
    );
    expect(contract.status).toBe('PENDING');
    expect(there(app)[0]?.name.length).toBeLessThanOrEqual(128);
    expect(there(app)[0]?.name).toMatch(/^REQ-2026-000001 x(😀)+…$/u);
  });
});

describe('a PDF of one’s own', () => {
  test('is sent byte by byte; its anchor says where to sign', async () => {
    const app = await startApp();
    const pdf = await aPdf({ pages: 2, anchor: true });
    const { id, signId, ownPdf } = await start(app, await app.addRequest(), pdf);
    expect(ownPdf).toBe(1);
    expect(readFileSync(join(app.dataDir, 'contracts', `${id}.draft.pdf`)).equals(pdf)).toBe(true);
    expect(await fieldsOf(app, signId as string)).toEqual([]);
  });

  test('without anchor is signed at the bottom of its last page', async () => {
    const app = await startApp();
    const { signId } = await start(app, await app.addRequest(), await aPdf({ pages: 3, anchor: false }));
    expect(await fieldsOf(app, signId as string)).toMatchObject([
      { type: 'signature', page: 3, x: 60, y: 700, width: 85, height: 37 },
    ]);
  });
});

describe('refusals', () => {
  test.each([
    ['WAITING_SIGNATURE', 'already_started'],
    ['WAITING_PAYMENT', 'already_signed'],
    ['COMPLETE', 'already_signed'],
  ] as const)('a request that is %s: %s', async (status, code) => {
    const app = await startApp();
    const request = await app.addRequest(undefined, { status });
    expect(await rejection(start(app, request))).toMatchObject({ kind: 'refused', code });
    expect(there(app)).toEqual([]);
  });

  test('a started one names the commands that check it and that start it anew', async () => {
    const app = await startApp();
    const { id } = await app.addRequest(undefined, { status: 'WAITING_SIGNATURE' });
    expect(await rejection(startSignature(app.ctx, id, { actor: TESTER }))).toMatchObject({
      hint: expect.arrayContaining([command('check-signature', id), command('reset-signature', id)]),
    });
  });

  test('restored data that are held: nothing is made here or there, and a dry run still answers', async () => {
    const app = await startApp();
    const { id } = await app.addRequest();
    const now = iso(app.clock.now());
    await app.ctx.writer.write((db) => putHold(db, { since: now, madeAt: now, lastJobId: 0 }));
    expect(await rejection(startSignature(app.ctx, id, { actor: TESTER }))).toMatchObject({ code: 'held' });
    expect([contracts(app), calls(app)]).toEqual([[], {}]);
    expect(await startSignature(app.ctx, id, { actor: TESTER, dryRun: true })).toBeUndefined();
  });

  test('a request that does not exist', async () => {
    const app = await startApp();
    const error = await rejection(startSignature(app.ctx, 99, { actor: TESTER }));
    expect(error).toMatchObject({ kind: 'not_found', code: 'request_not_found' });
  });

  test.each([
    ['', 'Lovelace', ['firstName']],
    ['Ada', 'Lovelace & Sons', ['lastName']],
    [' Ada', 'Love.lace', ['firstName', 'lastName']],
    ['Ада', 'Lovelace', ['firstName']],
    ['Ada', 'D’Arc', ['lastName']],
  ])('a name that the provider will not accept: "%s %s"', async (firstName, lastName, fields) => {
    const app = await startApp();
    const request = await app.addRequest(await app.addUser({ firstName, lastName }));
    const error = await rejection(start(app, request));
    expect(error).toMatchObject({ kind: 'invalid', code: 'invalid_signer_name' });
    expect(Object.keys((error as unknown as { fields: object }).fields)).toEqual(fields);
    expect(contracts(app)).toEqual([]);
  });

  test.each(['not-an-address', 'ada@intranet', 'ädä@example.org', 'ada..l@example.org'])(
    'an address that the provider will not accept: "%s"',
    async (username) => {
      const app = await startApp();
      const request = await app.addRequest(await app.addUser({ username }));
      expect(await rejection(start(app, request))).toMatchObject({
        kind: 'invalid',
        code: 'invalid_signer_email',
        fields: { username: expect.stringContaining('signature provider') },
      });
      expect([contracts(app), calls(app)]).toEqual([[], {}]);
    },
  );

  test.each([
    ['Jean-Pierre', "D'Arc (fils)"],
    ['Łukasz', "O'Neil 3"],
  ])('"%s %s" is a name like others', async (firstName, lastName) => {
    const app = await startApp();
    const request = await app.addRequest(await app.addUser({ firstName, lastName }));
    expect(await start(app, request, await anyContractPdf())).toMatchObject({ status: 'PENDING' });
  });

  test('a dry run checks the rules and makes nothing', async () => {
    const app = await startApp();
    const request = await app.addRequest();
    expect(await startSignature(app.ctx, request.id, { actor: TESTER, dryRun: true })).toBeUndefined();
    expect(contracts(app)).toEqual([]);
    expect(calls(app)).toEqual({});
  });

  test('data that the provider refuses is reported in its words, and can be fixed', async () => {
    const app = await startApp();
    const request = await app.addRequest();
    app.ctx.db.raw.prepare("UPDATE users SET phone = 'none'").run();
    expect(await rejection(start(app, request))).toMatchObject({
      kind: 'refused',
      code: 'provider_rejected',
      message: expect.stringContaining(
        'answered 400 (You have some invalid params in your payload. info.phone_number: ',
      ),
    });
    app.ctx.db.raw.prepare('UPDATE users SET phone = NULL').run();
    expect(await start(app, request)).toMatchObject({ status: 'PENDING' });
    expect(there(app)).toHaveLength(1);
  });
});

describe('two starts at once', () => {
  test('send one contract', async () => {
    const app = await startApp();
    const request = await app.addRequest();
    const pdf = await anyContractPdf();
    const outcomes = await Promise.allSettled([start(app, request, pdf), start(app, request, pdf)]);
    const lost = outcomes.filter(({ status }) => status === 'rejected') as PromiseRejectedResult[];
    expect(lost.map(({ reason }) => reason.code)).toEqual(['in_progress']);
    expect(there(app)).toHaveLength(1);
    expect(invitations(app)).toHaveLength(1);
  });

  test('of different requests do not wait for each other', async () => {
    const app = await startApp();
    const [first, second] = [await app.addRequest(), await app.addRequest()];
    const pdf = await anyContractPdf();
    await Promise.all([start(app, first, pdf), start(app, second, pdf)]);
    expect(there(app)).toHaveLength(2);
  });
});

const STEPS = ['create', 'upload', 'signer', 'activate'];
const TROUBLES = ['500', 'answer_lost'];

describe('when a call fails, starting again resumes where it stopped', () => {
  const every = STEPS.flatMap((step) => TROUBLES.map((trouble) => [step, trouble] as const));

  test.each(every)(
    '%s: %s leads to one contract, one signature request, one invitation',
    async (step, trouble) => {
      const app = await startApp();
      const request = await app.addRequest();
      const pdf = await anyContractPdf();
      app.sandbox.faults.add(`signature.${step}:${trouble}:1`);

      const error = await rejection(start(app, request, pdf));
      expect(error).toMatchObject({ kind: 'unavailable', code: 'provider_unavailable' });
      expect(app.request(request.id).status).toBe('in_progress');

      const contract = await start(app, request);
      expect(contracts(app)).toMatchObject([{ id: contract.id, status: 'PENDING' }]);
      expect(there(app)).toMatchObject([{ id: contract.signId, status: 'ongoing' }]);
      expect(there(app)[0]?.documents).toHaveLength(1);
      expect(there(app)[0]?.signers).toHaveLength(1);
      expect(invitations(app)).toHaveLength(1);
      expect(contract.signUrl).toContain('/sign/');
    },
  );

  test('also with the same PDF handed in again', async () => {
    const app = await startApp();
    const request = await app.addRequest();
    const pdf = await anyContractPdf();
    app.sandbox.faults.add('signature.activate:answer_lost:1');
    await rejection(start(app, request, pdf));
    await start(app, request, Buffer.from(pdf));
    expect(contracts(app)).toHaveLength(1);
    expect(there(app)).toHaveLength(1);
  });

  test('with another PDF the first contract is taken out of the customer’s hands before the second is sent', async () => {
    const app = await startApp();
    const request = await app.addRequest();
    app.sandbox.faults.add('signature.activate:answer_lost:1');
    await rejection(start(app, request, await anyContractPdf()));

    const second = await start(app, request, await aPdf({ pages: 1, anchor: true }));

    expect(there(app)).toMatchObject([{ status: 'canceled' }, { id: second.signId, status: 'ongoing' }]);
    expect(contracts(app)).toMatchObject([{ status: 'EXPIRED' }, { id: second.id, status: 'PENDING' }]);
  });

  test('a PDF without anchor keeps its place on the last page', async () => {
    const app = await startApp();
    const request = await app.addRequest();
    app.sandbox.faults.add('signature.signer:500:1');
    await rejection(start(app, request, await aPdf({ pages: 3, anchor: false })));
    const { signId } = await start(app, request);
    expect(await fieldsOf(app, signId as string)).toMatchObject([{ page: 3 }]);
    expect(calls(app)['signature.upload']).toBe(1);
  });

  test('a call of the interrupted start that arrives just before ours has sent the contract: that counts', async () => {
    const app = await startApp();
    const request = await app.addRequest();
    app.sandbox.faults.add('signature.activate:500:1');
    await rejection(start(app, request));
    const signId = there(app)[0]?.id as string;
    app.sandbox.faults.add({
      target: 'signature',
      kind: 'delay',
      operation: 'activate',
      delayMs: 150,
      times: 1,
    });
    const again = start(app, request);
    while (calls(app)['signature.activate'] !== 2) await new Promise((next) => setImmediate(next));
    await app.ctx.provider.activate(signId);
    expect(await again).toMatchObject({ signId, status: 'PENDING', sending: 'sent' });
    expect(there(app)).toMatchObject([{ id: signId, status: 'ongoing' }]);
    expect(app.request(request.id).status).toBe('WAITING_SIGNATURE');
  });

  test('of two drafts under the name one is filled and sent, the other is left as it is', async () => {
    const app = await startApp();
    const request = await app.addRequest();
    app.sandbox.faults.add('signature.upload:500:1');
    await rejection(start(app, request));
    const { externalId, signId } = app.contract(request.id);
    const late = {
      name: 'late',
      externalId,
      expirationDate: '2026-04-01',
      timeZone: 'UTC',
      locale: 'en',
    } as const;
    const other = await app.ctx.provider.createRequest(late);
    await start(app, request);
    expect(there(app)).toMatchObject([
      { id: signId, status: 'ongoing' },
      { id: other, status: 'draft', documents: [], signers: [] },
    ]);
  });

  test('one in a state that we do not know may be with the customer: no other takes its place', async () => {
    const app = await startApp();
    const request = await app.addRequest();
    app.sandbox.faults.add('signature.activate:answer_lost:1');
    await rejection(start(app, request));
    const signId = there(app)[0]?.id as string;
    app.sandbox.setStatus(signId, 'paused');
    app.ctx.db.raw.exec("UPDATE requests SET title = 'Weekly maintenance'");
    expect(await rejection(start(app, request))).toMatchObject({ code: 'already_started' });
    expect(there(app)).toMatchObject([{ id: signId, status: 'paused' }]);
    expect(contracts(app)).toMatchObject([{ status: 'PENDING', sending: 'asked' }]);
  });

  test.each(['declined'])(
    'one that is %s there by now is closed here, and the same PDF goes out as a new contract',
    async (status) => {
      const app = await startApp();
      const request = await app.addRequest();
      const pdf = await anyContractPdf();
      app.sandbox.faults.add('signature.activate:answer_lost:1');
      await rejection(start(app, request, pdf));
      app.sandbox.setStatus(there(app)[0]?.id as string, status);

      const contract = await start(app, request);

      expect(contracts(app)).toMatchObject([{ status: 'EXPIRED' }, { id: contract.id, ownPdf: 1 }]);
      const draft = readFileSync(join(app.dataDir, 'contracts', `${contract.id}.draft.pdf`));
      expect(draft.equals(pdf)).toBe(true);
      const ended = listHistory(app.ctx.db, { requestId: request.id }).find(
        ({ what }) => what === 'contract.ended',
      );
      expect(JSON.parse(ended?.detail ?? '{}')).toMatchObject({ reason: status });
    },
  );

  test('one that was generated and is closed there is generated again', async () => {
    const app = await startApp();
    const request = await app.addRequest();
    app.sandbox.faults.add('signature.activate:answer_lost:1');
    await rejection(start(app, request));
    app.sandbox.setStatus(there(app)[0]?.id as string, 'canceled');
    expect(await start(app, request)).toMatchObject({ id: 2, ownPdf: 0 });
  });

  test('the same PDF is sent once even if the terms have changed: the customer has it already', async () => {
    const app = await startApp();
    const request = await app.addRequest();
    const pdf = await anyContractPdf();
    app.sandbox.faults.add('signature.activate:answer_lost:1');
    await rejection(start(app, request, pdf));
    app.ctx.db.raw.exec("UPDATE equipments SET name = 'Kettle'");
    expect(await rejection(start(app, request, pdf))).toMatchObject({ code: 'already_started' });
    expect(there(app)).toMatchObject([{ status: 'ongoing' }]);
  });

  test('a signature that is there already counts even if another PDF is supplied', async () => {
    const app = await startApp();
    const request = await app.addRequest();
    app.sandbox.faults.add('signature.activate:answer_lost:1');
    await rejection(start(app, request, await anyContractPdf()));
    app.sandbox.sign(there(app)[0]?.id as string);
    const another = await aPdf({ pages: 1, anchor: true });
    expect(await rejection(start(app, request, another))).toMatchObject({ code: 'already_signed' });
    expect(app.request(request.id).status).toBe('WAITING_PAYMENT');
  });

  test('one whose draft was deleted there for good is made again under the same contract', async () => {
    const app = await startApp();
    const request = await app.addRequest();
    app.sandbox.faults.add('signature.upload:500:1');
    await rejection(start(app, request, await anyContractPdf()));
    app.sandbox.delete(there(app)[0]?.id as string, { permanent: true });
    await start(app, request);
    expect(contracts(app)).toHaveLength(1);
    expect(there(app)).toMatchObject([{ status: 'ongoing' }]);
  });

  test('a “not found” for what is under way is not believed: no second one is sent', async () => {
    const app = await startApp();
    const request = await app.addRequest();
    app.sandbox.faults.add('signature.activate:answer_lost:1');
    await rejection(start(app, request, await anyContractPdf()));
    app.sandbox.faults.add('signature.get:404:1');
    const { signId } = await start(app, request);
    expect(there(app)).toMatchObject([{ id: signId, status: 'ongoing' }]);
    expect(invitations(app)).toHaveLength(1);
  });
});

describe('when the process dies between two steps', () => {
  /** Closes the context while `step` hangs at the provider, and opens the same data directory anew. */
  async function crashAt(app: TestApp, step: string, request: RequestRow): Promise<Context> {
    const hanging = app.sandbox.faults.add({
      target: 'signature',
      kind: 'delay',
      operation: step,
      delayMs: 300,
    });
    const dying = rejection(start(app, request, await anyContractPdf()));
    while ((calls(app)[`signature.${step}`] ?? 0) === 0) await new Promise((next) => setImmediate(next));
    await app.ctx.close();
    await dying;
    app.sandbox.faults.remove(hanging.id);
    const ctx = openContext(app.ctx.config, { clock: app.clock, log: pino({ level: 'silent' }) });
    onTestFinished(() => ctx.close());
    return ctx;
  }

  test.each(STEPS)('%s: the next start finishes it with one signature request', async (step) => {
    const app = await startApp();
    const request = await app.addRequest();

    const ctx = await crashAt(app, step, request);
    const contract = await startSignature(ctx, request.id, { actor: TESTER });

    expect(there(app)).toMatchObject([{ id: contract.signId, status: 'ongoing' }]);
    expect(there(app)[0]?.signers).toHaveLength(1);
    expect(there(app)[0]?.documents).toHaveLength(1);
    expect(invitations(app)).toHaveLength(1);
    expect(ctx.db.raw.prepare('SELECT count(*) AS n FROM contracts').get()).toEqual({ n: 1 });
  });

  test('before a generated PDF was made, a supplied one goes out as a contract of its own', async () => {
    const app = await startApp();
    const request = await app.addRequest();
    app.sandbox.faults.add('signature.create:500:1');
    await rejection(start(app, request));
    app.ctx.db.raw.exec('UPDATE contracts SET draftSha256 = NULL');
    expect(await start(app, request, await anyContractPdf())).toMatchObject({ id: 2, ownPdf: 1 });
  });

  test('after the contract row was made and before its PDF was: the PDF is made then', async () => {
    const app = await startApp();
    const request = await app.addRequest();
    app.sandbox.faults.add('signature.create:500:1');
    await rejection(start(app, request));
    const { id } = app.contract(request.id);
    const draft = join(app.dataDir, 'contracts', `${id}.draft.pdf`);
    rmSync(draft);
    await start(app, request);
    expect(existsSync(draft)).toBe(true);
  });
});

test('a contract begun long ago that has passed its date is not sent as it is', async () => {
  const app = await startApp();
  const request = await app.addRequest();
  app.sandbox.faults.add('signature.activate:answer_lost:1');
  await rejection(start(app, request, await anyContractPdf()));
  app.clock.advance(40 * DAY);
  const contract = await start(app, request);
  expect(contract).toMatchObject({ expiredAt: '2026-05-11T23:59:59.000Z', ownPdf: 1 });
  expect(there(app)).toMatchObject([{ status: 'expired' }, { id: contract.signId, status: 'ongoing' }]);
});

describe('words that the contract cannot print', () => {
  test('are refused before anything is made, with field and letter; a PDF of one’s own is sent', async () => {
    const app = await startApp();
    const request = await app.addRequest(undefined, { title: 'Service ሀ' });

    const error = await rejection(start(app, request));
    expect(error).toMatchObject({
      kind: 'invalid',
      code: 'unprintable_words',
      fields: { title: 'The contract cannot print “ሀ”.' },
    });
    expect([contracts(app), there(app)]).toEqual([[], []]);

    await start(app, request, await anyContractPdf());
    expect(there(app)).toHaveLength(1);
  });
});

describe('the firm’s details', () => {
  test('stand in the contract, and contracts made without them keep their digest', async () => {
    const plain = await startApp();
    const { termsDigest } = (await start(plain, await plain.addRequest())) as { termsDigest: string };
    const { wording } = readTerms(plain.ctx, plain.ctx.db, 1);

    // As it was made before there were details: these members, in this order.
    expect(Object.keys(wording).join(' ')).toBe(
      'reference title description customer equipment amount currency issuer termDays locale timeZone',
    );
    expect(digestOf(readTerms(plain.ctx, plain.ctx.db, 1))).toBe(termsDigest);

    const app = await startApp({
      env: { ESIGN_COMPANY_NAME: 'Acme SA', ESIGN_COMPANY_ADDRESS: '12 Main Street, 1000 Brussels' },
    });
    const request = await app.addRequest();
    expect(readTerms(app.ctx, app.ctx.db, request.id).wording).toMatchObject({
      issuer: 'Acme SA',
      company: { address: '12 Main Street, 1000 Brussels' },
    });
  });
});
