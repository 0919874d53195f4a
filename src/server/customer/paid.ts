/**
 * The page to which the payment provider returns the customer. It proves and changes nothing; payments become known
 * by webhook or check.
 */
import { Hono } from 'hono';
import { sendCustomerPage } from './page.js';
import { documented } from '../api/docs/notes.js';
import type { Env, Parts } from '../parts.js';

const PAID = documented({
  title: 'Thanks a customer who has paid',
  about: 'A page for people.',
  group: 'Service',
  returns: { status: 200, about: 'The page.', mediaTypes: ['text/html'] },
});

export function paidRoutes({ ctx }: Parts) {
  return new Hono<Env>().get('/paid', PAID, (c) => sendCustomerPage(c, ctx.config, { name: 'paid' }));
}
