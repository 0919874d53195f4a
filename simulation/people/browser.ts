/** A browser at the back office: somebody logs in, opens a form, sends it, and is led on. One form at a time. */
import type { Answer } from '../network.js';
import type { Scene } from '../oracle/scene.js';
import type { Person } from './client.js';

const LOGIN = '/admin/login';

export class Browser {
  readonly #world: Scene;
  readonly #person: Person;
  readonly #cookies = new Map<string, string>();
  #turn: Promise<unknown> = Promise.resolve();

  constructor(world: Scene, person: Person) {
    this.#world = world;
    this.#person = person;
  }

  /** True when an answer has come, whatever it says; false when the form is not offered, or nobody knows. */
  send(path: string, fields: Record<string, string> = {}): Promise<boolean> {
    const sent = this.#turn.then(() => this.#send(path, fields));
    this.#turn = sent;
    return sent;
  }

  /** The present log-in: returns what looks, later, whether it has ended, as a restore must end it. */
  logIn(): (why: string) => Promise<void> {
    const cookie = this.#cookie();
    const isIn = this.#cookies.has('esign_session');
    return async (why) => {
      const headers = { cookie };
      const call = { method: 'GET', url: `${this.#world.url}/admin`, from: this.#person.address, headers };
      const page = isIn ? await this.#world.network.call(call).catch(() => undefined) : undefined;
      if (page?.status === 200) this.#world.trace.broken(`a log-in to the back office outlives ${why}`);
    };
  }

  #cookie(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  async #send(path: string, fields: Record<string, string>): Promise<boolean> {
    let page = await this.#call(path);
    if (page?.headers['location']?.startsWith(LOGIN)) {
      const { username, password } = this.#person;
      await this.#post(LOGIN, { username, password }, await this.#call(LOGIN));
      page = await this.#call(path);
    }
    const answer = await this.#post(path, fields, page);
    const next = answer?.headers['location'];
    if (next !== undefined) await this.#call(next);
    return answer !== undefined && answer.status < 500;
  }

  /** The form of this page. */
  #post(path: string, fields: Record<string, string>, page: Answer | undefined): Promise<Answer | undefined> {
    const csrf = /name="csrf" value="([^"]+)"/.exec(page?.body.toString() ?? '')?.[1];
    if (page?.status !== 200 || csrf === undefined) return Promise.resolve(undefined);
    return this.#call(path, new URLSearchParams({ ...fields, csrf }));
  }

  async #call(path: string, form?: URLSearchParams): Promise<Answer | undefined> {
    const answer = await this.#world.network
      .call({
        method: form ? 'POST' : 'GET',
        url: `${this.#world.url}${path}`,
        from: this.#person.address,
        headers: {
          cookie: this.#cookie(),
          ...(form && { 'content-type': 'application/x-www-form-urlencoded' }),
        },
        body: form && Buffer.from(form.toString()),
      })
      .catch(() => undefined);
    for (const line of answer?.headers['set-cookie']?.split('\n') ?? []) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      this.#cookies.set(name, value);
    }
    return answer;
  }
}
