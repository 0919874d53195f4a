/**
 * Where a call comes from. `X-Forwarded-For` counts only from trusted proxies and is read from the right: the
 * rightmost hop that is not a trusted proxy is the client, whatever is to its left.
 */
import { isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { Call, Parts } from '../parts.js';

const UNKNOWN = 'unknown';
const HOPS_MAX = 32;

/** Tests whether an address is in one of the ranges; compares parsed addresses, not their spelling. */
export function trustedProxies(ranges: readonly string[]): (address: string) => boolean {
  const parsed = ranges.map((range) => (range.includes('/') ? ipaddr.parseCIDR(range) : single(range)));
  return (address) => {
    if (parsed.length === 0 || !ipaddr.isValid(address)) return false;
    const plain = ipaddr.process(address);
    return parsed.some(([base, bits]) => plain.kind() === base.kind() && plain.match(base, bits));
  };
}

function single(address: string): [ipaddr.IPv4 | ipaddr.IPv6, number] {
  const plain = ipaddr.process(address);
  return [plain, plain.kind() === 'ipv4' ? 32 : 128];
}

export interface Hops {
  /** The address at the other end of the socket. */
  peer: string | undefined;
  forwardedFor: string | undefined;
}

/** The client's address as limits count it: IPv4 whole, IPv6 per /64, because a /64 is one customer. */
export function clientAddress({ peer, forwardedFor }: Hops, isTrusted: (address: string) => boolean): string {
  let client = peer;
  const hops = forwardedFor?.split(',').slice(-HOPS_MAX) ?? [];
  while (client !== undefined && isTrusted(client) && hops.length > 0) {
    const hop = withoutPort((hops.pop() as string).trim());
    if (!ipaddr.isValid(hop)) break;
    client = hop;
  }
  return client === undefined ? UNKNOWN : canonical(client);
}

function withoutPort(hop: string): string {
  return /^\[([^\]]+)\](?::\d+)?$/.exec(hop)?.[1] ?? hop.replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1');
}

function canonical(address: string): string {
  // Accepts only the usual spelling, and is much cheaper.
  if (isIPv4(address)) return address;
  if (!ipaddr.isValid(address)) return UNKNOWN;
  const plain = ipaddr.process(address);
  if (plain.kind() === 'ipv4') return plain.toString();
  const network = (plain as ipaddr.IPv6).parts.map((part, i) => (i < 4 ? part : 0));
  return `${new ipaddr.IPv6(network).toString()}/64`;
}

export function addressOf(c: Call, { isTrustedProxy }: Parts): string {
  const peer = c.env?.incoming?.socket.remoteAddress;
  return clientAddress({ peer, forwardedFor: c.req.header('X-Forwarded-For') }, isTrustedProxy);
}
