/** The button for a late signature: shown only for one, with both times, a reason and the protection of every form. */
import { expect, test } from 'vitest';
import { text } from '../../../../src/core/texts/index.js';
import { deliver } from '../../../support/webhooks.js';
import { alerts, startOffice } from '../support.js';

async function lateOffice() {
  const office = await startOffice({ env: { ESIGN_TIMEZONE: 'Europe/Paris' } });
  const { request, contract, signId } = await office.waitingRequest();
  const path = `/admin/requests/${request.id}`;
  const staff = await office.staff();
  expect((await staff.get(path)).text).not.toContain(`${path}/accept-late`);
  office.sandbox.sign(signId, { completedAt: '2026-04-01T22:00:07Z' });
  office.clock.set('2026-04-01T22:30:00.000Z');
  await deliver(office, signId);
  return { office, staff: await office.staff(), request, contract, path };
}

test('names both times to the second, asks for a reason, and then the signature stands', async () => {
  const { office, staff, request, contract, path } = await lateOffice();

  expect((await staff.get(path)).text).toContain(`href="${path}/accept-late"`);
  const { text: question } = await staff.get(`${path}/accept-late`);
  expect(question).toContain('was signed on 2 April 2026, 00:00:07 CEST (Europe/Paris)');
  expect(question).toContain('the deadline was 1 April 2026, 23:59:59 CEST (Europe/Paris)');

  const fields = { contract: String(contract.id), reason: '' };
  const refused = await staff.submit(`${path}/accept-late`, fields);
  expect(refused.location).toBe(`${path}/accept-late`);
  expect(office.request(request.id).status).toBe('WAITING_SIGNATURE');

  await staff.get(`${path}/accept-late`);
  const done = await staff.submit(`${path}/accept-late`, { ...fields, reason: 'agreed by phone' });
  expect(done.location).toBe(path);
  const page = await staff.get(path);
  expect(alerts(page)).toEqual([
    { type: 'success', message: 'The late signature was accepted. The request now waits for the payment.' },
  ]);
  expect(page.text).toContain('agreed by phone');
  expect(office.request(request.id).status).toBe('WAITING_PAYMENT');
  expect(office.history(request.id)).toContain('contract.late_accepted');
});

test('a form that names the contract of another request accepts nothing', async () => {
  const { office, staff, request, contract, path } = await lateOffice();
  const other = await office.addRequest();
  await staff.get(`${path}/accept-late`);
  const fields = { contract: String(contract.id), reason: 'agreed' };
  await staff.submit(`/admin/requests/${other.id}/accept-late`, fields);
  expect(alerts(await staff.get(path))[0]?.message).toBe(text('en', 'already_reset'));
  expect(office.request(request.id).status).toBe('WAITING_SIGNATURE');
});

test('the pages of an instance name it in the commands that they show, also in a sentence', async () => {
  const { office, staff, request, contract, path } = await lateOffice();
  Object.assign(office.ctx.config, { instance: 'acme' });
  const accept = `\`esignctl contracts accept-late ${contract.id} --reason … --instance acme\``;
  const page = await staff.get(path);
  expect(page.text).toContain(accept);
  expect(page.text).toContain(`<code>esignctl reset-signature ${request.id} --instance acme</code>`);
  expect((await staff.get('/admin/todo')).text).toContain(accept);

  // What an action answers, too.
  const other = await office.waitingRequest();
  office.sandbox.faults.add({ target: 'signature', kind: '500' });
  await staff.get(`/admin/requests/${other.request.id}/check-signature`);
  await staff.submit(`/admin/requests/${other.request.id}/check-signature`, {});
  expect(alerts(await staff.get(`/admin/requests/${other.request.id}`))).toMatchObject([
    { message: expect.stringContaining('esignctl doctor --instance acme') as string },
  ]);
});
