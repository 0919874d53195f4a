/**
 * Chooses the media type of an answer (rules 6) from `Accept`, with its weights, and our offers in order of
 * preference.
 */
export const LD_JSON = 'application/ld+json';
export const JSON_TYPE = 'application/json';
export const PROBLEM_JSON = 'application/problem+json';

/** The API's media types, the default first. */
export const NEGOTIATED = [LD_JSON, JSON_TYPE] as const;

interface Wish {
  type: string;
  weight: number;
}

const WISHES_MAX = 50;

/** The most wanted type on offer; the first offer without an `Accept`; undefined when none is acceptable. */
export function chooseType(accept: string | undefined, offers: readonly string[]): string | undefined {
  if (accept === undefined || accept.trim() === '') return offers[0];
  const wishes = parseAccept(accept);
  const isUnwanted = (offer: string) => wishes.some(({ type, weight }) => type === offer && weight === 0);
  for (const { type, weight } of wishes) {
    if (weight === 0) continue;
    const offer = offers.find((each) => matches(type, each) && !isUnwanted(each));
    if (offer) return offer;
  }
  return undefined;
}

/** Heaviest first; equals keep the caller's order. */
function parseAccept(accept: string): Wish[] {
  const wishes = accept.split(',').slice(0, WISHES_MAX).flatMap(parseWish);
  return wishes.sort((a, b) => b.weight - a.weight);
}

function parseWish(text: string): Wish[] {
  const [type = '', ...params] = text.split(';').map((part) => part.trim().toLowerCase());
  if (!/^[^\s/]+\/[^\s/]+$/.test(type)) return [];
  const q = params.find((param) => param.startsWith('q='))?.slice(2);
  const weight = q === undefined ? 1 : Number(q);
  return weight >= 0 && weight <= 1 ? [{ type, weight }] : [];
}

function matches(wish: string, offer: string): boolean {
  if (wish === '*/*' || wish === offer) return true;
  return wish.endsWith('/*') && offer.startsWith(wish.slice(0, -1));
}

/** The bare type of a Content-Type header, in lower case. */
export function bareType(contentType: string): string {
  return (contentType.split(';')[0] ?? '').trim().toLowerCase();
}
