/** Watches every call and command that changes something: when it is answered as a success, its effect must be on disk. */
import type { Answer, Call } from '../network.js';
import { dueOf, saidTo, withoutEffect, type Done } from '../rules/effects.js';
import type { Evidence } from './evidence.js';

type Begun = Omit<Done, 'item'>;

export class Successes {
  readonly #of: Evidence;
  /** Calls and commands about which something is promised, and how things stood when each began. */
  readonly #begun = new Map<object, Begun>();

  constructor(of: Evidence) {
    this.#of = of;
    of.world.network.watch({
      begun: (call) => {
        if (isTo(of.world.name, call)) this.#begins(call, `${call.method} ${new URL(call.url).pathname}`);
        return () => this.#begun.delete(call);
      },
      answered: (call, answer) => this.#answered(call, answer),
    });
    of.world.office.onCommand = (words) => {
      this.#begins(words, words.join(' '));
      return (code) => {
        if (code === 0) this.#succeeded(words, {});
        this.#begun.delete(words);
      };
    };
  }

  /** The data is that of an older time. */
  restored(): void {
    this.#begun.clear();
  }

  #begins(what: object, line: string): void {
    const due = dueOf(this.#of.rows, this.#of.outside, line);
    if (due) this.#begun.set(what, { line, since: this.#of.lastHistory, due });
  }

  #answered(call: Call, { status, headers, body }: Answer): void {
    const begun = this.#begun.get(call);
    if (!begun) return;
    // The first answer once more.
    if (headers['idempotent-replayed'] === 'true') begun.since = 0;
    if (begun.line.startsWith('POST /admin/')) this.#sent(call, begun, headers);
    else if (status < 300) this.#succeeded(call, JSON.parse(body.toString()) as Done['item']);
  }

  /** A form of the back office leads on; its session knows what the next page will say. */
  #sent(call: Call, { line }: Begun, headers: Answer['headers']): void {
    const cookieIn = (text = '') => /\besign_session=([^;]+)/.exec(text)?.[1];
    const given = cookieIn(headers['set-cookie']);
    const said = saidTo(this.#of.rows, cookieIn(call.headers['cookie']) ?? '');
    if (line.endsWith('/login') && given !== undefined) this.#succeeded(call, { refresh_token: given });
    if (!line.endsWith('/login') && headers['location'] && said === 'success') this.#succeeded(call, {});
  }

  #succeeded(what: object, item: Done['item']): void {
    const begun = this.#begun.get(what);
    if (begun) this.#of.tell(withoutEffect(this.#of.rows, this.#of.outside, { ...begun, item }));
  }
}

function isTo(firm: string, { url }: Call): boolean {
  return new URL(url).hostname === `${firm}.sim`;
}
