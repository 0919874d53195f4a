/** The inbox: what came, and what was made of it. */
import { expect, test } from 'vitest';
import { deliver, deliverPayment, deliverRaw } from '../../../support/webhooks.js';
import { startOffice } from '../support.js';

test('the inbox shows what came, what was made of it, and what was turned away', async () => {
  const office = await startOffice();
  const { signId } = await office.waitingRequest();
  office.sandbox.sign(signId);
  await deliver(office, signId);
  await deliverRaw(office, '{}', 'sha256=wrong');
  const staff = await office.staff();

  const list = await staff.get('/admin/inbox');
  expect(list.text).toContain('signature_request.done');
  expect(list.text).toContain('its signature is wrong');
  const event = await staff.get('/admin/inbox/1');
  expect(event.text).toContain('&quot;event_name&quot;: &quot;signature_request.done&quot;');
  expect((await staff.get('/admin/inbox/999')).status).toBe(404);
});

test('an event about no request links to none', async () => {
  const office = await startOffice();
  await deliverPayment(office, 'cs_unknown');
  const { text } = await (await office.staff()).get('/admin/inbox');
  expect(text).toContain('cs_unknown');
  expect(text).not.toContain('/admin/requests/');
});
