/**
 * One POST to a receiver, within 10 s in all, to an allowed address. No redirects, no proxy from the
 * environment; 4 KiB of the answer are read.
 */
import { openSender, withinMs, type Reply, type Send, type Sender } from '../http/send.js';
import type { Config } from '../settings/config.js';
import { type Resolve, isLiteral, targetOf, TargetRule } from './target.js';
import { ANSWER_WITHIN_MS, troubleOf } from './words.js';
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { secretFile } from '../installation/secret-file.js';

export interface OutboundOptions {
  resolve?: Resolve;
  timeoutMs?: number;
  /** By default with connections of its own. */
  send?: Send | undefined;
}

export interface Posting {
  url: string;
  headers: Record<string, string>;
  body: string;
  signal?: AbortSignal;
}

export interface Answer {
  /** `delivered` for 2xx, else a word for the failure. */
  outcome: string;
  /** Null when nobody answered. */
  status: number | null;
  headers: Record<string, string>;
  body: string;
  ms: number;
}

const ANSWER_BYTES_MAX = 4_096;
const HEADERS_KEPT = [
  'content-type',
  'content-length',
  'location',
  'retry-after',
  'server',
  'date',
  'x-request-id',
];
const HEADER_LENGTH_MAX = 200;

export class Outbound {
  readonly secrets: SecretBox;
  readonly targets: TargetRule;
  readonly #timeoutMs: number;
  readonly #sender: Sender;

  constructor(config: Config, { resolve, timeoutMs = ANSWER_WITHIN_MS, send }: OutboundOptions = {}) {
    this.secrets = new SecretBox(config.dataDir);
    this.targets = new TargetRule(
      { allowPrivate: config.webhookAllowPrivate, ports: config.webhookPorts },
      resolve,
    );
    this.#timeoutMs = timeoutMs;
    this.#sender = { ...openSender(), ...(send && { send }) };
  }

  /** Never throws: failure is an outcome. */
  async post(posting: Posting): Promise<Answer> {
    const begun = performance.now();
    try {
      const reply = await withinMs(this.#timeoutMs, posting.signal, (signal) =>
        this.#exchange(posting, signal),
      );
      return { ...reply, ms: since(begun) };
    } catch (error) {
      return { outcome: troubleOf(error), status: null, headers: {}, body: '', ms: since(begun) };
    }
  }

  async #exchange({ url: text, headers, body }: Posting, signal: AbortSignal): Promise<Omit<Answer, 'ms'>> {
    const url = new URL(text);
    const target = targetOf(url);
    const dial = () => this.targets.dial(target);
    // Such a host is not resolved.
    if (isLiteral(target)) await dial();
    const reply = await this.#sender.send({ url, method: 'POST', headers, body, signal, dial });
    const { status } = reply;
    const outcome = status >= 200 && status <= 299 ? 'delivered' : `http_${status}`;
    return { outcome, status, headers: keptHeaders(reply.headers), body: await beginningOf(reply.body) };
  }

  close(): void {
    this.#sender.close();
  }
}

/** Reads only what is kept; leaving the loop early closes the connection. */
async function beginningOf(body: Reply['body']): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of body) {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= ANSWER_BYTES_MAX) break;
    }
  } catch {
    // Cut off, or too slow: the status is known and counts.
  }
  return Buffer.concat(chunks).subarray(0, ANSWER_BYTES_MAX).toString('utf8').replaceAll('\0', '\uFFFD');
}

function keptHeaders(headers: Reply['headers']): Record<string, string> {
  const kept = HEADERS_KEPT.filter((name) => headers[name] !== undefined);
  return Object.fromEntries(kept.map((name) => [name, String(headers[name]).slice(0, HEADER_LENGTH_MAX)]));
}

function since(begun: number): number {
  return Math.round(performance.now() - begun);
}

// Encrypts subscriptions' secrets at rest: AES-256-GCM under a key in `keys/` (rules 8). Not hashed, because they are
// needed to sign.

const ALGORITHM = 'aes-256-gcm';
const VERSION = 'v1';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export class SecretBox {
  readonly #dataDir: string;
  #key: Buffer | undefined;

  constructor(dataDir: string) {
    this.#dataDir = dataDir;
  }

  seal(secret: string): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(ALGORITHM, this.#open(), nonce);
    const sealed = Buffer.concat([nonce, cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return `${VERSION}.${sealed.toString('base64')}`;
  }

  /** Throws for another key or changed text. */
  unseal(text: string): string {
    const [version, base64 = ''] = text.split('.', 2);
    const sealed = Buffer.from(base64, 'base64');
    if (version !== VERSION || sealed.length < NONCE_BYTES + TAG_BYTES) throw unreadable();
    const decipher = createDecipheriv(ALGORITHM, this.#open(), sealed.subarray(0, NONCE_BYTES));
    decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
    try {
      const secret = decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES));
      return Buffer.concat([secret, decipher.final()]).toString('utf8');
    } catch (error) {
      throw unreadable(error);
    }
  }

  /** Read on demand: most commands do not need it. */
  #open(): Buffer {
    this.#key ??= Buffer.from(secretFile(this.#dataDir, 'webhooks.key'), 'base64url').subarray(0, 32);
    return this.#key;
  }
}

function unreadable(cause?: unknown): Error {
  const why = 'keys/webhooks.key is not the one it was sealed with';
  return new Error(`the secret of the subscription cannot be read: ${why}`, { cause });
}
