/** Looks at payment sessions as they are made, linked to, paid and left over. */
import type { PaymentSession } from '../../src/sandbox/payment/session.js';
import type { Story } from '../people/story.js';
import { sessionsOf, type ContractRow } from '../rules/facts.js';
import { ledElsewhere, payableTwice } from '../rules/payments.js';
import type { Evidence } from './evidence.js';

export class Sessions {
  readonly #of: Evidence;
  /** Whose links somebody can have. */
  readonly #linked = new Set<string>();

  constructor(of: Evidence) {
    this.#of = of;
    const { sessions } = of.world.providers.world;
    const set = sessions.set.bind(sessions);
    sessions.set = (id, session) => {
      this.#made(session);
      return set(id, session);
    };
  }

  #made(session: PaymentSession): void {
    const { outside, world } = this.#of;
    if (!world.firm.isOfACustomer(session.customer_email ?? '')) return;
    this.#of.count('payment sessions');
    const name = session.client_reference_id;
    const before = [...outside.sessions.values()].filter((each) => each.client_reference_id === name);
    this.#of.tell(payableTwice([session, ...before], outside));
  }

  /** From now on somebody can have the session's link. */
  linked(paymentId: string): void {
    this.#linked.add(paymentId);
  }

  /** A link to pay has led its customer to the page of this session. */
  followed({ requestId, customer }: Story, sessionId: string): void {
    this.#of.count('links followed');
    const whose = { requestId, customer: customer.name };
    this.#of.tell(ledElsewhere(this.#of.rows, this.#of.outside, whose, sessionId));
  }

  /**
   * Nobody can pay for it any more. A session whose answer was lost has a link that nobody has seen. One that a restore has
   * forgotten cannot be found while its provider does not answer, and the office may go on without it; a payment is reported then.
   */
  over(contract: ContractRow, status: string): void {
    const { outside, rows } = this.#of;
    this.#of.count(status);
    const open = sessionsOf(outside, contract).filter(
      ({ id, status: state, expires_at }) =>
        this.#linked.has(id) && state === 'open' && expires_at * 1000 > outside.now(),
    );
    const isToBeKnown = (id: string) =>
      this.#of.areProvidersSeen() || rows('SELECT 1 FROM payments WHERE paymentId = ?', id).length > 0;
    for (const { id } of open.filter((session) => isToBeKnown(session.id)))
      this.#of.broken(`request ${contract.requestId} is ${status}, and can be paid by ${id}`);
  }
}
