/**
 * Reads a web address strictly. The URL standard silently repairs a lot (`https:host`, `https:///host`, backslashes,
 * spaces, invisible letters); an address that leads elsewhere than it says is refused here.
 */
const WRITTEN_OUT = /^https?:\/\/[^/\\?#]*[^/\\?#:](?:[/?#][^\\]*)?$/i;
const INVISIBLE = /[\s\p{C}\p{Default_Ignorable_Code_Point}]/u;

export type AddressFault = 'no_address' | 'credentials' | 'fragment';

/** The address, or what is wrong with it. */
export function readWebAddress(text: string): URL | AddressFault {
  if (!WRITTEN_OUT.test(text) || INVISIBLE.test(text) || !URL.canParse(text)) return 'no_address';
  const [, , authority = ''] = text.split(/[/?#]/);
  if (authority.includes('@')) return 'credentials';
  return text.includes('#') ? 'fragment' : new URL(text);
}
