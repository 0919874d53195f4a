/** What a list of Checkout Sessions can be narrowed to. */
import { PaymentProblem } from './errors.js';
import type { PaymentSession } from './types.js';

type Wanted = (session: PaymentSession) => boolean;

const FILTERS: Readonly<Record<string, (value: string) => Wanted>> = {
  'created[gt]': (value) => byTime(value, (created, at) => created > at),
  'created[gte]': (value) => byTime(value, (created, at) => created >= at),
  'created[lt]': (value) => byTime(value, (created, at) => created < at),
  'created[lte]': (value) => byTime(value, (created, at) => created <= at),
  'customer_details[email]': (value) => (session) => session.customerEmail === value,
  payment_intent: (value) => (session) => session.paymentIntent === value,
  status: (value) => (session) => session.status === value,
};

const PAGING = ['limit', 'starting_after'];

/** Throws for a parameter that the provider does not know. */
export function isWanted(query: Record<string, string>): Wanted {
  const filters = Object.entries(query)
    .filter(([name]) => !PAGING.includes(name))
    .map(([name, value]) => {
      const filter = FILTERS[name];
      if (filter) return filter(value);
      throw new PaymentProblem(400, `Received unknown parameter: ${name}`, {
        code: 'parameter_unknown',
        param: name,
      });
    });
  return (session) => filters.every((isMatch) => isMatch(session));
}

function byTime(value: string, compare: (created: number, at: number) => boolean): Wanted {
  if (!/^\d+$/.test(value)) throw new PaymentProblem(400, `Invalid integer: ${value}`, { param: 'created' });
  return ({ created }) => compare(created, Number(value));
}
