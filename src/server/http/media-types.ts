/** Chooses the form of an answer (rules 6) from what the caller accepts, with its weights, and our offers in order of preference. */
import Negotiator from 'negotiator';

export const LD_JSON = 'application/ld+json';
export const JSON_TYPE = 'application/json';
export const PROBLEM_JSON = 'application/problem+json';

/** The API's media types, the default first. */
export const NEGOTIATED = [LD_JSON, JSON_TYPE] as const;

/**
 * The most wanted type on offer (RFC 9110, 12.5.1); the first offer without an `Accept`; undefined when none is
 * acceptable. Parameters, such as a character set, do not matter: our answers have but one form each.
 */
export function chooseType(accept: string | undefined, offers: readonly string[]): string | undefined {
  const bare = accept?.replaceAll(PARAMETER, '').trim() || undefined;
  return new Negotiator({ headers: { accept: bare } }).mediaType(offers);
}

/** Any but a weight. */
const PARAMETER = /;\s*(?!q\s*=)[^\s;,="]+\s*=\s*(?:"(?:\\.|[^"\\])*"|[^;,]*)/gi;

/** The most wanted coding of a body on offer, from `Accept-Encoding`; of equals the first. Undefined: it is sent as it is. */
export function chooseCoding<T extends string>(
  accepted: string | undefined,
  offers: readonly T[],
): T | undefined {
  const caller: Choice = new Negotiator({ headers: { 'accept-encoding': accepted } });
  const [coding] = caller.encodings([...offers, 'identity'], { preferred: offers });
  return offers.find((offer) => offer === coding);
}

/** The second parameter, the order among equals, is missing from its types. */
interface Choice {
  encodings: (offers: string[], options?: { preferred: readonly string[] }) => string[];
}

/** The bare type of a Content-Type header, in lower case. */
export function bareType(contentType: string): string {
  return (contentType.split(';')[0] ?? '').trim().toLowerCase();
}
