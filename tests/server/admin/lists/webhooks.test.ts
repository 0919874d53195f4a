/** Webhooks and what was sent to them: tries, sending again, ping, on and off. */
import { describe, expect, test } from 'vitest';
import { answered, aReceiver } from '../../../support/receiver.js';
import { deliveries, happened, subscribed } from '../../../support/subscriptions.js';
import { alerts, startOffice } from '../support.js';

describe('deliveries', () => {
  async function aFailedDelivery() {
    const office = await startOffice({ env: { ESIGN_WEBHOOK_ALLOW_PRIVATE: '127.0.0.1' } });
    const receiver = await aReceiver(answered(410, {}, 'gone <b>for good</b>'));
    const { id } = await subscribed(office, { url: receiver.url });
    await happened(office);
    await office.drain();
    return { office, receiver, webhookId: id, path: `/admin/deliveries/${deliveries(office)[0]?.id}` };
  }

  test('are shown with their tries, and sent again with the same bytes', async () => {
    const { office, receiver, webhookId, path } = await aFailedDelivery();
    const staff = await office.staff();
    expect((await staff.get('/admin/deliveries')).text).toContain(receiver.url);
    const { text } = await staff.get(path);
    expect(text).toContain('gone &lt;b&gt;for good&lt;/b&gt;');
    expect(text).not.toContain('/redeliver');

    office.ctx.db.raw
      .prepare('UPDATE webhooks SET active = 1, disabledReason = NULL WHERE id = ?')
      .run(webhookId);
    expect((await staff.get(path)).text).toContain(`action="${path}/redeliver"`);
    receiver.answer = answered(204);
    await staff.submit(`${path}/redeliver`, {});
    await office.drain();
    expect(deliveries(office)[0]?.state).toBe('delivered');
    const [first, second] = receiver.received;
    expect(second?.body).toBe(first?.body);
  });

  test('of a webhook: its page has the last error in words, who switched it off, a ping, and everything again', async () => {
    const { office, receiver, webhookId } = await aFailedDelivery();
    const staff = await office.staff();
    const path = `/admin/webhooks/${webhookId}`;
    expect((await staff.get('/admin/webhooks')).text).toContain(receiver.url);
    const { text: off } = await staff.get(path);
    expect(off).toContain('refused by the receiver (410)');
    expect(off).toContain('its receiver is gone for good');
    expect(off).toContain(
      'Webhook switched off because its receiver is gone for good: refused by the receiver (410)',
    );
    expect(off).not.toContain(`${path}/redeliver`);

    await staff.submit(`${path}/enable`, {});
    receiver.answer = answered(204);
    const { location } = await staff.submit(`${path}/ping`, {});
    const pinged = await staff.get(location);
    expect(alerts(pinged)).toEqual([
      { type: 'success', message: expect.stringContaining('The receiver answered after') },
    ]);
    expect(pinged.text).toContain(`href="${path}/redeliver"`);
    expect((await staff.get(`${path}/redeliver`)).text).toContain('Send 1 delivery that never arrived');
    await staff.submit(`${path}/redeliver`, { reason: 'they lost a day' });
    await office.drain();
    expect(deliveries(office)[0]?.state).toBe('delivered');
    const { text: well } = await staff.get(path);
    expect(well).toContain('they lost a day');
    expect(well).not.toContain(`${path}/redeliver`);

    await staff.get(`${path}/disable`);
    const done = await staff.submit(`${path}/disable`, { reason: 'noise' });
    expect((await staff.get(done.location)).text).toContain('by an administrator');
    expect((await staff.get('/admin/webhooks/99')).status).toBe(404);
  });
});
