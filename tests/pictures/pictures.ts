/** The pictures of README and docs: what is in them. `npm run pictures` takes them, in the light and in the dark. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Firm } from './firm.js';

export const THEMES = ['light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

export interface Picture {
  name: string;
  /** A page, by its address; or a command of esignctl in a terminal. */
  of: { page: (firm: Firm) => string; needsLogIn?: boolean } | { command: (firm: Firm) => string[] };
  /** In CSS pixels; a page goes on below it. */
  height?: number;
  isSlow?: boolean;
}

export const WIDTH = 1_080;

export const PICTURES: readonly Picture[] = [
  { name: 'dashboard', of: { page: ({ url }) => `${url}/admin`, needsLogIn: true }, height: 760 },
  {
    name: 'request',
    of: { page: ({ url, lost }) => `${url}/admin/requests/${lost}`, needsLogIn: true },
    height: 760,
  },
  { name: 'signing', of: { page: signingPage }, height: 900, isSlow: true },
  { name: 'mail', of: { page: mailPage }, height: 640 },
  { name: 'explain', of: { command: ({ lost }) => ['explain', String(lost)] } },
];

export function fileOf({ name }: Picture, theme: Theme): string {
  return join(fileURLToPath(new URL('../../docs/pictures', import.meta.url)), `${name}-${theme}.webp`);
}

function signingPage({ office }: Firm): string {
  const waiting = office.sandbox.state().signatureRequests.findLast(({ status }) => status === 'ongoing');
  return waiting?.signers[0]?.signature_link ?? '';
}

/** The newest mail with a payment link. */
function mailPage({ office }: Firm): string {
  const mail = office.sandbox.mails().findLast(({ text }) => text.includes('/pay/'));
  return `${office.sandbox.url}/mail/${mail?.number}/html`;
}
