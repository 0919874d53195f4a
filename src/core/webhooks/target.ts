/**
 * Where outbound webhooks may go (decisions 8): to public addresses by https, and to private ones only where the
 * operator allows it. The same rule judges a subscription's address and, at each connection, the address that is dialled.
 */
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { readWebAddress } from '../web-address.js';
import { resolveName, type Address, type Resolve } from './resolve.js';

export interface TargetRules {
  /** Hosts, addresses and CIDR ranges that may be reached although private, also by http and on any port. */
  allowPrivate: readonly string[];
  ports: readonly number[];
}

export interface Target {
  protocol: string;
  /** As it stands in the URL; an IPv6 address in brackets or without. */
  hostname: string;
  port: number;
}

const URL_LENGTH_MAX = 2_048;
/** A subscription does not wait longer for a name; each connection asks again. */
const RESOLVE_WITHIN_MS = 1_000;

const NOT_HTTPS = 'This value should be an https address.';
const NO_WAY = 'This address is not allowed: it does not lead to the public internet.';

const FAULTS = {
  no_address: NOT_HTTPS,
  credentials: 'This address should not hold a user name or password.',
  fragment: 'This address should not hold a fragment.',
} as const;

/** What is wrong with an address wherever it leads; undefined: a rule may look at where that is. */
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
    this.#hosts = new Set(allowPrivate.filter((entry) => !isRange(entry)).map(plainHost));
    this.#ranges = allowPrivate.filter(isRange).map(parseRange);
    this.#ports = new Set(ports);
    this.#resolve = resolve;
  }

  /** What is wrong with an address that somebody wants to be told at; undefined: nothing as far as can be seen now. */
  async faultOf(text: string): Promise<string | undefined> {
    const url = read(text);
    if (typeof url === 'string') return FAULTS[url];
    const target = targetOf(url);
    const addresses = await this.#addressesOf(target);
    // A name that nobody knows yet is judged as a public one; deliveries are refused until it has a good address.
    if (addresses.length === 0) return this.#isNamed(target) ? undefined : faultOfPublic(target, this.#ports);
    if (addresses.every((address) => this.allows(target, address))) return undefined;
    const isPublic = addresses.every((address) => isPublicAddress(address));
    return isPublic ? faultOfPublic(target, this.#ports) : NO_WAY;
  }

  /** Whether a connection to this address may be made for this target. */
  allows(target: Target, address: string): boolean {
    if (this.#isNamed(target) || this.#isInRange(address)) return true;
    return faultOfPublic(target, this.#ports) === undefined && isPublicAddress(address);
  }

  /** The addresses to dial; throws AddressRefused when one of them is not allowed, and what the resolver throws. */
  async dial(target: Target): Promise<Address[]> {
    const literal = plainHost(target.hostname);
    const family = isIP(literal);
    const found = family
      ? [{ address: literal, family }]
      : await this.#resolve(literal, this.#isNamed(target));
    // One bad address among good ones is no accident.
    if (found.length === 0 || !found.every(({ address }) => this.allows(target, address))) {
      throw new AddressRefused();
    }
    return found;
  }

  async #addressesOf(target: Target): Promise<string[]> {
    const host = plainHost(target.hostname);
    if (isIP(host)) return [host];
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
    const address = parseAddress(text);
    if (!address) return false;
    return this.#ranges.some(
      ([range, bits]) => range.kind() === address.kind() && address.match(range, bits),
    );
  }
}

/** The address that a name led to, or that stands in the URL, is none that may be dialled. */
class AddressRefused extends Error {
  override readonly name = 'AddressRefused';
  readonly code = 'EREFUSEDADDRESS';
  constructor() {
    super('the address is not allowed');
  }
}

function targetOf({ protocol, hostname, port }: URL): Target {
  return { protocol, hostname, port: port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port) };
}

function faultOfPublic({ protocol, port }: Target, ports: ReadonlySet<number>): string | undefined {
  if (protocol !== 'https:') return NOT_HTTPS;
  return ports.has(port) ? undefined : `Port ${port} is not allowed.`;
}

const GLOBAL_IPV6: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3];
/** A public number that the machines of one cloud use for their metadata. */
const METADATA = ['168.63.129.16'];

/** True only for addresses of the public internet; what cannot be read is none. */
function isPublicAddress(text: string): boolean {
  const address = parseAddress(text);
  if (address?.range() !== 'unicast') return false;
  // The library calls everything unicast that it has no other word for, such as ::7f00:1.
  return address instanceof ipaddr.IPv6
    ? address.match(...GLOBAL_IPV6)
    : !METADATA.includes(address.toString());
}

/** An IPv4 address in the clothes of IPv6 (::ffff:127.0.0.1) is judged as what it is. */
function parseAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  return ipaddr.isValid(text) ? ipaddr.process(text) : undefined;
}

function parseRange(entry: string): [ipaddr.IPv4 | ipaddr.IPv6, number] {
  if (ipaddr.isValidCIDR(entry)) return ipaddr.parseCIDR(entry);
  const address = ipaddr.process(entry);
  return [address, address.kind() === 'ipv4' ? 32 : 128];
}

/** Without brackets, the last dot and letter case. */
function plainHost(hostname: string): string {
  return hostname
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '');
}
