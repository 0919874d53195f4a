/** The page of a request: its acts, words for its customer, its documents and its evidence. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { startSignature } from '../../../support/start-signature.js';
import { anyContractPdf, TESTER } from '../../../support/app.js';
import { DAY } from '../../../support/clock.js';
import { text } from '../../../../src/core/texts/index.js';
import { sayOnPages } from '../../../../src/server/admin/texts.js';
import { story } from '../../../support/story.js';
import { deliver, deliverPayment } from '../../../support/webhooks.js';
import { ADMIN, alerts, officeOn, startOffice, staffedOffice } from '../support.js';

/** A request waits for its payment, and the customer has the link. */
async function unpaidOffice() {
  const { app, waiting } = await story().linked().end();
  const office = await officeOn(app);
  return { office, staff: await office.staff(), request: waiting.request };
}

test('a request has words for its customer, to be copied', async () => {
  const { office, staff } = await staffedOffice();
  const { request } = await office.waitingRequest();
  expect((await staff.get(`/admin/requests/${request.id}`)).text).toContain(
    `/admin/requests/${request.id}/reply`,
  );
  const { text } = await staff.get(`/admin/requests/${request.id}/reply`);
  expect(text).toMatch(/<textarea[^>]*readonly[^>]*>The contract for your request/);
  expect((await staff.get('/admin/requests/999/reply')).status).toBe(404);
});

test('a contract that was perhaps sent is checked by a button on its page; one that nobody has sent has no such button', async () => {
  const office = await startOffice();
  const { id } = await office.addRequest();
  const check = `href="/check_signature/request/${id}"`;
  const staff = await office.staff();
  expect((await staff.get(`/admin/requests/${id}`)).text).not.toContain(check);

  office.sandbox.faults.add('signature.activate:answer_lost:1');
  await startSignature(office.ctx, id, { actor: TESTER, pdf: await anyContractPdf() }).catch(() => undefined);
  expect((await staff.get(`/admin/requests/${id}`)).text).toContain(check);

  const { text: asked } = await staff.get(`/check_signature/request/${id}`);
  expect(asked).toContain(`action="/admin/requests/${id}/check-signature"`);
  await staff.submit(`/admin/requests/${id}/check-signature`, {});
  expect(office.request(id).status).toBe('WAITING_SIGNATURE');
});

describe('a request', () => {
  const actionsOf = (text: string) =>
    [...text.matchAll(/class="btn (btn-[\w-]+)"\s+href="([^"]+)"/g)]
      .map(
        ([, look, path]) =>
          `${path?.split('/').at(-1) === '1' ? 'check-signature' : path?.split('/').at(-1)} ${look}`,
      )
      .filter((each) => !/^(pdf|reply)/.test(each));

  test('shows the actions that its state allows, and no others; the check only while it waits for the signature', async () => {
    const { office, staff } = await staffedOffice();
    const { id } = await office.addRequest();
    const shown = async () => actionsOf((await staff.get(`/admin/requests/${id}`)).text);
    expect(await shown()).toEqual(['start-signature btn-primary', 'cancel btn-outline-danger']);

    await staff.get(`/admin/requests/${id}/start-signature`);
    await staff.submit(`/admin/requests/${id}/start-signature`, {});
    expect(await shown()).toEqual([
      'check-signature btn-warning',
      'reset-signature btn-outline-danger',
      'remind btn-outline-secondary',
      'cancel btn-outline-danger',
    ]);
    const waiting = await staff.get(`/admin/requests/${id}`);
    expect(waiting.text).toMatch(
      new RegExp(
        `<a class="btn btn-warning" href="/check_signature/request/${id}"[^>]*>.*Check signature`,
        's',
      ),
    );

    office.sandbox.sign(office.contract(id).signId as string);
    await staff.get(`/check_signature/request/${id}`, { 'Sec-Fetch-Site': 'same-origin' });
    expect(await shown()).toEqual([
      'check-payment btn-primary',
      'complete btn-outline-danger',
      'remind btn-outline-secondary',
      'cancel btn-outline-danger',
    ]);

    office.clock.advance(2 * DAY);
    const later = await office.staff();
    expect(actionsOf((await later.get(`/admin/requests/${id}`)).text)).toContain('renew-payment btn-primary');

    await deliverPayment(office, office.request(id).paymentId as string);
    expect(actionsOf((await later.get(`/admin/requests/${id}`)).text)).toEqual([]);
  });

  test('an action that is no longer allowed says so, and does nothing', async () => {
    const { office, staff } = await staffedOffice();
    const { request } = await office.waitingRequest();
    await staff.get('/admin');
    const early = await staff.submit(`/admin/requests/${request.id}/complete`, { reason: 'paid in cash' });
    expect(alerts(await staff.get(early.location))[0]?.type).toBe('danger');
    const asked = await staff.get(`/admin/requests/${request.id}/renew-payment`);
    expect(asked.location).toBe(`/admin/requests/${request.id}`);
    expect(office.request(request.id).status).toBe('WAITING_SIGNATURE');
  });

  test('reset asks first, then sends a new contract; the reason stands in the time line', async () => {
    const { office, staff } = await staffedOffice();
    const { request, contract } = await office.waitingRequest();
    const path = `/admin/requests/${request.id}/reset-signature`;

    expect((await staff.get(path)).text).toContain(
      'The signing link mailed to Ada Lovelace on 2 March 2026 will stop working; a new one will be mailed.',
    );
    expect(office.contract(request.id).id).toBe(contract.id);
    const done = await staff.submit(path, { reason: 'a wrong price' });

    const page = await staff.get(done.location);
    expect(alerts(page)[0]?.type).toBe('success');
    expect(page.text).toContain('a wrong price');
    expect(page.text).toContain(`· ${ADMIN}`);
    expect(office.contract(request.id).id).not.toBe(contract.id);
  });

  test('canceling and reopening need a reason; the customer gets a mail if the box is ticked, and a late payment can be settled', async () => {
    const { office, staff, request } = await unpaidOffice();
    const { paymentId } = office.request(request.id);
    const page = `/admin/requests/${request.id}`;
    const act = async (action: string, form: Record<string, string>) => {
      const asked = await staff.get(`${page}/${action}`);
      const done = await staff.submit(`${page}/${action}`, form);
      return { asked: asked.text, done: await staff.get(done.location) };
    };

    expect(alerts((await act('cancel', { reason: '' })).done)[0]?.type).toBe('danger');
    const canceled = await act('cancel', { reason: 'sold the boiler', notify: '1' });
    expect(canceled.asked).toMatch(/Ada Lovelace.*name="notify"/s);
    expect(actionsOf(canceled.done.text)).toEqual(['reopen btn-outline-secondary']);
    expect(office.jobs('send-mail').at(-1)?.payload).toContain('request-canceled');

    await deliverPayment(office, paymentId as string);
    const settled = await act('settle', { reason: 'refunded', payments: paymentId as string });
    expect(settled.asked).toContain(`value="${paymentId}"`);
    expect(alerts(settled.done)[0]?.message).toBe(sayOnPages('en')('act.settle.done'));
    const reopened = await act('reopen', { reason: 'wanted after all' });
    expect(actionsOf(reopened.done.text)).toContain('start-signature btn-primary');
    expect(office.request(request.id).status).toBe('new');
  });

  test('where a payment does not count, renewing asks whether it was refunded, and completing says what is accepted', async () => {
    const { office, staff, request } = await unpaidOffice();
    const { paymentId } = office.request(request.id);
    await deliverPayment(office, paymentId as string, { object: { amount_total: 100 } });
    const ask = async (action: string) => (await staff.get(`/admin/requests/${request.id}/${action}`)).text;

    expect(await ask('renew-payment')).toMatch(
      /\(€1\.00\)\. Have you refunded it\?.*name="reason"[^>]*required/s,
    );
    expect(await ask('complete')).toMatch(/This accepts the payment cs_\w+ \(€1\.00\)/);
  });

  test('gives the PDF to staff, and to nobody else', async () => {
    const office = await startOffice();
    const { contract } = await office.waitingRequest();
    const path = `/admin/contracts/${contract.id}/pdf`;
    const pdf = await (await office.staff()).get(path);
    expect([pdf.status, pdf.text.slice(0, 5)]).toEqual([200, '%PDF-']);
    expect((await office.visitor().get(path)).status).toBe(303);
  });
});

describe('the evidence of a request', () => {
  test('is downloaded by a form, as an archive that verifies; the history tells who took it; nothing stays behind', async () => {
    const office = await startOffice();
    const { request, signId } = await office.waitingRequest();
    office.sandbox.sign(signId);
    await deliver(office, signId);
    const staff = await office.staff();
    const page = `/admin/requests/${request.id}`;
    expect((await staff.get(page)).text).toContain(`action="${page}/export"`);
    expect((await staff.get(`${page}/export`)).status).toBe(404);

    office.sandbox.faults.add('audit_trail:not_ready:1');
    await staff.get(page);
    const refused = await staff.submit(`${page}/export`, {});
    expect(alerts(await staff.get(refused.location))).toEqual([
      { type: 'danger', message: text('en', 'audit_trail_not_ready') },
    ]);

    const { status, headers, bytes } = await staff.submit(`${page}/export`, {});
    expect([status, headers.get('content-type')]).toEqual([200, 'application/zip']);
    expect(headers.get('content-disposition')).toBe(`attachment; filename="${request.reference}.zip"`);
    expect(bytes).toBe(Number(headers.get('content-length')));
    expect((await staff.get(page)).text).toContain('Evidence exported as an archive');
    expect(readdirSync(join(office.ctx.config.dataDir, 'exports'))).toEqual([]);
  });
});
