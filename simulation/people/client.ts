/** A program or browser that calls the API for one person: logs in, and comes again when no answer comes. */
import type { Answer } from '../network.js';
import type { Scene } from '../oracle/scene.js';

export interface Person {
  username: string;
  password: string;
  /** Of their connection. */
  address: string;
}

export interface Reply {
  status: number;
  // oxlint-disable-next-line typescript/no-explicit-any
  body: any;
}

export interface Sending {
  /** A JSON value. */
  json?: unknown;
  /** A PDF for the field `file` of a form. */
  file?: Buffer;
  key?: string;
  type?: string;
}

interface Token {
  access: string;
  refresh: string;
  until: number;
}

const PATIENCE_MS = 60_000;
const TOKEN_LIFE_MS = 50 * 60_000;

export class Client {
  readonly person: Person;
  readonly #world: Scene;
  #token: Token | undefined;

  constructor(world: Scene, person: Person) {
    this.#world = world;
    this.person = person;
  }

  /** Undefined when no answer came, or none that tells anything. */
  async call(method: string, path: string, sending: Sending = {}): Promise<Reply | undefined> {
    const token = await this.#access();
    if (!token) return undefined;
    const reply = await this.#send(method, path, sending, token);
    if (reply?.status === 401) this.#token = undefined;
    return reply;
  }

  /** The account has another log-in name now. */
  rename(username: string): void {
    if (this.person.username === username) return;
    this.person.username = username;
    this.#token = undefined;
  }

  async #access(): Promise<string | undefined> {
    const { scheduler } = this.#world;
    if (this.#token && scheduler.now < this.#token.until) return this.#token.access;
    const refreshed =
      this.#token &&
      (await this.#send('POST', '/api/token/refresh', { json: { refresh_token: this.#token.refresh } }));
    const { username, password } = this.person;
    const reply =
      refreshed?.status === 200
        ? refreshed
        : await this.#send('POST', '/api/login_check', { json: { username, password } });
    if (reply?.status !== 200) return undefined;
    const { token: access, refresh_token: refresh } = reply.body as { token: string; refresh_token: string };
    this.#token = { access, refresh, until: scheduler.now + TOKEN_LIFE_MS };
    return access;
  }

  async #send(method: string, path: string, sending: Sending, token?: string): Promise<Reply | undefined> {
    const { network, scheduler, url } = this.#world;
    const { json, file, key, type = 'application/json' } = sending;
    const form = file && formOf(file);
    const late = new AbortController();
    const timer = scheduler.after(PATIENCE_MS, () => late.abort(new Error('no answer')));
    try {
      const answer = await network.call({
        method,
        url: `${url}${path}`,
        from: this.person.address,
        headers: {
          accept: 'application/json',
          ...(token && { authorization: `Bearer ${token}` }),
          ...(json !== undefined && { 'content-type': type }),
          ...(form && { 'content-type': form.type }),
          ...(key && { 'idempotency-key': key }),
        },
        body: form?.body ?? (json === undefined ? undefined : Buffer.from(JSON.stringify(json))),
        signal: late.signal,
      });
      return replyOf(answer);
    } catch {
      return undefined;
    } finally {
      timer.isCanceled = true;
    }
  }
}

function replyOf({ status, headers, body }: Answer): Reply {
  const isJson = (headers['content-type'] ?? '').includes('json');
  return { status, body: isJson ? (JSON.parse(body.toString()) as unknown) : body };
}

function formOf(file: Buffer): { type: string; body: Buffer } {
  const boundary = 'a-line-between-parts';
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="contract.pdf"\r\ncontent-type: application/pdf\r\n\r\n`;
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    body: Buffer.concat([Buffer.from(head), file, Buffer.from(`\r\n--${boundary}--\r\n`)]),
  };
}
