/** How a job that failed is released: when it is tried again, what is kept of its errors, and when the office is told. */
import { describe, expect, test, vi } from 'vitest';
import { ProviderError } from '../../../src/core/http/provider-error.js';
import { JOB_KINDS } from '../../../src/core/jobs/kinds.js';
import { pastError, rememberError, type PastError } from '../../../src/core/jobs/past-errors.js';
import { RetryableError } from '../../../src/core/jobs/release.js';
import { nextTryAt } from '../../../src/core/jobs/retry-policy.js';
import type { JobName } from '../../../src/core/jobs/names.js';
import { MailError } from '../../../src/core/mail/mail-error.js';
import { mailJob } from '../../../src/core/mail/mail-job.js';
import { paymentJob } from '../../../src/core/payment/payment-job.js';
import { HOUR, MINUTE } from '../../support/clock.js';
import { aQueue, FAIL, fillDisk, type TestQueue } from '../../support/queue.js';

const NOW = '2026-03-02T09:14:07.250Z';
const THROUGH_AN_EVENING = [1_000, 5_000, 30_000, 5 * MINUTE, 30 * MINUTE, 2 * HOUR];

test('the waits are those of the rules: a first try and then these', () => {
  expect(Object.fromEntries(JOB_KINDS.map(({ name, waitsMs }) => [name, waitsMs]))).toEqual({
    'create-payment-session': [1_000, 2_000, 4_000],
    'send-mail': THROUGH_AN_EVENING,
    'complete-signature': THROUGH_AN_EVENING,
    'confirm-end': THROUGH_AN_EVENING,
    'correct-signer': THROUGH_AN_EVENING,
    'deliver-webhook': [5_000, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR],
  });
});

test.each(JOB_KINDS)(
  '$name: each try comes exactly then, and after the last the job is failed',
  async ({ name, waitsMs: waits }) => {
    let tries = 0;
    const queue = aQueue(() => {
      tries += 1;
      throw new Error('no');
    });
    const id = await queue.add(name);
    await queue.runner.drain();
    const seen: number[] = [tries];
    for (const wait of waits) {
      for (const ms of [wait - 1, 1]) {
        queue.clock.advance(ms);
        await queue.runner.drain();
        seen.push(tries);
      }
    }
    expect(seen).toEqual([1, ...waits.flatMap((_, i) => [i + 1, i + 2])]);
    expect(queue.job(id)).toMatchObject({ state: 'failed', attempt: waits.length + 1, lastError: 'no' });
  },
);

test('a wait that the error demands makes the next try later, never sooner', () => {
  const now = new Date('2026-03-02T09:00:00Z');
  expect(nextTryAt(mailJob, 2, now, 60_000)?.toISOString()).toBe('2026-03-02T09:01:00.000Z');
  expect(nextTryAt(mailJob, 2, now, 1)?.toISOString()).toBe('2026-03-02T09:00:05.000Z');
  expect(nextTryAt(paymentJob, 4, now, 60_000)).toBeUndefined();
});

test.each<[unknown, string]>([
  [Object.assign(new Error('no'), { retryAfterMs: 'soon' }), '2026-03-02T09:14:08.250Z'],
  [{ retryAfterMs: 90_000 }, '2026-03-02T09:14:08.250Z'],
  [Object.assign(new Error('no'), { retryAfterMs: 90_000 }), '2026-03-02T09:15:37.250Z'],
])('%o waits until %s', async (error, runAt) => {
  const queue = aQueue(() => {
    throw error;
  });
  const id = await queue.add();
  await queue.runner.drain();
  expect(queue.job(id).runAt).toBe(runAt);
});

test('the first error and the last nine are kept, with try and time; the reason only of an outside service’s failure', async () => {
  let history: PastError[] = [];
  for (let attempt = 1; attempt <= 25; attempt += 1)
    history = rememberError(history, { attempt, at: '', error: '' });
  expect(history.map(({ attempt }) => attempt)).toEqual([1, 17, 18, 19, 20, 21, 22, 23, 24, 25]);

  const of = (error: Error) => {
    const { reason, type } = pastError(error, { attempt: 1, at: NOW });
    return [reason, type];
  };
  const others = Object.assign(new Error('no'), { reason: 'x', type: 'y' });
  const refusal = { status: 402, type: 'card_declined', detail: '', fields: {} };
  const typed = new ProviderError('rejected', 'no', { refusal });
  expect([typed, new MailError('rejected', 'no'), others].map(of)).toEqual([
    ['rejected', 'card_declined'],
    ['rejected', undefined],
    [undefined, undefined],
  ]);

  const queue = aQueue(FAIL);
  const id = await queue.add();
  await queue.runner.drain();
  queue.clock.advance(1_000);
  await queue.runner.drain();
  expect(JSON.parse(queue.job(id).errors)).toEqual([
    { attempt: 1, at: NOW, error: 'it went wrong' },
    { attempt: 2, at: '2026-03-02T09:14:08.250Z', error: 'it went wrong' },
  ]);
});

test('an error that brings something to store has it stored with the release, and how the job ended', async () => {
  const settle = vi.fn();
  const queue = aQueue(() => {
    throw new RetryableError('http_500', { retryAfterMs: 0, settle });
  });
  await queue.add('create-payment-session');
  for (const wait of [0, 1_000, 2_000, 4_000]) {
    queue.clock.advance(wait);
    await queue.runner.drain();
  }
  const states = settle.mock.calls.map(([, state]) => state as string);
  expect(states).toEqual(['available', 'available', 'available', 'failed']);
  expect(orders(queue)).toHaveLength(1);
});

test('it is stored by the queue, also when it could not be at once', async () => {
  const queue = aQueue(() => {
    const settle: RetryableError['settle'] = (tx) => tx.record('webhook.disabled', null);
    throw new RetryableError('http_500', { retryAfterMs: 0, settle });
  });
  const id = await queue.add();
  const free = fillDisk(queue);
  await queue.runner.runNow(id);
  const actors = () => queue.db.raw.prepare('SELECT actor FROM history').pluck().all();
  expect(actors()).toEqual([]);
  free();
  expect(await queue.runner.recover()).toBe(1);
  expect(actors()).toEqual(['job']);
});

/** The mails about failed jobs. */
function orders({ db }: TestQueue) {
  return db.raw
    .prepare(
      `SELECT state, runAt, payload ->> 'since' AS since, payload ->> 'part' AS part FROM jobs
       WHERE payload ->> 'mail' = 'jobs-failed' ORDER BY id`,
    )
    .all();
}

describe('the mail to the office about jobs that have failed for good', () => {
  const mailsOnly = () =>
    aQueue(({ kind }) => (kind === mailJob.name ? {} : Promise.reject(new Error('no'))));

  /** Fails a job of a kind at once and for good. */
  async function fail(queue: TestQueue, kind: JobName = 'complete-signature') {
    const id = await queue.add(kind);
    queue.db.raw.prepare('UPDATE jobs SET attempt = 6 WHERE id = ?').run(id);
    await queue.runner.runNow(id);
    expect(queue.job(id).state).toBe('failed');
  }

  async function fiveMinutesLater(queue: TestQueue) {
    queue.clock.advance(5 * MINUTE);
    await queue.runner.drain();
  }

  test('is one for all that fail within five minutes, then one at the end of the hour', async () => {
    const queue = mailsOnly();
    const first = { runAt: '2026-03-02T09:19:07.250Z', part: '2026-03-02T09/1' };
    const later = { runAt: '2026-03-02T09:59:59.999Z', part: '2026-03-02T09/2' };
    await fail(queue);
    await fail(queue);
    await fiveMinutesLater(queue);
    expect(orders(queue)).toMatchObject([first]);
    await fail(queue);
    await fail(queue);
    expect(orders(queue)).toMatchObject([first, later]);
    queue.clock.advance(HOUR);
    await fail(queue);
    expect(orders(queue)).toHaveLength(3);
  });

  test('is told again after the clock was set back: it lists what has failed by the clock of now', async () => {
    const queue = mailsOnly();
    // Both mails of the hour were sent, the second at its end.
    await fail(queue);
    await fiveMinutesLater(queue);
    await fail(queue);
    queue.clock.set('2026-03-02T09:59:59.999Z');
    await queue.runner.drain();
    expect(orders(queue)).toMatchObject([{ state: 'completed' }, { state: 'completed' }]);

    // The first was ordered later than now.
    queue.clock.set('2026-03-02T09:10:00.000Z');
    await fail(queue);
    const first = { since: '2026-03-02T09:10:00.000Z', runAt: '2026-03-02T09:15:00.000Z' };
    expect(orders(queue)).toMatchObject([{ ...first, state: 'available' }, { state: 'completed' }]);
    await fiveMinutesLater(queue);

    // The first was sent just now; the second was sent later than now.
    queue.clock.set('2026-03-02T09:30:00.000Z');
    await fail(queue);
    const second = { since: '2026-03-02T09:30:00.000Z', runAt: '2026-03-02T09:59:59.999Z' };
    expect(orders(queue)).toMatchObject([
      { ...first, state: 'completed' },
      { ...second, state: 'available' },
    ]);
  });

  test('that waits lists what fails after the clock was set back, too', async () => {
    const queue = aQueue(FAIL);
    await fail(queue);
    queue.clock.set('2026-03-02T09:01:00.000Z');
    await fail(queue);
    expect(orders(queue)).toMatchObject([
      { runAt: '2026-03-02T09:19:07.250Z', part: '2026-03-02T09/1', since: '2026-03-02T09:01:00.000Z' },
    ]);
  });

  test('is none about a delivery: its subscription is the office’s news', async () => {
    const queue = aQueue(FAIL);
    await fail(queue, 'deliver-webhook');
    expect(orders(queue)).toEqual([]);
  });
});
