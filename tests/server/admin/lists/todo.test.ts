/** What needs the office: things that are unknown here, and how many there are. */
import { expect, test } from 'vitest';
import { alerts, startOffice, type Office, type Page } from '../support.js';

test.each<[string, (office: Office) => Promise<void>, string]>([
  [
    'a document',
    (office) => office.unknownDocument('sign/1', 'Contract of Anna'),
    '“Contract of Anna” (sign/1)',
  ],
  [
    'money',
    (office) => office.unknownPayment('cs/1'),
    'Payment cs/1 (€120.00) came for a contract that is not recorded here',
  ],
])(
  '%s that is unknown here is settled by a form, with a reason; a second click says so',
  async (_, comes, told) => {
    const office = await startOffice();
    await comes(office);
    const staff = await office.staff();
    const { text } = await staff.get('/admin/todo');
    const path = /href="(\/admin\/todo\/unknown[^"]*)"/.exec(text)?.[1] ?? '';

    const form = await staff.get(path);
    expect(form.text).toContain(told);
    await staff.submit(path, { reason: ' ' });
    expect(alerts(await staff.get(path))).toEqual([{ type: 'danger', message: 'Please give a reason.' }]);
    await staff.submit(path, { reason: 'canceled in the console' });
    const after = await staff.get('/admin/todo');
    expect([alerts(after)[0]?.type, after.text.includes(told)]).toEqual(['success', false]);
    expect((await staff.get('/admin/history')).text).toContain('canceled in the console');
    await staff.submit(path, { reason: 'again' });
    expect(alerts(await staff.get('/admin/todo'))[0]?.message).toMatch(
      /^This was settled on .* by office@acme\.test\./,
    );
    expect((await staff.get(path)).status).toBe(303);
  },
);

test('every page shows beside the name of the firm how many things need the office', async () => {
  const office = await startOffice();
  const shown = ({ text }: Page) => /class="needs"[^>]*>\s*<span[^>]*>([^<]*)</.exec(text)?.[1];
  expect(shown(await (await office.staff()).get('/admin/users'))).toBeUndefined();
  for (let i = 0; i < 12; i += 1) await office.unknownDocument(`sign-${i}`, 'Contract');
  office.clock.advance(20_000);
  const staff = await office.staff();
  expect(shown(await staff.get('/admin/users'))).toBe('9+');
  office.ctx.db.raw.exec(`UPDATE cases SET decidedAt = openedAt, decision = 'settled', decidedBy = 'cli:root'
    WHERE subject > 'sign-2'`);
  // What a page lists and what somebody does is counted at once.
  for (const page of ['/admin/todo', '/admin/users']) expect(shown(await staff.get(page))).toBe('5');
  await staff.submit('/admin/todo/unknown?document=sign-0', { reason: 'done' });
  expect(shown(await staff.get('/admin/users'))).toBe('4');
});
