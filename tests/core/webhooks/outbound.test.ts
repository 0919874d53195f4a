/** One POST to a receiver and what is kept of its answer; secrets that only our key opens. */
import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import {
  Outbound,
  type Answer,
  type OutboundOptions,
  type Posting,
  SecretBox,
} from '../../../src/core/webhooks/outbound.js';
import { NO_PROVIDERS, temporaryDirectory, testConfig } from '../../support/app.js';
import { answered, aReceiver, silent, type Receiver } from '../../support/receiver.js';

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

  test('has a key that the service alone reads', () => {
    const directory = dataDir();
    new SecretBox(directory).seal('a secret');
    expect(statSync(join(directory, 'keys/webhooks.key')).mode & 0o777).toBe(0o600);
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
  const post = (receiver: Receiver, posting: Partial<Posting> = {}, options?: OutboundOptions) =>
    outbound(options).post({ url: receiver.url, headers: {}, body: '{}', ...posting });

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
    const answer = await post(receiver, { headers: { 'x-a': 'b' }, body: '{"a":1}' });
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
    const answer = await post(receiver);
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
    expect(await post(receiver)).toMatchObject({
      body: 'one, two',
    });
  });

  test.each<[string, Receiver['answer'], Partial<Answer>]>([
    ['200', answered(200), { outcome: 'delivered', status: 200 }],
    ['299', answered(299), { outcome: 'delivered', status: 299 }],
    ['300', answered(300), { outcome: 'http_300', status: 300 }],
    ['404', answered(404), { outcome: 'http_404', status: 404 }],
    [
      'hangs up',
      (_, response) => void response.socket?.destroy(),
      { outcome: 'connection_lost', status: null },
    ],
    [
      'nonsense',
      (_, response) => void response.socket?.end('SMTP ready\r\n\r\n'),
      { outcome: 'invalid_answer', status: null },
    ],
    [
      'interim answers that nobody asked for, then 204',
      (_, response) => {
        response.writeContinue();
        response.writeProcessing();
        response.writeEarlyHints({ link: '</style.css>; rel=preload; as=style' });
        response.writeContinue();
        response.writeHead(204).end();
      },
      { outcome: 'delivered', status: 204 },
    ],
    [
      'an interim answer, then 503',
      (_, response) => {
        response.writeContinue();
        response.writeHead(503).end('later');
      },
      { outcome: 'http_503', status: 503, body: 'later' },
    ],
    [
      'an interim answer, then hangs up',
      (_, response) => {
        response.writeContinue();
        response.socket?.end();
      },
      { outcome: 'connection_lost', status: null },
    ],
    [
      'another protocol that nobody wants',
      (_, response) =>
        void response.socket?.end('HTTP/1.1 101 Switching\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n'),
      { outcome: 'http_101', status: 101 },
    ],
  ])('has its word when the answer is %s, and is made once', async (_, answer, expected) => {
    const receiver = await aReceiver(answer);
    expect(await post(receiver)).toMatchObject(expected);
    expect(receiver.received).toHaveLength(1);
  });

  test.each([301, 302, 307, 308])('follows no redirect (%d)', async (status) => {
    const elsewhere = await aReceiver();
    const receiver = await aReceiver(answered(status, { Location: elsewhere.url }));
    expect(await post(receiver)).toMatchObject({ outcome: `http_${status}`, status });
    expect(elsewhere.received).toEqual([]);
  });

  test('to a port where nobody listens, or speaks no TLS, is told apart', async () => {
    const receiver = await aReceiver();
    expect(await post(receiver, { url: 'http://127.0.0.1:9/' })).toMatchObject({
      outcome: 'connection_refused',
    });
    const https = receiver.url.replace('http:', 'https:');
    expect(await post(receiver, { url: https })).toMatchObject({ outcome: 'tls_failed' });
  });

  test.each<[string, Receiver['answer'], object]>([
    ['a receiver that is silent', silent, { outcome: 'timeout', status: null }],
    [
      'one that drips bytes',
      (_, response) => {
        response.writeHead(200).write('.');
        const drip = setInterval(() => response.write('.'), 5);
        response.on('close', () => clearInterval(drip));
      },
      // The status it began with counts.
      { outcome: 'delivered', status: 200, body: expect.stringMatching(/^\.+$/) },
    ],
  ])('to %s is cut off after 10 s, and not before', async (_, answer, outcome) => {
    const receiver = await aReceiver(answer);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    let ended: Answer | undefined;
    const posting = post(receiver);
    void posting.then((answer) => (ended = answer));
    while (receiver.received.length === 0) await new Promise(setImmediate);
    vi.advanceTimersByTime(9_999);
    for (let i = 0; i < 50; i += 1) await new Promise(setImmediate);
    expect(ended).toBeUndefined();
    vi.advanceTimersByTime(1);
    expect(await posting).toMatchObject(outcome);
  });

  test('counts by its status when the answer is cut off, with what came', async () => {
    const receiver = await aReceiver((_, response) => {
      response.writeHead(200, { 'content-length': '9' }).write('half', () => response.socket?.destroy());
    });
    expect(await post(receiver)).toMatchObject({
      outcome: 'delivered',
      body: 'half',
    });
  });

  test('ends at once when the program stops', async () => {
    const receiver = await aReceiver(silent);
    const stop = new AbortController();
    const posting = post(receiver, { signal: stop.signal });
    await vi.waitUntil(() => receiver.received.length > 0);
    stop.abort(Object.assign(new Error('no'), { code: 'ECONNRESET' }));
    expect(await posting).toMatchObject({ outcome: 'connection_lost', status: null, headers: {}, body: '' });
  });

  test('is over for the program when the answer is: nothing listens to its stop, and no timer keeps it from ending', async () => {
    const receiver = await aReceiver();
    const { signal } = new AbortController();
    const left = vi.spyOn(signal, 'removeEventListener');
    const set = vi.spyOn(globalThis, 'setTimeout');
    const cleared = vi.spyOn(globalThis, 'clearTimeout');
    onTestFinished(() => [set, cleared].forEach((spy) => spy.mockRestore()));
    await post(receiver, { signal }, { timeoutMs: 54_321 });
    expect(left).toHaveBeenCalledTimes(1);
    const limit = set.mock.results[set.mock.calls.findIndex(([, ms]) => ms === 54_321)]?.value;
    expect(limit).toBeDefined();
    expect(cleared.mock.calls.some(([timer]) => timer === limit)).toBe(true);
  });

  test('goes out again after the client was closed', async () => {
    const receiver = await aReceiver();
    const out = outbound();
    const again = () => out.post({ url: receiver.url, headers: {}, body: '' });
    out.close();
    expect(await again()).toMatchObject({ outcome: 'delivered' });
    out.close();
    await vi.waitUntil(() => receiver.isLeft());
    expect(await again()).toMatchObject({ outcome: 'delivered' });
  });
});
