/** A program or browser that calls the API for one person: logs in, and comes again when no answer comes. */
import type { Answer } from '../network.js';
import type { Scene } from '../oracle/scene.js';

export interface Person {
  username: string;
  /** The present one, as far as its owner knows. */
  password: string;
  /** Another that may be the right one: an answer was lost, or a restore has brought an older one back. */
  otherPassword?: string;
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
  #wasRefreshed = false;
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

  /**
   * A thief uses a refresh token that its owner has used long ago. It must be worth nothing, and neither must what the
   * owner holds of that log-in: nobody can tell which of the two is the thief.
   */
  async beRobbed(): Promise<void> {
    const { trace, scheduler } = this.#world;
    if (!(await this.#access())) return;
    const old = this.#token?.refresh;
    if (this.#token) this.#token.until = 0;
    await this.#access();
    const own = this.#token?.refresh;
    if (!old || !own || own === old || !this.#wasRefreshed) return;
    await scheduler.sleep(60_000);
    if (this.#token?.refresh !== own) return;
    const stolen = await this.#send('POST', '/api/token/refresh', { json: { refresh_token: old } });
    if (stolen?.status === 200) trace.broken('a refresh token that was used long ago is good for another');
    if (stolen?.status !== 401) return;
    const mine = await this.#send('POST', '/api/token/refresh', { json: { refresh_token: own } });
    if (mine?.status === 200) trace.broken('a stolen refresh token did not end its family');
    this.#token = undefined;
  }

  /** Sets a new password: whoever has logged in with the old one must do so again. */
  async changePassword(password: string): Promise<void> {
    const { person } = this;
    const before = (await this.#access()) && this.#token;
    if (!before) return;
    const json = { password, currentPassword: person.password };
    person.otherPassword = password;
    const reply = await this.call('PATCH', '/api/users/me', { json, type: 'application/merge-patch+json' });
    if (reply?.status !== 200) return;
    Object.assign(person, { password, otherPassword: person.password });
    this.#token = undefined;
    await this.#mustBeOver(before, 'a new password');
  }

  /** The present log-in: returns what looks, later, whether it has ended, as a restore must end it; its tokens are forgotten then. */
  logIn(): (why: string) => Promise<void> {
    const token = this.#token;
    return async (why) => {
      if (this.#token === token) this.#token = undefined;
      if (token) await this.#mustBeOver(token, why);
    };
  }

  async #mustBeOver({ access, refresh, until }: Token, why: string): Promise<void> {
    const { trace, scheduler } = this.#world;
    const entered = scheduler.now < until ? await this.#send('GET', '/api/users/me', {}, access) : undefined;
    if (entered?.status === 200) trace.broken(`a log-in outlives ${why}: its access token is good`);
    const refreshed = await this.#send('POST', '/api/token/refresh', { json: { refresh_token: refresh } });
    if (refreshed?.status === 200) trace.broken(`a log-in outlives ${why}: its refresh token is good`);
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
    const reply = refreshed?.status === 200 ? refreshed : await this.#logIn();
    if (reply?.status !== 200) return undefined;
    this.#wasRefreshed = reply === refreshed;
    const { token: access, refresh_token: refresh } = reply.body as { token: string; refresh_token: string };
    this.#token = { access, refresh, until: scheduler.now + TOKEN_LIFE_MS };
    return access;
  }

  async #logIn(): Promise<Reply | undefined> {
    const { username, password, otherPassword } = this.person;
    const reply = await this.#send('POST', '/api/login_check', { json: { username, password } });
    if (reply?.status !== 401 || otherPassword === undefined) return reply;
    Object.assign(this.person, { password: otherPassword, otherPassword: password });
    return this.#send('POST', '/api/login_check', { json: { username, password: otherPassword } });
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
