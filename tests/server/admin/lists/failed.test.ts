/** Failed jobs: in groups, tried again, removed; what waits is tried now. */
import { describe, expect, test } from 'vitest';
import { HOUR } from '../../../support/clock.js';
import { deliver } from '../../../support/webhooks.js';
import { cells, aFailedJob, alerts, type Office, startOffice } from '../support.js';

describe('failed jobs', () => {
  test('are tried again: done leaves the list, failed again stays with its new count', async () => {
    const office = await startOffice();
    const id = await aFailedJob(office);
    const staff = await office.staff();
    const { text: list } = await staff.get('/admin/failed');
    expect(list).toContain(`value="${id}"`);

    office.sandbox.faults.add({ target: 'payment', operation: 'create', kind: '500', times: 1 });
    await staff.submit('/admin/failed', { id: String(id), do: 'replay' });
    expect(alerts(await staff.get('/admin/failed'))[0]?.type).toBe('danger');
    await staff.submit('/admin/failed', { id: String(id), do: 'replay' });

    const after = await staff.get('/admin/failed');
    expect(alerts(after)[0]?.type).toBe('success');
    expect(after.text).not.toContain(`value="${id}"`);
  });

  test('name the request and its customer; what waits is tried now, by kind, after the question', async () => {
    const office = await startOffice();
    const { request, owner, signId } = await office.waitingRequest();
    const id = await aFailedJob(office);
    office.ctx.db.raw.prepare('UPDATE jobs SET requestId = ? WHERE id = ?').run(request.id, id);
    office.sandbox.sign(signId);
    await deliver(office, signId);
    office.ctx.db.raw.exec("UPDATE jobs SET runAt = '2100-01-01' WHERE state = 'available'");
    const waiting = office.jobs('send-mail').filter(({ state }) => state === 'available').length;
    const staff = await office.staff();

    const { text } = await staff.get('/admin/failed');
    expect(text).toContain(`href="/admin/requests/${request.id}"`);
    expect(text).toContain(request.reference);
    expect(text).toContain(`${owner.firstName} ${owner.lastName}`);
    const question = await staff.get('/admin/failed/push/send-mail');
    expect(question.text).toContain(`${waiting} jobs of the kind “e-mail” are waiting.`);
    await staff.submit('/admin/failed/push/send-mail', { reason: 'server is back' });
    expect(alerts(await staff.get('/admin/failed'))[0]?.type).toBe('success');
    await office.drain();
    expect(office.jobs('send-mail').every(({ state }) => state === 'completed')).toBe(true);
    expect((await staff.get('/admin/failed/push/send-mail')).status).toBe(303);
  });

  test('are removed only after the question', async () => {
    const office = await startOffice();
    const id = await aFailedJob(office);
    const staff = await office.staff();
    await staff.get('/admin/failed');

    const question = await staff.submit('/admin/failed', { id: String(id), do: 'remove' });
    expect(question.status).toBe(200);
    expect(office.jobs('create-payment-session')).toHaveLength(1);
    await staff.submit('/admin/failed/remove', { id: String(id) });
    expect(office.jobs('create-payment-session')).toHaveLength(0);
  });
});

function jobsOn(page: string): string[] {
  return [...page.matchAll(/name="id"\s+value="(\d+)"/g)].map(([, id = '']) => id);
}

describe('failed jobs', () => {
  /** Failed mails, each an hour after the one before. */
  function fail(office: Office, times: number, { error, reason }: { error: string; reason?: string }): void {
    const insert = office.ctx.db.raw.prepare(`
      INSERT INTO jobs (kind, payload, state, attempt, runAt, createdAt, finishedAt, lastError, errors)
      VALUES ('send-mail', ?, 'failed', 4, @at, @at, @at, @error, @errors)`);
    for (let i = 0; i < times; i += 1) {
      const at = new Date(office.clock.now().getTime() - (i + 1) * HOUR).toISOString();
      const errors = JSON.stringify([{ attempt: 4, at, error, ...(reason && { reason }) }]);
      insert.run(MAIL, { at, error, errors });
    }
  }
  const MAIL = JSON.stringify({ mail: 'password-link', userId: 1 });

  test('are grouped by what failed and why, with their number, their ages and what helps; each group can be seen alone', async () => {
    const office = await startOffice();
    fail(office, 3, { error: 'the mail server does not answer', reason: 'unavailable' });
    fail(office, 1, { error: '550 no such user', reason: 'recipient_refused' });
    fail(office, 1, { error: 'TypeError: x is undefined' });
    const staff = await office.staff();

    const { text } = await staff.get('/admin/failed');
    const groups = text.split('<section class="card">').slice(1);
    // The last one is of the jobs themselves.
    expect(groups.length).toBe(4);
    for (const words of [
      'the mail server does not answer',
      'Try all 3 again',
      '3 hours ago',
      '1 hour ago',
      'Try again once it is back',
      'Show 3 jobs',
    ]) {
      expect(groups[0]).toContain(words);
    }
    expect(groups.slice(1, 3).join()).toMatch(
      /The address does not work|The cause is not an outside service/,
    );
    expect(groups.slice(0, 3).flatMap(jobsOn)).toEqual([]);
    expect(jobsOn((await staff.get('/admin/failed?group=1')).text)).toEqual(['1', '2', '3']);
    const turned = (await staff.get('/admin/failed?order=failedAt-asc&group=1')).text;
    expect(jobsOn(turned)).toEqual(['3', '2', '1']);
    expect(turned).toContain('href="/admin/failed?group=1"');
    const [head, ...rows] = cells(await staff.get('/admin/failed.csv?error=550'));
    expect([head?.[3], rows.map((row) => row[3])]).toEqual(['Last error', ['550 no such user']]);
    expect((await staff.get('/admin/failed?kind=nonsense')).text).toContain('is not a valid value for “Job”');
    expect((await staff.get('/admin/failed?error=other')).text).toContain(
      'No failed job matches these filters.',
    );
  });

  test('stand once for each request, with its jobs beneath, whatever the cause of each', async () => {
    const office = await startOffice();
    const [one, other] = [await office.addRequest(), await office.addRequest()];
    fail(office, 3, { error: 'one error' });
    fail(office, 1, { error: 'another error' });
    fail(office, 1, { error: 'no request' });
    const about = office.ctx.db.raw.prepare('UPDATE jobs SET requestId = ? WHERE id = ?');
    for (const [requestId, id] of [
      [one.id, 1],
      [other.id, 2],
      [one.id, 3],
      [one.id, 4],
    ])
      about.run(requestId, id);
    const staff = await office.staff();
    const { text } = await staff.get('/admin/failed?order=failedAt-desc');
    const rows = text.split('<tr>').filter((row) => jobsOn(row).length > 0);
    const linked = (row: string) => /href="\/admin\/requests\/(\d+)"/.exec(row)?.[1];
    expect(rows.map((row) => [linked(row), jobsOn(row)])).toEqual([
      [undefined, ['5']],
      [String(one.id), ['4', '1', '3']],
      [String(other.id), ['2']],
    ]);
    expect(rows[0]).toContain('Without a request');
    expect(rows[1]).toContain('another error');
  });

  test('of one group are tried again by one click; a second click says that they are gone', async () => {
    const office = await startOffice();
    fail(office, 2, { error: 'one error' });
    fail(office, 1, { error: 'another error' });
    const staff = await office.staff();
    await staff.get('/admin/failed');

    await staff.submit('/admin/failed/group', { of: '1' });
    await office.drain();
    const replayed = office.ctx.db.raw
      .prepare('SELECT id FROM jobs WHERE replays > 0 ORDER BY id')
      .pluck()
      .all();
    expect(replayed).toEqual([1, 2]);
    office.ctx.db.raw.exec("DELETE FROM jobs WHERE lastError = 'one error' OR replays > 0");
    await staff.get('/admin/failed');
    await staff.submit('/admin/failed/group', { of: '1' });
    expect(alerts(await staff.get('/admin/failed'))[0]?.message).toContain(
      'These jobs are no longer on the list',
    );
    expect((await staff.get('/admin/failed')).text).toContain('another error');
  });
});
