/** Routes of the back office: pages that are shown, and forms that act and lead on. */
import { Hono } from 'hono';
import { AppError } from '../../../core/errors.js';
import type { Call, Env, Parts } from '../../parts.js';
import type { Page, Section } from './layout.js';
import { flashOfRefusal, orRefusal, type Done } from './outcome.js';
import { PageCall } from './page-call.js';
import { guardedForm } from './session.js';

/** A page is sent as it is described; an answer of another kind is passed on. */
type Answer = Page | Response | Promise<Page | Response>;

/** What was typed into a form, and what is wrong with it, by field. */
export interface Refused {
  form: URLSearchParams;
  faults: Record<string, string>;
}

export class Pages {
  readonly routes = new Hono<Env>();
  readonly #parts: Parts;
  readonly #section: Section;

  constructor(parts: Parts, section: Section) {
    this.#parts = parts;
    this.#section = section;
  }

  get(path: string, make: (call: PageCall) => Answer): this {
    this.routes.get(path, this.#answer(make));
    return this;
  }

  /** Handles a form of our pages. */
  post(path: string, make: (call: PageCall) => Answer): this {
    this.routes.post(path, guardedForm(this.#parts), this.#answer(make));
    return this;
  }

  /** Handles a form of our pages and redirects to `back`, which shows the result or the refusal. */
  act(path: string, back: (call: PageCall) => string, work: (call: PageCall) => Promise<Done>): this {
    return this.post(path, async (call) => {
      const flash = await orRefusal(call.view, () => work(call));
      return call.goTo(back(call), flash);
    });
  }

  /** Handles the answer to a question. One with a wrong reason leads back to the question. */
  answer(
    path: string,
    question: (call: PageCall) => string,
    work: (call: PageCall) => Promise<Response>,
  ): this {
    return this.post(path, async (call) => {
      try {
        return await work(call);
      } catch (error) {
        if (!(error instanceof AppError) || error.fields['reason'] === undefined) throw error;
        return call.goTo(question(call), flashOfRefusal(call.view, error));
      }
    });
  }

  /** Handles a form of our pages; where `work` refuses it, `again` shows it with what is wrong beside each field. */
  form(
    path: string,
    again: (call: PageCall, refused: Refused) => Page,
    work: (call: PageCall) => Promise<Response>,
  ): this {
    return this.post(path, async (call) => {
      try {
        return await work(call);
      } catch (error) {
        if (!(error instanceof AppError) || error.kind !== 'invalid') throw error;
        const message = call.view.t('admin.users.faults');
        const page = again(call, { form: call.form, faults: error.fields });
        return { ...page, status: 422, flash: { type: 'danger', message } };
      }
    });
  }

  #answer(make: (call: PageCall) => Answer) {
    return async (c: Call): Promise<Response> => {
      const call = new PageCall(c, this.#parts, this.#section);
      const made = await make(call);
      return made instanceof Response ? made : call.send(made);
    };
  }
}
