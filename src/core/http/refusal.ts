/**
 * What a provider's answer other than 2xx means (rules 2, "Not found is not the same as down"): pure functions of its
 * status, headers and body. Because a 404 ends contracts here, refusals are believed only in the form of the
 * provider's own errors: proxies, wrong addresses and maintenance pages answer 404 and 400 too.
 */
import { z } from 'zod';
import { MINUTE_MS } from '../clock.js';
import { command, type Advice } from '../commands.js';
import { oneLine, shorten } from '../texts/plain.js';
import { ProviderError, type ProviderFailure, isProviderError } from './provider-error.js';
import type { Reply } from './send.js';
import { AppError } from '../errors.js';
import type { ContractRow } from '../../db/schema.js';
import type { Said } from '../texts/index.js';

export interface Refusal {
  status: number;
  /** The type of an error in the provider's own form, such as `signature_request.not_found`; undefined for anything else. */
  type: string | undefined;
  /** In its words; empty without any. */
  detail: string;
  fields: Record<string, string>;
}

export type TypeOfError = (body: unknown, isJson: boolean) => string | undefined;

interface Answer {
  status: number;
  headers: Reply['headers'];
  text: string;
}

export function refusedBy(
  name: string,
  { status, headers, text }: Answer,
  typeOf: TypeOfError,
): ProviderError {
  const body = parseJson(text);
  const type = typeOf(body, /\bjson\b/.test(String(headers['content-type'])));
  const refusal = { status, type, ...wordsOf(body) };
  return new ProviderError(failureOf(refusal), `${name} ${saying(refusal)}`, {
    refusal,
    retryAfterMs: retryAfterMs(headers, status),
  });
}

export function failureOf({ status, type }: Pick<Refusal, 'status' | 'type'>): ProviderFailure {
  if (status === 401 || status === 403) return 'unauthorized';
  if (status === 429) return 'rate_limited';
  // A conflict means that another call of ours is still running.
  if (status === 409 || status === 408 || status >= 500 || status < 400) return 'unavailable';
  if (type === undefined) return 'unavailable';
  return status === 404 ? 'not_found' : 'rejected';
}

function saying({ status, type, detail, fields }: Refusal): string {
  if (status === 404 && type === undefined) return 'answered 404, but not in its own format';
  const answer = `answered ${answerIn({ status, detail, fields })}`;
  return status === 401 ? `refuses the API key: it ${answer}` : answer;
}

/** `400 (You have some invalid params in your payload. info.last_name: …)` */
function answerIn({ status, detail, fields }: Omit<Refusal, 'type'>): string {
  const words = reasonIn({ detail, fields });
  return words ? `${status} (${words})` : String(status);
}

/** Its words with each field that it names; empty without any. */
export function reasonIn({ detail, fields }: Pick<Refusal, 'detail' | 'fields'>): string {
  const named = Object.entries(fields).map(([field, fault]) => `${field}: ${fault}`);
  return [detail, ...named].filter(Boolean).join(' ');
}

/**
 * refuses_key, forbids: our key, or a feature that the account lacks. rejects: our data, whatever the form of the answer;
 * rejects_pdf: the PDF among them. busy: too many calls. unrecognised: a 404 of somebody else, such as a proxy. answered: anything else. unavailable: no
 * answer.
 */
export type Meaning =
  | 'refuses_key'
  | 'forbids'
  | 'rejects'
  | 'rejects_pdf'
  | 'busy'
  | 'unrecognised'
  | 'answered'
  | 'unavailable';

/** What a person is told; what may follow from it is decided by its reason alone. */
export function meaningOf({ refusal }: Pick<ProviderError, 'refusal'>): Meaning {
  switch (refusal?.status) {
    case undefined:
      return 'unavailable';
    case 401:
      return 'refuses_key';
    case 403:
      return 'forbids';
    case 400:
    case 415:
    case 422:
      return DOCUMENT.test(refusal?.type ?? '') ? 'rejects_pdf' : 'rejects';
    case 404:
      return refusal?.type === undefined ? 'unrecognised' : 'answered';
    case 429:
      return 'busy';
    default:
      return 'answered';
  }
}

const DOCUMENT = /^document\./;

export function adviceOn(error: ProviderError): Advice {
  switch (meaningOf(error)) {
    case 'refuses_key':
      return ['Correct the API key in the settings. `', DOCTOR, '` checks it.'];
    case 'forbids':
      return [
        'Either the API key is the wrong one, or the account lacks a feature. `',
        DOCTOR,
        '` checks the key.',
      ];
    case 'rejects':
      return 'Check the details of the contract and of the customer, then try again.';
    case 'rejects_pdf':
      return 'Try again with another PDF.';
    case 'busy':
      return `It asks us to wait: try again in ${secondsToWait(error)} s.`;
    case 'unrecognised':
      return [
        'Something else answers at its address. Correct the address in the settings. `',
        DOCTOR,
        '` checks it.',
      ];
    case 'answered':
    case 'unavailable':
      return 'Nothing is lost: try again later.';
  }
}

const DOCTOR = command('doctor');
const WAIT_IF_UNKNOWN_MS = MINUTE_MS;

export function secondsToWait({
  retryAfterMs = WAIT_IF_UNKNOWN_MS,
}: Pick<ProviderError, 'retryAfterMs'>): number {
  return Math.ceil(retryAfterMs / 1000);
}

const WORDS_LENGTH_MAX = 200;

/** `{detail}`, `{message}` or `{error: {message}}`, and each field that is named. */
const wordsSchema = z.object({
  error: z.object({ message: z.string() }).optional().catch(undefined),
  detail: z.string().optional().catch(undefined),
  message: z.string().optional().catch(undefined),
  invalid_params: z.array(z.object({ name: z.string(), reason: z.string() })).catch([]),
});

function wordsOf(answer: unknown): Pick<Refusal, 'detail' | 'fields'> {
  const { data: body } = wordsSchema.safeParse(answer);
  if (!body) return { detail: '', fields: {} };
  const plain = (words: string) => shorten(oneLine(words), WORDS_LENGTH_MAX);
  return {
    detail: plain(body.error?.message ?? body.detail ?? body.message ?? ''),
    fields: Object.fromEntries(body.invalid_params.map(({ name, reason }) => [plain(name), plain(reason)])),
  };
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** `Ratelimit-Reset` is on every answer; it is a wait only on a 429. */
function retryAfterMs(headers: Reply['headers'], status: number): number | undefined {
  const reset = status === 429 ? headers['ratelimit-reset'] : undefined;
  const seconds = Number(headers['retry-after'] ?? reset);
  return seconds > 0 && seconds <= 86_400 ? seconds * 1000 : undefined;
}

// What a failed call to the payment provider means for whoever asked (rules 2, 5).

/** A ProviderError as the refusal that its caller gets; anything else as it is. `before` says what is known all the same. */
export function asPaymentRefusal(error: unknown, before = ''): unknown {
  if (!isProviderError(error)) return error;
  const meaning = meaningOf(error);
  const isKey = meaning === 'refuses_key' || meaning === 'forbids';
  const answer = error.refusal ? answerIn(error.refusal) : '';
  return new AppError('unavailable', 'payment_unavailable', `${before}The ${error.message}.`, {
    cause: error,
    hint: adviceOn(error),
    retryAfterMs: error.retryAfterMs,
    ...(isKey && { said: { words: `payment_${meaning}`, params: { answer } } }),
  });
}

// What a failed call to the signature provider means for whoever asked (rules 2, 4).

/** The sentence in the reader's language. */
export function saidBy(error: ProviderError): Said {
  const answer = error.refusal ? answerIn(error.refusal) : '';
  return { words: `provider_${meaningOf(error)}`, params: { answer, seconds: String(secondsToWait(error)) } };
}

/** A ProviderError as the refusal that its caller gets; anything else as it is. `before` says what is known all the same. */
export function asRefusal(error: unknown, before = ''): unknown {
  if (!isProviderError(error)) return error;
  const meaning = meaningOf(error);
  const isRejected = meaning === 'rejects' || meaning === 'rejects_pdf';
  return new AppError(
    isRejected ? 'refused' : 'unavailable',
    isRejected ? 'provider_rejected' : 'provider_unavailable',
    `${before}${error.message.charAt(0).toUpperCase()}${error.message.slice(1)}.`,
    {
      cause: error,
      hint: adviceOn(error),
      said: saidBy(error),
      fields: error.refusal?.fields ?? {},
      retryAfterMs: error.retryAfterMs,
    },
  );
}

/** For `catch`. */
export function throwRefusal(error: unknown): never {
  throw asRefusal(error);
}

/**
 * Why a contract was not sent, to be told for as long as it is not; undefined when the provider gave no answer, or when the customer
 * may have it.
 */
export function refusalIn(error: unknown, { sending }: Pick<ContractRow, 'sending'>): Said | undefined {
  if (!isProviderError(error) || !error.refusal) return undefined;
  const said = saidBy(error);
  if (sending !== 'unsent' && !NOT_SENT.has(said.words)) return undefined;
  // The seconds to wait will be over.
  return said.words === 'provider_busy' ? { ...said, words: 'provider_answered' } : said;
}

/** Answers after which even the last step has sent nothing. */
const NOT_SENT = new Set<Said['words']>(['provider_rejects', 'provider_rejects_pdf', 'provider_forbids']);
