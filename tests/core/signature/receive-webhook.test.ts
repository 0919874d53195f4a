/** The signature provider's webhook (rules 3): its answers, what it does, and that it does it once; how a body is read: webhook-event.test.ts. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { newestRejected, rejectedOfAllTime } from '../../../src/core/inbox/inbox.js';
import { workOf } from '../../../src/core/jobs/queue.js';
import { WEBHOOK_PATIENCE_MS } from '../../../src/core/open-context.js';
import { checkSignature } from '../../../src/core/signature/check-signature.js';
import { completionJob } from '../../../src/core/signature/completion-job.js';
import { resetSignature } from '../../../src/core/signature/reset-signature.js';
import { lateSignedAt } from '../../../src/core/signature/told.js';
import type { JobRow } from '../../../src/db/schema.js';
import { startApp, type TestApp } from '../../support/app.js';
import { DAY, HOUR, MINUTE } from '../../support/clock.js';
import { tell, type History } from '../../support/histories.js';
import { patienceWith } from '../../support/patience.js';
import { until } from '../../support/queue.js';
import { BY, story, type Standing, type Story } from '../../support/story.js';
import { deliver, deliverRaw, eventBody, sign } from '../../support/webhooks.js';

const inbox = (app: TestApp) =>
  app.ctx.db.raw.prepare('SELECT * FROM inbox ORDER BY id').all() as Record<string, unknown>[];
const signed = (s: Story) => s.sent().waits(MINUTE).there('signed');
const again = (s: Story) => s.idle((t) => t.delivers(422));
/** So long that our date has passed. */
const MONTH = 31 * DAY;
const overSince = (s: Story) =>
  s
    .sent()
    .waits(MONTH - 2 * DAY)
    .there('signed')
    .waits(2 * DAY);
const SIGNED = { status: 'WAITING_PAYMENT' } as const;
const OPEN = { status: 'WAITING_SIGNATURE', contract: { status: 'PENDING' } } as const;
const ENDED = { contract: { status: 'EXPIRED' } } as const;

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
    ...SIGNED,
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

const opened = { name: 'signer.link_opened', eventId: 'e-7' };
const undelivered = { name: 'signer.notification_delivery_failed', eventId: 'e-1' };
const theirs = { signature: { external_id: 'theirs' } };
const e1 = { eventId: 'e-1' };

tell([
  [
    'neither event_id nor event_time is needed',
    (s) => signed(s).delivers(200, { eventId: null, time: null }),
    SIGNED,
  ],
  [
    'one that came before its request waited is done when the provider sends it again',
    (s) =>
      signed(s)
        .sql("UPDATE requests SET status = 'in_progress'")
        .delivers(422, e1)
        .is({ work: { 'complete-signature': [] } })
        .sql("UPDATE requests SET status = 'WAITING_SIGNATURE'")
        .delivers(200, e1),
    { events: ['done: completed'] },
  ],
  [
    'a repeat answers 422, asks nobody and writes nothing',
    (s) => again(signed(s).delivers(200)),
    { ...SIGNED, events: ['done: completed'] },
  ],
  ['it is one, too, when the request was canceled', (s) => again(s.linked().canceled()), {}],
  ['and when it is complete', (s) => again(s.linked().completedByHand()), {}],
  [
    'an older contract does not count when its canceled request is open again',
    (s) =>
      signed(s)
        .sql("UPDATE contracts SET status = 'EXPIRED'; UPDATE requests SET status = 'new'")
        .delivers(422),
    { status: 'new', contract: { status: 'EXPIRED', signedAt: null }, events: ['refused: not_signable'] },
  ],
  [
    'one that was replaced counts for nothing and asks nobody; the office hears that it was signed, not that somebody else’s was',
    (s) =>
      s.sent().does(async (app, id) => {
        const { signId } = app.contract(id);
        await resetSignature(app.ctx, id, { ...BY, reason: 'a new name' });
        const heard = (changes = {}) => deliver(app, signId as string, changes);
        const told = (times: number) => ({ told: { 'contract.replaced_signed': times } });
        await story
          .on(app, id)
          .unasked((t) =>
            t
              .does(() => heard(theirs))
              .is(told(0))
              .does(() => heard())
              .is(told(1)),
          )
          .end();
      }),
    OPEN,
  ],
  [
    'an unknown signId answers 404, also when only its letter case differs',
    (s) =>
      signed(s).does(async (app, id) => {
        const { signId } = app.contract(id);
        for (const other of ['00000000-0000-4000-8000-000000000000', (signId as string).toUpperCase()])
          expect(await deliver(app, other)).toBe(404);
        const reason = 'unknown_sign_id';
        expect(newestRejected(app.ctx, 10)).toMatchObject([{ reason }, { reason }]);
      }),
    OPEN,
  ],
  [
    'any other event answers 200 and is recorded as ignored, once, and the provider is not asked',
    (s) => signed(s).unasked((t) => t.delivers(200, opened).idle((u) => u.delivers(200, opened))),
    { events: ['ignored: not_used'] },
  ],
  [
    'a mail of the provider that did not reach the customer is recorded once',
    (s) => s.sent().delivers(200, undelivered).delivers(200, undelivered),
    { told: { 'contract.signer_refused': 1 } },
  ],
  [
    'of somebody else’s document it is no concern of ours',
    (s) => s.sent().delivers(200, { ...undelivered, ...theirs }),
    { told: { 'contract.signer_refused': 0 } },
  ],
  [
    'a contract that is over here is completed when the provider proves a signature in time',
    (s) => overSince(s).sql("UPDATE contracts SET status = 'EXPIRED'").delivers(200),
    { contract: { status: 'SIGNED', signedAt: '2026-03-31T09:14:07.000Z' } },
  ],
  [
    '“signed” of what the provider does not know ends the contract at once',
    (s) => s.sent().there('gone').delivers(422),
    { ...ENDED, work: { 'complete-signature': ['completed'] }, events: ['done: not_found'] },
  ],
  [
    '“signed” of what the provider calls expired closes the contract, and is no late signature',
    (s) => s.sent().waits(MONTH).delivers(422),
    { contract: { status: 'EXPIRED', told: null }, events: ['done: expired'] },
  ],
  [
    'genuine bodies that are unusable are answered 400, “signed” of nothing too',
    (s) =>
      s.sent().does(async (app) => {
        for (const body of ['hello', '{"event_name":"signature_request.done"}'])
          expect(await raw(app, body)).toBe(400);
      }),
    { events: [] },
  ],
]);

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
    ['three events of one signature', 3, undefined, 3],
    ['25 events', 25, undefined, 25],
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
        jobs.enqueueHere(db, { ...owed, uniqueKey: `other-${n}` }),
      ),
    );
    for (const { claimed } of taken) void jobs.run(claimed as JobRow);

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
    await stands(app, id, { ...OPEN, events: [] });
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

tell([
  [
    'a signature that came too late answers 422, notifies the office once and changes nothing',
    (s) => s.sent().signs('2026-04-02T00:00:00Z').waits(MONTH).delivers(422).delivers(422),
    {
      ...OPEN,
      events: ['refused: late', 'refused: late'],
      ordered: [{ mail: 'signed-late' }],
      told: { 'contract.signed_late': 1 },
      calls: { 'signature.download': 0 },
    },
  ],
]);

test('it is not in time by the word of the delivery alone', async () => {
  const over = story({ sandbox: { expiresLateMs: 10 * DAY } })
    .sent()
    .waits(MONTH)
    .delivers(422, { time: '1772442847' });
  const { app, id } = await over.is({ events: ['refused: late'], contract: { told: 'late' } }).end();
  expect(lateSignedAt(app.ctx.db, app.contract(id))).toBeNull();
});

describe('the signature ended otherwise:', () => {
  const WORDS = ['declined', 'canceled', 'rejected', 'deleted', 'expired'];
  const failed = { ...ENDED, ordered: [{ mail: 'contract-ended', reason: 'signer_error' }] };
  const error = { name: 'signer.error', eventId: 'e-1' };
  const says = (what: string, there: string, outcome: string): History => [
    `what the provider says counts, not the event: ${what}`,
    (s) => s.sent().there(there).delivers(200, 'expired'),
    { events: [`done: ${outcome}`] },
  ];

  tell([
    ...WORDS.map((word): History => [
      `${word} ends nothing while it is not true there; then it closes the contract, and the office is told unless the date passed`,
      (s) => {
        const over = s.sent().delivers(200, word).is(OPEN).there(word).delivers(200, word);
        return over.unasked((t) => t.delivers(200, word));
      },
      {
        status: 'WAITING_SIGNATURE',
        ...ENDED,
        events: ['ignored: not_confirmed', `done: ${word}`, `ignored: ${word}`],
        ordered: word === 'expired' ? [] : [{ mail: 'contract-ended', reason: word }],
      },
    ]),
    ...['500', '404_html', 'reset'].map((fault): History => [
      `${fault} of the provider: 202, nothing is moved, and the job asks again`,
      (s) =>
        s
          .sent()
          .there('declined')
          .fault(`signature.get:${fault}`)
          .delivers(202, 'declined')
          .is({ ...OPEN, work: { 'confirm-end': ['available'] } })
          .noFaults()
          .waits(HOUR)
          .drained(),
      { ...ENDED, events: ['done: declined'] },
    ]),
    says('another end', 'canceled', 'canceled'),
    says('a signature', 'signed', 'completed'),
    says('“unknown here”', 'gone', 'not_found'),
    [
      'a signature that is owed, because its webhook is ahead of the provider’s API, stays owed when an end is not confirmed',
      (s) =>
        s
          .sent()
          .delivers(202)
          .delivers(200, 'expired')
          .is({ ...OPEN, events: ['received', 'ignored: not_confirmed'] })
          .does((app) =>
            expect(app.jobs('complete-signature')[0]?.lastError).toMatch(
              /does not confirm the signature: it says ongoing/,
            ),
          )
          .there('signed')
          .waits(MINUTE)
          .drained(),
      SIGNED,
    ],
    [
      'of a document with our name it is asked about',
      (s) =>
        s
          .sent()
          .there('declined')
          .does(async (app, id) => {
            const { signId, externalId } = app.contract(id);
            const named = { name: 'signature_request.declined', signature: { external_id: externalId } };
            expect(await deliver(app, signId as string, named)).toBe(200);
          }),
      ENDED,
    ],
    [
      'of somebody else’s document it is not asked about',
      (s) =>
        s
          .sent()
          .there('declined')
          .unasked((t) => t.delivers(200, { name: 'signature_request.declined', ...theirs })),
      OPEN,
    ],
    [
      'a late "declined" does not touch a signed contract, and nobody is asked',
      (s) => s.completed().unasked((t) => t.delivers(200, 'declined')),
      { contract: { status: 'SIGNED' } },
    ],
    ...[
      ['signer.error', 'canceled'],
      ['canceled', 'signer.error'],
    ].map(([first = '', second = '']): History => [
      `the provider failed while the customer signed, told as ${first} and ${second}: it closes the contract for that reason, once`,
      (s) => s.sent().there('failed').delivers(200, first).delivers(200, second),
      { ...failed, told: { 'contract.signer_error': 1 } },
    ]),
    [
      'the check finds such a failure when no webhook came',
      (s) =>
        s.sent().there('failed').checksSignature({
          key: 'check_signature_info.status',
          words: 'check_signature_signer_error',
          changed: true,
        }),
      failed,
    ],
    [
      'while the provider still calls it ongoing, it is recorded once and nothing ends',
      (s) => s.sent().delivers(200, error).delivers(200, error),
      { ...OPEN, told: { 'contract.signer_error': 1 } },
    ],
    [
      'a failure that names the signature request only beside its signer counts as well',
      (s) =>
        s.sent().does(async (app, id) => {
          const signer = { id: 's', signature_request_id: app.contract(id).signId };
          expect(await raw(app, JSON.stringify({ event_name: 'signer.error', data: { signer } }))).toBe(200);
        }),
      { told: { 'contract.signer_error': 1 } },
    ],
  ]);
});

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
  const owed: Standing = { ...OPEN, ordered: [], work: { 'complete-signature': ['available'] } };
  const recovered: Standing = { ...SIGNED, events: ['done: completed'], sessions: ['open'] };
  const recovers = (s: Story) => s.delivers(202).is(owed).noFaults().waits(HOUR).drained();

  tell([
    ...['pdf:truncated', 'signature.download:404_html', 'signature.download:429'].map((fault): History => [
      `${fault}: nothing is moved, the job stays owed, and it completes once when the provider recovers`,
      (s) => recovers(signed(s).fault(fault)),
      recovered,
    ]),
    [
      'and our date has passed: no verdict without its word, and none against the customer',
      (s) => recovers(overSince(s).fault('signature.get:503')),
      recovered,
    ],
  ]);

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
