/** The figures of a month (rules 15): each by its own time, in count and money, with the rows behind it on every surface. */
import { expect, test } from 'vitest';
import { completeRequest } from '../../../src/core/requests/complete-request.js';
import { monthSpan, readReport, reportRows, FIGURES } from '../../../src/core/report/report.js';
import { findUserByUsername } from '../../../src/db/users/users.js';
import type { PaymentRow, UserRow } from '../../../src/db/schema.js';
import { AccessTokens } from '../../../src/core/users/tokens.js';
import { json, startCli, type Cli } from '../../cli/support.js';
import { ADMIN, officeOn } from '../../server/admin/support.js';
import { TESTER } from '../../support/app.js';
import { DAY, ManualClock } from '../../support/clock.js';
import { deliver } from '../../support/webhooks.js';

async function figures({ ctx }: Cli, month: string) {
  const span = monthSpan(ctx, month);
  const { blocks } = readReport(ctx, span);
  const [{ currency, ...counted }] = blocks;
  for (const figure of FIGURES) {
    const rows = reportRows(ctx, span, { figures: [figure] });
    const amount = rows.reduce((sum, row) => sum + row.amount, 0);
    expect({ count: rows.length, amount }).toEqual(counted[figure]);
  }
  return [currency, ...FIGURES.map((figure) => counted[figure].count)];
}

/** Two sent in February, of which one is never signed; the other and a third are signed in March, one is paid in cash in April. */
async function aSpring(): Promise<Cli & { time: ManualClock }> {
  const clock = new ManualClock();
  const cli = await startCli({}, clock, { ESIGN_TIMEZONE: 'Europe/Paris', ESIGN_RATE_LIMIT_IP: '0' });
  clock.set('2026-02-28T22:30:00.000Z');
  await cli.waitingRequest();
  const second = await cli.waitingRequest();
  clock.set('2026-03-25T10:00:00.000Z');
  const third = await cli.waitingRequest();
  for (const { signId } of [second, third]) {
    cli.sandbox.sign(signId);
    await deliver(cli, signId);
  }
  await cli.drain();
  clock.set('2026-03-31T22:30:00.000Z');
  await completeRequest(cli.ctx, third.request.id, { actor: TESTER, reason: 'cash' });
  return Object.assign(cli, { time: clock });
}

test('each figure counts by its own time, in the zone of the settings; what is unpaid becomes overdue a day after the last reminder', async () => {
  const cli = await aSpring();
  expect(await figures(cli, '2026-02')).toEqual(['eur', 2, 0, 0, 0, 0]);
  expect(await figures(cli, '2026-03')).toEqual(['eur', 1, 2, 0, 1, 0]);
  expect(await figures(cli, '2026-04')).toEqual(['eur', 0, 0, 1, 0, 0]);
  cli.time.advance(2 * DAY);
  expect(await figures(cli, '2026-03')).toEqual(['eur', 1, 2, 0, 1, 1]);
});

test.each<[PaymentRow['state'], number]>([
  ['open', 1],
  ['over', 1],
  ['pending', 0],
  ['case', 0],
])('what is unpaid for long is overdue while its payment is %s: %i', async (state, overdue) => {
  const cli = await aSpring();
  cli.time.advance(2 * DAY);
  cli.ctx.db.raw
    .prepare("UPDATE payments SET state = @state, paidAt = iif(@state = 'case', createdAt, NULL)")
    .run({ state });
  expect(await figures(cli, '2026-03')).toEqual(['eur', 1, 2, 0, 1, overdue]);
});

type Paid = [state: PaymentRow['state'], amount: number | null, currency: string | null];

test.each<[what: string, payments: Paid[], counted: [amount: number, currency: string]]>([
  ['what came in cash counts by its price', [], [12_000, 'eur']],
  ['what was paid counts, whatever the price', [['paid', 9_000, 'usd']], [9_000, 'usd']],
  [
    'of two payments the newer counts',
    [
      ['paid', 9_000, 'eur'],
      ['paid', 9_500, 'eur'],
    ],
    [9_500, 'eur'],
  ],
  [
    'money that waits for a decision does not count',
    [
      ['paid', 9_000, 'eur'],
      ['case', 70, 'eur'],
    ],
    [9_000, 'eur'],
  ],
  ['money whose amount is unknown counts by the price', [['paid', null, null]], [12_000, 'eur']],
])('%s', async (_, payments, [amount, currency]) => {
  const cli = await aSpring();
  const insert = cli.ctx.db.raw
    .prepare(`INSERT INTO payments (contractId, paymentId, state, amount, currency, createdAt, paidAt)
    SELECT c.id, ?, ?, ?, ?, c.createdAt, c.createdAt FROM contracts c JOIN requests r ON r.id = c.requestId WHERE r.status = 'COMPLETE'`);
  for (const [i, payment] of payments.entries()) insert.run(`paid-${i}`, ...payment);
  const { blocks } = readReport(cli.ctx, monthSpan(cli.ctx, '2026-04'));
  const paid = blocks.filter((block) => block.paid.count > 0);
  expect(paid).toMatchObject([{ currency, paid: { count: 1, amount } }]);
  const rows = reportRows(cli.ctx, monthSpan(cli.ctx, '2026-04'), { figures: ['paid'] });
  expect(rows).toMatchObject([{ amount, currency }]);
});

test('command, page, file and API show the same', async () => {
  const cli = await aSpring();
  const office = await officeOn(cli);
  const staff = await office.staff();
  const document = json(await cli.run('report', '--month', '2026-03', '--json'));
  expect(document).toMatchObject({
    from: '2026-02-28T23:00:00.000Z',
    currency: 'eur',
    signed: { count: 2, amount: 24_000 },
    open: { count: 1, amount: 12_000 },
    others: [],
  });
  const admin = findUserByUsername(office.ctx.db, { username: ADMIN }) as UserRow;
  const headers = { Authorization: `Bearer ${await new AccessTokens(office.ctx).issue(admin)}` };
  expect(await (await office.app.request('/api/reports/2026-03', { headers })).json()).toEqual({
    ...document,
    // By the clock of the house, which commands do not have.
    overdue: { count: 0, amount: 0 },
  });
  expect((await office.app.request('/api/reports/2026-13', { headers })).status).toBe(404);

  const { text } = await staff.get('/admin/report?month=2026-03&figure=open');
  expect(text).toContain('March 2026 · To be paid');
  expect(text).toContain('href="/admin/report?month=2026-03&amp;figure=signed">2</a>');
  expect(text).toContain('€240.00');
  const { stdout: file } = await cli.run('report', '--month', '2026-03', '--csv');
  expect((await staff.get('/admin/report.csv?month=2026-03')).text).toBe(file.replace(/Overdue.*\r\n/, ''));
  expect(file.trimEnd().split('\r\n')).toHaveLength(1 + 1 + 2 + 1 + 1);
  expect((await cli.run('report', '--month', 'March')).code).toBe(2);
  expect((await cli.run('report', '--since', '3d')).code).toBe(2);
});
