/**
 * Chooses the form of an answer (rules 6) from what the caller accepts, with its weights, and our offers in order of
 * preference.
 */
import { parseAccept } from 'hono/utils/accept';

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
  const wishes = parseAccept(accept?.trim() || ANY);
  const wanted = offers.flatMap((offer) => {
    // The most precise wish decides about an offer, whatever the weight of `*/*`.
    const forms = [offer, offer.replace(/\/.*/, '/*'), ANY];
    const places = forms.map((form) => wishes.findIndex(({ type }) => type.toLowerCase() === form));
    const precision = places.findIndex((place) => place >= 0);
    const place = places[precision] ?? -1;
    const weight = wishes[place]?.q ?? 0;
    return weight > 0 ? [{ offer, weight, precision, place }] : [];
  });
  wanted.sort((a, b) => b.weight - a.weight || a.precision - b.precision || a.place - b.place);
  return wanted[0]?.offer;
}

const ANY = '*/*';

/** The most wanted coding of a body on offer, from `Accept-Encoding`; of equals the first. Undefined: it is sent as it is. */
export function chooseCoding<T extends string>(
  accepted: string | undefined,
  offers: readonly T[],
): T | undefined {
  const weights = new Map(parseAccept(accepted ?? '').map(({ type, q }) => [type.toLowerCase(), q]));
  const weightOf = (offer: T) => weights.get(offer) ?? weights.get('*') ?? 0;
  const wanted = offers.filter((offer) => weightOf(offer) > 0);
  return wanted.toSorted((a, b) => weightOf(b) - weightOf(a))[0];
}

/** The bare type of a Content-Type header, in lower case. */
export function bareType(contentType: string): string {
  return (contentType.split(';')[0] ?? '').trim().toLowerCase();
}
