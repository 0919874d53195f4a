/** By what a list is ordered, as addresses and options name it. */
import type { Direction, Order } from '../calls/listing.js';

/** How an order is asked for: `createdAt-desc`. */
export function orderWord({ by, direction }: Order<string>): string {
  return `${by}-${direction}`;
}

interface Ordered<By extends string> {
  orders: Record<By, Direction>;
}

export function orderWords<By extends string>({ orders }: Ordered<By>): string[] {
  return Object.keys(orders).flatMap((by) => [`${by}-asc`, `${by}-desc`]);
}

/** Of one of these words; the list's own where none is given. */
export function orderOf<By extends string>({ orders }: Ordered<By>, word?: string): Order<By> {
  const [own] = Object.entries(orders);
  const [by, direction] = word?.split('-') ?? own ?? [];
  return { by, direction } as Order<By>;
}
