/** What the oracle sees of a firm's world. */
import type { SignatureRequest } from '../../sandbox/signature/types.js';
import type { Installation } from '../installation.js';
import type { Disk } from '../machine/disk.js';
import type { Scheduler } from '../machine/scheduler.js';
import type { Network } from '../network.js';
import type { Plan } from '../plan.js';
import type { PostOffice } from '../post-office.js';
import type { FirmName, Providers } from '../providers.js';
import type { Inbound } from '../rules/deliveries.js';
import type { Trace } from '../trace.js';

export interface Scene {
  /** Of the firm, and before `.sim` and `.test` in its addresses. */
  readonly name: FirmName;
  /** Where its installation answers. */
  readonly url: string;
  readonly plan: Plan;
  readonly scheduler: Scheduler;
  readonly trace: Trace;
  readonly network: Network;
  readonly postOffice: PostOffice;
  readonly providers: Providers;
  readonly disk: Disk;
  readonly office: Installation;
  readonly firm: Crowd;
  /** By the id of their request. */
  readonly stories: Map<number, Told>;
  /** When the office's clock was set last. */
  readonly clockSetAt: number;
  areLeasesKept(): boolean;
}

export interface Crowd {
  readonly customers: readonly Known[];
  readonly receivers: readonly Listener[];
  /** Whose address it is or was. */
  at(address: string): Known | undefined;
  /** Not of the other firm's. */
  isOfACustomer(address: string): boolean;
}

/** A customer. */
export interface Known {
  /** By which the documents of this world name the customer, whatever the address. */
  name: string;
  /** Of the user. */
  id: number;
  /** When the present address was entered. */
  correctedAt: number;
  readonly client: { readonly person: { username: string }; rename(username: string): void };
}

/** The story of a request. */
export interface Told {
  requestId: number | undefined;
  readonly title: string;
  readonly customer: Known;
  /** The customer has got the provider's link. */
  decide(request: SignatureRequest): Promise<void>;
  /** The customer has got a link to pay. */
  pay(link: string): Promise<void>;
}

/** A receiver of webhooks. */
export interface Listener extends Inbound {
  /** Whose requests it may hear of; undefined for everybody's. */
  readonly owner: string | undefined;
  /** While it is not well: Infinity. */
  readonly wellSince: number;
}
