/**
 * Names to addresses. The system's own resolver holds one of a few threads until it answers, which a stranger's dead name
 * server could make long: those threads also write files and check passwords. So names that users gave are asked over the
 * network first; the system is asked for what the operator named, and for what only it can know (/etc/hosts).
 */
import { lookup, Resolver } from 'node:dns/promises';

export interface Address {
  address: string;
  family: number;
}

/** Every address of a name; throws when there is none. `isTrusted`: the operator named it. */
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
  return answer.status === 'rejected' && (answer.reason as NodeJS.ErrnoException).code === 'ETIMEOUT';
}
