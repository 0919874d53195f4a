/** Looks at payment sessions as they are made, linked to, paid and left over. */
import type { PaymentSession } from '../../sandbox/payment/session.js';
import { sessionsOf, type ContractRow } from '../rules/facts.js';
import { asksForAnotherPrice } from '../rules/money.js';
import { askedAgain, isOpen, ledElsewhere, payableTwice } from '../rules/payments.js';
import type { Evidence } from './evidence.js';
import type { Told } from './scene.js';

/** How long the office may take to ask the provider and to decide. */
const LOOK_MS = 120_000;

export class Sessions {
  readonly #of: Evidence;
  /** Whose links somebody can have. */
  readonly #linked = new Set<string>();
  /** When money that was on its way came. */
  readonly #cameAt = new Map<string, number>();

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
    this.#of.tell(asksForAnotherPrice(this.#of.rows, session));
    this.#of.tell(payableTwice([session, ...before], outside));
  }

  /** Money that was on its way comes, or the bank has refused it at last. */
  settles(id: string, outcome: 'succeeded' | 'failed'): void {
    if (outcome === 'failed') this.#of.outside.refused.add(id);
    else this.#cameAt.set(id, this.#of.outside.now());
  }

  /** The office has asked for another payment although money is on its way, or was when it looked. */
  givenUp(contract: ContractRow): void {
    const { outside } = this.#of;
    this.#of.count('payments given up');
    for (const { id, status, payment_status } of sessionsOf(outside, contract)) {
      const hasJustCome = outside.now() < (this.#cameAt.get(id) ?? -Infinity) + LOOK_MS;
      if (status === 'complete' && (payment_status === 'unpaid' || hasJustCome)) outside.givenUp.add(id);
    }
  }

  /** The customer gets a link to a new page. */
  asked(contract: ContractRow): void {
    this.#of.count('customers asked to pay');
    this.#of.tell(askedAgain(this.#of.rows, contract));
  }

  /** From now on somebody can have the session's link. */
  linked(paymentId: string): void {
    this.#linked.add(paymentId);
  }

  /** A link to pay has led its customer to the page of this session. */
  followed({ requestId, customer }: Told, sessionId: string): void {
    this.#of.count('links followed');
    const whose = { requestId, customer: customer.name };
    this.#of.tell(ledElsewhere(this.#of.rows, this.#of.outside, whose, sessionId));
  }

  /**
   * Nobody can pay for it any more. A session whose answer was lost has a link that nobody has seen. One that a restore has
   * forgotten cannot be found while its provider does not answer, and the office may go on without it; a payment is reported then.
   * When the office has asked twice, the money that comes first may leave the other page to the scheduled check.
   */
  over(contract: ContractRow, status: string, reason: string): void {
    const { outside, rows } = this.#of;
    this.#of.count(status);
    const sessions = sessionsOf(outside, contract);
    const isByMoney = status === 'COMPLETE' && reason === '';
    if (isByMoney && sessions.some(({ id }) => outside.givenUp.has(id))) return;
    const open = sessions.filter((session) => this.#linked.has(session.id) && isOpen(session, outside));
    const isToBeKnown = (id: string) =>
      this.#of.areProvidersSeen() || rows('SELECT 1 FROM payments WHERE paymentId = ?', id).length > 0;
    for (const { id } of open.filter((session) => isToBeKnown(session.id)))
      this.#of.broken(`request ${contract.requestId} is ${status}, and can be paid by ${id}`);
  }
}
