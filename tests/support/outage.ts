/** An evening on which the payment provider answers 503: everybody signs, nobody gets a link, and the receiver of the events is down too. */
import { deliver } from './webhooks.js';
import { subscribed } from './subscriptions.js';
import { startSignature } from './start-signature.js';
import { TESTER, type TestApp } from './app.js';

/** The requests whose customers signed during it, after all tries of their payment jobs. */
export async function outage(app: TestApp, customers: number): Promise<number[]> {
  const { sandbox, clock } = app;
  await subscribed(app, { url: 'http://127.0.0.1:9/hook' });
  const ids: number[] = [];
  for (let i = 0; i < customers; i += 1) {
    const owner = await app.addUser({
      firstName: 'Customer',
      lastName: LETTERS[i % LETTERS.length] as string,
    });
    const { id } = await app.addRequest(owner);
    await startSignature(app.ctx, id, { actor: TESTER });
    ids.push(id);
  }
  await app.drain();
  sandbox.faults.add('payment.create:503');
  for (const id of ids) {
    const { signId } = app.contract(id);
    sandbox.sign(signId as string);
    await deliver(app, signId as string);
    clock.advance(60_000);
    await app.drain();
  }
  for (const seconds of [1, 2, 4]) {
    clock.advance(seconds * 1_000);
    await app.drain();
  }
  return ids;
}

const LETTERS = ['Abel', 'Berg', 'Cruz', 'Dahl', 'Eder', 'Falk', 'Graf', 'Holm', 'Ivić', 'Jung'];
