/** The dashboard: what needs the office, and how long customers take. */
import { expect, test } from 'vitest';
import { DAY } from '../../../support/clock.js';
import { deliver } from '../../../support/webhooks.js';
import { staffedOffice } from '../support.js';

test('the dashboard says how long customers take once somebody has signed, and of paying once somebody has paid', async () => {
  const { office, staff } = await staffedOffice();
  expect((await staff.get('/admin')).text).not.toContain('Half of the customers');
  const { signId } = await office.waitingRequest();
  office.sandbox.sign(signId);
  await deliver(office, signId);
  const { text } = await staff.get('/admin');
  expect(text).toContain('Half of the customers sign within 1 day.');
  expect(text).not.toContain('half of the customers pay');
});

test('what needs the office stands on top of the dashboard, with the button that settles it, and on a page of its own', async () => {
  const { office, staff } = await staffedOffice();
  expect((await staff.get('/admin')).text).toContain('Nothing needs attention.');
  const { request } = await office.waitingRequest();
  expect((await staff.get('/admin')).text).toContain('Nothing needs attention.');
  office.clock.advance(32 * DAY);
  const button = `href="/admin/requests/${request.id}/reset-signature"`;
  const again = await office.staff();
  for (const page of ['/admin', '/admin/todo']) expect((await again.get(page)).text).toContain(button);
});
