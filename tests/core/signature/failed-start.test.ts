/**
 * A start is not a contract (rules 2): until the provider has sent it, text, price and customer may change, and the
 * next start sends what they are then. A draft at the provider that says something else is thrown away there.
 */
import { createHash } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { command, commandLine } from '../../../src/core/commands.js';
import { draftPdfPath } from '../../../src/core/contracts/contract-files.js';
import { openContractPdf } from '../../../src/core/contracts/contracts.js';
import { renderContractPdf, type ContractTerms } from '../../../src/core/contracts/contract-pdf.js';
import type { AppError } from '../../../src/core/errors.js';
import { explain } from '../../../src/core/explain/explain.js';
import { createOffer, changeOffer } from '../../../src/core/offers/offers.js';
import { changeRequest } from '../../../src/core/requests/change-request.js';
import { checkAllSignatures } from '../../../src/core/signature/check-all-signatures.js';
import { resetSignature } from '../../../src/core/signature/reset-signature.js';
import { startSignature } from '../../support/start-signature.js';
import { requireEquipment } from '../../../src/db/equipments/equipments.js';
import { requireUser } from '../../../src/db/users/users.js';
import type { ContractRow, RequestRow, UserRow } from '../../../src/db/schema.js';
import { anyContractPdf, rejection, startApp, TESTER, type TestApp } from '../../support/app.js';
import { deliver } from '../../support/webhooks.js';
import { openFile } from '../../support/open-file.js';

interface Failed {
  app: TestApp;
  owner: UserRow;
  request: RequestRow;
}

const by = { actor: TESTER };
const there = (app: TestApp) => app.sandbox.state().signatureRequests;
const start = ({ app, request }: Failed) => startSignature(app.ctx, request.id, by);
const retitle = ({ app, owner, request }: Failed, title = 'Weekly maintenance') =>
  changeRequest(app.ctx, owner, request.id, { title });
const contracts = ({ app }: Failed) =>
  app.ctx.db.raw.prepare('SELECT * FROM contracts ORDER BY id').all() as ContractRow[];
const ends = ({ app }: Failed) =>
  app.ctx.db.raw
    .prepare<[], { reason: string }>(
      "SELECT json_extract(detail, '$.reason') AS reason FROM history WHERE what = 'contract.ended'",
    )
    .all()
    .map(({ reason }) => reason);

/** The document that the provider has of the first signature request. */
async function uploaded(app: TestApp): Promise<Buffer> {
  const [request] = there(app);
  const { apiUrl, apiKey } = app.ctx.config;
  const url = `${apiUrl}/signature_requests/${request?.id}/documents/${request?.documents[0]?.id}/download`;
  const answer = await fetch(url, { headers: { authorization: `Bearer ${apiKey}` } });
  return Buffer.from(await answer.arrayBuffer());
}

/** A start that failed at this step. */
async function failedStart(fault: string, { pdf }: { pdf?: Buffer } = {}): Promise<Failed> {
  const app = await startApp();
  const owner = await app.addUser({ username: 'ada@example.org' });
  const request = await app.addRequest(owner);
  app.sandbox.faults.add(`signature.${fault}:1`);
  const starting = startSignature(app.ctx, request.id, { ...by, ...(pdf && { pdf }) });
  expect(await rejection(starting)).toMatchObject({ code: 'provider_unavailable' });
  app.sandbox.faults.clear();
  return { app, owner, request };
}

/** The same terms give the same bytes: the contract says these, and nothing else. */
async function expectDraft({ app, request }: Failed, contract: ContractRow, changed: Partial<ContractTerms>) {
  const expected = await renderContractPdf({
    contractId: contract.id,
    reference: request.reference,
    title: request.title,
    description: request.description,
    customer: requireUser(app.ctx.db, { id: request.ownerId }),
    equipment: requireEquipment(app.ctx.db, { id: request.equipmentId }),
    amount: 12_000,
    currency: 'eur',
    issuer: 'Acme Maintenance',
    madeAt: contract.createdAt,
    signBefore: contract.expiredAt as string,
    termDays: 365,
    locale: 'en',
    timeZone: app.ctx.config.timeZone,
    ...changed,
  });
  const draft = readFileSync(join(app.dataDir, 'contracts', `${contract.id}.draft.pdf`));
  expect(draft.equals(expected)).toBe(true);
}

async function offer(
  { app, request }: Pick<Failed, 'app' | 'request'>,
  amount: number,
  status: 'draft' | 'sent' | 'accepted',
) {
  const admin = await app.addUser({ role: 'ROLE_ADMIN' });
  const { id } = await createOffer(app.ctx, admin, {
    requestId: request.id,
    amount,
    currency: 'eur',
    description: 'All in',
  });
  if (status !== 'draft') await changeOffer(app.ctx, admin, id, { status });
}

const BEFORE_ACTIVATION = ['create:answer_lost', 'signer:answer_lost'];

describe('after a start that failed before the contract was sent', () => {
  test.each(BEFORE_ACTIVATION)(
    '%s: the owner corrects the title, and the next start sends the new one, once',
    async (fault) => {
      const failed = await failedStart(fault);

      await retitle(failed);
      const contract = await start(failed);

      expect(there(failed.app)).toMatchObject([
        { id: contract.signId, status: 'ongoing', name: `${failed.request.reference} Weekly maintenance` },
      ]);
      await expectDraft(failed, contract, { title: 'Weekly maintenance' });
      expect(contracts(failed)).toMatchObject([
        { status: 'EXPIRED' },
        { id: contract.id, status: 'PENDING' },
      ]);
      expect(ends(failed)).toEqual(['replaced']);
    },
  );

  test('a new accepted offer sets the price of the next start', async () => {
    const failed = await failedStart('upload:500');
    await offer(failed, 77_700, 'accepted');

    const contract = await start(failed);

    expect(contract).toMatchObject({ amount: 77_700, currency: 'eur' });
    await expectDraft(failed, contract, { amount: 77_700 });
    expect(there(failed.app)).toMatchObject([{ id: contract.signId, status: 'ongoing' }]);
  });

  test('an offer that is only a draft changes nothing: the next start goes on where it stopped', async () => {
    const failed = await failedStart('upload:500');
    await offer(failed, 77_700, 'draft');
    expect(await start(failed)).toMatchObject({ amount: 12_000 });
    expect(contracts(failed)).toHaveLength(1);
  });

  test.each([
    ['name', "UPDATE users SET lastName = 'Byron'"],
    ['address', "UPDATE users SET username = 'ada@byron.example'"],
    ['equipment', "UPDATE equipments SET name = 'Kettle'"],
  ])('another %s goes into contract and draft', async (_, sql) => {
    const failed = await failedStart('activate:500');
    failed.app.ctx.db.raw.exec(sql);

    const contract = await start(failed);

    expect(contracts(failed)).toHaveLength(2);
    expect(there(failed.app)).toMatchObject([{ id: contract.signId, status: 'ongoing' }]);
    await expectDraft(failed, contract, {});
  });

  test('a PDF of one’s own stays, its price and signer are the new ones', async () => {
    const pdf = await anyContractPdf();
    const failed = await failedStart('signer:500', { pdf });
    await offer(failed, 5_000, 'sent');
    const contract = await start(failed);
    expect(contract).toMatchObject({ amount: 5_000, ownPdf: 1 });
    const draft = readFileSync(join(failed.app.dataDir, 'contracts', `${contract.id}.draft.pdf`));
    expect(draft.equals(pdf)).toBe(true);
  });

  test('a change that is taken back again leaves contract and draft as they are', async () => {
    const failed = await failedStart('activate:500');
    await retitle(failed);
    failed.app.ctx.db.raw.exec("UPDATE requests SET title = 'Yearly maintenance'");
    await start(failed);
    expect(there(failed.app)).toHaveLength(1);
  });

  test('the old draft cannot be thrown away now: nothing is sent beside it', async () => {
    const failed = await failedStart('upload:500');
    await retitle(failed);
    failed.app.sandbox.faults.add('signature.delete:500');
    expect(await rejection(start(failed))).toMatchObject({ code: 'provider_unavailable' });
    expect(there(failed.app)).toMatchObject([{ status: 'draft' }]);
    failed.app.sandbox.faults.clear();
    await start(failed);
    expect(there(failed.app)).toMatchObject([{ status: 'ongoing' }]);
  });

  test('the provider’s word of the thrown away draft closes nothing and alarms nobody', async () => {
    const failed = await failedStart('upload:500');
    const [draft] = there(failed.app);
    await retitle(failed);
    await start(failed);
    await deliver(failed.app, draft?.id as string, { name: 'signature_request.deleted' });
    expect(failed.app.contract(failed.request.id).status).toBe('PENDING');
    expect(failed.app.jobs('send-mail')).toEqual([]);
  });

  test('the provider down: what was surely not sent is corrected all the same', async () => {
    const failed = await failedStart('signer:500');
    failed.app.sandbox.faults.add('signature:500');
    expect((await retitle(failed)).request.title).toBe('Weekly maintenance');
  });
});

const AGAIN: Record<string, (app: TestApp, signId: string) => Promise<unknown>> = {
  PDF: async ({ ctx }, signId) =>
    ctx.provider.uploadDocument(signId, await openFile(await anyContractPdf()), 'again.pdf'),
  signer: ({ ctx }, signId) =>
    ctx.provider.addSigner(signId, {
      firstName: 'Ada',
      lastName: 'Lovelace',
      email: 'ada@example.org',
      phone: null,
      locale: 'en',
    }),
};

test.each([
  ['PDF', 'before the next start', 'upload:answer_lost'],
  ['signer', 'before the next start', 'signer:answer_lost'],
  ['PDF', 'during the next start', 'upload:answer_lost'],
  ['signer', 'during the next start', 'upload:answer_lost'],
])(
  'a draft into which a late call has put the %s a second time, %s, is sent with one of each',
  async (what, when, fault) => {
    const failed = await failedStart(fault);
    const { app, request } = failed;
    const [draft] = there(app);
    const callAgain = () => AGAIN[what]?.(app, draft?.id as string);
    if (when === 'before the next start') {
      await callAgain();
      await start(failed);
    } else {
      app.sandbox.faults.add({
        target: 'signature',
        operation: 'signer',
        kind: 'delay',
        delayMs: 300,
        times: 1,
      });
      const starting = start(failed);
      while (!app.sandbox.state().counters.calls['signature.signer']) await turn();
      await callAgain();
      await starting;
    }

    const [sent, ...more] = there(app);
    expect([sent?.status, sent?.documents.length, sent?.signers.length, more]).toEqual(['ongoing', 1, 1, []]);
    app.sandbox.sign(sent?.id as string);
    expect(await deliver(app, sent?.id as string)).toBe(200);
    expect(app.request(request.id).status).toBe('WAITING_PAYMENT');
  },
);

test('another contract’s PDF, left under the same number by a restore without files, is neither sent nor shown', async () => {
  const failed = await failedStart('create:500');
  const { app, request } = failed;
  const begun = app.contract(request.id);
  const others = Buffer.from(`%PDF-1.7\n% of another customer\n%%EOF\n`);
  writeFileSync(draftPdfPath(app.ctx, begun.id), others);
  expect(await rejection(openContractPdf(app.ctx, begun, TESTER))).toMatchObject({ code: 'not_found' });

  await start(failed);

  const sent = app.contract(request.id);
  expect(there(app)).toMatchObject([{ status: 'ongoing', documents: [{}] }]);
  const bytes = readFileSync(draftPdfPath(app.ctx, sent.id));
  expect(bytes.equals(others)).toBe(false);
  expect(sent.draftSha256).toBe(createHash('sha256').update(bytes).digest('hex'));
  expect((await uploaded(app)).equals(bytes)).toBe(true);
});

test.each<[what: string, lose: (path: string) => void]>([
  ['is gone', (path) => rmSync(path)],
  ['is another contract’s', (path) => writeFileSync(path, '%PDF-1.7\n% of another customer\n%%EOF\n')],
])(
  'when the supplied PDF %s, no generated contract is sent in its place: it has to be supplied again',
  async (_, lose) => {
    const pdf = await anyContractPdf();
    const failed = await failedStart('create:500', { pdf });
    const { app, request } = failed;
    lose(draftPdfPath(app.ctx, app.contract(request.id).id));

    for (const dryRun of [true, false])
      expect(await rejection(startSignature(app.ctx, request.id, { ...by, dryRun }))).toMatchObject({
        code: 'contract_pdf_missing',
      });
    const { next, findings } = await explain(app.ctx, String(request.id));
    expect(findings[0]).toMatchObject({ key: 'start_unfinished', cause: 'pdf_lost' });
    expect(next && commandLine(next)).toBe(`esignctl start-signature ${request.id} --pdf …`);
    expect(there(app)).toEqual([]);

    await startSignature(app.ctx, request.id, { ...by, pdf });
    expect(contracts(failed)).toHaveLength(1);
    expect((await uploaded(app)).equals(pdf)).toBe(true);
    expect((await explain(app.ctx, String(request.id))).findings[0]?.level).not.toBe('trouble');
  },
);

test('when another PDF is supplied and the first is lost, the provider’s draft with the first is replaced', async () => {
  const first = await anyContractPdf();
  const second = Buffer.concat([first, Buffer.from('\n% second\n%%EOF\n')]);
  const { app, request } = await failedStart('signer:500', { pdf: first });
  rmSync(draftPdfPath(app.ctx, app.contract(request.id).id));

  await startSignature(app.ctx, request.id, { ...by, pdf: second });

  const sent = there(app).filter(({ status }) => status === 'ongoing');
  expect(sent).toMatchObject([{ documents: [{}] }]);
  const { apiUrl, apiKey } = app.ctx.config;
  const url = `${apiUrl}/signature_requests/${sent[0]?.id}/documents/${sent[0]?.documents[0]?.id}/download`;
  const answer = await fetch(url, { headers: { authorization: `Bearer ${apiKey}` } });
  expect(Buffer.from(await answer.arrayBuffer()).equals(second)).toBe(true);
});

test('when a PDF is supplied for a start whose contract was generated, that one is signed and not the generated one', async () => {
  const failed = await failedStart('signer:500');
  const { app, request } = failed;
  const pdf = await anyContractPdf();

  const contract = await startSignature(app.ctx, request.id, { ...by, pdf });

  expect(contract.ownPdf).toBe(1);
  expect(there(app)).toMatchObject([{ id: contract.signId, status: 'ongoing', documents: [{}] }]);
  expect((await uploaded(app)).equals(pdf)).toBe(true);
});

test('a contract whose supplied PDF was never stored is used for the one that is supplied next', async () => {
  const failed = await failedStart('create:500', { pdf: await anyContractPdf() });
  const { app, request } = failed;
  rmSync(draftPdfPath(app.ctx, app.contract(request.id).id));
  app.ctx.db.raw.exec('UPDATE contracts SET draftSha256 = NULL');
  await startSignature(app.ctx, request.id, { ...by, pdf: await anyContractPdf() });
  expect(contracts(failed)).toMatchObject([{ status: 'PENDING', ownPdf: 1 }]);
});

test('what was sent is not thrown away because it has a second signer', async () => {
  const failed = await failedStart('activate:500');
  const { app } = failed;
  const signId = there(app)[0]?.id as string;
  await AGAIN['signer']?.(app, signId);
  app.sandbox.setStatus(signId, 'ongoing');
  expect(await start(failed)).toMatchObject({ signId });
  expect(there(app)).toMatchObject([{ id: signId, status: 'ongoing' }]);
});

test('a webhook about our deletion of a draft with two PDFs does not end the contract, even though the start then failed', async () => {
  const pdf = await anyContractPdf();
  const { app, request } = await failedStart('upload:answer_lost', { pdf });
  const signId = there(app)[0]?.id as string;
  await AGAIN['PDF']?.(app, signId);
  app.sandbox.faults.add('signature.create:500');
  await rejection(startSignature(app.ctx, request.id, by));
  app.sandbox.faults.clear();

  await deliver(app, signId, { name: 'signature_request.deleted' });

  expect(app.contract(request.id)).toMatchObject({ status: 'PENDING', signId: null });
  await startSignature(app.ctx, request.id, by);
  expect((await uploaded(app)).equals(pdf)).toBe(true);
});

test('a late activation during the next start is noticed: the contract counts as sent', async () => {
  const failed = await failedStart('activate:500');
  const { app, request } = failed;
  const signId = there(app)[0]?.id as string;
  app.sandbox.faults.add({
    target: 'signature',
    operation: 'get',
    kind: 'answer_late',
    delayMs: 300,
    times: 1,
  });
  const looked = () => app.sandbox.state().counters.calls['signature.get'] ?? 0;
  const before = looked();
  const starting = start(failed);
  while (looked() === before) await turn();
  await app.ctx.provider.activate(signId);

  expect(await starting).toMatchObject({ signId, signUrl: expect.any(String) });
  expect(app.request(request.id).status).toBe('WAITING_SIGNATURE');
});

test.each([
  ['create:500', 'Supply it again: '],
  ['activate:answer_lost', 'The customer may have the contract: first run '],
])('when the supplied PDF is lost after %s, the hint begins with: %s', async (fault, words) => {
  const failed = await failedStart(fault, { pdf: await anyContractPdf() });
  rmSync(draftPdfPath(failed.app.ctx, failed.app.contract(failed.request.id).id));
  const { hint } = (await rejection(start(failed))) as AppError;
  expect([hint].flat()[0]).toBe(`${words}\``);
  expect(hint).toContainEqual({
    ...command('start-signature', failed.request.id),
    options: ['--pdf', '…'],
  });
});

describe('after a start whose order to send the contract was not answered', () => {
  test('never sent: the draft is thrown away, the title changed, and the next start sends the new one', async () => {
    const failed = await failedStart('activate:500');

    expect((await retitle(failed)).request.title).toBe('Weekly maintenance');

    expect(there(failed.app)).toEqual([]);
    expect(contracts(failed)).toMatchObject([{ status: 'EXPIRED' }]);
    const contract = await start(failed);
    expect(there(failed.app)).toMatchObject([{ id: contract.signId, status: 'ongoing' }]);
  });

  test('sent: the title stays, and the request waits from then on', async () => {
    const failed = await failedStart('activate:answer_lost');
    expect(await rejection(retitle(failed))).toMatchObject({
      code: 'cannot_be_changed',
      fields: { title: expect.anything() },
    });
    expect(failed.app.request(failed.request.id)).toMatchObject({
      title: 'Yearly maintenance',
      status: 'WAITING_SIGNATURE',
    });
  });

  test('signed: the title stays, and the request goes all the way', async () => {
    const failed = await failedStart('activate:answer_lost');
    failed.app.sandbox.sign(there(failed.app)[0]?.id as string);
    expect(await rejection(retitle(failed))).toMatchObject({ code: 'cannot_be_changed' });
    expect(failed.app.request(failed.request.id).status).toBe('WAITING_PAYMENT');
  });

  test('declined meanwhile: the contract is closed with that reason, and the title changes', async () => {
    const failed = await failedStart('activate:answer_lost');
    failed.app.sandbox.decline(there(failed.app)[0]?.id as string);
    expect((await retitle(failed)).request.title).toBe('Weekly maintenance');
    expect(ends(failed)).toEqual(['declined']);
  });

  test('the provider down: refused with that key, and nothing is changed', async () => {
    const failed = await failedStart('activate:answer_lost');
    failed.app.sandbox.faults.add('signature:500');
    expect(await rejection(retitle(failed))).toMatchObject({
      kind: 'unavailable',
      code: 'provider_unavailable',
      hint: 'Nothing is lost: try again later.',
    });
    expect(failed.app.request(failed.request.id).title).toBe('Yearly maintenance');
  });

  test('another status than the words asks nobody', async () => {
    const failed = await failedStart('activate:answer_lost');
    failed.app.sandbox.faults.add('signature:500');
    const same = await changeRequest(failed.app.ctx, failed.owner, failed.request.id, {
      title: 'Yearly maintenance',
    });
    expect(same.request.title).toBe('Yearly maintenance');
  });

  test('a new price meanwhile, and it is out: the request waits, and the start says so instead of sending another', async () => {
    const failed = await failedStart('activate:answer_lost');
    await offer(failed, 77_700, 'accepted');
    expect(await rejection(start(failed))).toMatchObject({
      code: 'already_started',
      message: expect.stringContaining('earlier start'),
    });
    expect(there(failed.app)).toMatchObject([{ status: 'ongoing' }]);
    expect(failed.app.request(failed.request.id).status).toBe('WAITING_SIGNATURE');
    expect(failed.app.contract(failed.request.id).amount).toBe(12_000);
    const { timeline } = await explain(failed.app.ctx, String(failed.request.id), { offline: true });
    expect(timeline.find(({ what }) => what === 'contract.sent')?.message).toContain(
      'earlier text and price',
    );
    // The office decides: a reset sends the new price.
    expect(await resetSignature(failed.app.ctx, failed.request.id, by)).toMatchObject({ amount: 77_700 });
  });

  test('a new price meanwhile, and it is signed: the request goes all the way', async () => {
    const failed = await failedStart('activate:answer_lost');
    failed.app.sandbox.sign(there(failed.app)[0]?.id as string);
    await offer(failed, 77_700, 'accepted');
    expect(await rejection(start(failed))).toMatchObject({ code: 'already_signed' });
    expect(failed.app.request(failed.request.id).status).toBe('WAITING_PAYMENT');
  });
});

describe('a reset that failed before its new contract was sent', () => {
  test.each(['manual', 'bulk'])('goes on with the price of now (%s)', async (way) => {
    const app = await startApp();
    const { request } = await app.waitingRequest();
    app.sandbox.faults.add('signature.upload:500:1');
    await rejection(resetSignature(app.ctx, request.id, by));
    await offer({ app, request }, 77_700, 'accepted');

    await (way === 'manual' ? resetSignature(app.ctx, request.id, by) : checkAllSignatures(app.ctx, by));

    expect(app.contract(request.id)).toMatchObject({ amount: 77_700, status: 'PENDING' });
    expect(there(app)).toMatchObject([{ status: 'canceled' }, { status: 'ongoing' }]);
  });
});

test('what is being sent right now cannot be changed: in_progress', async () => {
  const app = await startApp();
  const owner = await app.addUser();
  const request = await app.addRequest(owner);
  app.sandbox.faults.add({ target: 'signature', operation: 'create', kind: 'answer_late', delayMs: 600_000 });
  const starting = startSignature(app.ctx, request.id, { ...by, pdf: await anyContractPdf() });
  while (there(app).length === 0) await new Promise((next) => setImmediate(next));
  expect(await rejection(retitle({ app, owner, request }))).toMatchObject({ code: 'in_progress' });
  app.sandbox.faults.clear();
  await starting;
});
