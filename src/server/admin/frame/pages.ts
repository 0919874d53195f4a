/** Routes of the back office: pages that are shown, and forms that act and lead on. */
import { Hono } from 'hono';
import { removeSupplied } from '../../../core/contracts/contract-files.js';
import { AppError, BLANK, withHint } from '../../../core/errors.js';
import type { Flash } from '../../../core/users/sessions.js';
import type { Call, Env, Parts } from '../../parts.js';
import { pathAndQuery, type View } from './view.js';
import { questionPage, type Question } from './forms.js';
import type { Page, Section } from './layout.js';
import { PageCall } from './page-call.js';
import { guardedForm, readOurForm } from './session.js';
import { faultWords, label, type TextParams } from '../../../core/texts/index.js';
import type { PageKey } from '../texts.js';

/** A page is sent as it is described; an answer of another kind is passed on. */
type Answer = Page | Response | Promise<Page | Response>;

/** What stands in a form, and what is wrong with it, by field. */
export interface Filled {
  form: URLSearchParams;
  faults: Record<string, string>;
}

export function filled(form: Record<string, string>): Filled {
  return { form: new URLSearchParams(form), faults: {} };
}

export const NOTHING = filled({});

export interface Asking {
  back: (call: PageCall) => string;
  /** The question, or why there is nothing to ask. */
  ask: (call: PageCall) => Asked | Promise<Asked>;
  run: (call: PageCall) => Promise<Done>;
  takesPdf?: boolean;
}

type Asked = Question | Flash;

/** `refused`: the form as it was sent, with its faults. */
type FormPage = (call: PageCall, refused?: Filled) => Page;
type Work = (call: PageCall) => Promise<Response>;

/** What is typed anew. */
const WRONG = ['reason', 'file', 'amount'];

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
  post(path: string, make: (call: PageCall) => Answer, fileBytesMax?: number): this {
    this.routes.post(path, guardedForm(this.#parts, fileBytesMax), this.#answer(make));
    return this;
  }

  /** Handles a form of our pages and redirects to `back`, which shows the result or the refusal. */
  act(path: string, back: (call: PageCall) => string, work: (call: PageCall) => Promise<Done>): this {
    return this.post(path, async (call) => {
      const flash = await orRefusal(call.view, () => work(call));
      return call.goTo(back(call), flash);
    });
  }

  /** Asks before something is done, and does it. An answer with a wrong reason or file leads back to the question. */
  asked(path: string, { back, ask, run, takesPdf = false }: Asking): this {
    const here = ({ c }: PageCall) => pathAndQuery(c);
    this.get(path, async (call) => {
      const asked = await ask(call);
      const ways = { action: here(call), back: back(call) };
      return 'yes' in asked
        ? questionPage(call.view, { ...asked, ...ways, takesPdf })
        : call.goTo(ways.back, asked);
    });
    this.routes.post(
      path,
      this.#answer(async (call) => {
        try {
          await readOurForm(call.c, call.ctx, { takesPdf });
          return await call.goTo(back(call), await run(call));
        } catch (error) {
          const isWrong = error instanceof AppError && WRONG.some((name) => name in error.fields);
          return call.goTo(isWrong ? here(call) : back(call), flashOfRefusal(call.view, error));
        } finally {
          if (call.pdf) await removeSupplied(call.pdf);
        }
      }),
    );
    return this;
  }

  /** A page with a form, and the form itself. */
  form(path: string, page: FormPage, work: Work, fileBytesMax?: number): this {
    return this.get(path, (call) => page(call)).formOn(path, page, work, fileBytesMax);
  }

  /** Handles a form of this page; where `work` refuses it, the page shows it with what is wrong beside each field. */
  formOn(path: string, page: FormPage, work: Work, fileBytesMax?: number): this {
    const act = async (call: PageCall) => {
      try {
        return await work(call);
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        const { view, form } = call;
        const flash: Flash =
          error.kind === 'invalid'
            ? { type: 'danger', message: view.t('admin.users.faults') }
            : flashOfRefusal(view, error);
        return { ...page(call, { form, faults: faultsIn(view, error) }), status: 422 as const, flash };
      }
    };
    return this.post(path, act, fileBytesMax);
  }

  #answer(make: (call: PageCall) => Answer) {
    return async (c: Call): Promise<Response> => {
      const call = new PageCall(c, this.#parts, this.#section);
      const made = await make(call);
      return made instanceof Response ? made : call.send(made);
    };
  }
}

/** In the reader's language. */
export function faultsIn(view: View, { fields, fieldsSaid }: AppError): Record<string, string> {
  const told = Object.entries(fields).map(([name, fault]) => {
    const said = fieldsSaid[name];
    return [name, said ? label(view.t, said.words, fault, said.params) : faultWords(view.t, fault)];
  });
  return Object.fromEntries(told);
}

// The result of an action in the reader's language. A refusal is a message, not an error of the page.

interface Outcome {
  type: 'success' | 'info' | 'error';
  key: PageKey;
  params?: TextParams;
  /** The text to show; by default that of the key. */
  words?: PageKey;
}

/** The result of an action, or a message about it; a plain text means success. */
export type Done = Outcome | Flash | string;

export function flashOf({ t }: View, done: Done): Flash {
  if (typeof done === 'string') return { type: 'success', message: done };
  if ('message' in done) return done;
  const { type, key, params, words = key } = done;
  return { type: type === 'error' ? 'danger' : type, message: label(t, words, words, params) };
}

/** Refusals and outages become messages; anything else is rethrown. */
export async function orRefusal(view: View, act: () => Promise<Done>): Promise<Flash> {
  try {
    return flashOf(view, await act());
  } catch (error) {
    return flashOfRefusal(view, error);
  }
}

export function flashOfRefusal(view: View, error: unknown): Flash {
  if (!(error instanceof AppError) || error.kind === 'forbidden' || error.kind === 'not_found') throw error;
  return { type: 'danger', message: messageFor(view, error) };
}

function messageFor(view: View, error: AppError): string {
  const { code, fields, said } = error;
  if (said) return label(view.t, said.words, error.message, said.params);
  const refusal = view.t.find(code);
  if (refusal) return refusal;
  if (fields['reason'] === BLANK) return view.t('admin.error.reason');
  const faults = [...new Set(Object.values(faultsIn(view, error)))];
  return faults.length > 0 ? faults.join(' ') : view.advice(withHint(error));
}
