/**
 * Resolves names. The system's resolver blocks one of a few threads, which also write files and check passwords, and
 * a stranger's dead name server could block it for long. So users' names are first resolved over the network; the
 * system is asked for names the operator allowed, and for what only it knows (/etc/hosts).
 */
import { lookup, Resolver } from 'node:dns/promises';
import { codeOf } from '../../db/caught.js';

export interface Address {
  address: string;
  family: number;
}

/** Every address of a name; throws when there is none. `isTrusted`: the operator allowed it. */
export type Resolve = (hostname: string, isTrusted: boolean) => Promise<Address[]>;

const QUESTION_MS = 2_000;
const TRIES = 2;

export const resolveName: Resolve = async (hostname, isTrusted) => {
  if (isTrusted) return lookup(hostname, { all: true });
  const resolver = new Resolver({ timeout: QUESTION_MS, tries: TRIES });
  const [ipv4, ipv6] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  const found = [...addressesOf(ipv4, 4), ...addressesOf(ipv6, 6)];
  if (found.length > 0) return found;
  if (isTimeout(ipv4) || isTimeout(ipv6))
    throw Object.assign(new Error('the name server does not answer'), { code: 'EAI_AGAIN' });
  return lookup(hostname, { all: true });
};

function addressesOf(answer: PromiseSettledResult<string[]>, family: 4 | 6): Address[] {
  return answer.status === 'fulfilled' ? answer.value.map((address) => ({ address, family })) : [];
}

function isTimeout(answer: PromiseSettledResult<string[]>): boolean {
  return answer.status === 'rejected' && codeOf(answer.reason) === 'ETIMEOUT';
}
