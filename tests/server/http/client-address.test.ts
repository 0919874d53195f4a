import { expect, test } from 'vitest';
import { clientAddress, trustedProxies } from '../../../src/server/http/client-address.js';

const trusted = trustedProxies(['10.0.0.0/8', '192.0.2.7', '2001:db8:ffff::/48']);

test.each([
  ['a direct caller is its socket', '203.0.113.5', undefined, '203.0.113.5'],
  ['a stranger may write what it likes', '203.0.113.5', '1.2.3.4', '203.0.113.5'],
  ['behind a trusted proxy the last hop counts', '10.1.2.3', '1.2.3.4', '1.2.3.4'],
  ['what stands left of the client is its own claim', '10.1.2.3', '6.6.6.6, 1.2.3.4', '1.2.3.4'],
  [
    'trusted proxies in a row are passed over',
    '10.1.2.3',
    '6.6.6.6, 1.2.3.4, 192.0.2.7, 10.9.9.9',
    '1.2.3.4',
  ],
  ['ports are cut off', '10.1.2.3', '1.2.3.4:5678', '1.2.3.4'],
  ['ports of IPv6 too', '10.1.2.3', '[2001:db8::1]:80', '2001:db8::/64'],
  ['a hop that is no address ends the walk', '10.1.2.3', '1.2.3.4, nonsense', '10.1.2.3'],
  ['an empty header leaves the proxy', '10.1.2.3', '', '10.1.2.3'],
  ['a mapped address is the IPv4 one', '::ffff:203.0.113.5', undefined, '203.0.113.5'],
  ['a mapped proxy is still trusted', '::ffff:10.1.2.3', '1.2.3.4', '1.2.3.4'],
  ['IPv6 counts per /64', '2001:db8:1:2:3:4:5:6', undefined, '2001:db8:1:2::/64'],
  ['a trusted IPv6 proxy', '2001:db8:ffff::9', '1.2.3.4', '1.2.3.4'],
  ['no socket at all', undefined, '1.2.3.4', 'unknown'],
])('%s', (_, peer, forwardedFor, client) => {
  expect(clientAddress({ peer, forwardedFor }, trusted)).toBe(client);
});

test('without trusted proxies nobody is believed', () => {
  const nobody = trustedProxies([]);
  expect(clientAddress({ peer: '127.0.0.1', forwardedFor: '1.2.3.4' }, nobody)).toBe('127.0.0.1');
});
