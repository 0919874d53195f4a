/** The signed PDF on disk is the one that the contract's record promises. */
import { createHash } from 'node:crypto';
import type { ContractRow } from './facts.js';

export const sha256 = (content: Uint8Array) => createHash('sha256').update(content).digest('hex');

/** `content`: of its file, if there is one. */
export function wrongDocument({ id, pdfSha256 }: ContractRow, content: Buffer | undefined): string[] {
  if (!content) return [`the signed PDF of contract ${id} is missing`];
  return sha256(content) === pdfSha256 ? [] : [`the signed PDF of contract ${id} is another`];
}

/** It is about to reach somebody whom it does not name. */
export function forAnother(
  document: Buffer,
  { to, name }: { to: string; name: string },
  what: string,
): string[] {
  const customer = /% for (\S+): /.exec(document.toString('latin1'))?.[1] ?? name;
  return customer === name ? [] : [`${what} for ${customer} went to ${to}`];
}

/** Besides the signed PDFs, only drafts and fetched audit trails may be there. */
export function strayFiles(signed: readonly ContractRow[], names: readonly string[]): string[] {
  const ids = new Set(signed.map(({ id }) => String(id)));
  return names
    .filter((name) => !/^\d+\.draft\.pdf$/.test(name))
    .filter((name) => !ids.has(/^(\d+)(\.audit-trail)?\.(pdf|json)$/.exec(name)?.[1] ?? ''))
    .map((name) => `the file ${name} belongs to nothing`);
}
