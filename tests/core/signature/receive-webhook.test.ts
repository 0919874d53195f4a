/** The signature provider's webhook (rules 3): its answers, what it does, and that it does it once; how a body is read: webhook-event.test.ts. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { newestRejected, rejectedOfAllTime } from '../../../src/core/inbox/inbox.js';
import { workOf } from '../../../src/core/jobs/queue.js';
import { WEBHOOK_PATIENCE_MS } from '../../../src/core/open-context.js';
import { checkSignature } from '../../../src/core/signature/check-signature.js';
import { completionJob } from '../../../src/core/signature/completion-job.js';
import { reconcile } from '../../../src/core/signature/reconcile.js';
import { resetSignature } from '../../../src/core/signature/reset-signature.js';
import { lateSignedAt } from '../../../src/core/signature/told.js';
import type { JobRow } from '../../../src/db/schema.js';
import { rejection, startApp, type TestApp } from '../../support/app.js';
import { DAY, HOUR, MINUTE } from '../../support/clock.js';
import { tell, type History } from '../../support/histories.js';
import { until } from '../../support/queue.js';
import { BY, story, type Story } from '../../support/story.js';
import { deliver, deliverRaw, eventBody, sign } from '../../support/webhooks.js';

const inbox = (app: TestApp) =>
  app.ctx.db.raw.prepare('SELECT * FROM inbox ORDER BY id').all() as Record<string, unknown>[];
/** How often each call was made so far. */
const calls = (app: TestApp) => ({ ...app.sandbox.state().counters.calls });
/** How many rows have been written so far. */
const changes = (app: TestApp) => app.ctx.db.raw.prepare('SELECT total_changes()').pluck().get();
const hasPdf = (app: TestApp, id: number) =>
  existsSync(join(app.dataDir, 'contracts', `${app.contract(id).id}.pdf`));
const signed = (s: Story) => s.sent().waits(MINUTE).signs();
const sql = (s: Story, statement: string) => s.does((app) => app.ctx.db.raw.exec(statement));
/** Nobody is asked, and nothing is written. */
const idle = (s: Story, steps: (story: Story) => Story) => {
  let before: unknown;
  const stands = (app: TestApp) => [calls(app), changes(app)];
  s.does((app) => {
    before = stands(app);
  });
  return steps(s).does((app) => expect(stands(app)).toEqual(before));
};

async function signedApp(steps: (s: Story) => Story = signed) {
  const { app, id } = await steps(story()).end();
  return { app, id, signId: app.contract(id).signId as string };
}

test('a signature: stores the PDF, moves request and contract, owes two mails and the payment job, and answers 200', async () => {
  const { app, id, signId } = await signedApp();
  const umask = process.umask(0o077);
  try {
    expect(await deliver(app, signId)).toBe(200);
  } finally {
    process.umask(umask);
  }
  const contract = app.contract(id);
  const file = join(app.dataDir, 'contracts', `${contract.id}.pdf`);
  const sha256 = createHash('sha256').update(readFileSync(file)).digest('hex');
  const { mode, size } = statSync(file);
  // Whatever the umask is.
  expect(mode & 0o777).toBe(0o640);
  const signedAt = '2026-03-02T09:15:07.000Z';
  expect(contract).toMatchObject({ status: 'SIGNED', signedAt, pdfSha256: sha256, pdfSize: size });
  const owed = ['contract-signed', 'admin-signed'].map(
    (mail) => expect.objectContaining({ mail }) as unknown,
  );
  expect(app.jobs('send-mail').map(({ payload }) => JSON.parse(payload) as unknown)).toEqual(owed);
  const entries = app.ctx.db.raw
    .prepare('SELECT what, contractId, detail FROM history ORDER BY id DESC LIMIT 2')
    .all() as { detail: string }[];
  const contractId = contract.id;
  expect(entries.map(({ detail, ...entry }) => ({ ...entry, ...(JSON.parse(detail) as object) }))).toEqual([
    { what: 'request.moved', contractId, from: 'WAITING_SIGNATURE', to: 'WAITING_PAYMENT' },
    { what: 'contract.signed', contractId, signedAt, sha256, size },
  ]);
  await story
    .on(app, id)
    .is({ status: 'WAITING_PAYMENT', jobs: ['available'], events: ['done: completed'] })
    .end();
});

test.each([
  ['10', '2026-03-12T09:15:07.000Z'],
  ['0', null],
])('a term of %s days is counted from the signature: %s', async (days, expiredAt) => {
  const s = signed(story({ env: { ESIGN_CONTRACT_TERM_DAYS: days } })).delivers(200);
  await s.is({ contract: { expiredAt } }).end();
});

const REPEATS = { ESIGN_WEBHOOK_REPEAT_STATUS: '200' };

tell([
  [
    'neither event_id nor event_time is needed',
    (s) => signed(s).delivers(200, { eventId: null, time: null }),
    { status: 'WAITING_PAYMENT' },
  ],
  [
    'one that came before its request waited is done when the provider sends it again',
    (s) =>
      sql(signed(s), "UPDATE requests SET status = 'in_progress'")
        .delivers(422, { eventId: 'e-1' })
        .is({ work: { 'complete-signature': [] } })
        .does((app) => app.ctx.db.raw.exec("UPDATE requests SET status = 'WAITING_SIGNATURE'"))
        .delivers(200, { eventId: 'e-1' }),
    { events: ['done: completed'] },
  ],
  [
    'a repeat answers 422 and writes nothing',
    (s) => idle(signed(s).delivers(200), (t) => t.delivers(422)),
    { status: 'WAITING_PAYMENT', events: ['done: completed'] },
  ],
  [
    'a repeat after the request was canceled is a repeat still, and alarms nobody',
    (s) =>
      s
        .linked()
        .canceled()
        .untold((t) => t.delivers(422)),
    { events: ['done: completed'] },
  ],
  [
    'an older contract does not count when its canceled request is open again',
    (s) =>
      sql(signed(s), "UPDATE contracts SET status = 'EXPIRED'; UPDATE requests SET status = 'new'").delivers(
        422,
      ),
    { status: 'new', contract: { status: 'EXPIRED', signedAt: null }, events: ['refused: not_signable'] },
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
    { status: 'WAITING_SIGNATURE' },
  ],
  [
    'any other event answers 200 and is recorded as ignored, once, and the provider is not asked',
    (s) => {
      const opened = { name: 'signer.link_opened', eventId: 'e-7' };
      return idle(signed(s).delivers(200, opened), (t) => t.delivers(200, opened)).is({
        calls: { 'signature.get': 0 },
      });
    },
    { events: ['ignored: not_used'] },
  ],
  [
    'a mail of the provider that did not reach the customer is recorded once; of somebody else’s document it is no concern of ours',
    (s) => {
      const name = 'signer.notification_delivery_failed';
      return s
        .sent()
        .delivers(200, { name, signature: { external_id: 'theirs' } })
        .is({ told: { 'contract.signer_refused': 0 } })
        .delivers(200, { name, eventId: 'e-1' })
        .delivers(200, { name, eventId: 'e-1' });
    },
    { told: { 'contract.signer_refused': 1 } },
  ],
  [
    'a contract that is over here is completed when the provider proves a signature in time',
    (s) =>
      sql(
        s
          .sent()
          .waits(29 * DAY)
          .signs()
          .waits(2 * DAY),
        "UPDATE contracts SET status = 'EXPIRED'",
      ).delivers(200),
    { contract: { status: 'SIGNED', signedAt: '2026-03-31T09:14:07.000Z' } },
  ],
  [
    '“signed” of what the provider does not know ends the contract at once',
    (s) =>
      s
        .sent()
        .there((sandbox, id) => sandbox.delete(id, { permanent: true }))
        .delivers(422),
    {
      contract: { status: 'EXPIRED' },
      work: { 'complete-signature': ['completed'] },
      events: ['done: not_found'],
    },
  ],
  [
    '“signed” of what the provider calls expired closes the contract, and is no late signature',
    (s) =>
      s
        .sent()
        .waits(31 * DAY)
        .delivers(422),
    { contract: { status: 'EXPIRED', told: null }, events: ['done: expired'] },
  ],
]);

test('a repeat answers 200 where the setting says so, also when a check completes it while its own work runs', async () => {
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
    ['three deliveries of one event', 'same', 1],
    ['three events of one signature', undefined, 3],
  ])('%s complete once and download once', async (_, eventId, stored) => {
    const { app, id, signId } = await signedApp();
    const answers = await Promise.all([1, 2, 3].map(() => deliver(app, signId, eventId ? { eventId } : {})));
    expect(answers.sort()).toEqual([200, 422, 422]);
    expect(inbox(app).map(({ state }) => state)).toEqual(Array(stored).fill('done'));
    const once = { 'signature.download': 1 };
    await story
      .on(app, id)
      .is({ jobs: ['available'], mails: { 'admin-signed': 1 }, calls: once })
      .end();
  });

  test('of deliveries that share each commit of the first one’s work, its end too, exactly one is answered 200', async () => {
    const { app, signId } = await signedApp();
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

  test('of 25 deliveries exactly one is answered 200, round after round', async () => {
    const app = await startApp();
    for (let round = 0; round < 3; round += 1) {
      const { signId } = await app.waitingRequest();
      app.sandbox.sign(signId);
      const answers = await Promise.all(Array.from({ length: 25 }, () => deliver(app, signId)));
      expect(answers.sort()).toEqual([200, ...Array<number>(24).fill(422)]);
    }
  });

  test('a delivery that finds every place to work taken is answered 200 when its work is done', async () => {
    const { app, signId } = await signedApp();
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

describe('the signature is checked before anything is parsed:', () => {
  test('whatever is wrong with it or its body answers 401, and nothing but the rejection is stored', async () => {
    const { app, id, signId } = await signedApp();
    const body = eventBody(app, signId);
    const wrong = [undefined, '', 'f'.repeat(64), `sha256=${'0'.repeat(64)}`, 'sha256=00', 'sha256=zzz'];
    const others = [`sha512=${'0'.repeat(128)}`, sign(body).toUpperCase(), `${sign(body)}, ${sign(body)}`];
    for (const signature of [...wrong, ...others]) expect(await deliverRaw(app, body, signature)).toBe(401);
    expect(await deliverRaw(app, `${body} `, sign(body))).toBe(401);
    expect(newestRejected(app.ctx, 1)).toMatchObject([{ claimedId: signId, address: '192.0.2.7' }]);
    await story.on(app, id).is({ status: 'WAITING_SIGNATURE', events: [] }).end();
  });

  test('either secret is taken during a rotation', async () => {
    const env = { ESIGN_WEBHOOK_SECRET: 'the-new-secret-of-2026,test-webhook-secret-1' };
    const { app, signId } = await signedApp(() => signed(story({ env })));
    const body = eventBody(app, signId);
    expect(await deliverRaw(app, body, sign(body, 'the-new-secret-of-2026'))).toBe(200);
    expect(await deliver(app, signId)).toBe(422);
  });

  test('of rejected deliveries the last 1,000 are kept, and all are counted', async () => {
    const app = await startApp();
    for (let i = 0; i < 1_010; i += 1) {
      app.clock.advance(2_000);
      await deliverRaw(app, `{"n":${i}}`, undefined);
    }
    expect(rejectedOfAllTime(app.ctx)).toBe(1_010);
    expect(app.ctx.db.raw.prepare('SELECT count(*) FROM rejectedDeliveries').pluck().get()).toBe(1_000);
  });

  test('an address that forges more than 60 a minute gets 429, a genuine delivery from it still 200', async () => {
    const { app, signId } = await signedApp();
    const answers = [];
    for (let i = 0; i < 62; i += 1) answers.push(await deliverRaw(app, '{}', undefined));
    expect(answers).toEqual([...Array<number>(60).fill(401), 429, 429]);
    expect(await deliver(app, signId)).toBe(200);
    app.clock.advance(MINUTE);
    expect(await deliverRaw(app, '{}', undefined)).toBe(401);
  });
});

test('genuine bodies that are unusable are answered 400', async () => {
  const app = await startApp();
  const bodies = [
    'hello',
    'null',
    Buffer.from([0x7b, 0xff, 0x7d]),
    '{"data":{"signature_request":{"id":"x"}}}',
    '{"event_name":"signature_request.done","data":{}}',
    '{"event_name":"signature_request.done","data":{"signature_request":{"id":7}}}',
    `${'['.repeat(50_000)}${']'.repeat(50_000)}`,
    '{"__proto__":{"event_name":"signature_request.done"}}',
  ];
  for (const body of bodies) expect(await deliverRaw(app, body, sign(Buffer.from(body)))).toBe(400);
});

const about = (id: string) => ({ data: { signature_request: { id } } });

test.each([
  ['contact.created', { data: { contact: { id: 'c-1' } } }, 'not_used'],
  ['workspace.updated', {}, 'not_used'],
  ['signature_request.declined', about('theirs'), 'unknown_signature'],
  ['signer.link_opened', about('theirs'), 'unknown_signature'],
])(
  '%s of nothing that we know answers 200 and is ignored, once, and asks nobody',
  async (event_name, rest, outcome) => {
    const { app } = await signedApp();
    const body = JSON.stringify({ event_id: 'e-1', event_name, ...rest });
    const before = calls(app);
    for (let n = 0; n < 2; n += 1) expect(await deliverRaw(app, body, sign(body))).toBe(200);
    expect(inbox(app)).toMatchObject([
      { eventName: event_name, state: 'ignored', outcome, contractId: null },
    ]);
    expect(newestRejected(app.ctx, 10)).toEqual([]);
    expect(calls(app)).toEqual(before);
  },
);

describe('a signature that came too late', () => {
  const late = () =>
    story({ sandbox: { expiresLateMs: 10 * DAY } })
      .sent()
      .waits(31 * DAY);
  const refused = 'refused: late';

  test('answers 422, notifies the office once and changes nothing', async () => {
    const { app, id } = await late()
      .does((app, id) => {
        app.sandbox.sign(app.contract(id).signId as string, { completedAt: app.clock.now().getTime() });
      })
      .delivers(422)
      .delivers(422)
      .is({ status: 'WAITING_SIGNATURE', events: [refused, refused], mails: { 'signed-late': 1 } })
      .is({ told: { 'contract.signed_late': 1 } })
      .end();
    expect(hasPdf(app, id)).toBe(false);
  });

  test('is not in time by the word of the delivery alone', async () => {
    const { app, id } = await late()
      .delivers(422, { time: '1772442847' })
      .is({ events: [refused] })
      .end();
    expect(app.contract(id).told).toBe('late');
    expect(lateSignedAt(app.ctx.db, app.contract(id))).toBeNull();
  });
});

describe('the signature ended otherwise:', () => {
  const HAPPEN: Record<string, Parameters<Story['there']>[0]> = {
    declined: (sandbox, id) => sandbox.decline(id, { reason: 'Too dear' }),
    canceled: (sandbox, id) => sandbox.cancel(id),
    rejected: (sandbox, id) => sandbox.reject(id),
    deleted: (sandbox, id) => sandbox.delete(id),
    expired: (sandbox, id) => sandbox.expire(id),
  };
  const event = (word: string) => ({ name: `signature_request.${word}` });
  const mailed = (app: TestApp) => app.jobs('send-mail').map(({ payload }) => JSON.parse(payload) as unknown);

  test.each(Object.entries(HAPPEN))(
    '%s ends nothing while it is not true at the provider; then it closes the contract, and the office is told unless the date passed',
    async (word, happen) => {
      const { app } = await story()
        .sent()
        .delivers(200, event(word))
        .is({ contract: { status: 'PENDING' } })
        .there(happen)
        .delivers(200, event(word))
        .delivers(200, event(word))
        .is({
          status: 'WAITING_SIGNATURE',
          contract: { status: 'EXPIRED' },
          events: ['ignored: not_confirmed', `done: ${word}`, `ignored: ${word}`],
        })
        .end();
      const reason = { mail: 'contract-ended', reason: word };
      expect(mailed(app)).toMatchObject(word === 'expired' ? [] : [reason]);
    },
  );

  test.each(['500', '404_html', 'reset'])(
    '%s of the provider: 202, nothing is moved, and the job asks again',
    async (fault) => {
      await story()
        .sent()
        .there((sandbox, id) => sandbox.decline(id))
        .fault(`signature.get:${fault}`)
        .delivers(202, event('declined'))
        .is({ contract: { status: 'PENDING' }, work: { 'confirm-end': ['available'] } })
        .noFaults()
        .waits(2 * MINUTE)
        .drained()
        .is({ contract: { status: 'EXPIRED' }, events: ['done: declined'] })
        .end();
    },
  );

  tell([
    ...(
      [
        ['another end', (sandbox, id) => sandbox.cancel(id), 'canceled'],
        ['a signature', (sandbox, id) => sandbox.sign(id), 'completed'],
        ['“unknown here”', (sandbox, id) => sandbox.delete(id, { permanent: true }), 'not_found'],
      ] as [string, Parameters<Story['there']>[0], string][]
    ).map(([says, happen, outcome]): History => [
      `what the provider says counts, not the event: ${says}`,
      (s) => s.sent().there(happen).delivers(200, event('expired')),
      { events: [`done: ${outcome}`] },
    ]),
    [
      'a signature that is owed, because its webhook is ahead of the provider’s API, stays owed when an end is not confirmed',
      (s) =>
        s
          .sent()
          .delivers(202)
          .delivers(200, event('expired'))
          .is({ events: ['received', 'ignored: not_confirmed'] })
          .signs()
          .waits(MINUTE)
          .drained(),
      { status: 'WAITING_PAYMENT' },
    ],
    [
      'of somebody else’s document it is not asked about',
      (s) =>
        s
          .sent()
          .there((sandbox, id) => sandbox.decline(id))
          .delivers(200, { ...event('declined'), signature: { external_id: 'theirs' } }),
      { contract: { status: 'PENDING' }, calls: { 'signature.get': 0 } },
    ],
    [
      'a late "declined" does not touch a signed contract, and nobody is asked',
      (s) =>
        s
          .completed()
          .is({ calls: { 'signature.get': 1 } })
          .delivers(200, event('declined')),
      { contract: { status: 'SIGNED' }, calls: { 'signature.get': 1 } },
    ],
    ...(
      [
        ['before', ['signer.error', 'signature_request.canceled']],
        ['after', ['signature_request.canceled', 'signer.error']],
      ] as const
    ).map(([when, names]): History => [
      `the provider failed while the customer signed, told ${when} the end: the contract is closed for that reason, once`,
      (s) =>
        names
          .reduce(
            (told, name) => told.delivers(200, { name }),
            s.sent().there((sandbox, id) => sandbox.fail(id)),
          )
          .does((app) => expect(mailed(app)).toMatchObject([{ reason: 'signer_error' }])),
      { contract: { status: 'EXPIRED' }, told: { 'contract.signer_error': 1 } },
    ]),
    [
      'the check finds such a failure when no webhook came',
      (s) =>
        s
          .sent()
          .there((sandbox, id) => sandbox.fail(id))
          .does(async ({ ctx }, id) =>
            expect(await checkSignature(ctx, id, BY)).toMatchObject({
              key: 'check_signature_info.status',
              words: 'check_signature_signer_error',
              changed: true,
            }),
          )
          .does((app) => expect(mailed(app)).toMatchObject([{ reason: 'signer_error' }])),
      { contract: { status: 'EXPIRED' } },
    ],
    [
      'while the provider still calls it ongoing, it is recorded once and nothing ends',
      (s) => {
        const error = { name: 'signer.error', eventId: 'e-1' };
        return s.sent().delivers(200, error).delivers(200, error);
      },
      { contract: { status: 'PENDING' }, told: { 'contract.signer_error': 1 } },
    ],
    [
      'a failure that names the signature request only beside its signer counts as well',
      (s) =>
        s.sent().does(async (app, id) => {
          const signer = { id: 's', signature_request_id: app.contract(id).signId };
          const body = JSON.stringify({ event_name: 'signer.error', data: { signer } });
          expect(await deliverRaw(app, body, sign(body))).toBe(200);
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
  test.each(['pdf:truncated', 'signature.download:404', 'signature.download:429', 'signature.download:401'])(
    '%s: nothing is moved, the job stays owed, and it completes when the provider recovers',
    async (fault) => {
      const { app, id } = await signed(story())
        .fault(fault)
        .delivers(202)
        .is({ status: 'WAITING_SIGNATURE', contract: { status: 'PENDING' } })
        .is({ work: { 'complete-signature': ['available'] } })
        .end();
      expect(hasPdf(app, id)).toBe(false);
      const recovered = story
        .on(app, id)
        .noFaults()
        .waits(2 * MINUTE)
        .drained();
      await recovered.is({ status: 'WAITING_PAYMENT', events: ['done: completed'] }).end();
    },
  );

  test('slower than 400 ms: the caller gets a 202, and the work is finished all the same', async () => {
    expect(WEBHOOK_PATIENCE_MS).toBe(400);
    const { app, id } = await signed(story({ context: { webhookPatienceMs: WEBHOOK_PATIENCE_MS } })).end();
    const late = {
      target: 'signature',
      operation: 'download',
      kind: 'answer_late',
      delayMs: 20_000,
    } as const;
    const fault = app.sandbox.faults.add(late);
    const body = eventBody(app, app.contract(id).signId as string);
    expect(await deliverRaw(app, body, sign(body))).toBe(202);
    expect(app.request(id).status).toBe('WAITING_SIGNATURE');
    app.sandbox.faults.remove(fault.id);
    await app.ctx.jobs.idle();
    expect(app.request(id).status).toBe('WAITING_PAYMENT');
  });

  test('a completion that failed for good starts over when another delivery arrives', async () => {
    const failing = signed(story()).fault('signature.download:404').delivers(202);
    for (let i = 0; i < 6; i += 1) failing.waits(3 * HOUR).drained();
    const { app } = await failing
      .is({ work: { 'complete-signature': ['failed'] } })
      .noFaults()
      .delivers(200)
      .end();
    expect(app.jobs('complete-signature')).toMatchObject([{ state: 'completed', attempt: 1 }]);
  });
});

describe('a completion', () => {
  const HEARD = { ...BY, heard: { signedAt: null } };
  const NOT_SIGNED = "UPDATE contracts SET status = 'EXPIRED', signedAt = NULL";

  test.each([
    ['the contract is signed', "UPDATE requests SET status = 'WAITING_SIGNATURE'"],
    ['its request waits for payment', NOT_SIGNED],
    ['its request is complete', `${NOT_SIGNED}; UPDATE requests SET status = 'COMPLETE'`],
  ])('is a repeat when %s: nobody is asked, nothing is owed', async (_, statement) => {
    const { app, id } = await sql(story().completed(), statement).end();
    const before = [calls(app), app.jobs().length];
    const done = await reconcile(app.ctx, app.contract(id).id, HEARD);
    expect(done.decision.answer).toBe('repeat');
    expect([calls(app), app.jobs().length]).toEqual(before);
  });

  test('of a contract that was replaced counts for nothing and asks nobody; the office hears that it was signed', async () => {
    const { app, id } = await story().sent().end();
    const { id: replaced } = app.contract(id);
    await resetSignature(app.ctx, id, { ...BY, reason: 'a new name' });
    const before = calls(app);
    expect((await reconcile(app.ctx, replaced, HEARD)).decision.answer).toBe('not_waiting');
    expect(calls(app)).toEqual(before);
    await story
      .on(app, id)
      .is({ status: 'WAITING_SIGNATURE', told: { 'contract.replaced_signed': 1 } })
      .end();
  });

  test('before the provider says that it is signed fails, saying what it does say', async () => {
    const { app, id } = await story().sent().end();
    const error = await rejection(reconcile(app.ctx, app.contract(id).id, HEARD));
    expect(error.message).toMatch(/does not confirm the signature: it says ongoing/);
    expect(app.contract(id).signedAt).toBeNull();
  });

  test('in time needs nobody to accept it, and tries the payment at once', async () => {
    const accepted = { ...HEARD, reason: 'a holiday', isAccepted: true };
    const { app, id } = await signed(story()).end();
    const done = await reconcile(app.ctx, app.contract(id).id, accepted);
    expect(done).toMatchObject({ decision: { answer: 'signed' }, isPayable: true });
    expect(app.history(id)).not.toContain('contract.late_accepted');
    const down = await signed(story()).fault('payment:500').end();
    const without = await reconcile(down.app.ctx, down.app.contract(down.id).id, HEARD);
    expect(without).toMatchObject({ decision: { answer: 'signed' }, isPayable: false });
    expect(down.app.jobs('create-payment-session')).toMatchObject([{ attempt: 1, state: 'available' }]);
  });
});
