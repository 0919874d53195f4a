/** Inbound signature webhook (rules 3), row by row of its table of answers. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { WEBHOOK_PATIENCE_MS } from '../../../src/core/open-context.js';
import { workOf } from '../../../src/core/jobs/queue.js';
import { checkSignature } from '../../../src/core/signature/check-signature.js';
import { reconcile } from '../../../src/core/signature/reconcile.js';
import { lateSignedAt } from '../../../src/core/signature/told.js';
import { completionJob } from '../../../src/core/signature/completion-job.js';
import { cancelRequest } from '../../../src/core/requests/cancel-request.js';
import { resetSignature } from '../../../src/core/signature/reset-signature.js';
import { startSignature } from '../../../src/core/signature/start-signature.js';
import { parseSignatureEvent } from '../../../src/core/signature/webhook-event.js';
import { newestRejected, rejectedOfAllTime } from '../../../src/core/inbox/inbox.js';
import type { Db } from '../../../src/db/db.js';
import type { JobRow } from '../../../src/db/schema.js';
import { rejection, startApp, TESTER, type TestApp } from '../../support/app.js';
import { DAY, HOUR, MINUTE } from '../../support/clock.js';
import { until } from '../../support/queue.js';
import { completedApp, deliver, deliverRaw, eventBody, sign, signedApp } from '../../support/webhooks.js';

const inbox = (app: TestApp) =>
  app.ctx.db.raw.prepare('SELECT * FROM inbox ORDER BY id').all() as Record<string, unknown>[];

/** How often each call was made so far. */
const calls = (app: TestApp) => ({ ...app.sandbox.state().counters.calls });
/** How many rows have been written so far. */
const changes = (app: TestApp) => app.ctx.db.raw.prepare('SELECT total_changes()').pluck().get();

describe('a genuine delivery of a completed signature', () => {
  test('stores the PDF, moves request and contract, owes two mails and one payment job, and answers 200', async () => {
    const { app, waiting } = await signedApp();

    expect(await deliver(app, waiting.signId)).toBe(200);

    expect(app.request(waiting.request.id).status).toBe('WAITING_PAYMENT');
    const contract = app.contract(waiting.request.id);
    expect(contract).toMatchObject({ status: 'SIGNED', signedAt: '2026-03-02T09:15:07.000Z' });
    const pdf = readFileSync(join(app.dataDir, 'contracts', `${contract.id}.pdf`));
    expect(contract.pdfSha256).toBe(createHash('sha256').update(pdf).digest('hex'));
    expect(contract.pdfSize).toBe(pdf.length);
    expect(app.jobs('send-mail').map((job) => JSON.parse(job.payload).mail)).toEqual([
      'contract-signed',
      'admin-signed',
    ]);
    expect(app.jobs('create-payment-session')).toHaveLength(1);
    const entries = app.ctx.db.raw
      .prepare('SELECT what, contractId, detail FROM history ORDER BY id DESC LIMIT 2')
      .all() as { detail: string }[];
    const { id: contractId, signedAt, pdfSha256: sha256, pdfSize: size } = contract;
    expect(entries.map(({ detail, ...entry }) => ({ ...entry, ...JSON.parse(detail) }))).toEqual([
      { what: 'request.moved', contractId, from: 'WAITING_SIGNATURE', to: 'WAITING_PAYMENT' },
      { what: 'contract.signed', contractId, signedAt, sha256, size },
    ]);
    expect(inbox(app)).toMatchObject([{ state: 'done', outcome: 'completed' }]);
  });

  test('stores the PDF with mode 0640 whatever the umask is', async () => {
    const { app, waiting } = await signedApp();
    const umask = process.umask(0o077);
    try {
      await deliver(app, waiting.signId);
    } finally {
      process.umask(umask);
    }
    const { mode } = statSync(join(app.dataDir, 'contracts', `${waiting.contract.id}.pdf`));
    expect(mode & 0o777).toBe(0o640);
  });

  test('gives the signed contract its term, counted from the signature', async () => {
    const { app, waiting } = await signedApp({ env: { ESIGN_CONTRACT_TERM_DAYS: '10' } });
    await deliver(app, waiting.signId);
    expect(app.contract(waiting.request.id).expiredAt).toBe('2026-03-12T09:15:07.000Z');
  });

  test('leaves a contract without end when the term is 0 days', async () => {
    const { app, waiting } = await signedApp({ env: { ESIGN_CONTRACT_TERM_DAYS: '0' } });
    await deliver(app, waiting.signId);
    expect(app.contract(waiting.request.id).expiredAt).toBeNull();
  });

  test('is understood in the nested shape too', async () => {
    const { app, waiting } = await signedApp();
    const body = JSON.stringify({
      metadata: { event_id: 'e-1', event_name: 'signature_request.done', event_time: '1772442900' },
      data: { signature_request: { id: waiting.signId } },
    });
    expect(await deliverRaw(app, body, sign(body))).toBe(200);
  });

  test('needs neither event_id nor event_time', async () => {
    const { app, waiting } = await signedApp();
    expect(await deliver(app, waiting.signId, { eventId: null, time: null })).toBe(200);
  });

  test('is accepted with either secret during a rotation', async () => {
    const { app, waiting } = await signedApp({
      env: { ESIGN_WEBHOOK_SECRET: 'the-new-secret-of-2026,test-webhook-secret-1' },
    });
    const body = eventBody(app, waiting.signId);
    expect(await deliverRaw(app, body, sign(body, 'the-new-secret-of-2026'))).toBe(200);
    expect(await deliver(app, waiting.signId)).toBe(422);
  });

  test('one that came before its request waited is done when the provider sends it again', async () => {
    const { app, waiting } = await signedApp();
    const setStatus = app.ctx.db.raw.prepare('UPDATE requests SET status = ? WHERE id = ?');
    setStatus.run('in_progress', waiting.request.id);
    expect(await deliver(app, waiting.signId, { eventId: 'e-1' })).toBe(422);
    setStatus.run('WAITING_SIGNATURE', waiting.request.id);
    expect(await deliver(app, waiting.signId, { eventId: 'e-1' })).toBe(200);
    const events = app.ctx.db.raw.prepare('SELECT eventKey, state, outcome FROM inbox').all();
    expect(events).toEqual([{ eventKey: 'e-1', state: 'done', outcome: 'completed' }]);
  });
});

describe('repeats', () => {
  test('three simultaneous deliveries of one event complete once: one 200, two 422, one payment job', async () => {
    const { app, waiting } = await signedApp();
    const answers = await Promise.all([1, 2, 3].map(() => deliver(app, waiting.signId, { eventId: 'same' })));
    expect(answers.sort()).toEqual([200, 422, 422]);
    expect(app.jobs('create-payment-session')).toHaveLength(1);
    expect(app.jobs('send-mail')).toHaveLength(2);
    expect(inbox(app)).toHaveLength(1);
  });

  test('three simultaneous events of one signature complete once and download once', async () => {
    const { app, waiting } = await signedApp();
    const answers = await Promise.all([1, 2, 3].map(() => deliver(app, waiting.signId)));
    expect(answers.sort()).toEqual([200, 422, 422]);
    expect(app.sandbox.state().counters.calls['signature.download']).toBe(1);
    expect(inbox(app).map(({ state }) => state)).toEqual(['done', 'done', 'done']);
  });

  test('of deliveries that share each commit of the first one’s work, its end too, exactly one is answered 200', async () => {
    const { app, waiting } = await signedApp();
    const answers: Promise<number>[] = [];
    const { writer } = app.ctx;
    const write = writer.write.bind(writer);
    let isCompany = false;
    writer.write = (unit) => {
      const written = write(unit);
      if (isCompany || answers.length === 25) return written;
      isCompany = true;
      answers.push(deliver(app, waiting.signId));
      isCompany = false;
      return written;
    };

    const first = deliver(app, waiting.signId);
    await first;
    await app.ctx.jobs.idle();

    const all = await Promise.all([first, ...answers]);
    expect(all.sort()).toEqual([200, ...answers.map(() => 422)]);
    expect(answers.length).toBeGreaterThan(1);
    expect(app.jobs('create-payment-session')).toHaveLength(1);
    expect(app.jobs('send-mail')).toHaveLength(2);
  });

  test('of 25 deliveries at once exactly one is answered 200, round after round', async () => {
    const app = await startApp();
    for (let round = 0; round < 8; round += 1) {
      const { signId } = await app.waitingRequest();
      app.sandbox.sign(signId);
      const answers = await Promise.all(Array.from({ length: 25 }, () => deliver(app, signId)));
      expect(answers.sort()).toEqual([200, ...Array<number>(24).fill(422)]);
    }
  });

  test('a delivery that finds every place to work taken is answered 200 when its work is done', async () => {
    const { app, waiting } = await signedApp();
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

    const answers = [1, 2].map(() => deliver(app, waiting.signId));
    await until(() => inbox(app).length === 2);
    expect(app.jobs('complete-signature').at(-1)?.state).toBe('available');
    await jobs.runNow(app.jobs('complete-signature').at(-1)?.id as number);

    expect((await Promise.all(answers)).sort()).toEqual([200, 422]);
  });

  test('a repeat after completion answers 422 and writes nothing', async () => {
    const { app, waiting } = await signedApp();
    await deliver(app, waiting.signId);
    const before = changes(app);
    expect(await deliver(app, waiting.signId)).toBe(422);
    expect(changes(app)).toBe(before);
  });

  test('a repeat after the request was canceled is a repeat still, and alarms nobody', async () => {
    const { app, waiting } = await completedApp();
    const { id } = waiting.request;
    await app.drain();
    await cancelRequest(app.ctx, id, { actor: TESTER, reason: 'sold the boiler' });
    const before = app.history(id);
    expect(await deliver(app, waiting.signId)).toBe(422);
    expect(app.history(id)).toEqual(before);
    expect(inbox(app)).toHaveLength(1);
  });

  test('a repeat answers 200 where the setting says so', async () => {
    const { app, waiting } = await signedApp({ env: { ESIGN_WEBHOOK_REPEAT_STATUS: '200' } });
    await deliver(app, waiting.signId);
    expect(await deliver(app, waiting.signId)).toBe(200);
  });

  test('so does a delivery whose signature is completed by a check while its own work runs', async () => {
    const { app, waiting } = await signedApp({ env: { ESIGN_WEBHOOK_REPEAT_STATUS: '200' } });
    const { provider } = app.ctx;
    const download = provider.downloadDocument.bind(provider);
    provider.downloadDocument = async (signId, use) => {
      provider.downloadDocument = download;
      await checkSignature(app.ctx, waiting.request.id, { actor: TESTER });
      return download(signId, use);
    };
    expect(await deliver(app, waiting.signId)).toBe(200);
    expect(app.jobs('complete-signature')).toMatchObject([{ state: 'completed' }]);
    expect(app.jobs('create-payment-session')).toHaveLength(1);
  });
});

describe('the signature is checked before anything is parsed', () => {
  test.each([
    ['missing', undefined],
    ['empty', ''],
    ['without prefix', 'f'.repeat(64)],
    ['wrong', `sha256=${'0'.repeat(64)}`],
    ['too short', 'sha256=00'],
    ['of another algorithm', `sha512=${'0'.repeat(128)}`],
    ['not hex', 'sha256=zzz'],
  ])('a header that is %s answers 401, and nothing but the rejection is stored', async (_, signature) => {
    const { app, waiting } = await signedApp();
    expect(await deliverRaw(app, eventBody(app, waiting.signId), signature)).toBe(401);
    expect(inbox(app)).toEqual([]);
    expect(app.request(waiting.request.id).status).toBe('WAITING_SIGNATURE');
    const [rejected] = newestRejected(app.ctx, 10);
    expect(rejected).toMatchObject({ claimedId: waiting.signId, address: '192.0.2.7' });
  });

  test('an upper-case or doubled digest answers 401', async () => {
    const { app, waiting } = await signedApp();
    const body = eventBody(app, waiting.signId);
    expect(await deliverRaw(app, body, sign(body).toUpperCase())).toBe(401);
    expect(await deliverRaw(app, body, `${sign(body)}, ${sign(body)}`)).toBe(401);
  });

  test('a body changed by one byte answers 401', async () => {
    const { app, waiting } = await signedApp();
    const body = eventBody(app, waiting.signId);
    expect(await deliverRaw(app, `${body} `, sign(body))).toBe(401);
  });

  test('of rejected deliveries the last 1,000 are kept, and all are counted', async () => {
    const { app } = await signedApp();
    for (let i = 0; i < 1_010; i += 1) {
      app.clock.advance(2_000);
      await deliverRaw(app, `{"n":${i}}`, undefined);
    }
    expect(rejectedOfAllTime(app.ctx)).toBe(1_010);
    expect(app.ctx.db.raw.prepare('SELECT count(*) AS n FROM rejectedDeliveries').get()).toEqual({
      n: 1_000,
    });
  });

  test('an address that forges more than 60 a minute gets 429, a genuine delivery from it still 200', async () => {
    const { app, waiting } = await signedApp();
    const answers = [];
    for (let i = 0; i < 62; i += 1) answers.push(await deliverRaw(app, '{}', undefined));
    expect(answers.filter((status) => status === 401)).toHaveLength(60);
    expect(answers.slice(60)).toEqual([429, 429]);
    expect(await deliver(app, waiting.signId)).toBe(200);
    app.clock.advance(MINUTE);
    expect(await deliverRaw(app, '{}', undefined)).toBe(401);
  });
});

describe('what a body says', () => {
  const read = (body: object) => parseSignatureEvent(Buffer.from(JSON.stringify(body)));
  const named = { event_name: 'signature_request.declined' };

  test('stands at the top, or else under metadata; the top counts', () => {
    const metadata = { event_id: 'e-2', event_name: 'signature_request.done', event_time: '1772442847' };
    const both = { event_id: 'e-1', ...named, event_time: '1772442848', metadata };
    expect(read(both)).toMatchObject({
      eventKey: 'e-1',
      eventName: 'signature_request.declined',
      happenedAt: '2026-03-02T09:14:08.000Z',
    });
    expect(read({ metadata })).toEqual({
      eventKey: 'e-2',
      eventName: 'signature_request.done',
      happenedAt: '2026-03-02T09:14:07.000Z',
      signId: undefined,
      externalId: null,
    });
  });

  test('names the signature request and our name for it', () => {
    const signature_request = { id: 's-1', external_id: 'x-1' };
    expect(read({ ...named, data: { signature_request } })).toMatchObject({
      signId: 's-1',
      externalId: 'x-1',
    });
  });

  test('names the signature request beside its signer, if not by itself', () => {
    const signer = { id: 'r-1', signature_request_id: 's-2' };
    expect(read({ ...named, data: { signer } })?.signId).toBe('s-2');
    expect(read({ ...named, data: { signer, signature_request: { id: 's-1' } } })?.signId).toBe('s-1');
  });

  test.each([
    ['1772442847', '2026-03-02T09:14:07.000Z'],
    [1_772_442_847, '2026-03-02T09:14:07.000Z'],
    ['2026-03-02T10:14:07+01:00', '2026-03-02T09:14:07.000Z'],
    ['20260302', '1970-08-23T11:51:42.000Z'],
    ['soon', null],
    ['', null],
    ['177244284700', null],
    [1e13, null],
    [-1e13, null],
    [undefined, null],
  ])('the time %j is %j', (event_time, happenedAt) => {
    expect(read({ ...named, event_time })?.happenedAt).toBe(happenedAt);
  });

  test('without an id of its own, an event is known by its bytes', () => {
    const [one, same, other] = [read(named), read(named), read({ ...named, event_time: 1 })];
    expect(one?.eventKey).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(same?.eventKey).toBe(one?.eventKey);
    expect(other?.eventKey).not.toBe(one?.eventKey);
  });
});

describe('genuine but unusable', () => {
  test.each([
    ['not JSON', 'hello'],
    ['empty', ''],
    ['an array', '[]'],
    ['null', 'null'],
    ['invalid UTF-8', Buffer.from([0x7b, 0xff, 0x7d])],
    ['without event_name', '{"data":{"signature_request":{"id":"x"}}}'],
    ['without id', '{"event_name":"signature_request.done","data":{}}'],
    ['with a number as id', '{"event_name":"signature_request.done","data":{"signature_request":{"id":7}}}'],
    ['nested 50,000 deep', `${'['.repeat(50_000)}${']'.repeat(50_000)}`],
    ['with __proto__', '{"__proto__":{"event_name":"signature_request.done"}}'],
  ])('a body that is %s answers 400', async (_, body) => {
    const app = await startApp();
    expect(await deliverRaw(app, body, sign(Buffer.from(body)))).toBe(400);
  });

  test('an unknown signId answers 404, also when only its letter case differs', async () => {
    const { app, waiting } = await signedApp();
    expect(await deliver(app, '00000000-0000-4000-8000-000000000000')).toBe(404);
    expect(await deliver(app, waiting.signId.toUpperCase())).toBe(404);
    expect(newestRejected(app.ctx, 10)).toMatchObject([
      { reason: 'unknown_sign_id' },
      { reason: 'unknown_sign_id' },
    ]);
  });

  test.each([
    [
      'without a signature request',
      { event_id: 'e-1', event_name: 'contact.created', data: { contact: { id: 'c-1' } } },
      'not_used',
    ],
    ['without data', { event_id: 'e-1', event_name: 'workspace.updated' }, 'not_used'],
    [
      'of another kind about a signature of somebody else',
      {
        event_id: 'e-1',
        event_name: 'signature_request.declined',
        data: { signature_request: { id: 'theirs' } },
      },
      'unknown_signature',
    ],
    [
      'about a signer of somebody else',
      { event_id: 'e-1', event_name: 'signer.link_opened', data: { signature_request: { id: 'theirs' } } },
      'unknown_signature',
    ],
  ])('an event %s answers 200 and is recorded as ignored, once', async (_, event, outcome) => {
    const { app, waiting } = await signedApp();
    const body = JSON.stringify(event);
    expect(await deliverRaw(app, body, sign(body))).toBe(200);
    expect(await deliverRaw(app, body, sign(body))).toBe(200);
    const ignored = { eventName: event.event_name, state: 'ignored', outcome, contractId: null };
    expect(inbox(app)).toMatchObject([ignored]);
    expect(newestRejected(app.ctx, 10)).toEqual([]);
    expect(app.request(waiting.request.id).status).toBe('WAITING_SIGNATURE');
  });

  test('any other event answers 200 and is recorded as ignored, once, and the provider is not asked', async () => {
    const { app, waiting } = await signedApp();
    const before = calls(app);
    const other = { name: 'signer.link_opened', eventId: 'e-7' };
    expect(await deliver(app, waiting.signId, other)).toBe(200);
    const written = changes(app);
    expect(await deliver(app, waiting.signId, other)).toBe(200);
    expect(changes(app)).toBe(written);
    expect(inbox(app)).toMatchObject([{ eventName: 'signer.link_opened', state: 'ignored' }]);
    expect(calls(app)).toEqual(before);
  });

  test('an event of an unknown signature costs no call to the provider while every contract has its own there', async () => {
    const { app } = await signedApp();
    const before = calls(app);
    expect(await deliver(app, 'theirs', { name: 'signer.link_opened' })).toBe(200);
    expect(calls(app)).toEqual(before);
    expect(inbox(app)).toMatchObject([{ outcome: 'unknown_signature' }]);
  });

  test('a request that was canceled when its contract had expired, and is open again, does not count the old contract', async () => {
    const { app, waiting } = await signedApp();
    const { id } = waiting.request;
    app.ctx.db.raw.prepare("UPDATE contracts SET status = 'EXPIRED'").run();
    app.ctx.db.raw.prepare("UPDATE requests SET status = 'new' WHERE id = ?").run(id);
    expect(await deliver(app, waiting.signId)).toBe(422);
    expect(app.request(id).status).toBe('new');
    expect(app.contract(id)).toMatchObject({ status: 'EXPIRED', signedAt: null });
    expect(inbox(app)).toMatchObject([{ state: 'refused', outcome: 'not_signable' }]);
  });

  test('a request that waits for no signature answers 422', async () => {
    const { app, waiting } = await signedApp();
    app.ctx.db.raw.prepare("UPDATE requests SET status = 'in_progress' WHERE id = ?").run(waiting.request.id);
    expect(await deliver(app, waiting.signId)).toBe(422);
    expect(app.jobs('complete-signature')).toEqual([]);
  });
});

describe('the provider’s mail did not reach the customer', () => {
  const name = 'signer.notification_delivery_failed';

  test('is recorded once', async () => {
    const app = await startApp();
    const { request, signId } = await app.waitingRequest();
    expect(await deliver(app, signId, { name, eventId: 'e-1' })).toBe(200);
    expect(await deliver(app, signId, { name, eventId: 'e-1' })).toBe(200);
    expect(app.history(request.id).filter((what) => what === 'contract.signer_refused')).toHaveLength(1);
    expect(inbox(app)).toMatchObject([{ state: 'done', outcome: 'signer_refused' }]);
  });

  test('of somebody else’s document it is no concern of ours', async () => {
    const app = await startApp();
    const { request, signId } = await app.waitingRequest();
    expect(await deliver(app, signId, { name, signature: { external_id: 'theirs' } })).toBe(200);
    expect(app.history(request.id)).not.toContain('contract.signer_refused');
  });
});

describe('when the signature came too late', () => {
  test('a delivery without proof of signing in time answers 422, notifies the administrator once and changes nothing', async () => {
    const app = await startApp({ sandbox: { expiresLateMs: 10 * DAY } });
    const waiting = await app.waitingRequest();
    app.clock.advance(31 * DAY);
    app.sandbox.sign(waiting.signId, { completedAt: app.clock.now().getTime() });

    expect(await deliver(app, waiting.signId)).toBe(422);
    expect(await deliver(app, waiting.signId)).toBe(422);

    expect(app.request(waiting.request.id).status).toBe('WAITING_SIGNATURE');
    expect(app.jobs('send-mail').map((job) => JSON.parse(job.payload).mail)).toEqual(['signed-late']);
    expect(app.history(waiting.request.id)).toContain('contract.signed_late');
    const refused = { state: 'refused', outcome: 'late' };
    expect(inbox(app)).toMatchObject([refused, refused]);
    expect(existsSync(join(app.dataDir, 'contracts', `${waiting.contract.id}.pdf`))).toBe(false);
  });

  test('the word of the delivery alone is no proof', async () => {
    const app = await startApp({ sandbox: { expiresLateMs: 10 * DAY } });
    const waiting = await app.waitingRequest();
    const time = String(Math.floor(app.clock.now().getTime() / 1000));
    app.clock.advance(31 * DAY);
    expect(await deliver(app, waiting.signId, { time })).toBe(422);
    expect(inbox(app)).toMatchObject([{ state: 'refused', outcome: 'late' }]);
    expect(app.contract(waiting.request.id).told).toBe('late');
    expect(lateSignedAt(app.ctx.db, waiting.contract)).toBeNull();
  });

  test('a contract that expired here is completed when the provider proves a signature in time', async () => {
    const app = await startApp();
    const waiting = await app.waitingRequest();
    app.clock.advance(29 * DAY);
    app.sandbox.sign(waiting.signId);
    app.clock.advance(2 * DAY);
    app.ctx.db.raw.prepare("UPDATE contracts SET status = 'EXPIRED'").run();

    expect(await deliver(app, waiting.signId)).toBe(200);

    expect(app.contract(waiting.request.id)).toMatchObject({
      status: 'SIGNED',
      signedAt: '2026-03-31T09:14:07.000Z',
    });
  });
});

describe('the signature ended otherwise', () => {
  const happen = {
    declined: (app, signId) => app.sandbox.decline(signId, { reason: 'Too dear' }),
    canceled: (app, signId) => app.sandbox.cancel(signId),
    rejected: (app, signId) => app.sandbox.reject(signId),
    deleted: (app, signId) => app.sandbox.delete(signId),
    expired: (app, signId) => app.sandbox.expire(signId),
  } satisfies Record<string, (app: TestApp, signId: string) => boolean>;
  const ends = Object.keys(happen) as (keyof typeof happen)[];
  const mailed = (app: TestApp) => app.jobs('send-mail').map(({ payload }) => JSON.parse(payload));

  test.each(ends)(
    '%s closes the contract and leaves the request waiting; the administrator is told unless the date passed',
    async (word) => {
      const app = await startApp();
      const { request, signId } = await app.waitingRequest();
      happen[word](app, signId);
      const event = { name: `signature_request.${word}` };

      expect(await deliver(app, signId, event)).toBe(200);
      expect(await deliver(app, signId, event)).toBe(200);

      expect(app.request(request.id).status).toBe('WAITING_SIGNATURE');
      expect(app.contract(request.id).status).toBe('EXPIRED');
      const reason = { mail: 'contract-ended', reason: word };
      expect(mailed(app)).toMatchObject(word === 'expired' ? [] : [reason]);
      expect(inbox(app)).toMatchObject([
        { state: 'done', outcome: word },
        { state: 'ignored', outcome: word },
      ]);
    },
  );

  test.each(ends)(
    '%s that is not true at the provider ends nothing and is recorded as ignored',
    async (word) => {
      const app = await startApp();
      const { request, signId } = await app.waitingRequest();
      expect(await deliver(app, signId, { name: `signature_request.${word}` })).toBe(200);
      expect(app.contract(request.id).status).toBe('PENDING');
      expect(inbox(app)).toMatchObject([{ state: 'ignored', outcome: 'not_confirmed' }]);

      app.clock.advance(MINUTE);
      app.sandbox.sign(signId);
      expect(await deliver(app, signId)).toBe(200);
      expect(app.request(request.id).status).toBe('WAITING_PAYMENT');
    },
  );

  test('what the provider says counts, not the event: another end, a signature, or “unknown here”', async () => {
    const app = await startApp();
    const [other, signed, gone] = [
      await app.waitingRequest(),
      await app.waitingRequest(),
      await app.waitingRequest(),
    ];
    app.sandbox.cancel(other.signId);
    app.sandbox.sign(signed.signId);
    app.sandbox.delete(gone.signId, { permanent: true });
    for (const { signId } of [other, signed, gone])
      expect(await deliver(app, signId, { name: 'signature_request.expired' })).toBe(200);

    expect(app.request(signed.request.id).status).toBe('WAITING_PAYMENT');
    expect(inbox(app).map(({ outcome }) => outcome)).toEqual(['canceled', 'completed', 'not_found']);
  });

  test.each(['500', '401', '404_html', 'reset'])(
    '%s of the provider: 202, nothing is moved, and the job asks again',
    async (fault) => {
      const app = await startApp();
      const { request, signId } = await app.waitingRequest();
      app.sandbox.decline(signId);
      app.sandbox.faults.add(`signature.get:${fault}`);
      expect(await deliver(app, signId, { name: 'signature_request.declined' })).toBe(202);
      expect(app.contract(request.id).status).toBe('PENDING');
      expect(app.jobs('confirm-end')).toMatchObject([{ state: 'available', attempt: 1 }]);

      app.sandbox.faults.clear();
      app.clock.advance(2 * MINUTE);
      await app.drain();
      expect(app.contract(request.id).status).toBe('EXPIRED');
      expect(inbox(app)).toMatchObject([{ state: 'done', outcome: 'declined' }]);
    },
  );

  test('a signature that is owed stays owed when an end is not confirmed', async () => {
    const app = await startApp();
    const { request, signId } = await app.waitingRequest();
    // Its webhook is ahead of the provider’s API.
    expect(await deliver(app, signId)).toBe(202);
    expect(await deliver(app, signId, { name: 'signature_request.expired' })).toBe(200);
    expect(inbox(app).map(({ state }) => state)).toEqual(['received', 'ignored']);

    app.sandbox.sign(signId);
    app.clock.advance(MINUTE);
    await app.drain();
    expect(app.request(request.id).status).toBe('WAITING_PAYMENT');
  });

  test('of somebody else’s document it is not asked about', async () => {
    const app = await startApp();
    const { request, signId } = await app.waitingRequest();
    app.sandbox.decline(signId);
    const before = calls(app);
    const signature = { external_id: 'theirs' };
    expect(await deliver(app, signId, { name: 'signature_request.declined', signature })).toBe(200);
    expect(app.contract(request.id).status).toBe('PENDING');
    expect(calls(app)).toEqual(before);
  });

  test('a late "declined" does not touch a signed contract, and nobody is asked', async () => {
    const { app, waiting } = await signedApp();
    await deliver(app, waiting.signId);
    const before = calls(app);
    expect(await deliver(app, waiting.signId, { name: 'signature_request.declined' })).toBe(200);
    expect(app.contract(waiting.request.id).status).toBe('SIGNED');
    expect(calls(app)).toEqual(before);
  });
});

describe('“signed” of what the provider', () => {
  test('does not know ends the contract at once', async () => {
    const app = await startApp();
    const { request, signId } = await app.waitingRequest();
    app.sandbox.delete(signId, { permanent: true });
    expect(await deliver(app, signId)).toBe(422);
    expect(app.contract(request.id).status).toBe('EXPIRED');
    expect(app.jobs('complete-signature')).toMatchObject([{ state: 'completed', attempt: 1 }]);
    expect(inbox(app)).toMatchObject([{ state: 'done', outcome: 'not_found' }]);
  });

  test('calls ended closes the contract at once, and is no late signature', async () => {
    const app = await startApp();
    const { request, signId } = await app.waitingRequest();
    app.clock.advance(31 * DAY);
    expect(await deliver(app, signId)).toBe(422);
    expect(app.contract(request.id).status).toBe('EXPIRED');
    expect(app.contract(request.id).told).toBeNull();
    expect(inbox(app)).toMatchObject([{ state: 'done', outcome: 'expired' }]);
  });
});

describe('the provider failed while the customer signed', () => {
  const failed = (app: TestApp, id: number) =>
    app.history(id).filter((what) => what === 'contract.signer_error').length;
  const reasons = (app: TestApp) =>
    app.jobs('send-mail').map(({ payload }) => JSON.parse(payload).reason as string);

  test.each([
    ['before', ['signer.error', 'signature_request.canceled']],
    ['after', ['signature_request.canceled', 'signer.error']],
  ])('the event comes %s the end: the contract is closed for that reason, once', async (_, names) => {
    const app = await startApp();
    const { request, signId } = await app.waitingRequest();
    app.sandbox.fail(signId);
    for (const name of names) expect(await deliver(app, signId, { name })).toBe(200);
    expect(app.contract(request.id).status).toBe('EXPIRED');
    expect(reasons(app)).toEqual(['signer_error']);
    expect(failed(app, request.id)).toBe(1);
  });

  test('the check finds it when no webhook came', async () => {
    const app = await startApp();
    const { request, signId } = await app.waitingRequest();
    app.sandbox.fail(signId);
    expect(await checkSignature(app.ctx, request.id, { actor: TESTER })).toMatchObject({
      key: 'check_signature_info.status',
      words: 'check_signature_signer_error',
      changed: true,
    });
    expect(reasons(app)).toEqual(['signer_error']);
  });

  test('while the provider still calls it ongoing, it is recorded and nothing ends', async () => {
    const app = await startApp();
    const { request, signId } = await app.waitingRequest();
    const event = { name: 'signer.error', eventId: 'e-1' };
    expect(await deliver(app, signId, event)).toBe(200);
    expect(await deliver(app, signId, event)).toBe(200);
    expect(app.contract(request.id).status).toBe('PENDING');
    expect(failed(app, request.id)).toBe(1);
  });

  test('an event that names the signature request only beside its signer counts as well', async () => {
    const app = await startApp();
    const { request, signId } = await app.waitingRequest();
    const signer = { id: 's', signature_request_id: signId };
    const body = JSON.stringify({ event_name: 'signer.error', data: { signer } });
    expect(await deliverRaw(app, body, sign(body))).toBe(200);
    expect(failed(app, request.id)).toBe(1);
  });
});

describe('“signed” of a document that is unknown here', () => {
  async function theirs(app: TestApp, external_id?: string): Promise<string> {
    const answer = await fetch(`${app.sandbox.apiUrl}/signature_requests`, {
      method: 'POST',
      headers: { authorization: 'Bearer sandbox-api-key', 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Theirs', delivery_mode: 'none', external_id }),
    });
    return ((await answer.json()) as { id: string }).id;
  }

  test.each([
    ['another system’s', 'crm-4711', 200],
    ['another installation’s', 'esign-0123456789abcdef-0123456789abcdef', 200],
    ['nobody’s', undefined, 404],
  ])('%s, by its name in the event or at the provider: %s is answered %d', async (_, name, status) => {
    const app = await startApp();
    const signId = await theirs(app, name);
    expect(await deliver(app, signId)).toBe(status);
    expect(await deliver(app, signId, { signature: { external_id: name } })).toBe(status);
    const ignored = { state: 'ignored', outcome: 'unknown_signature', contractId: null };
    expect(inbox(app)).toMatchObject(status === 200 ? [ignored, ignored] : []);
  });
});

describe('when the provider does not deliver', () => {
  test.each([
    'pdf:empty',
    'pdf:not_pdf',
    'pdf:truncated',
    'signature.download:500',
    'signature.download:404',
    'signature.download:429',
    'signature.download:401',
  ])(
    '%s: nothing is moved, the job stays owed, and it completes when the provider recovers',
    async (fault) => {
      const { app, waiting } = await signedApp();
      app.sandbox.faults.add(fault);

      expect(await deliver(app, waiting.signId)).toBe(202);
      // The answer may have come before the try ended.
      await app.ctx.jobs.idle();
      expect(app.request(waiting.request.id).status).toBe('WAITING_SIGNATURE');
      expect(app.contract(waiting.request.id).status).toBe('PENDING');
      expect(existsSync(join(app.dataDir, 'contracts', `${waiting.contract.id}.pdf`))).toBe(false);
      expect(app.jobs('complete-signature')).toMatchObject([{ state: 'available', attempt: 1 }]);

      app.sandbox.faults.clear();
      app.clock.advance(2 * MINUTE);
      await app.drain();
      expect(app.request(waiting.request.id).status).toBe('WAITING_PAYMENT');
      expect(inbox(app)).toMatchObject([{ state: 'done' }]);
    },
  );

  test('a provider slower than 400 ms gets the caller a 202, and the work is finished all the same', async () => {
    expect(WEBHOOK_PATIENCE_MS).toBe(400);
    const { app, waiting } = await signedApp({ context: { webhookPatienceMs: WEBHOOK_PATIENCE_MS } });
    const { id } = app.sandbox.faults.add({
      target: 'signature',
      operation: 'download',
      kind: 'answer_late',
      delayMs: 20_000,
    });
    const body = eventBody(app, waiting.signId);
    expect(await deliverRaw(app, body, sign(body))).toBe(202);
    expect(app.request(waiting.request.id).status).toBe('WAITING_SIGNATURE');
    app.sandbox.faults.remove(id);
    await app.ctx.jobs.idle();
    expect(app.request(waiting.request.id).status).toBe('WAITING_PAYMENT');
  });

  test('a completion that failed for good starts over when another delivery arrives', async () => {
    const { app, waiting } = await signedApp();
    app.sandbox.faults.add('signature.download:404');
    await deliver(app, waiting.signId);
    await app.ctx.jobs.idle();
    for (let i = 0; i < 6; i += 1) {
      app.clock.advance(3 * HOUR);
      await app.drain();
    }
    expect(app.jobs('complete-signature')).toMatchObject([{ state: 'failed', attempt: 7 }]);

    app.sandbox.faults.clear();
    expect(await deliver(app, waiting.signId)).toBe(200);
    expect(app.jobs('complete-signature')).toMatchObject([{ state: 'completed', attempt: 1 }]);
  });
});

describe('a completion', () => {
  const calls = ({ sandbox }: TestApp) => Object.entries(sandbox.state().counters.calls).filter(isSignature);
  const isSignature = ([name]: [string, number]) => name.startsWith('signature.');
  const heard = { actor: TESTER, heard: { signedAt: null } };

  test.each([
    ['the contract is signed', (db: Db) => db.raw.exec("UPDATE requests SET status = 'WAITING_SIGNATURE'")],
    [
      'its request waits for payment',
      (db: Db) => db.raw.exec("UPDATE contracts SET status = 'EXPIRED', signedAt = NULL"),
    ],
    [
      'its request is complete',
      (db: Db) =>
        db.raw.exec(
          "UPDATE contracts SET status = 'EXPIRED', signedAt = NULL; UPDATE requests SET status = 'COMPLETE'",
        ),
    ],
  ])('is a repeat when %s: nobody is asked, nothing is owed', async (_, stand) => {
    const { app, waiting } = await completedApp();
    stand(app.ctx.db);
    const before = { calls: calls(app), jobs: app.jobs().length };

    const done = await reconcile(app.ctx, waiting.contract.id, heard);

    expect(done.decision.answer).toBe('repeat');
    expect({ calls: calls(app), jobs: app.jobs().length }).toEqual(before);
  });

  test('of a contract that was replaced counts for nothing and asks nobody; the office hears that it was signed', async () => {
    const app = await startApp();
    const { contract, request } = await app.waitingRequest();
    await resetSignature(app.ctx, request.id, { actor: TESTER, reason: 'a new name' });
    const before = calls(app);

    const done = await reconcile(app.ctx, contract.id, heard);

    expect(done.decision.answer).toBe('not_waiting');
    expect(calls(app)).toEqual(before);
    expect(app.request(request.id).status).toBe('WAITING_SIGNATURE');
    expect(app.history(request.id)).toContain('contract.replaced_signed');
  });

  test('before the provider says that it is signed fails, saying what it does say', async () => {
    const app = await startApp();
    const { contract } = await app.waitingRequest();
    const error = await rejection(reconcile(app.ctx, contract.id, heard));
    expect(error.message).toMatch(/does not confirm the signature: it says ongoing/);
    expect(app.contract(contract.requestId).signedAt).toBeNull();
  });

  test('in time needs nobody to accept it, and is not recorded as accepted', async () => {
    const { app, waiting } = await signedApp();
    const done = await reconcile(app.ctx, waiting.contract.id, {
      ...heard,
      reason: 'a holiday',
      isAccepted: true,
    });
    expect(done).toMatchObject({ decision: { answer: 'signed' }, isPayable: true });
    expect(app.history(waiting.request.id)).not.toContain('contract.late_accepted');
  });

  test('tries the payment at once and says when it cannot be had yet', async () => {
    const { app, waiting } = await signedApp({ fault: 'payment:500' });
    const done = await reconcile(app.ctx, waiting.contract.id, heard);
    expect(done).toMatchObject({ decision: { answer: 'signed' }, isPayable: false });
    expect(app.jobs('create-payment-session')).toMatchObject([{ attempt: 1, state: 'available' }]);
  });
});

test('a signature cannot be started twice', async () => {
  const app = await startApp();
  const { request } = await app.waitingRequest();
  expect(await rejection(startSignature(app.ctx, request.id, { actor: TESTER }))).toMatchObject({
    code: 'already_started',
  });
});
