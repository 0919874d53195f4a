/**
 * `GET /pay/{token}`: the lasting link to pay, as it stands in mails. It leads to the payment page, says that all is
 * paid, or that it does not know the link; unknown, canceled and malformed ones look alike.
 */
import { Hono } from 'hono';
import { MINUTE_MS } from '../../core/clock.js';
import { customerOfLink, followPayLink, placeOf, type PayPlace } from '../../core/payment/follow-pay-link.js';
import { settingsFor } from '../../core/users/names.js';
import { pageLimit, sendCustomerPage, type CustomerPage } from './page.js';
import { documented } from '../api/docs/operation.js';
import type { Call, Env, Parts } from '../parts.js';

const PAY = documented({
  title: 'Takes a customer to the payment page',
  about:
    'The payment link in mails. The payment provider is asked first, and a new payment page is made when the old one has expired. HEAD and prefetches make nothing.',
  group: 'Service',
  returns: {
    status: 200,
    about: 'A page: it is paid, or the payment is on its way.',
    mediaTypes: ['text/html'],
  },
  bare: {
    303: 'To the payment page.',
  },
  pages: {
    404: 'A page: the link is not known, or the request was canceled.',
    429: 'A page: too many calls from this address.',
    503: 'A page: not possible at the moment.',
  },
});

const CALLS_A_MINUTE = 60;
const AGAIN_AFTER_S = 2;

const PAGES: Record<Exclude<PayPlace['place'], 'payment_page'>, CustomerPage> = {
  unknown: { name: 'pay_unknown', status: 404 },
  paid: { name: 'pay_paid' },
  pending: { name: 'pay_pending' },
  in_review: { name: 'pay_in_review' },
  busy: { name: 'pay_busy', status: 503, againAfterS: AGAIN_AFTER_S },
  unavailable: { name: 'pay_unavailable', status: 503 },
};

const PAID = documented({
  title: 'Thanks a customer who has paid',
  about: 'A page for people.',
  group: 'Service',
  returns: { status: 200, about: 'The page.', mediaTypes: ['text/html'] },
});

/** To `/paid` the payment provider returns the customer: it proves and changes nothing. */
export function payRoutes(parts: Parts) {
  const { ctx } = parts;
  const limited = pageLimit(parts, 'pay_limited', { most: CALLS_A_MINUTE, windowMs: MINUTE_MS });
  const follow = together((token) => followPayLink(ctx, token));
  const routes = new Hono<Env>();
  routes.get('/paid', PAID, (c) => sendCustomerPage(c, ctx.config, { name: 'paid' }));
  return routes.get('/pay/:token', PAY, async (c) => {
    const refused = limited(c);
    if (refused) return refused;
    const token = c.req.param('token');
    const known = placeOf(ctx, token);
    if ('place' in known) return answer(c, parts, token, known);
    if (c.req.method === 'HEAD') return c.body(null, 200);
    // Browsers ask again, without the mark, when the customer follows the link.
    if (isPrefetch(c)) return c.body(null, 503);
    return answer(c, parts, token, await follow(token));
  });
}

function answer(c: Call, { ctx }: Parts, token: string, found: PayPlace): Response | Promise<Response> {
  if (found.place === 'payment_page') return c.redirect(found.url, 303);
  // In one language for every link that is not known, so that all of them look alike.
  const customer = found.place === 'unknown' ? undefined : customerOfLink(ctx, token);
  const config = customer ? settingsFor(ctx.config, customer) : ctx.config;
  return sendCustomerPage(c, config, PAGES[found.place]);
}

function isPrefetch(c: Call): boolean {
  return ['Sec-Purpose', 'Purpose', 'X-Moz'].some((name) =>
    /prefetch|preview/i.test(c.req.header(name) ?? ''),
  );
}

/** Calls with the same token share one piece of work: two clicks make one payment page. */
function together<T>(act: (token: string) => Promise<T>): (token: string) => Promise<T> {
  const underWay = new Map<string, Promise<T>>();
  return (token) => {
    const begun = underWay.get(token) ?? act(token).finally(() => underWay.delete(token));
    underWay.set(token, begun);
    return begun;
  };
}
