/**
 * A start is not a contract (rules 2): until the provider has sent it, text, price and customer may change, and the
 * next start sends what they are then. A draft at the provider that says something else is thrown away there.
 */
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { expect } from 'vitest';
import { commandLine } from '../../../src/core/commands.js';
import type { Context } from '../../../src/core/context.js';
import { sha256Of } from '../../../src/core/contracts/contract-files.js';
import { openContractPdf } from '../../../src/core/contracts/contracts.js';
import { explain } from '../../../src/core/explain/explain.js';
import { enterOffer } from '../../../src/core/offers/offers.js';
import { changeRequest } from '../../../src/core/requests/change-request.js';
import { requireRequest } from '../../../src/db/requests/requests.js';
import { requireUser } from '../../../src/db/users/users.js';
import { rejection, TESTER, type TestApp } from '../../support/app.js';
import { includes } from '../../support/histories.js';
import { openFile } from '../../support/open-file.js';
import { textOf } from '../../support/read-pdf.js';
import { startSignature } from '../../support/start-signature.js';
import { draftOf, PDF, PDFS, START_WORDS } from '../../support/start-words.js';
import { BY, type Story } from '../../support/story.js';
import { table, type Words } from '../../support/table.js';
import { deliver } from '../../support/webhooks.js';

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
  enterOffer(ctx, { requestId, amount: '777', description: 'All in' }, BY);

const there = (app: TestApp) => app.sandbox.state().signatureRequests;
/** Exactly this is stored here, and the provider has the same. */
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

const LATE_CALLS: Record<string, (ctx: Context, signId: string) => Promise<unknown>> = {
  PDF: async ({ provider }, signId) => provider.uploadDocument(signId, await openFile(PDF), 'again.pdf'),
  signer: ({ provider }, signId) => {
    const ada = { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.org' };
    return provider.addSigner(signId, { ...ada, phone: null, locale: 'en' });
  },
  activation: ({ provider }, signId) => provider.activate(signId),
};
const BECAME: Record<string, string> = {
  Byron: "users SET lastName = 'Byron'",
  'ada@byron.example': "users SET username = 'ada@byron.example'",
  Kettle: "equipments SET name = 'Kettle'",
};
const words: Words = {
  ...START_WORDS,
  retitled: (s) => s.by(retitle),
  titledAsBefore: (s) => s.by(titled('Yearly maintenance')),
  offered: (s) => s.by(offer),
  becomes: (s, what) => s.sql(`UPDATE ${BECAME[what]}`),
  saysWords: (s, ...text) => says(s, text.join(' ')),
  saysPdf: (s, which) => says(s, PDFS[which] as Buffer),
  isTitled: (s, title) => s.does((app, id) => expect(app.request(id).title).toBe(`${title} maintenance`)),
  /** A late call of the start does that to the first draft. */
  late: (s, what) =>
    s.does(({ ctx, sandbox }) => LATE_CALLS[what]?.(ctx, sandbox.state().signatureRequests[0]?.id as string)),
  hasOneOfEach: (s) =>
    s.does((app) => expect(there(app)).toMatchObject([{ documents: [{}], signers: [{}] }])),
  hasLink: (s) => s.does((app, id) => expect(app.contract(id).signUrl).toContain('/sign/')),
  /** Told of the draft of before the next start. */
  deletionIsToldAfter: (s, what, trouble) =>
    s.does(async (app, id) => {
      const { signId } = app.contract(id);
      if (what === 'retitling') await retitle(app.ctx, id);
      if (trouble) app.sandbox.faults.add(trouble);
      const start = startSignature(app.ctx, id, BY);
      if (trouble) expect(await rejection(start)).toMatchObject({ code: 'provider_unavailable' });
      else await start;
      app.sandbox.faults.clear();
      await deliver(app, signId as string, { name: 'signature_request.deleted' });
    }),
  sentWithSameFile: (s) =>
    s.does(async (app, id) => {
      const { ino } = statSync(draftOf(app, id));
      await startSignature(app.ctx, id, BY);
      expect(statSync(draftOf(app, id)).ino).toBe(ino);
    }),
  draftIsElses: (s) => s.does((app, id) => writeFileSync(draftOf(app, id), SOMEBODYS)),
  shownToNobody: (s) =>
    s.does(async (app, id) => {
      const shown = rejection(openContractPdf(app.ctx, app.contract(id), TESTER));
      expect(await shown).toMatchObject({ code: 'not_found' });
    }),
  pdfMustBeSuppliedAgain: (s) =>
    s
      .refuses((ctx, id) => startSignature(ctx, id, { ...BY, dryRun: true }), {
        code: 'contract_pdf_missing',
      })
      .refuses(startSignature, { code: 'contract_pdf_missing', hint: includes('Supply it again: `') })
      .does(async ({ ctx }, id) => {
        const { next } = await explain(ctx, String(id));
        expect(next && commandLine(next)).toBe(`esignctl start-signature ${id} --pdf …`);
      }),
  isToBeLookedAtFirst: (s) =>
    s.refuses(startSignature, {
      hint: expect.arrayContaining([
        'The customer may have the contract: first run `',
        expect.objectContaining({ options: ['--pdf', '…'] }),
      ]) as unknown,
    }),
  cannotBeRetitled: (s, code) => s.refuses(retitle, { code }),
  titleStays: (s) =>
    s.refuses(retitle, { code: 'cannot_be_changed', fields: { title: expect.anything() as unknown } }),
  retitlingFails: (s) =>
    s.refuses(retitle, { code: 'provider_unavailable', hint: 'Nothing is lost: try again later.' }),
  saysThatTheEarlierIsOut: (s) =>
    s
      .refuses(startSignature, {
        code: 'already_started',
        message: expect.stringContaining('earlier start') as unknown,
      })
      .does(async ({ ctx }, id) => {
        const { timeline } = await explain(ctx, String(id), { offline: true });
        const sent = timeline.find(({ what }) => what === 'contract.sent');
        expect(sent?.message).toContain('earlier text and price');
      }),
};

const NEW = 'contracts EXPIRED PENDING; documents ongoing; ends replaced';
const ONE = 'contracts PENDING; documents ongoing; invited 1';

table(
  `
${['create:answer_lost', 'signer:answer_lost', 'activate:500']
  .map(
    (fault) => `
  ${fault}: the title is corrected, and the next start sends the new one, once
    stopped ${fault}; retitled; sentNext; saysWords Weekly maintenance → ${NEW}; invited 1`,
  )
  .join('')}
  a new offer sets the price of the next start
    stopped upload:500; offered; sentNext; saysWords €777.00 → ${NEW}; contract amount=77700 currency=eur
${Object.keys(BECAME)
  .map(
    (what) => `
  contract and draft say ${what} after that became so
    stopped activate:500; becomes ${what}; sentNext; saysWords ${what} → ${NEW}`,
  )
  .join('')}
  a PDF of one’s own stays, its price is the new one
    stoppedWithPdf signer:500; offered; sentNext; saysPdf own → ${NEW}; contract amount=77700 ownPdf=1
  a change that is taken back again leaves contract and draft as they are
    stopped upload:500; retitled; titledAsBefore; sentNext → ${ONE}
  the old draft cannot be thrown away now: nothing is sent beside it
    stopped upload:500; retitled; fault signature.delete:500; refuses start provider_unavailable → documents draft
    noFaults; sentNext → ${NEW}
  the provider’s word of the draft that we have thrown away closes nothing and alarms nobody
    stopped upload:500; deletionIsToldAfter retitling → ${NEW}; work send-mail none
  the provider down: what was surely not sent is corrected all the same
    stopped signer:500; fault signature:500; retitled; isTitled Weekly → in_progress
  a draft into which a late call has put the PDF a second time is sent with one of each
    stopped upload:answer_lost; late PDF; sentNext → ${ONE}
  so is one into which it has put the signer
    stopped signer:answer_lost; late signer; sentNext → ${ONE}
  so it is when the late call puts the PDF there during the next start
    stopped upload:answer_lost; before addSigner: late PDF; sentNext; hasOneOfEach; signed
    → WAITING_PAYMENT; documents done
  so it is when the late call puts the signer there during the next start
    stopped upload:answer_lost; before addSigner: late signer; sentNext; hasOneOfEach; signed
    → WAITING_PAYMENT; documents done
  another contract’s PDF, left under the same number by a restore without files, is neither sent nor shown
    stopped create:500; draftIsElses; shownToNobody; sentNext; saysWords Yearly maintenance → documents ongoing
${[
  ['gone', 'draftIsGone'],
  ['another contract’s', 'draftIsElses'],
]
  .map(
    ([is, how]) => `
  when the supplied PDF is ${is}, no generated contract is sent in its place: it has to be supplied again
    stoppedWithPdf create:500; ${how}; pdfMustBeSuppliedAgain
    → findings has start_unfinished: pdf_lost; documents none
    startedWith own; saysPdf own → ${ONE}; findings waiting_for_customer`,
  )
  .join('')}
  nor where the customer may have it: that is looked at first
    stoppedWithPdf activate:answer_lost; draftIsGone; isToBeLookedAtFirst → contracts PENDING
  when another PDF is supplied and the first is lost, the provider’s draft with the first is replaced
    stoppedWithPdf signer:500; draftIsGone; startedWith another; saysPdf another → documents ongoing
  when a PDF is supplied for a start whose contract was generated, that one is signed and not the generated one
    stopped signer:500; startedWith own; saysPdf own → documents ongoing; contract ownPdf=1
  a contract whose supplied PDF was never stored is used for the one that is supplied next
    stoppedWithPdf create:500; draftIsGone; wasNeverStored; startedWith another → ${ONE}; contract ownPdf=1
  what was sent is not thrown away because it has a second signer
    stopped activate:500; late signer; there ongoing; sentNext → contracts PENDING; documents ongoing
  a webhook about our deletion of a draft with two PDFs does not end the contract, even though the start then failed
    stoppedWithPdf upload:answer_lost; late PDF; deletionIsToldAfter start signature.create:500
    → contracts PENDING; contract signId=nothing
    sentNext; saysPdf own → ${ONE}
  a late activation during the next start is noticed: the contract counts as sent
    stopped activate:500; meanwhile getSignatureStatus: late activation; sentNext; hasLink
    → WAITING_SIGNATURE; ${ONE}; calls signature.activate 2
  an order that was not answered, and it is out: the title stays, and the request goes on
    stopped activate:answer_lost; there ongoing; titleStays; isTitled Yearly → WAITING_SIGNATURE
  an order that was not answered, and it is signed: the title stays, and the request goes on
    stopped activate:answer_lost; there signed; titleStays; isTitled Yearly → WAITING_PAYMENT
  an order that was not answered, and it is declined: the contract is closed with that reason, and the title changes
    stopped activate:answer_lost; there declined; retitled → contracts EXPIRED; ends declined
  an order that was not answered, and the office has canceled it there: so is the contract, and the title changes
    stopped activate:answer_lost; there canceled; retitled → contracts EXPIRED; ends canceled
  the PDF that the provider may have is not drawn again
    stopped activate:500; sentWithSameFile → ${ONE}
  an order that was not answered, and the provider is down: a change of the title is refused, and nothing is changed; one that changes nothing asks nobody
    stopped activate:answer_lost; fault signature:500; unchanged: retitlingFails; unasked: titledAsBefore
    → in_progress
  a new price meanwhile, and it is out: the start says so instead of sending another, and a reset sends the new price
    stopped activate:answer_lost; offered; saysThatTheEarlierIsOut
    → WAITING_SIGNATURE; ${ONE}; contract amount=12000
    reset → contract amount=77700
  a new price meanwhile, and it is signed: the request goes all the way
    stopped activate:answer_lost; there signed; offered; refuses start already_signed → WAITING_PAYMENT
  a reset that failed before its new contract was sent goes on with the price of now
    sent; fault signature.upload:500:1; refuses reset provider_unavailable; offered; reset
    → documents canceled ongoing; contract PENDING amount=77700
  so it does by the bulk check
    sent; fault signature.upload:500:1; refuses reset provider_unavailable; offered; signaturesChecked
    → documents canceled ongoing; contract PENDING amount=77700
  what is being sent right now cannot be changed
    entered; before activate: cannotBeRetitled in_progress; sentNext → ${ONE}`,
  { of: 'after a failed start: ', words },
);
