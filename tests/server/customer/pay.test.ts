/** The lasting link to pay (rules 2): never to a page that is over or paid, one page however often it is followed. */
import { describe, expect, test } from 'vitest';
import { cancelRequest } from '../../../src/core/requests/cancel-request.js';
import { reopenRequest } from '../../../src/core/requests/reopen-request.js';
import { renewPaymentSession } from '../../../src/core/payment/renew-payment-session.js';
import { createApp } from '../../../src/server/app.js';
import { TESTER, type AppOptions, type TestApp } from '../../support/app.js';
import { DAY, MINUTE } from '../../support/clock.js';
import { story } from '../../support/story.js';
import { deliverOtherAmount, deliverPayment } from '../../support/webhooks.js';

/** A request with a payment page, of which the customer has the link. */
async function payable(options?: AppOptions) {
  const { app, id } = await story(options).linked().end();
  const server = createApp(app.ctx);
  const path = `/pay/${app.request(id).payToken}`;
  const call = async (given = path, init: RequestInit = {}, peer = '192.0.2.1') => {
    const response = await server.request(given, init, { incoming: { socket: { remoteAddress: peer } } });
    const { status, headers } = response;
    return { status, headers, location: headers.get('location'), text: await response.text() };
  };
  return { app, id, path, call, paymentId: app.request(id).paymentId as string };
}

const sessions = (app: TestApp) => app.sandbox.state().sessions;
const mails = (app: TestApp) => app.sandbox.mails().filter(({ source }) => source === 'smtp');
const paymentLinks = (app: TestApp) =>
  app.jobs('send-mail').filter(({ payload }) => payload.includes('payment-link'));

describe('GET /pay/{token}', () => {
  test('is the address in the mail, of 128 random bits, and leads to the open page without storing anywhere', async () => {
    const { app, path, call } = await payable();
    expect(path).toMatch(/^\/pay\/[0-9a-f]{32}$/);
    expect(mails(app).findLast(({ text }) => text.includes(path))).toBeDefined();
    const { status, location, headers } = await call();
    expect([status, location]).toEqual([303, sessions(app)[0]?.url]);
    expect([headers.get('cache-control'), headers.get('referrer-policy')]).toEqual([
      'no-store',
      'no-referrer',
    ]);
    expect(sessions(app)).toHaveLength(1);
  });

  test('says thank you for a page that was paid a second ago, completes the request, and tells customer and office', async () => {
    const { app, id, call, paymentId } = await payable();
    app.sandbox.pay(paymentId);

    const { status, text } = await call();

    expect([status, text]).toEqual([200, expect.stringContaining('<h1>Paid, thank you</h1>')]);
    expect(app.request(id).status).toBe('COMPLETE');
    // The webhook comes behind: a repeat.
    await deliverPayment(app, paymentId);
    await app.drain();
    const told = mails(app).filter(({ subject }) => /^Pa(?:id|yment received)/.test(subject));
    expect(told.map(({ to }) => to[0])).toEqual([expect.stringContaining('customer'), 'office@acme.test']);
    expect(sessions(app)).toHaveLength(1);
    expect((await call()).text).toContain('Paid, thank you');
  });

  test('makes a new page when the old one is over, once for two clicks, and mails nobody who stands before it', async () => {
    const { app, id, call, paymentId } = await payable();
    app.sandbox.expireSession(paymentId);
    app.clock.advance(2 * DAY);

    const answers = await Promise.all([call(), call(), call()]);

    const [, made] = sessions(app);
    expect(sessions(app)).toHaveLength(2);
    expect(answers.map(({ location }) => location)).toEqual([made?.url, made?.url, made?.url]);
    expect(app.request(id)).toMatchObject({ paymentId: made?.id, paymentUrl: made?.url });
    expect(paymentLinks(app)).toHaveLength(1);
    expect((await call()).location).toBe(made?.url);
    expect(app.history(id)).not.toContain('payment.renewed');
  });

  test('makes a new page although the job that made the old one has been removed since', async () => {
    const { app, call, paymentId } = await payable();
    app.sandbox.expireSession(paymentId);
    app.ctx.db.raw.exec("DELETE FROM jobs WHERE kind = 'create-payment-session'");
    expect(await call()).toMatchObject({ status: 303, location: sessions(app)[1]?.url });
  });

  test('says of money on its way, and of money that a person must look at, that nothing is to be paid again', async () => {
    const [waits, unclear] = [await payable(), await payable()];
    waits.app.sandbox.pay(waits.paymentId, { async: true });
    await deliverOtherAmount(unclear.app, unclear.id);
    const pages = [await waits.call(), await unclear.call()];
    expect(pages.map(({ location, text }) => [location, /<h1>(.*)<\/h1>/.exec(text)?.[1]])).toEqual([
      [null, 'Your payment is on its way'],
      [null, 'We are checking your payment'],
    ]);
  });

  test('leads only to an address of the web', async () => {
    const { app, call } = await payable();
    app.ctx.db.raw
      .prepare('UPDATE payments SET paymentUrl = ?')
      .run('javascript:alert("https://pay.example.org")');
    expect(await call()).toMatchObject({ status: 503, location: null });
  });

  test('says try again while the provider is down, and keeps what there is', async () => {
    const { app, call, paymentId } = await payable();
    app.sandbox.faults.add('payment:500');
    expect(await call()).toMatchObject({ status: 503, text: expect.stringContaining('stays valid') });
    app.sandbox.faults.clear();
    app.sandbox.expireSession(paymentId);
    app.sandbox.faults.add({ target: 'payment', kind: '503', operation: 'create' });
    expect(await call()).toMatchObject({ status: 503, text: expect.stringContaining('stays valid') });
    app.sandbox.faults.clear();
    app.clock.advance(MINUTE);
    await app.drain();
    // The mail brings what the click did not.
    expect(paymentLinks(app)).toHaveLength(2);
    expect((await call()).location).toBe(sessions(app).at(-1)?.url);
  });

  /** The answers to somebody who follows the link while a page is being made. */
  function askedMeanwhile({ app, call }: Pick<Awaited<ReturnType<typeof payable>>, 'app' | 'call'>) {
    const createSession = app.ctx.payment.createSession.bind(app.ctx.payment);
    const seen: Awaited<ReturnType<typeof call>>[] = [];
    app.ctx.payment.createSession = async (...wanted) => {
      seen.push(await call());
      return createSession(...wanted);
    };
    return seen;
  }

  test('waits for somebody else who works on the request', async () => {
    const { app, id, call, paymentId } = await payable();
    app.sandbox.expireSession(paymentId);
    const seen = askedMeanwhile({ app, call });
    await renewPaymentSession(app.ctx, id, { actor: TESTER });
    expect(seen).toMatchObject([{ status: 503, text: expect.stringContaining('One moment') }]);
    expect(seen[0]?.headers.get('retry-after')).toBe('2');
    expect(sessions(app)).toHaveLength(2);
    expect((await call()).location).toBe(sessions(app)[1]?.url);
  });

  test('waits for the job that makes its page just now, and orders no other', async () => {
    const { app, call, paymentId } = await payable();
    app.sandbox.expireSession(paymentId);
    app.sandbox.faults.add('payment.create:503:1');
    expect((await call()).text).toContain('stays valid');
    const seen = askedMeanwhile({ app, call });
    app.clock.advance(MINUTE);
    await app.drain();
    expect(seen).toMatchObject([{ status: 503, text: expect.stringContaining('One moment') }]);
    expect(sessions(app)).toHaveLength(2);
    expect((await call()).location).toBe(sessions(app)[1]?.url);
  });

  test('a fault of our own is no "try again"', async () => {
    const { app, call, paymentId } = await payable();
    const { payment } = app.ctx;
    const getSession = payment.getSession.bind(payment);
    payment.getSession = () => Promise.reject(new Error('a bug'));
    expect((await call()).status).toBe(500);
    app.sandbox.expireSession(paymentId);
    payment.getSession = getSession;
    payment.createSession = () => Promise.reject(new Error('a bug'));
    expect((await call()).status).toBe(500);
  });

  test('unknown, malformed, canceled and not yet payable ones look alike', async () => {
    const { app, id, path, call } = await payable();
    await cancelRequest(app.ctx, id, { actor: TESTER, reason: 'sold' });
    const paths = ['/pay/00000000000000000000000000000000', '/pay/nonsense', path];
    const answers = await Promise.all(paths.map((each) => call(each)));
    await reopenRequest(app.ctx, id, { actor: TESTER, reason: 'not sold' });
    answers.push(await call());
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  });

  test('HEAD and prefetches make nothing, POST is refused', async () => {
    const { app, call, path, paymentId } = await payable();
    app.sandbox.expireSession(paymentId);
    const before = app.sandbox.state().counters.calls;
    expect(await call(path, { method: 'HEAD' })).toMatchObject({ status: 200, text: '' });
    for (const headers of [
      { 'Sec-Purpose': 'prefetch;prerender' },
      { Purpose: 'prefetch' },
      { 'X-Moz': 'prefetch' },
    ])
      expect((await call(path, { headers })).status).toBe(503);
    expect((await call(path, { method: 'POST' })).status).toBe(405);
    expect(app.sandbox.state().counters.calls).toEqual(before);
    expect((await call('/pay/unknown', { method: 'HEAD' })).status).toBe(404);
  });

  test('more than sixty calls a minute of one address are refused, whatever they ask for; others go on', async () => {
    const { app, call } = await payable();
    for (let i = 0; i < 60; i += 1) await call('/pay/unknown');
    const refused = await call();
    expect([refused.status, refused.text]).toEqual([429, expect.stringContaining('Too many attempts')]);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await call(undefined, {}, '192.0.2.9')).status).toBe(303);
    app.clock.advance(MINUTE + 1_000);
    expect((await call()).status).toBe(303);
  });

  test('speaks the language of the customer whose link it is', async () => {
    const { app, id, call, paymentId } = await payable();
    app.ctx.db.raw.prepare("UPDATE users SET locale = 'fr' WHERE id = ?").run(app.request(id).ownerId);
    app.sandbox.pay(paymentId);
    expect((await call()).text).toContain('<html lang="fr">');
  });

  test('speaks French where the settings say so', async () => {
    const { call } = await payable({ env: { ESIGN_LOCALE: 'fr' } });
    const { text } = await call('/pay/unknown');
    expect(text).toContain('<html lang="fr">');
    expect(text).toContain('Ce lien ne fonctionne pas');
  });
});
