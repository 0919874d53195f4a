/** Outbound webhooks reach the public internet and nothing else, whatever an address is dressed up as. */
import { Resolver } from 'node:dns/promises';
import { getDefaultAutoSelectFamily, isIP, setDefaultAutoSelectFamily } from 'node:net';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { Outbound } from '../../../src/core/webhooks/outbound.js';
import {
  type Resolve,
  formFaultOf,
  resolveName,
  TargetRule,
  type TargetRules,
} from '../../../src/core/webhooks/target.js';
import { NO_PROVIDERS, rejection, temporaryDirectory, testConfig } from '../../support/app.js';
import { aReceiver } from '../../support/receiver.js';

const NOWHERE: Resolve = () => Promise.reject(new Error('ENOTFOUND'));

/** A resolver that knows these names. */
const names =
  (known: Record<string, string | string[]>): Resolve =>
  (name) => {
    const addresses = known[name];
    if (!addresses) return NOWHERE(name, false);
    return Promise.resolve(
      [addresses].flat().map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
  };

const rule = (rules: Partial<TargetRules> = {}, resolve: Resolve = NOWHERE) =>
  new TargetRule({ allowPrivate: [], ports: [443], ...rules }, resolve);

const NO_WAY = 'This address is not allowed: it does not lead to the public internet.';

const PRIVATE = `
  127.0.0.1 127.1 127.0.0.53 0.0.0.0 0 0.1.2.3 10.0.0.1 172.16.0.1 172.31.255.255 192.168.1.1
  169.254.0.1 169.254.169.254 100.64.0.1 100.100.100.200 192.0.0.192 168.63.129.16
  224.0.0.1 239.255.255.250 240.0.0.1 255.255.255.255 198.18.0.1 192.0.2.1 203.0.113.9
  2130706433 0x7f000001 0x7f.0.0.1 017700000001 0177.0.0.1 127.0.1 %31%32%37.0.0.1
  １２７.0.0.1 ①②⑦.0.0.1 127。0。0。1 2852039166 0xA9FEA9FE
  [::] [::1] [0:0:0:0:0:0:0:1] [fe80::1] [fec0::1] [fc00::1] [fd00:ec2::254] [ff02::1]
  [::ffff:127.0.0.1] [::ffff:7f00:1] [::ffff:10.0.0.1] [::ffff:169.254.169.254] [::127.0.0.1] [::ffff:0:127.0.0.1]
  [64:ff9b::127.0.0.1] [64:ff9b::a9fe:a9fe] [64:ff9b::10.0.0.1]
  [64:ff9b::a83f:8110] [64:ff9b:1::7f00:1] [64:ff9b:1::5db8:d822] [64:ff9b:0:0:0:1:5db8:d822] [2002:5db8:d822::1] [2002:7f00:1::] [2002:a00:1::1]
  [2001:0:7f00:1::] [2001:db8::1] [100::1] [5f00::1] [3fff::1]`
  .trim()
  .split(/\s+/);

describe('an address in the URL', () => {
  test.each(PRIVATE)('https://%s/ is refused', async (host) => {
    expect(await rule().faultOf(`https://${host}/hook`)).toBe(NO_WAY);
    const { protocol, hostname } = new URL(`https://${host}/`);
    await expect(rule().dial({ protocol, hostname, port: 443 })).rejects.toThrow('not allowed');
  });

  test.each([
    '93.184.216.34',
    '[2606:4700:4700::1111]',
    '[::ffff:93.184.216.34]',
    '[64:ff9b::5db8:d822]',
    '1.1',
  ])('https://%s/ is public', async (host) => {
    expect(await rule().faultOf(`https://${host}/hook`)).toBeUndefined();
    const { protocol, hostname } = new URL(`https://${host}/`);
    const address = hostname.replace(/[[\]]/g, '');
    expect(await rule().dial({ protocol, hostname, port: 443 })).toEqual([
      { address, family: isIP(address) },
    ]);
  });
});

describe('a name', () => {
  test.each(PRIVATE.filter((host) => /^[\d.]{7,}$|^\[[\da-f:.]+\]$/.test(host)))(
    'that leads to %s is refused',
    async (host) => {
      const resolve = names({ 'hook.example.org': host.replace(/[[\]]/g, '') });
      expect(await rule({}, resolve).faultOf('https://hook.example.org/')).toBe(NO_WAY);
    },
  );

  test.each<[string[], string | undefined]>([
    [['93.184.216.34', '127.0.0.1'], NO_WAY],
    // A public address through NAT64, and a private one.
    [['93.184.216.34', '64:ff9b::5db8:d822'], undefined],
    [['93.184.216.34', '64:ff9b::a00:1'], NO_WAY],
  ])('that leads to %j: %s', async (addresses, fault) => {
    const resolve = names({ 'hook.example.org': addresses });
    expect(await rule({}, resolve).faultOf('https://hook.example.org/')).toBe(fault);
  });

  test('that is not known yet is taken, and refused at each delivery while it is not', async () => {
    expect(await rule().faultOf('https://later.example.org/')).toBeUndefined();
    const dialled = rule().dial({ protocol: 'https:', hostname: 'later.example.org', port: 443 });
    await expect(dialled).rejects.toThrow('ENOTFOUND');
  });

  test.each(['localhost', 'LOCALHOST', 'localhost.'])(
    '%s is refused, as the system resolves it',
    async (host) => {
      const system = new TargetRule({ allowPrivate: [], ports: [443] });
      expect(await system.faultOf(`https://${host}/`)).toBe(NO_WAY);
      await expect(system.dial({ protocol: 'https:', hostname: host, port: 443 })).rejects.toThrow();
    },
  );

  test('that a resolver is slow about does not hold up who subscribes, and a quick one leaves no timer', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const never: Resolve = () => new Promise(() => undefined);
    const asked = rule({}, never).faultOf('https://slow.example.org/');
    vi.advanceTimersByTime(1_000);
    expect(await asked).toBeUndefined();
    await rule().faultOf('https://later.example.org/');
    expect(vi.getTimerCount()).toBe(0);
  });

  test('is dialled at its public addresses, all of them or none', async () => {
    const target = { protocol: 'https:', hostname: 'a.example.org', port: 443 };
    const dial = (...addresses: string[]) =>
      rule({ allowPrivate: ['10.0.0.0/8'] }, names({ 'a.example.org': addresses })).dial(target);
    expect(await dial('93.184.216.34', '2606:4700:4700::1111')).toEqual([
      { address: '93.184.216.34', family: 4 },
      { address: '2606:4700:4700::1111', family: 6 },
    ]);
    for (const addresses of [[], ['93.184.216.34', '127.0.0.1'], ['nonsense']])
      await expect(dial(...addresses)).rejects.toThrow('not allowed');
  });
});

describe('the addresses of a name', () => {
  type Said = string[] | 'ENOTFOUND' | 'ETIMEOUT';

  /** The name servers' answers; the system knows localhost by itself. */
  const coded = (code: string) => Object.assign(new Error('no'), { code });
  const isLocal = expect.stringMatching(/^(127\.0\.0\.1|::1)$/) as unknown;
  function nameServers(ipv4: Said, ipv6: Said) {
    const saying = (said: Said) => () =>
      typeof said === 'string' ? Promise.reject(coded(said)) : Promise.resolve(said);
    const asked = vi.spyOn(Resolver.prototype, 'resolve4').mockImplementation(saying(ipv4));
    const asked6 = vi.spyOn(Resolver.prototype, 'resolve6').mockImplementation(saying(ipv6));
    onTestFinished(() => [asked, asked6].forEach((spy) => spy.mockRestore()));
    return asked;
  }

  test.each<[Said, Said, string[]]>([
    [['192.0.2.1'], ['2001:db8::1'], ['192.0.2.1', '2001:db8::1']],
    [['192.0.2.1', '192.0.2.2'], 'ETIMEOUT', ['192.0.2.1', '192.0.2.2']],
    ['ENOTFOUND', ['2001:db8::1'], ['2001:db8::1']],
  ])('of a user are asked of the name servers: %j and %j', async (ipv4, ipv6, found) => {
    nameServers(ipv4, ipv6);
    expect(await resolveName('localhost', false)).toEqual(
      found.map((address) => ({ address, family: isIP(address) })),
    );
  });

  test.each<[Said, Said]>([
    ['ETIMEOUT', 'ETIMEOUT'],
    ['ETIMEOUT', 'ENOTFOUND'],
    ['ENOTFOUND', 'ETIMEOUT'],
  ])('whose name server is silent holds up no thread of the system: %s, %s', async (ipv4, ipv6) => {
    nameServers(ipv4, ipv6);
    expect(await rejection(resolveName('localhost', false))).toMatchObject({ code: 'EAI_AGAIN' });
  });

  test('that only the system knows is asked of the system', async () => {
    nameServers('ENOTFOUND', 'ENOTFOUND');
    const found = await resolveName('localhost', false);
    expect(found.map(({ address }) => address)).toContainEqual(isLocal);
  });

  test('that the operator allowed is asked of the system alone', async () => {
    const asked = nameServers(['192.0.2.1'], ['2001:db8::1']);
    const found = await resolveName('localhost', true);
    expect(found.map(({ address }) => address)).toContainEqual(isLocal);
    expect(asked).not.toHaveBeenCalled();
  });
});

describe('the rest of the URL', () => {
  const resolve = names({ 'a.example.org': '93.184.216.34' });

  const FORM = 'This value should be an https address.';
  const LOGIN = 'This address should not hold a user name or password.';
  const FRAGMENT = 'This address should not hold a fragment.';

  test.each([
    ['http://a.example.org/', FORM],
    ['ftp://a.example.org/', FORM],
    ['file:///etc/passwd', FORM],
    ['javascript:alert(1)', FORM],
    ['a.example.org', FORM],
    ['', FORM],
    // What follows is repaired without a word by the URL standard.
    ['https:///x', FORM],
    ['https:////a.example.org/', FORM],
    ['https:a.example.org', FORM],
    ['https:/a.example.org/', FORM],
    ['https:\\\\a.example.org\\', FORM],
    ['https://a.example.org\\@127.0.0.1/', FORM],
    ['https://a.example.org:/', FORM],
    ['https://?x=1', FORM],
    ['https://#x', FORM],
    [' https://a.example.org/', FORM],
    ['https://a.example.org/a b', FORM],
    ['https://a.exa\tmple.org/', FORM],
    ['https://a.example.org/\n', FORM],
    ['https://a.exa\u00admple.org/', FORM],
    ['https://a.exam\u200bple.org/', FORM],
    ['https://a.example.org/\u202e', FORM],
    ['https://@a.example.org/', LOGIN],
    ['https://:@a.example.org/', LOGIN],
    ['https://user@a.example.org/', LOGIN],
    ['https://a.example.org:secret@127.0.0.1/', LOGIN],
    ['https://a.example.org/#', FRAGMENT],
    ['https://a.example.org/#top', FRAGMENT],
    ['https://a.example.org:8443/', 'Port 8443 is not allowed.'],
    ['https://a.example.org:0/', 'Port 0 is not allowed.'],
    ['https://a.example.org:80/', 'Port 80 is not allowed.'],
    [`https://a.example.org/${'x'.repeat(2_048 - 22)}`, undefined],
    [`https://a.example.org/${'x'.repeat(2_048 - 21)}`, FORM],
  ])('%s: %s', async (url, fault) => {
    expect(await rule({}, resolve).faultOf(url)).toBe(fault);
  });

  test('other ports by setting', async () => {
    expect(
      await rule({ ports: [443, 8443] }, resolve).faultOf('https://a.example.org:8443/'),
    ).toBeUndefined();
  });
});

test('the form of an address is judged without asking anybody', () => {
  expect(formFaultOf('https://127.0.0.1/hook')).toBeUndefined();
  expect(formFaultOf('https://user@a.example.org/')).toBe(
    'This address should not hold a user name or password.',
  );
});

describe('what the operator allows', () => {
  const resolve = names({
    'hooks.internal': '10.1.2.3',
    'outside.example.org': '93.184.216.34',
    'rebound.example.org': '10.1.2.3',
    'seven.internal': 'fd00::7',
    'eight.internal': 'fd00::8',
  });

  test.each([
    ['hooks.internal', 'http://hooks.internal:9000/', undefined],
    ['HOOKS.internal', 'https://hooks.internal./', undefined],
    ['10.0.0.0/8', 'http://10.1.2.3:9000/', undefined],
    ['10.0.0.0/8', 'http://[::ffff:10.1.2.3]/', undefined],
    ['10.0.0.0/8', 'http://hooks.internal/', undefined],
    ['10.0.0.0/8', 'http://[64:ff9b::10.1.2.3]/', undefined],
    ['64:ff9b::/96', 'http://[64:ff9b::10.1.2.3]/', undefined],
    ['64:ff9b::/96', 'http://10.1.2.3/', NO_WAY],
    ['10.1.2.3', 'http://10.1.2.3/', undefined],
    ['10.1.2.3', 'http://hooks.internal/', undefined],
    ['10.1.2.4', 'http://hooks.internal/', NO_WAY],
    ['10.1.2.3', 'http://[fd00::7]/', NO_WAY],
    ['fd00::7', 'http://seven.internal/', undefined],
    ['fd00::7', 'http://eight.internal/', NO_WAY],
    ['fd00::7', 'http://hooks.internal/', NO_WAY],
    ['FD00::7', 'http://[fd00::7]/', undefined],
    ['fd00::/8', 'http://[fd00::7]:8080/', undefined],
    ['10.0.0.0/8', 'http://127.0.0.1/', NO_WAY],
    ['hooks.internal', 'http://10.1.2.3/', NO_WAY],
    ['hooks.internal', 'https://rebound.example.org/', NO_WAY],
    ['10.0.0.0/8', 'http://outside.example.org/', 'This value should be an https address.'],
    ['hooks.internal', 'http://other.internal/', 'This value should be an https address.'],
  ])('%s: %s', async (allowed, url, fault) => {
    expect(await rule({ allowPrivate: [allowed] }, resolve).faultOf(url)).toBe(fault);
  });
});

describe('at the moment of connecting', () => {
  const outbound = (resolve: Resolve, env: Record<string, string> = {}) => {
    return new Outbound(testConfig(temporaryDirectory(), NO_PROVIDERS, env), { resolve });
  };
  const post = (out: Outbound, url: string) => out.post({ url, headers: {}, body: '{}' });

  test('an answer of the name server that has changed since the subscription is refused', async () => {
    const receiver = await aReceiver();
    const { port } = new URL(receiver.url);
    let asked = 0;
    const rebinding: Resolve = () => {
      asked += 1;
      return Promise.resolve([{ address: asked === 1 ? '93.184.216.34' : '127.0.0.1', family: 4 }]);
    };
    const out = outbound(rebinding, { ESIGN_WEBHOOK_PORTS: `443,${port}` });
    const url = `https://rebinding.example.org:${port}/`;
    expect(await out.targets.faultOf(url)).toBeUndefined();
    expect(await post(out, url)).toMatchObject({ outcome: 'address_refused' });
    expect(receiver.received).toEqual([]);
  });

  test.each([
    ['several addresses', true],
    ['one address only', false],
  ])(
    'a name is resolved once per connection, and the address that was checked is the one connected to, where Node tries %s',
    async (_, severalAreTried) => {
      const before = getDefaultAutoSelectFamily();
      setDefaultAutoSelectFamily(severalAreTried);
      onTestFinished(() => setDefaultAutoSelectFamily(before));
      const receiver = await aReceiver();
      const { port } = new URL(receiver.url);
      let asked = 0;
      const once: Resolve = () => {
        asked += 1;
        return Promise.resolve([{ address: asked === 1 ? '127.0.0.1' : '203.0.113.1', family: 4 }]);
      };
      const out = outbound(once, { ESIGN_WEBHOOK_ALLOW_PRIVATE: '127.0.0.0/8' });
      const answer = await post(out, `http://somewhere.example.org:${port}/`);
      expect(answer).toMatchObject({ outcome: 'delivered', status: 204 });
      expect([asked, receiver.received.length]).toEqual([1, 1]);
      expect(receiver.received[0]?.headers.host).toBe(`somewhere.example.org:${port}`);
      out.close();
    },
  );

  test('a proxy of the environment is not asked', async () => {
    const proxy = await aReceiver();
    const receiver = await aReceiver();
    process.env['http_proxy'] = process.env['HTTP_PROXY'] = proxy.url;
    try {
      const out = outbound(NOWHERE, { ESIGN_WEBHOOK_ALLOW_PRIVATE: '127.0.0.1' });
      expect(await post(out, receiver.url)).toMatchObject({ outcome: 'delivered' });
      out.close();
    } finally {
      delete process.env['http_proxy'];
      delete process.env['HTTP_PROXY'];
    }
    expect(proxy.received).toEqual([]);
  });
});
