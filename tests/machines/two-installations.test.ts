/** Two installations on one account of the providers: their row ids are the same, their customers are not. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { PATIENCE } from '../support/patience.js';
import { aWorld } from '../support/world.js';

test.concurrent('each hears of everything that happens there, and acts on what is its own', async (t) => {
  const one = await aWorld(t);
  const two = await aWorld(t, one);
  const [first, second] = [await one.waitingRequest(), await two.waitingRequest()];
  expect([second.requestId, second.contractId]).toEqual([first.requestId, first.contractId]);
  await Promise.all([one.daemon(), two.daemon()]);
  const deliveries = (subjectId: string) =>
    one.outside().deliveries.filter((delivery) => delivery.subjectId === subjectId);
  const isHeardByBoth = (subjectId: string) =>
    deliveries(subjectId).filter(({ state }) => state === 'delivered').length === 2;
  const done = (world: typeof one) =>
    world.rows("SELECT 1 FROM jobs WHERE state <> 'completed'").length === 0 &&
    world.rows("SELECT 1 FROM contracts WHERE status = 'SIGNED'").length === 1;

  one.sign(first.signId);
  await vi.waitUntil(() => isHeardByBoth(first.signId), PATIENCE);
  await vi.waitUntil(() => done(one), PATIENCE);
  expect(two.status(second.requestId)).toBe('WAITING_SIGNATURE');
  const [{ paymentId } = { paymentId: '' }] = one.rows<{ paymentId: string }>(
    'SELECT paymentId FROM requests',
  );
  one.pay(paymentId);
  await vi.waitUntil(() => isHeardByBoth(paymentId), PATIENCE);
  expect(one.status(first.requestId)).toBe('COMPLETE');
  expect(two.status(second.requestId)).toBe('WAITING_SIGNATURE');

  expect((await two.ctl('check-signature', '--all', '--json')).code).toBe(0);
  expect(two.status(second.requestId)).toBe('WAITING_SIGNATURE');
  two.sign(second.signId);
  await vi.waitUntil(() => done(one) && done(two), PATIENCE);

  const { sessions, mails } = one.outside();
  expect(sessions.map(({ client_reference_id: name }) => name).toSorted()).toEqual(
    [first.externalId, second.externalId].toSorted(),
  );
  const pdfs = [one, two].map(({ dataDir }) => readFileSync(join(dataDir, 'contracts', '1.pdf')));
  expect(pdfs[0]?.equals(pdfs[1] as Buffer)).toBe(false);
  const sent = mails.filter(({ source }) => source === 'smtp');
  // To each customer the contract and the link to pay; to the office twice "signed". The one who paid and the office: "paid".
  expect(sent).toHaveLength(8);
  expect(one.rows("SELECT 1 FROM history WHERE what = 'contract.foreign_signature'")).toEqual([]);
});
