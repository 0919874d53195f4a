/**
 * Where outbound webhooks may go (rules 8): to public addresses by https, and to private ones only if the operator
 * allows it. The same rule checks a subscription's address and, on each connection, the address connected to.
 */
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { readWebAddress } from '../settings/web-address.js';
import { lookup, Resolver } from 'node:dns/promises';
import { codeOf } from '../../db/caught.js';

export interface TargetRules {
  /** Private hosts, addresses and CIDR ranges that may be reached, also by http and on any port. */
  allowPrivate: readonly string[];
  ports: readonly number[];
}

export interface Target {
  protocol: string;
  /** As in the URL; an IPv6 address with or without brackets. */
  hostname: string;
  port: number;
}

const URL_LENGTH_MAX = 2_048;
/** The limit when subscribing; each connection resolves again. */
const RESOLVE_WITHIN_MS = 1_000;

const NOT_HTTPS = 'This value should be an https address.';
const NO_WAY = 'This address is not allowed: it does not lead to the public internet.';

const FAULTS = {
  no_address: NOT_HTTPS,
  credentials: 'This address should not hold a user name or password.',
  fragment: 'This address should not hold a fragment.',
} as const;

export function formFaultOf(text: string): string | undefined {
  const url = read(text);
  return typeof url === 'string' ? FAULTS[url] : undefined;
}

function read(text: string): URL | keyof typeof FAULTS {
  return text.length <= URL_LENGTH_MAX ? readWebAddress(text) : 'no_address';
}

export class TargetRule {
  readonly #hosts: ReadonlySet<string>;
  readonly #ranges: readonly [ipaddr.IPv4 | ipaddr.IPv6, number][];
  readonly #ports: ReadonlySet<number>;
  readonly #resolve: Resolve;

  constructor({ allowPrivate, ports }: TargetRules, resolve: Resolve = resolveName) {
    const isRange = (entry: string) => ipaddr.isValidCIDR(entry) || isIP(entry) !== 0;
    this.#hosts = new Set(allowPrivate.map(plainHost));
    this.#ranges = allowPrivate.filter(isRange).map(parseRange);
    this.#ports = new Set(ports);
    this.#resolve = resolve;
  }

  /** What is wrong with a subscription's address, as far as can be known now; undefined for nothing. */
  async faultOf(text: string): Promise<string | undefined> {
    const url = read(text);
    if (typeof url === 'string') return FAULTS[url];
    const target = targetOf(url);
    const addresses = await this.#addressesOf(target);
    // An unknown name is treated as public; deliveries are refused until it has an allowed address.
    if (addresses.length === 0) return this.#isNamed(target) ? undefined : faultOfPublic(target, this.#ports);
    if (addresses.every((address) => this.allows(target, address))) return undefined;
    const isPublic = addresses.every((address) => isPublicAddress(address));
    return isPublic ? faultOfPublic(target, this.#ports) : NO_WAY;
  }

  allows(target: Target, address: string): boolean {
    if (this.#isNamed(target) || this.#isInRange(address)) return true;
    return faultOfPublic(target, this.#ports) === undefined && isPublicAddress(address);
  }

  /** The addresses to dial. Throws AddressRefused when one of them is not allowed, and the resolver's errors. */
  async dial(target: Target): Promise<Address[]> {
    const host = plainHost(target.hostname);
    const found = isLiteral(target)
      ? [{ address: host, family: isIP(host) }]
      : await this.#resolve(host, this.#isNamed(target));
    // A forbidden address among allowed ones is suspicious.
    if (found.length === 0 || !found.every(({ address }) => this.allows(target, address))) {
      throw new AddressRefused();
    }
    return found;
  }

  async #addressesOf(target: Target): Promise<string[]> {
    const host = plainHost(target.hostname);
    if (isLiteral(target)) return [host];
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<[]>((resolve) => (timer = setTimeout(() => resolve([]), RESOLVE_WITHIN_MS)));
    const found = await Promise.race([this.#resolve(host, this.#isNamed(target)).catch(() => []), late]);
    clearTimeout(timer);
    return found.map(({ address }) => address);
  }

  #isNamed({ hostname }: Target): boolean {
    return this.#hosts.has(plainHost(hostname));
  }

  #isInRange(text: string): boolean {
    const spellings = ipaddr.isValid(text) ? [ipaddr.parse(text), reachedBy(text)] : [];
    return this.#ranges.some(([range, bits]) =>
      spellings.some((address) => range.kind() === address.kind() && address.match(range, bits)),
    );
  }
}

type TargetUrl = Pick<URL, 'protocol' | 'hostname' | 'port'>;

/** Other protocols lead only to what the operator allowed, on any port. */
const HTTPS_PORT = 443;

class AddressRefused extends Error {
  override readonly name = 'AddressRefused';
  readonly code = 'EREFUSEDADDRESS';
  constructor() {
    super('the address is not allowed');
  }
}

export function targetOf({ protocol, hostname, port }: TargetUrl): Target {
  return { protocol, hostname, port: port === '' ? HTTPS_PORT : Number(port) };
}

export function isLiteral({ hostname }: Pick<Target, 'hostname'>): boolean {
  return isIP(plainHost(hostname)) !== 0;
}

function faultOfPublic({ protocol, port }: Target, ports: ReadonlySet<number>): string | undefined {
  if (protocol !== 'https:') return NOT_HTTPS;
  return ports.has(port) ? undefined : `Port ${port} is not allowed.`;
}

const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');
/** The common prefix of gateways from IPv6 to IPv4 (NAT64, RFC 6052); networks without IPv4 reach all of it through them. */
const NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');
/** A public address that serves one cloud's metadata. */
const METADATA = ['168.63.129.16'];

/** True only for addresses of the public internet. */
function isPublicAddress(text: string): boolean {
  const address = ipaddr.isValid(text) ? reachedBy(text) : undefined;
  if (address?.range() !== 'unicast') return false;
  // The library calls unknown ranges unicast, such as ::7f00:1.
  return address instanceof ipaddr.IPv6
    ? address.match(...GLOBAL_IPV6)
    : !METADATA.includes(address.toString());
}

/**
 * Where a valid address leads: the IPv4 address within a mapped one (::ffff:127.0.0.1), or within one of NAT64. The
 * other forms with an IPv4 address inside (6to4, Teredo, local NAT64) lead to somebody's network, and are never public.
 */
function reachedBy(text: string): ipaddr.IPv4 | ipaddr.IPv6 {
  const address = ipaddr.process(text);
  return address instanceof ipaddr.IPv6 && address.match(NAT64)
    ? new ipaddr.IPv4(address.toByteArray().slice(12))
    : address;
}

function parseRange(entry: string): [ipaddr.IPv4 | ipaddr.IPv6, number] {
  if (ipaddr.isValidCIDR(entry)) return ipaddr.parseCIDR(entry);
  const address = ipaddr.process(entry);
  return [address, address.kind() === 'ipv4' ? 32 : 128];
}

function plainHost(hostname: string): string {
  return hostname.toLowerCase().replace(/[[\]]/g, '').replace(/\.$/, '');
}

// Resolves names. The system's resolver blocks one of a few threads, which also write files and check passwords, and
// a stranger's dead name server could block it for long. So users' names are first resolved over the network; the
// system is asked for names the operator allowed, and for what only it knows (/etc/hosts).

interface Address {
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
