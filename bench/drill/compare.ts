/** After the takeover, the rules hold, the signed PDFs are the provider's, and every loss is named. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SandboxState } from '../../sandbox/state.js';
import { sha256 } from '../../simulation/rules/documents.js';
import type { ContractRow } from '../../simulation/rules/facts.js';
import type { Installation } from '../soak/installation.js';
import { judge, withRecords } from '../soak/verdict.js';

/** As `esignctl takeover --json` prints it. */
export interface Told {
  held: { madeAt: string };
  lostSignatures: { signId: string }[];
  lostPayments: { paymentId: string }[];
  done: { signatures: number; payments: number };
}

export interface Compared {
  wrong: string[];
  requests: number;
  /** Mails that have come more than once, each under one Message-ID. */
  repeatedMails: number;
}

export async function compare(
  { dataDir, env }: Installation,
  state: SandboxState,
  told: Told,
): Promise<Compared> {
  const { wrong, contracts, id, isHeld } = withRecords(dataDir, (rows) => ({
    wrong: judge(rows, dataDir, state),
    contracts: rows<ContractRow>('SELECT * FROM contracts WHERE signId IS NOT NULL'),
    id: rows<{ id: string }>('SELECT id FROM installation')[0]?.id,
    isHeld: rows('SELECT 1 FROM hold').length > 0,
  }));
  if (isHeld) wrong.push('it is still held');
  for (const contract of contracts)
    if (contract.pdfSha256 !== null) wrong.push(...(await isAnothers(contract, dataDir, env)));
  const known = new Set([...contracts, ...told.lostSignatures].map(({ signId }) => signId));
  for (const { id: signId, external_id: name, status } of state.signatureRequests)
    if (name?.startsWith(`esign-${id}-`) && ['ongoing', 'done'].includes(status) && !known.has(signId))
      wrong.push(`document ${signId} (${status}) is unknown here, and the takeover did not name it`);
  const came = Object.values(state.counters.mailsById);
  const repeatedMails = came.reduce((sum, times) => sum + times - 1, 0);
  return { wrong, requests: contracts.length, repeatedMails };
}

/** The signed PDF on the disk is the provider's for this very document. */
async function isAnothers(
  { signId, id }: ContractRow,
  dataDir: string,
  env: Installation['env'],
): Promise<string[]> {
  const url = `${env['ESIGN_API_URL']}/signature_requests/${signId}/documents/download?version=completed`;
  const answer = await fetch(url, { headers: { authorization: `Bearer ${env['ESIGN_API_KEY']}` } });
  const here = readFileSync(join(dataDir, 'contracts', `${id}.pdf`));
  return sha256(here) === sha256(new Uint8Array(await answer.arrayBuffer()))
    ? []
    : [`contract ${id}: the signed PDF here is not the one of ${signId}`];
}
