/**
 * A start is not a contract (rules 2): until the provider has sent it, text, price and customer may change, and the
 * next start sends what they are then. A draft at the provider that says something else is thrown away there.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { expect } from 'vitest';
import { command, commandLine } from '../../../src/core/commands.js';
import type { Context } from '../../../src/core/context.js';
import { draftPdfPath, sha256Of } from '../../../src/core/contracts/contract-files.js';
import { openContractPdf } from '../../../src/core/contracts/contracts.js';
import { explain } from '../../../src/core/explain/explain.js';
import { enterOffer } from '../../../src/core/offers/offers.js';
import { changeRequest } from '../../../src/core/requests/change-request.js';
import { checkAllSignatures } from '../../../src/core/signature/check-all-signatures.js';
import { resetSignature } from '../../../src/core/signature/reset-signature.js';
import { requireRequest } from '../../../src/db/requests/requests.js';
import { requireUser } from '../../../src/db/users/users.js';
import { anyContractPdf, rejection, TESTER, type TestApp } from '../../support/app.js';
import { includes, tell, type History } from '../../support/histories.js';
import { openFile } from '../../support/open-file.js';
import { textOf } from '../../support/read-pdf.js';
import { startSignature } from '../../support/start-signature.js';
import { BY, type Story } from '../../support/story.js';
import { deliver } from '../../support/webhooks.js';

const PDF = await anyContractPdf();
const ANOTHER = Buffer.concat([PDF, Buffer.from('\n% another\n%%EOF\n')]);
const SOMEBODYS = '%PDF-1.7\n% of another customer\n%%EOF\n';

type Act = (ctx: Context, id: number) => Promise<unknown>;
const titled =
  (title: string): Act =>
  (ctx, id) => {
    const owner = requireUser(ctx.db, { id: requireRequest(ctx.db, { id }).ownerId });
    return changeRequest(ctx, owner, id, { title });
  };
const retitle = titled('Weekly maintenance');
const offer: Act = (ctx, requestId) =>
  enterOffer(ctx, { requestId, amount: 77_700, description: 'All in' }, BY);
const withPdf =
  (pdf: Buffer): Act =>
  (ctx, id) =>
    startSignature(ctx, id, { ...BY, pdf });

const there = (app: TestApp) => app.sandbox.state().signatureRequests;
const draftOf = (app: TestApp, id: number) => draftPdfPath(app.ctx, app.contract(id).id);
const lost = (s: Story) => s.does((app, id) => rmSync(draftOf(app, id)));

/** The provider has exactly the PDF that is stored here, and it says so. */
const says = (s: Story, what: string | Buffer) =>
  s.does(async (app, id) => {
    const draft = readFileSync(draftOf(app, id));
    if (typeof what === 'string') expect(await textOf(draft)).toContain(what);
    else expect(draft.equals(what)).toBe(true);
    expect(app.contract(id).draftSha256).toBe(sha256Of(draft));
    const sent = there(app).find(({ status }) => status === 'ongoing');
    const { apiUrl, apiKey } = app.ctx.config;
    const url = `${apiUrl}/signature_requests/${sent?.id}/documents/${sent?.documents[0]?.id}/download`;
    const answer = await fetch(url, { headers: { authorization: `Bearer ${apiKey}` } });
    expect(draft.equals(Buffer.from(await answer.arrayBuffer()))).toBe(true);
  });

/** A late call of the start puts it into the draft once more. */
const again = (s: Story, what: 'PDF' | 'signer') =>
  s.does(async ({ ctx, sandbox }) => {
    const signId = sandbox.state().signatureRequests[0]?.id as string;
    if (what === 'PDF') await ctx.provider.uploadDocument(signId, await openFile(PDF), 'again.pdf');
    else {
      const ada = { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.org' };
      await ctx.provider.addSigner(signId, { ...ada, phone: null, locale: 'en' });
    }
  });

const NEW = { contracts: ['EXPIRED', 'PENDING'], documents: ['ongoing'], ends: ['replaced'] };
const ONE = { contracts: ['PENDING'], documents: ['ongoing'], invited: 1 };
const unavailable = { kind: 'unavailable', code: 'provider_unavailable' };

tell(
  [
    ...['create:answer_lost', 'signer:answer_lost', 'activate:500'].map((fault): History => [
      `${fault}: the title is corrected, and the next start sends the new one, once`,
      (s) => says(s.stopped(fault).by(retitle).sentNext(), 'Weekly maintenance'),
      { ...NEW, invited: 1 },
    ]),
    [
      'a new offer sets the price of the next start',
      (s) => says(s.stopped('upload:500').by(offer).sentNext(), '€777.00'),
      { ...NEW, contract: { amount: 77_700, currency: 'eur' } },
    ],
    ...(
      [
        ["users SET lastName = 'Byron'", 'Byron'],
        ["users SET username = 'ada@byron.example'", 'ada@byron.example'],
        ["equipments SET name = 'Kettle'", 'Kettle'],
      ] as const
    ).map(([change, words]): History => [
      `contract and draft say ${words} after that became so`,
      (s) => says(s.stopped('activate:500').sql(`UPDATE ${change}`).sentNext(), words),
      NEW,
    ]),
    [
      'a PDF of one’s own stays, its price is the new one',
      (s) => says(s.stopped('signer:500', PDF).by(offer).sentNext(), PDF),
      { ...NEW, contract: { amount: 77_700, ownPdf: 1 } },
    ],
    [
      'a change that is taken back again leaves contract and draft as they are',
      (s) => s.stopped('upload:500').by(retitle).by(titled('Yearly maintenance')).sentNext(),
      ONE,
    ],
    [
      'the old draft cannot be thrown away now: nothing is sent beside it',
      (s) =>
        s
          .stopped('upload:500')
          .by(retitle)
          .fault('signature.delete:500')
          .refuses(startSignature, unavailable)
          .is({ documents: ['draft'] })
          .noFaults()
          .sentNext(),
      NEW,
    ],
    [
      'the provider’s word of the draft that we have thrown away closes nothing and alarms nobody',
      (s) =>
        s.stopped('upload:500').does(async (app, id) => {
          const { signId } = app.contract(id);
          await retitle(app.ctx, id);
          await startSignature(app.ctx, id, BY);
          await deliver(app, signId as string, { name: 'signature_request.deleted' });
        }),
      { ...NEW, work: { 'send-mail': [] } },
    ],
    [
      'the provider down: what was surely not sent is corrected all the same',
      (s) =>
        s
          .stopped('signer:500')
          .fault('signature:500')
          .by(retitle)
          .does((app, id) => expect(app.request(id).title).toBe('Weekly maintenance')),
      { status: 'in_progress' },
    ],
    ...(['PDF', 'signer'] as const).flatMap((what): History[] => [
      [
        `a draft into which a late call has put the ${what} a second time is sent with one of each`,
        (s) => again(s.stopped(`${what === 'PDF' ? 'upload' : 'signer'}:answer_lost`), what).sentNext(),
        ONE,
      ],
      [
        `so it is when the late call puts the ${what} there during the next start`,
        (s) =>
          s
            .stopped('upload:answer_lost')
            .before('addSigner', (t) => again(t, what))
            .sentNext()
            .does((app) => expect(there(app)).toMatchObject([{ documents: [{}], signers: [{}] }]))
            .signed(),
        { status: 'WAITING_PAYMENT', documents: ['done'] },
      ],
    ]),
    [
      'another contract’s PDF, left under the same number by a restore without files, is neither sent nor shown',
      (s) =>
        says(
          s
            .stopped('create:500')
            .does(async (app, id) => {
              writeFileSync(draftOf(app, id), SOMEBODYS);
              const shown = rejection(openContractPdf(app.ctx, app.contract(id), TESTER));
              expect(await shown).toMatchObject({ code: 'not_found' });
            })
            .sentNext(),
          'Yearly maintenance',
        ),
      { documents: ['ongoing'] },
    ],
    ...(
      [
        ['is gone', rmSync],
        ['is another contract’s', (path: string) => writeFileSync(path, SOMEBODYS)],
      ] as const
    ).map(([what, lose]): History => [
      `when the supplied PDF ${what}, no generated contract is sent in its place: it has to be supplied again`,
      (s) =>
        says(
          s
            .stopped('create:500', PDF)
            .does((app, id) => lose(draftOf(app, id)))
            .refuses((ctx, id) => startSignature(ctx, id, { ...BY, dryRun: true }), {
              code: 'contract_pdf_missing',
            })
            .refuses(startSignature, {
              code: 'contract_pdf_missing',
              hint: includes('Supply it again: `'),
            })
            .does(async ({ ctx }, id) => {
              const { next } = await explain(ctx, String(id));
              expect(next && commandLine(next)).toBe(`esignctl start-signature ${id} --pdf …`);
            })
            .is({ findings: includes('start_unfinished: pdf_lost'), documents: [] })
            .by(withPdf(PDF)),
          PDF,
        ),
      { ...ONE, findings: ['waiting_for_customer'] },
    ]),
    [
      'nor where the customer may have it: that is looked at first',
      (s) =>
        lost(s.stopped('activate:answer_lost', PDF)).does(async ({ ctx }, id) => {
          const { hint } = (await rejection(startSignature(ctx, id, BY))) as { hint?: unknown };
          const pdf = { ...command('start-signature', id), options: ['--pdf', '…'] };
          expect(hint).toEqual(
            expect.arrayContaining(['The customer may have the contract: first run `', pdf]),
          );
        }),
      { contracts: ['PENDING'] },
    ],
    [
      'when another PDF is supplied and the first is lost, the provider’s draft with the first is replaced',
      (s) => says(lost(s.stopped('signer:500', PDF)).by(withPdf(ANOTHER)), ANOTHER),
      { documents: ['ongoing'] },
    ],
    [
      'when a PDF is supplied for a start whose contract was generated, that one is signed and not the generated one',
      (s) => says(s.stopped('signer:500').by(withPdf(PDF)), PDF),
      { documents: ['ongoing'], contract: { ownPdf: 1 } },
    ],
    [
      'a contract whose supplied PDF was never stored is used for the one that is supplied next',
      (s) =>
        lost(s.stopped('create:500', PDF))
          .sql('UPDATE contracts SET draftSha256 = NULL')
          .by(withPdf(ANOTHER)),
      { ...ONE, contract: { ownPdf: 1 } },
    ],
    [
      'what was sent is not thrown away because it has a second signer',
      (s) => again(s.stopped('activate:500'), 'signer').there('ongoing').sentNext(),
      { contracts: ['PENDING'], documents: ['ongoing'] },
    ],
    [
      'a webhook about our deletion of a draft with two PDFs does not end the contract, even though the start then failed',
      (s) =>
        says(
          again(s.stopped('upload:answer_lost', PDF), 'PDF')
            .does(async (app, id) => {
              const { signId } = app.contract(id);
              app.sandbox.faults.add('signature.create:500');
              expect(await rejection(startSignature(app.ctx, id, BY))).toMatchObject(unavailable);
              app.sandbox.faults.clear();
              await deliver(app, signId as string, { name: 'signature_request.deleted' });
            })
            .is({ contracts: ['PENDING'], contract: { signId: null } })
            .sentNext(),
          PDF,
        ),
      ONE,
    ],
    [
      'a late activation during the next start is noticed: the contract counts as sent',
      (s) =>
        s
          .stopped('activate:500')
          .meanwhile('getSignatureStatus', (t) =>
            t.does((app, id) => app.ctx.provider.activate(app.contract(id).signId as string)),
          )
          .sentNext()
          .does((app, id) => expect(app.contract(id).signUrl).toContain('/sign/')),
      { ...ONE, status: 'WAITING_SIGNATURE', calls: { 'signature.activate': 2 } },
    ],
    ...(
      [
        ['sent', 'ongoing', 'WAITING_SIGNATURE'],
        ['signed', 'signed', 'WAITING_PAYMENT'],
      ] as const
    ).map(([word, becomes, status]): History => [
      `after an order to send it that was not answered: ${word}, the title stays, and the request goes on`,
      (s) =>
        s
          .stopped('activate:answer_lost')
          .there(becomes)
          .refuses(retitle, { code: 'cannot_be_changed', fields: { title: expect.anything() as unknown } })
          .does((app, id) => expect(app.request(id).title).toBe('Yearly maintenance')),
      { status },
    ]),
    [
      'declined meanwhile: the contract is closed with that reason, and the title changes',
      (s) => s.stopped('activate:answer_lost').there('declined').by(retitle),
      { contracts: ['EXPIRED'], ends: ['declined'] },
    ],
    [
      'the provider down: a change of the title is refused, and nothing is changed; one that changes nothing asks nobody',
      (s) =>
        s
          .stopped('activate:answer_lost')
          .fault('signature:500')
          .unchanged((t) => t.refuses(retitle, { ...unavailable, hint: 'Nothing is lost: try again later.' }))
          .unasked((t) => t.by(titled('Yearly maintenance'))),
      { status: 'in_progress' },
    ],
    [
      'a new price meanwhile, and it is out: the start says so instead of sending another, and a reset sends the new price',
      (s) =>
        s
          .stopped('activate:answer_lost')
          .by(offer)
          .refuses(startSignature, {
            code: 'already_started',
            message: expect.stringContaining('earlier start') as unknown,
          })
          .is({ ...ONE, status: 'WAITING_SIGNATURE', contract: { amount: 12_000 } })
          .does(async ({ ctx }, id) => {
            const { timeline } = await explain(ctx, String(id), { offline: true });
            const sent = timeline.find(({ what }) => what === 'contract.sent');
            expect(sent?.message).toContain('earlier text and price');
          })
          .by(resetSignature),
      { contract: { amount: 77_700 } },
    ],
    [
      'a new price meanwhile, and it is signed: the request goes all the way',
      (s) =>
        s
          .stopped('activate:answer_lost')
          .there('signed')
          .by(offer)
          .refuses(startSignature, { code: 'already_signed' }),
      { status: 'WAITING_PAYMENT' },
    ],
    ...([resetSignature, checkAllSignatures] as const).map((act): History => [
      `a reset that failed before its new contract was sent goes on with the price of now: ${act.name}`,
      (s) =>
        s
          .sent()
          .fault('signature.upload:500:1')
          .refuses(resetSignature, unavailable)
          .by(offer)
          .by((ctx, id) => (act === checkAllSignatures ? act(ctx, BY) : resetSignature(ctx, id, BY))),
      { documents: ['canceled', 'ongoing'], contract: { amount: 77_700, status: 'PENDING' } },
    ]),
    [
      'what is being sent right now cannot be changed',
      (s) =>
        s
          .entered()
          .before('activate', (t) => t.refuses(retitle, { code: 'in_progress' }))
          .sentNext(),
      ONE,
    ],
  ],
  'after a failed start: ',
);
