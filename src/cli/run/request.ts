/** The request that a command is about. */
import type { Context } from '../../core/context.js';
import { command } from '../../core/commands.js';
import { refused } from '../../core/errors.js';
import type { Data } from '../../core/installation/data.js';
import { CHOICES_MAX, findByKey, isAddress, requestsByKey } from '../../core/requests/find-requests.js';
import { getRequest, requestViews, wholeRequest, type RequestView } from '../../core/requests/requests.js';
import type { Act } from '../../core/requests/acts.js';
import type { Before } from '../../core/requests/before-act.js';
import { oneLine } from '../../core/texts/plain.js';
import type { RequestRow } from '../../core/rows.js';
import { choose } from './ask.js';
import type { Shell } from '../io.js';
import { stateWords } from '../output/output.js';
import { nameWithAddress } from '../../core/users/names.js';

/** Which of several requests a command is about. */
interface Choice {
  fits: (request: RequestRow) => boolean;
  /** The refusal when there are several and none fits; by default one of all is chosen. */
  none: Act['noneOpen'];
}

/** Throws `request_not_found`. Of several that fit a person chooses one; the only one that words find is named. */
export async function findRequest(
  shell: Shell,
  data: Data,
  key: string,
  choice?: Choice,
): Promise<RequestRow> {
  const all = requestsByKey(data, key);
  if (all.length === 1) return namedBy(shell, data, key, all[0]);
  const fitting = choice ? all.filter(choice.fits) : all;
  if (choice?.none && fitting.length === 0) {
    const { code, words } = choice.none;
    throw refused(code, `None of the ${all.length} requests of ${key} ${words}.`, [command('explain', key)]);
  }
  const found = fitting.length === 0 ? all : fitting;
  const [only] = found;
  return only && found.length === 1
    ? namedBy(shell, data, key, only)
    : chooseRequest(shell, data, key, found);
}

/** Requests that were introduced: a question about one does not name it again. */
const named = new WeakSet<RequestRow>();

function namedBy({ out }: Shell, { db }: Data, key: string, request: RequestRow): RequestRow {
  const [view] = requestViews(db, [request]);
  if (!view || findByKey(db, key).request) return request;
  out.note(`found ${nameOf(view)}`);
  named.add(request);
  return request;
}

export async function chooseRequest(
  shell: Shell,
  data: Data,
  key: string,
  found: readonly RequestRow[],
): Promise<RequestRow> {
  const choices = requestViews(data.db, found).map((view) => ({
    value: view.request.id,
    name: nameOf(view),
  }));
  const more = found.length < CHOICES_MAX ? [] : ['…perhaps more: add a word to narrow the search.'];
  const list = ['Name one of them:', ...choices.map(({ name }) => name), ...more].join('\n  ');
  const question = isAddress(key)
    ? `Which request of ${key}?`
    : `Several requests match “${key}”. Which one?`;
  const id = await choose(shell, question, choices, list);
  return getRequest(data, id);
}

/** What is said before an act: which request, whose it is, its price, and what becomes of the links mailed earlier. */
export function factsBefore(
  { db }: Context,
  request: RequestRow,
  { isOpen, refusal, price, links, sends }: Before,
): string[] {
  const [view] = named.has(request) ? [] : requestViews(db, [request]);
  const why = isOpen ? refusal?.message : 'This is not possible for this request right now.';
  const rest = why === undefined ? links : [why];
  return [
    view ? `${nameOf(view)}, ${price}` : `price: ${price}`,
    ...(sends ? [wordsOf(request)] : []),
    ...rest,
  ];
}

/** To whom a contract would go, what it would cost and say. */
export function sendingOf({ db }: Context, request: RequestRow, { price }: Pick<Before, 'price'>): string[] {
  const [view] = requestViews(db, [request]);
  return view ? [nameWithAddress(view.customer), price, oneLine(request.title), wordsOf(request)] : [];
}

/** The text of the contract, its beginning at least. */
function wordsOf({ description }: RequestRow): string {
  const letters = [...oneLine(description)];
  return letters.length > WORDS_SHOWN ? `${letters.slice(0, WORDS_SHOWN).join('')}…` : letters.join('');
}

const WORDS_SHOWN = 200;

function nameOf({ request, customer }: RequestView): string {
  const { reference, status, title } = request;
  return oneLine([reference, stateWords(status).toLowerCase(), nameWithAddress(customer), title].join(', '));
}

/** Makes an interruption report the request's state. */
export function sayStanding({ interruption }: Shell, data: Data, requestId: number): void {
  const before = standing(data, requestId);
  interruption.say(() => {
    const now = standing(data, requestId);
    return now === before ? `${now}, as before` : `now ${now}`;
  });
}

function standing(data: Data, requestId: number): string {
  const { request, contracts, payments } = wholeRequest(data, getRequest(data, requestId));
  const [contract, payment] = [contracts.at(-1), payments.at(-1)];
  const words = (state: string) => stateWords(state).toLowerCase();
  return [
    `${request.reference}: ${words(request.status)}`,
    ...(contract ? [`contract ${contract.id}: ${words(contract.status)}`] : []),
    ...(payment ? [`payment link: ${words(payment.state)}`] : []),
  ].join(', ');
}
