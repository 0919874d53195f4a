/** GET /api/todo (rules 12): what needs the office, as `esignctl todo` tells it. */
import { expect, test } from 'vitest';
import { iso } from '../../src/core/clock.js';
import { rememberFailure } from '../../src/core/schedule/failing-runs.js';
import { startApi } from './support.js';

test('administrators read what needs the office, what has waited longest first; others are refused', async () => {
  const api = startApi();
  const admin = await api.as('admin@example.org');
  expect((await admin('GET', '/api/todo')).json).toMatchObject({
    '@type': 'hydra:Collection',
    'hydra:totalItems': 0,
    'hydra:member': [],
  });

  await rememberFailure(api.ctx, 'reconcile', new Error('no answer'));
  api.clock.advance(60_000);
  const at = iso(api.clock.now());
  api.ctx.db.raw
    .prepare(
      `INSERT INTO jobs (id, kind, payload, state, attempt, runAt, createdAt, finishedAt, lastError)
       VALUES (7, 'send-mail', '{"mail":"run-failing"}', 'failed', 7, ?, ?, ?, 'the mail server answered 451')`,
    )
    .run(at, at, at);
  const first = await admin('GET', '/api/v1/todo?itemsPerPage=1');
  expect(first.json).toMatchObject({
    'hydra:totalItems': 2,
    'hydra:member': [
      {
        '@id': '/api/todo#run_failing--doctor',
        '@type': 'Need',
        kind: 'run_failing',
        since: '2026-03-02T09:14:07+00:00',
        next: 'esignctl doctor',
      },
    ],
    'hydra:view': { 'hydra:next': '/api/todo?itemsPerPage=1&page=2' },
  });
  const second = await admin('GET', '/api/todo?itemsPerPage=1&page=2');
  expect(second.json['hydra:member']).toMatchObject([
    { kind: 'job_failed', next: 'esignctl failed replay 7' },
  ]);

  expect((await (await api.as('anna@example.org'))('GET', '/api/todo')).status).toBe(403);
  expect((await api.call('GET', '/api/todo')).status).toBe(401);
});
