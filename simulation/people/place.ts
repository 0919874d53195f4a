/** What people see of their firm's world. */
import type { Chance } from '../machine/chance.js';
import type { Oracle } from '../oracle/oracle.js';
import type { Crowd, Known, Scene } from '../oracle/scene.js';
import type { Options } from '../plan.js';
import type { Client } from './client.js';

export interface Place extends Scene {
  readonly options: Options;
  readonly chance: Chance;
  readonly oracle: Oracle;
  readonly staff: Client;
  readonly firm: Company;
  /** Nothing goes wrong any more. */
  isCalm: boolean;
  clockSetAt: number;
  /** The same for the same thing in each run of a seed: its place in the order of appearance. */
  numberOf(id: string): number;
}

interface Company extends Crowd {
  readonly customers: readonly Customer[];
  /** Customers who have told another address wonder why nothing comes. */
  correctAddresses(): Promise<void>;
  /** Two people have the same list before them, and the second does not know that the first has replayed it. */
  replayTwice(): Promise<void>;
}

/** A customer: the account, and the mailboxes in which mail reaches them. */
export interface Customer extends Known {
  readonly client: Client;
  /** IRI of what is maintained. */
  equipment: string;
  /** Where mail may go: nowhere else, and to those that are out of date only for a moment. */
  addresses: Set<string>;
  /** The right one, if the customer has told it. */
  right: string | undefined;
}
