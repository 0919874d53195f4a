/** The signature provider's webhook (rules 3): its answers, what it does, and that it does it once; how a body is read: webhook-event.test.ts. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { newestRejected, rejectedOfAllTime } from '../../../src/core/inbox/inbox.js';
import { enqueue, workOf } from '../../../src/core/jobs/queue.js';
import { WEBHOOK_PATIENCE_MS } from '../../../src/core/open-context.js';
import { checkSignature } from '../../../src/core/signature/check-signature.js';
import { completionJob } from '../../../src/core/signature/completion-job.js';
import { lateSignedAt } from '../../../src/core/signature/told.js';
import type { JobRow } from '../../../src/db/schema.js';
import { startApp, type TestApp } from '../../support/app.js';
import { DAY, HOUR, MINUTE } from '../../support/clock.js';
import { patienceWith } from '../../support/patience.js';
import { until } from '../../support/queue.js';
import { BY, story, type Standing, type Story } from '../../support/story.js';
import { table, type Words } from '../../support/table.js';
import { deliver, deliverRaw, eventBody, sign } from '../../support/webhooks.js';

const inbox = (app: TestApp) =>
  app.ctx.db.raw.prepare('SELECT * FROM inbox ORDER BY id').all() as Record<string, unknown>[];
const signed = (s: Story) => s.sent().waits(MINUTE).there('signed');
const SIGNED = 'sent; waits 1m; there signed';
const OPEN = 'WAITING_SIGNATURE; contract PENDING';
const UNDELIVERED = 'signer.notification_delivery_failed';
const RECOVERS = `delivers 202 → ${OPEN}; ordered none; work complete-signature available
      noFaults; waits 1h; drained → WAITING_PAYMENT; events done: completed; sessions open`;

async function atSigning(s = story()) {
  const { app, id } = await signed(s).end();
  return { app, id, signId: app.contract(id).signId as string };
}
const stands = (app: TestApp, id: number, expected: Standing) => story.on(app, id).is(expected).end();
const raw = (app: TestApp, body: string) => deliverRaw(app, body, sign(body));

test('a signature: stores the PDF, moves request and contract, owes two mails and the payment job, and answers 200', async () => {
  const { app, id } = await signed(story()).delivers(200).end();
  const { id: contractId, pdfSha256: sha256, pdfSize: size } = app.contract(id);
  const pdf = readFileSync(join(app.dataDir, 'contracts', `${contractId}.pdf`));
  expect([createHash('sha256').update(pdf).digest('hex'), pdf.length]).toEqual([sha256, size]);
  const signedAt = '2026-03-02T09:15:07.000Z';
  const entries = app.ctx.db.raw
    .prepare('SELECT what, contractId, detail FROM history ORDER BY id DESC LIMIT 2')
    .all() as { detail: string }[];
  expect(entries.map(({ detail, ...entry }) => ({ ...entry, ...(JSON.parse(detail) as object) }))).toEqual([
    { what: 'request.moved', contractId, from: 'WAITING_SIGNATURE', to: 'WAITING_PAYMENT' },
    { what: 'contract.signed', contractId, signedAt, sha256, size },
  ]);
  const owed = { jobs: ['available'], ordered: [{ mail: 'contract-signed' }, { mail: 'admin-signed' }] };
  await stands(app, id, {
    status: 'WAITING_PAYMENT',
    contract: { status: 'SIGNED', signedAt },
    events: ['done: completed'],
    ...owed,
  });
});

test.each([
  ['10', '2026-03-12T09:15:07.000Z'],
  ['0', null],
])('a term of %s days is counted from the signature: %s', async (days, expiredAt) => {
  const s = signed(story({ env: { ESIGN_CONTRACT_TERM_DAYS: days } })).delivers(200);
  await s.is({ contract: { expiredAt } }).end();
});

const words: Words = {
  /** Always the same event. */
  hears: (s, status, name) => s.delivers(Number(status), { name, eventId: 'e-1' }),
  hearsTheirs: (s, status, name) =>
    s.delivers(Number(status), { name, signature: { external_id: 'theirs' } }),
  /** With our name. */
  hearsNamed: (s, status, name) =>
    s.does(async (app, id) => {
      const { signId, externalId: external_id } = app.contract(id);
      const named = { name, signature: { external_id } };
      expect(await deliver(app, signId as string, named)).toBe(status);
    }),
  unknown: (s, status) =>
    s.does(async (app, id) => {
      const { signId } = app.contract(id);
      for (const other of ['00000000-0000-4000-8000-000000000000', (signId as string).toUpperCase()])
        expect(await deliver(app, other)).toBe(status);
      const reason = 'unknown_sign_id';
      expect(newestRejected(app.ctx, 10)).toMatchObject([{ reason }, { reason }]);
    }),
  unusable: (s, status) =>
    s.does(async (app) => {
      for (const body of ['hello', '{"event_name":"signature_request.done"}'])
        expect(await raw(app, body)).toBe(status);
    }),
  requestIs: (s, status) => s.sql(`UPDATE requests SET status = '${status}'`),
  owesWhileOngoing: (s) =>
    s.does((app) =>
      expect(app.jobs('complete-signature')[0]?.lastError).toMatch(
        /does not confirm the signature: it says ongoing/,
      ),
    ),
};

table(
  `
  one that came before its request waited is done when the provider sends it again
    ${SIGNED}; requestIs in_progress; hears 422 signature_request.done
    → events refused: not_signable; work complete-signature none
    requestIs WAITING_SIGNATURE; hears 200 signature_request.done → events done: completed
  a repeat answers 422, asks nobody and writes nothing
    ${SIGNED}; delivers 200; idle: delivers 422 → WAITING_PAYMENT; events done: completed
  an unknown signId answers 404, also when only its letter case differs
    ${SIGNED}; unknown 404 → ${OPEN}
  any other event answers 200 and is recorded as ignored, once, and the provider is not asked
    ${SIGNED}; unasked: hears 200 signer.link_opened; idle: hears 200 signer.link_opened
    → events ignored: not_used
  a mail of the provider that did not reach the customer is recorded once
    sent; hears 200 ${UNDELIVERED}; hears 200 ${UNDELIVERED} → told contract.signer_refused 1
  of somebody else’s document it is no concern of ours
    sent; hearsTheirs 200 ${UNDELIVERED} → told contract.signer_refused 0
  “signed” of what the provider does not know ends the contract at once
    sent; there gone; delivers 422
    → contract EXPIRED; work complete-signature completed; events done: not_found
  genuine bodies that are unusable are answered 400, “signed” of nothing too
    sent; unusable 400 → events none
  a signature that came too late answers 422, notifies the office once and changes nothing
    sent; signs 2026-04-02T00:00:00Z; waits 31d; delivers 422; delivers 422
    → ${OPEN}; events refused: late + refused: late; ordered signed-late; told contract.signed_late 1;
    calls signature.download 0`,
  { words },
);

test('a repeat answers 200 where the setting says so, also when a check completes it while its own work runs', async () => {
  const REPEATS = { ESIGN_WEBHOOK_REPEAT_STATUS: '200' };
  await signed(story({ env: REPEATS }))
    .delivers(200)
    .delivers(200)
    .end();
  const { app, id } = await signed(story({ env: REPEATS })).end();
  const { provider } = app.ctx;
  const download = provider.downloadDocument.bind(provider);
  provider.downloadDocument = async (signId, use) => {
    provider.downloadDocument = download;
    await checkSignature(app.ctx, id, BY);
    return download(signId, use);
  };
  await story
    .on(app, id)
    .delivers(200)
    .is({ work: { 'complete-signature': ['completed'] }, jobs: ['completed'] })
    .end();
});

describe('many at once:', () => {
  test.each([
    ['three deliveries of one event', 3, 'same', 1],
    ['25 events of one signature', 25, undefined, 25],
  ])('%s complete once and download once', async (_, count, eventId, stored) => {
    const { app, id, signId } = await atSigning();
    const all = Array.from({ length: count }, () => deliver(app, signId, eventId ? { eventId } : {}));
    expect((await Promise.all(all)).sort()).toEqual([200, ...Array<number>(count - 1).fill(422)]);
    expect(inbox(app).map(({ state }) => state)).toEqual(Array(stored).fill('done'));
    const once = { 'signature.download': 1 };
    await stands(app, id, { jobs: ['available'], mails: { 'admin-signed': 1 }, calls: once });
  });

  test('of deliveries that share each commit of the first one’s work, its end too, exactly one is answered 200', async () => {
    const { app, signId } = await atSigning();
    const answers: Promise<number>[] = [];
    const { writer } = app.ctx;
    const write = writer.write.bind(writer);
    let isCompany = false;
    writer.write = (unit) => {
      const written = write(unit);
      if (isCompany || answers.length === 25) return written;
      isCompany = true;
      answers.push(deliver(app, signId));
      isCompany = false;
      return written;
    };

    const first = deliver(app, signId);
    await first;
    await app.ctx.jobs.idle();

    expect((await Promise.all([first, ...answers])).sort()).toEqual([200, ...answers.map(() => 422)]);
    expect(answers.length).toBeGreaterThan(1);
    expect(app.jobs('create-payment-session')).toHaveLength(1);
  });

  test('a delivery that finds every place to work taken is answered 200 when its work is done', async () => {
    const { app, signId } = await atSigning();
    const { contract: other } = await app.waitingRequest();
    const { jobs, writer } = app.ctx;
    const payload = { contractId: other.id, provedAt: null };
    const owed = workOf(completionJob, payload, { now: app.clock.now().toISOString() });
    const taken = await writer.write((db) =>
      Array.from({ length: completionJob.slots }, (_, n) =>
        jobs.claimHere(db, enqueue(db, { ...owed, uniqueKey: `other-${n}` })),
      ),
    );
    for (const claimed of taken) void jobs.run(claimed as JobRow);

    const answers = [1, 2].map(() => deliver(app, signId));
    await until(() => inbox(app).length === 2);
    expect(app.jobs('complete-signature').at(-1)?.state).toBe('available');
    await jobs.runNow(app.jobs('complete-signature').at(-1)?.id as number);

    expect((await Promise.all(answers)).sort()).toEqual([200, 422]);
  });
});

describe('what is forged', () => {
  test('is answered 401 before anything is parsed, and nothing but the rejection is stored', async () => {
    const { app, id, signId } = await atSigning();
    const body = eventBody(app, signId);
    for (const signature of [undefined, `sha256=${'0'.repeat(64)}`])
      expect(await deliverRaw(app, body, signature)).toBe(401);
    expect(await deliverRaw(app, `${body} `, sign(body))).toBe(401);
    expect(newestRejected(app.ctx, 1)).toMatchObject([{ claimedId: signId, address: '192.0.2.7' }]);
    await stands(app, id, { status: 'WAITING_SIGNATURE', events: [] });
  });

  test('is kept to the last 1,000, and all are counted', async () => {
    const app = await startApp();
    for (let i = 0; i < 1_010; i += 1) {
      app.clock.advance(2_000);
      await deliverRaw(app, `{"n":${i}}`, undefined);
    }
    expect(rejectedOfAllTime(app.ctx)).toBe(1_010);
    expect(app.ctx.db.raw.prepare('SELECT count(*) FROM rejectedDeliveries').pluck().get()).toBe(1_000);
  });

  test('more than 60 times a minute by one address is answered 429, a genuine delivery from it still 200', async () => {
    const { app, signId } = await atSigning();
    const answers = [];
    for (let i = 0; i < 62; i += 1) answers.push(await deliverRaw(app, '{}', undefined));
    expect(answers).toEqual([...Array<number>(60).fill(401), 429, 429]);
    expect(await deliver(app, signId)).toBe(200);
    app.clock.advance(MINUTE);
    expect(await deliverRaw(app, '{}', undefined)).toBe(401);
  });
});

const about = (id: string) => ({ data: { signature_request: { id } } });

test.each([
  ['contact.created', {}, 'not_used'],
  ['signature_request.declined', about('theirs'), 'unknown_signature'],
])(
  '%s of nothing that we know answers 200 and is ignored, once, and asks nobody',
  async (event_name, rest, outcome) => {
    const { app, id } = await atSigning();
    const body = JSON.stringify({ event_id: 'e-1', event_name, ...rest });
    const heard = (s: Story) => s.does(async () => expect(await raw(app, body)).toBe(200));
    await story
      .on(app, id)
      .unasked((s) => heard(s).idle(heard))
      .is({ events: [`ignored: ${outcome}`] })
      .end();
    expect(newestRejected(app.ctx, 10)).toEqual([]);
  },
);

test('it is not in time by the word of the delivery alone', async () => {
  const over = story({ sandbox: { expiresLateMs: 10 * DAY } })
    .sent()
    .waits(31 * DAY)
    .delivers(422, { time: '1772442847' });
  const { app, id } = await over.is({ events: ['refused: late'], contract: { told: 'late' } }).end();
  expect(lateSignedAt(app.ctx.db, app.contract(id))).toBeNull();
});

const ERROR = 'EXPIRED; ordered contract-ended reason=signer_error';

table(
  `
${['declined', 'canceled', 'rejected', 'deleted', 'expired']
  .map(
    (word) => `
  ${word} ends nothing while it is not true there; then it closes the contract, and the office is told unless the date passed
    sent; delivers 200 ${word} → ${OPEN}
    there ${word}; delivers 200 ${word}; unasked: delivers 200 ${word}
    → WAITING_SIGNATURE; contract EXPIRED; events ignored: not_confirmed + done: ${word} + ignored: ${word};
    ordered ${word === 'expired' ? 'none' : `contract-ended reason=${word}`}`,
  )
  .join('')}
  trouble of the provider: 202, nothing is moved, and the job asks again
    sent; there declined; fault signature.get:500; delivers 202 declined → ${OPEN}; work confirm-end available
    noFaults; waits 1h; drained → contract EXPIRED; events done: declined
  what the provider says counts, not the event: a signature
    sent; there signed; delivers 200 expired → events done: completed
  a signature that is owed, because its webhook is ahead of the provider’s API, stays owed when an end is not confirmed
    sent; delivers 202; delivers 200 expired; owesWhileOngoing → ${OPEN}; events received + ignored: not_confirmed
    there signed; waits 1m; drained → WAITING_PAYMENT
  of a document with our name it is asked about
    sent; there declined; hearsNamed 200 signature_request.declined → contract EXPIRED
  of somebody else’s document it is not asked about
    sent; there declined; unasked: hearsTheirs 200 signature_request.declined → ${OPEN}
  a late "declined" does not touch a signed contract, and nobody is asked
    completed; unasked: delivers 200 declined → contract SIGNED
  the provider failed while the customer signed, told as error and end: it closes the contract for that reason, once
    sent; there failed; delivers 200 signer.error; delivers 200 canceled
    → contract ${ERROR}; told contract.signer_error 1
  or the other way round
    sent; there failed; delivers 200 canceled; delivers 200 signer.error
    → contract ${ERROR}; told contract.signer_error 1
  the check finds such a failure when no webhook came
    sent; there failed;
    checksSignature key=check_signature_info.status words=check_signature_signer_error changed=true
    → contract ${ERROR}
  while the provider still calls it ongoing, it is recorded once and nothing ends
    sent; hears 200 signer.error; hears 200 signer.error → ${OPEN}; told contract.signer_error 1`,
  { of: 'the signature ended otherwise: ', words },
);

test.each([
  ['another system’s', 'crm-4711', 200],
  ['another installation’s', 'esign-0123456789abcdef-0123456789abcdef', 200],
  ['nobody’s', undefined, 404],
])(
  '“signed” of a document that is unknown here, %s, by its name in the event or at the provider: %s is answered %d',
  async (_, external_id, status) => {
    const app = await startApp();
    const made = await fetch(`${app.sandbox.apiUrl}/signature_requests`, {
      method: 'POST',
      headers: { authorization: 'Bearer sandbox-api-key', 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Theirs', delivery_mode: 'none', external_id }),
    });
    const { id: signId } = (await made.json()) as { id: string };
    expect(await deliver(app, signId)).toBe(status);
    expect(await deliver(app, signId, { signature: { external_id } })).toBe(status);
    const ignored = { state: 'ignored', outcome: 'unknown_signature', contractId: null };
    expect(inbox(app)).toMatchObject(status === 200 ? [ignored, ignored] : []);
  },
);

describe('when the provider does not deliver', () => {
  table(
    `
    nothing is moved, the job stays owed, and it completes once when the provider recovers
      ${SIGNED}; fault pdf:truncated; ${RECOVERS}
    our date has passed: no verdict without its word, and none against the customer
      sent; waits 29d; there signed; waits 2d; fault signature.get:503; ${RECOVERS}`,
    { of: 'when the provider does not deliver, ' },
  );

  test('while it hangs at one signature, another is completed and answered', async () => {
    const { app, id, signId } = await atSigning(story(patienceWith('timeout')));
    const quick = await app.waitingRequest();
    app.sandbox.sign(quick.signId);
    app.sandbox.faults.add('signature.download:timeout:1');
    const slow = raw(app, eventBody(app, signId));
    await until(() => app.sandbox.state().faults.length === 0);
    expect(await raw(app, eventBody(app, quick.signId))).toBe(200);
    expect(app.request(id).status).toBe('WAITING_SIGNATURE');
    expect(await slow).toBe(202);
  });

  test('slower than 400 ms: the caller gets a 202, and the work is finished all the same', async () => {
    expect(WEBHOOK_PATIENCE_MS).toBe(400);
    const { app, id, signId } = await atSigning(
      story({ context: { webhookPatienceMs: WEBHOOK_PATIENCE_MS } }),
    );
    const late = {
      target: 'signature',
      operation: 'download',
      kind: 'answer_late',
      delayMs: 20_000,
    } as const;
    const fault = app.sandbox.faults.add(late);
    expect(await raw(app, eventBody(app, signId))).toBe(202);
    expect(app.request(id).status).toBe('WAITING_SIGNATURE');
    app.sandbox.faults.remove(fault.id);
    await app.ctx.jobs.idle();
    expect(app.request(id).status).toBe('WAITING_PAYMENT');
  });

  test('a completion that failed for good starts over when another delivery arrives', async () => {
    const failing = signed(story()).fault('signature.download:404').delivers(202);
    for (let i = 0; i < 6; i += 1) failing.waits(3 * HOUR).drained();
    const over = failing
      .is({ work: { 'complete-signature': ['failed'] } })
      .noFaults()
      .delivers(200);
    const { app } = await over.end();
    expect(app.jobs('complete-signature')).toMatchObject([{ state: 'completed', attempt: 1 }]);
  });
});
