/** The parts of a delivery, each alone: names, words for trouble, sealed secrets, and one POST with its answer. */
import { createHmac } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { Resolver } from 'node:dns/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { Outbound, type OutboundOptions, SecretBox } from '../../../src/core/webhooks/outbound.js';
import { resolveName } from '../../../src/core/webhooks/target.js';
import { bodySignature, sentBody, signatureHeaders } from '../../../src/core/webhooks/signatures.js';
import { troubleOf } from '../../../src/core/webhooks/words.js';
import { NO_PROVIDERS, rejection, temporaryDirectory, testConfig } from '../../support/app.js';
import { answered, aReceiver, silent } from '../../support/receiver.js';

const coded = (code: string, more: object = {}) => Object.assign(new Error('no'), { code, ...more });

describe('a name', () => {
  type Said = string[] | 'ENOTFOUND' | 'ETIMEOUT';

  /** The name servers' answers; the system knows localhost by itself. */
  function nameServers(ipv4: Said, ipv6: Said) {
    const saying = (said: Said) => () =>
      typeof said === 'string' ? Promise.reject(coded(said)) : Promise.resolve(said);
    const asked = vi.spyOn(Resolver.prototype, 'resolve4').mockImplementation(saying(ipv4));
    const asked6 = vi.spyOn(Resolver.prototype, 'resolve6').mockImplementation(saying(ipv6));
    onTestFinished(() => [asked, asked6].forEach((spy) => spy.mockRestore()));
    return asked;
  }

  test.each<[Said, Said, object[]]>([
    [
      ['192.0.2.1'],
      ['2001:db8::1'],
      [
        { address: '192.0.2.1', family: 4 },
        { address: '2001:db8::1', family: 6 },
      ],
    ],
    [
      ['192.0.2.1', '192.0.2.2'],
      'ETIMEOUT',
      [
        { address: '192.0.2.1', family: 4 },
        { address: '192.0.2.2', family: 4 },
      ],
    ],
    ['ENOTFOUND', ['2001:db8::1'], [{ address: '2001:db8::1', family: 6 }]],
  ])('of a user is asked of the name servers: %j and %j', async (ipv4, ipv6, found) => {
    nameServers(ipv4, ipv6);
    expect(await resolveName('localhost', false)).toEqual(found);
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
    expect(found.map(({ address }) => address)).toContainEqual(expect.stringMatching(/^(127\.0\.0\.1|::1)$/));
  });

  test('that the operator allowed is asked of the system alone', async () => {
    const asked = nameServers(['192.0.2.1'], ['2001:db8::1']);
    const found = await resolveName('localhost', true);
    expect(found.map(({ address }) => address)).toContainEqual(expect.stringMatching(/^(127\.0\.0\.1|::1)$/));
    expect(asked).not.toHaveBeenCalled();
  });
});

test.each<[unknown, string]>([
  ...(
    [
      ['EREFUSEDADDRESS', 'address_refused'],
      ['ENOTFOUND', 'host_not_found'],
      ['ECONNREFUSED', 'connection_refused'],
      ['ECONNRESET', 'connection_lost'],
      ['EHOSTUNREACH', 'unreachable'],
      ['ETIMEDOUT', 'timeout'],
      ['CERT_HAS_EXPIRED', 'tls_failed'],
      ['DEPTH_ZERO_SELF_SIGNED_CERT', 'tls_failed'],
      ['ERR_TLS_CERT_ALTNAME_INVALID', 'tls_failed'],
      ['ERR_SSL_WRONG_VERSION_NUMBER', 'tls_failed'],
      ['ERR_TLS_HANDSHAKE_TIMEOUT', 'tls_failed'],
      ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'tls_failed'],
      ['EPROTO', 'tls_failed'],
      ['HPE_HEADER_OVERFLOW', 'invalid_answer'],
      ['ANOTHER_ERR_TLS_THING', 'network_error'],
      ['EWHATEVER', 'network_error'],
    ] as const
  ).map(([code, word]): [unknown, string] => [coded(code), word]),
  [new DOMException('late', 'TimeoutError'), 'timeout'],
  [coded('HPE_INVALID_CONSTANT'), 'invalid_answer'],
  [new Error('no'), 'network_error'],
  ['a word', 'network_error'],
  [undefined, 'network_error'],
  [new TypeError('fetch failed', { cause: coded('ENOTFOUND') }), 'host_not_found'],
  [new Error('one', { cause: new Error('two', { cause: coded('EPROTO') }) }), 'tls_failed'],
  [coded('EWHATEVER', { cause: coded('ECONNREFUSED') }), 'connection_refused'],
  // What it calls itself counts before what caused it.
  [coded('ECONNRESET', { cause: coded('ENOTFOUND') }), 'connection_lost'],
  [coded('ECONNRESET', { cause: 'a word' }), 'connection_lost'],
  [new AggregateError([coded('ECONNREFUSED'), coded('ENETUNREACH')]), 'connection_refused'],
  [Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' }), 'connection_refused'],
])('%o is called %s', (error, word) => {
  expect(troubleOf(error)).toBe(word);
});

describe('a sealed secret', () => {
  /** As a data directory is before its first key. */
  const dataDir = () => {
    const directory = temporaryDirectory();
    mkdirSync(join(directory, 'keys'));
    return directory;
  };

  test('is opened by its key alone, also after a restart, and looks different each time', () => {
    const directory = dataDir();
    const box = new SecretBox(directory);
    const sealed = box.seal('a secret with ü');
    expect(new SecretBox(directory).unseal(sealed)).toBe('a secret with ü');
    expect(box.seal('a secret with ü')).not.toBe(sealed);
    expect(box.unseal(box.seal(''))).toBe('');
    expect(() => new SecretBox(dataDir()).unseal(sealed)).toThrow('cannot be read');
  });

  test('that has been touched is not opened', () => {
    const box = new SecretBox(dataDir());
    const sealed = box.seal('a secret');
    const bytes = Buffer.from(sealed.slice(3), 'base64');
    const touched = [...bytes.keys()].map((at) => {
      const copy = Buffer.from(bytes);
      copy.writeUInt8(bytes.readUInt8(at) ^ 1, at);
      return `v1.${copy.toString('base64')}`;
    });
    const cut = `v1.${bytes.subarray(0, 27).toString('base64')}`;
    for (const wrong of [...touched, sealed.replace('v1', 'v2'), cut, 'v1', 'v1.', '']) {
      expect(() => box.unseal(wrong)).toThrow(Error);
      expect(() => box.unseal(wrong)).toThrow('keys/webhooks.key is not the one');
    }
  });
});

describe('signatures', () => {
  const message = { messageId: 'm1', timestamp: 1, body: '{}' };
  const signature = (secret: string) => signatureHeaders([secret], message)['webhook-signature'];

  test('the one in the body is over the body without it', () => {
    const expected = createHmac('sha256', 'key').update('{"a":1}').digest('hex');
    expect(bodySignature('key', '{"a":1}')).toBe(expected);
  });

  test('a delivery is shown as it was sent, and before that without a signature', () => {
    expect(sentBody({ content: '{"a":1}', signature: null })).toBe('{"a":1}');
    expect(sentBody({ content: '{"a":1}', signature: 'x' })).toBe('{"a":1,"signature":"x"}');
  });

  test.each(['c2VjcmV0', 'c2VjcmU=', 'c2VjcmV0cw=='])('whsec_%s is base64', (base64) => {
    // The same bytes, told apart from the same words.
    expect(signature(`whsec_${base64}`)).toBe(signature(Buffer.from(base64, 'base64').toString()));
  });

  test.each([
    'whsec_',
    'whsec_no base64',
    'whsec_c2Vjc',
    'whsec_=c2VjcmV0',
    'whsec_c2VjcmV0=',
    'c2VjcmV0c2VjcmV0',
  ])('%s is text', (secret) => {
    const bytes = Buffer.from(secret.replace('whsec_', ''), 'base64').toString();
    expect(signature(secret)).not.toBe(signature(bytes));
  });
});

describe('a POST', () => {
  const outbound = (options: OutboundOptions = {}) => {
    const config = testConfig(temporaryDirectory(), NO_PROVIDERS, {
      ESIGN_WEBHOOK_ALLOW_PRIVATE: '127.0.0.1',
    });
    const out = new Outbound(config, options);
    onTestFinished(() => out.close());
    return out;
  };

  test('keeps the headers that help, each up to 200 characters, and a text that any database takes', async () => {
    const help = {
      'content-type': 'text/plain',
      'content-length': '3',
      location: 'x'.repeat(201),
      'retry-after': '7',
      server: 's',
      date: 'd',
      'x-request-id': 'r',
    };
    const receiver = await aReceiver(answered(200, { ...help, 'set-cookie': 'a=b' }, 'a\0b'));
    const answer = await outbound().post({ url: receiver.url, headers: { 'x-a': 'b' }, body: '{"a":1}' });
    expect(answer).toEqual({
      outcome: 'delivered',
      status: 200,
      headers: { ...help, location: 'x'.repeat(200) },
      body: 'a\uFFFDb',
      ms: expect.any(Number),
    });
    expect(receiver.received).toMatchObject([{ method: 'POST', headers: { 'x-a': 'b' }, body: '{"a":1}' }]);
  });

  test('keeps of an answer only what it has, and the beginning of one without end', async () => {
    let sent = 0;
    const receiver = await aReceiver((_, response) => {
      response.sendDate = false;
      response.writeHead(200);
      // 64 MB, more than any buffer on the way holds.
      const more = () => {
        for (; !response.destroyed && sent < 64_000; sent += 1)
          if (!response.write('x'.repeat(1_000))) return;
        response.end();
      };
      response.on('drain', more);
      more();
    });
    const answer = await outbound().post({ url: receiver.url, headers: {}, body: '' });
    expect(answer).toMatchObject({ outcome: 'delivered', body: 'x'.repeat(4_096) });
    expect(answer.headers).toEqual({});
    expect(sent).toBeLessThan(64_000);
    // By the clock of the process, which began before it.
    expect(answer.ms).toBeLessThan(performance.now());
  });

  test('keeps an answer that comes in parts', async () => {
    const turns = async () => {
      for (let i = 0; i < 20; i += 1) await new Promise(setImmediate);
    };
    const receiver = await aReceiver((_, response) => {
      response.write('one, ');
      void turns().then(() => response.end('two'));
    });
    expect(await outbound().post({ url: receiver.url, headers: {}, body: '' })).toMatchObject({
      body: 'one, two',
    });
  });

  test.each([
    [200, 'delivered'],
    [299, 'delivered'],
    [300, 'http_300'],
    [404, 'http_404'],
  ])('%i: %s', async (status, outcome) => {
    const receiver = await aReceiver(answered(status));
    const answer = await outbound().post({ url: receiver.url, headers: {}, body: '' });
    expect(answer).toMatchObject({ outcome, status });
  });

  test('ends in time although bytes come all the while', async () => {
    const receiver = await aReceiver((_, response) => {
      response.writeHead(200);
      const drip = setInterval(() => response.write('.'), 5);
      response.on('close', () => clearInterval(drip));
    });
    const out = outbound({ timeoutMs: 60 });
    const { outcome, body } = await out.post({ url: receiver.url, headers: {}, body: '' });
    // On a busy machine not even its status arrives in time.
    expect(['delivered', 'timeout']).toContain(outcome);
    expect(body.length).toBeLessThan(4_096);
  });

  test('counts by its status when the answer is cut off, with what came', async () => {
    const receiver = await aReceiver((_, response) => {
      response.writeHead(200, { 'content-length': '9' }).write('half', () => response.socket?.destroy());
    });
    expect(await outbound().post({ url: receiver.url, headers: {}, body: '' })).toMatchObject({
      outcome: 'delivered',
      body: 'half',
    });
  });

  test('ends at once when the program stops', async () => {
    const receiver = await aReceiver(silent);
    const stop = new AbortController();
    const posting = outbound().post({ url: receiver.url, headers: {}, body: '', signal: stop.signal });
    await vi.waitUntil(() => receiver.received.length > 0);
    stop.abort(coded('ECONNRESET'));
    expect(await posting).toMatchObject({ outcome: 'connection_lost', status: null, headers: {}, body: '' });
  });

  test('is over for the program when the answer is: nothing listens to its stop, and no timer keeps it from ending', async () => {
    const receiver = await aReceiver();
    const { signal } = new AbortController();
    const left = vi.spyOn(signal, 'removeEventListener');
    const set = vi.spyOn(globalThis, 'setTimeout');
    const cleared = vi.spyOn(globalThis, 'clearTimeout');
    onTestFinished(() => [set, cleared].forEach((spy) => spy.mockRestore()));
    await outbound({ timeoutMs: 54_321 }).post({ url: receiver.url, headers: {}, body: '', signal });
    expect(left).toHaveBeenCalledTimes(1);
    const limit = set.mock.results[set.mock.calls.findIndex(([, ms]) => ms === 54_321)]?.value;
    expect(limit).toBeDefined();
    expect(cleared.mock.calls.some(([timer]) => timer === limit)).toBe(true);
  });

  test('goes out again after the client was closed', async () => {
    const receiver = await aReceiver();
    const out = outbound();
    const post = () => out.post({ url: receiver.url, headers: {}, body: '' });
    out.close();
    expect(await post()).toMatchObject({ outcome: 'delivered' });
    out.close();
    await vi.waitUntil(() => receiver.isLeft());
    expect(await post()).toMatchObject({ outcome: 'delivered' });
  });
});
