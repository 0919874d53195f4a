/** Routes of the back office: pages that are shown, and forms that act and lead on. */
import { Hono } from 'hono';
import type { Actor } from '../../core/actor.js';
import { actorOf } from '../../core/users/rights.js';
import type { Call, Env, Parts } from '../parts.js';
import type { Page } from './layout.js';
import { orRefusal, type Outcome } from './outcome.js';
import { goTo, sendPage, viewOf } from './respond.js';
import { guardedForm } from './session.js';
import type { View } from './view.js';

export class Pages {
  readonly routes = new Hono<Env>();
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Answers with the page that `make` describes. */
  show(path: string, make: (view: View, c: Call) => Page): this {
    return this.get(path, (c) => {
      const view = viewOf(c, this.#parts);
      return sendPage(c, this.#parts, view, make(view, c));
    });
  }

  get(path: string, answer: (c: Call) => Response | Promise<Response>): this {
    this.routes.get(path, answer);
    return this;
  }

  /** Takes a form of ours. */
  post(path: string, answer: (c: Call) => Response | Promise<Response>): this {
    this.routes.post(path, guardedForm(this.#parts), answer);
    return this;
  }

  /** Takes a form of ours, acts, and leads on to `back`, which tells the result or the refusal. */
  act(path: string, back: (c: Call) => string, work: (c: Call, actor: Actor) => Promise<Outcome>): this {
    return this.post(path, async (c) => {
      const actor = actorOf(c.get('session').user);
      const flash = await orRefusal(viewOf(c, this.#parts), () => work(c, actor));
      return goTo(c, this.#parts, back(c), flash);
    });
  }
}
