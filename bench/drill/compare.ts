/** After the takeover: every request stands where the providers say, nobody has another's document, every loss is named. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { SandboxState } from '../../src/sandbox/state.js';
import type { Installation } from '../soak/installation.js';

interface Row {
  id: number;
  status: string;
  contractStatus: string;
  contractId: number;
  externalId: string;
  signId: string;
  pdfSha256: string | null;
  username: string;
}

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
  const db = new Database(join(dataDir, 'esign.db'), { readonly: true });
  const rows = db
    .prepare<[], Row>(
      `SELECT r.id, r.status, c.status AS contractStatus, c.id AS contractId, c.externalId, c.signId, c.pdfSha256, u.username
       FROM requests r JOIN contracts c ON c.requestId = r.id JOIN users u ON u.id = r.ownerId
       WHERE c.signId IS NOT NULL AND c.id = (SELECT max(id) FROM contracts WHERE requestId = r.id)`,
    )
    .all();
  const installation = db.prepare('SELECT id FROM installation').pluck().get() as string;
  const held = db.prepare('SELECT count(*) FROM hold').pluck().get() as number;
  db.close();
  const wrong = held > 0 ? ['it is still held'] : [];
  const there = new Map(state.signatureRequests.map((request) => [request.id, request]));
  const paid = new Set(
    state.sessions.flatMap(({ client_reference_id: name, payment_status: how }) =>
      how === 'paid' ? [name] : [],
    ),
  );
  for (const row of rows) {
    const document = there.get(row.signId);
    wrong.push(...standsWrong(row, document?.status, paid.has(row.externalId)));
    for (const { id } of document?.signers ?? []) {
      const signer = await ask(env, `${row.signId}/signers/${id}`);
      const { email } = ((await signer.json()) as { info: { email: string } }).info;
      if (email !== row.username)
        wrong.push(`request ${row.id} of ${row.username}: its document went to ${email}`);
    }
    if (row.pdfSha256 !== null) wrong.push(...(await isAnothers(row, dataDir, env)));
  }
  const ours = (name: string | null | undefined) => name?.startsWith(`esign-${installation}-`) ?? false;
  const known = new Set([
    ...rows.map(({ signId }) => signId),
    ...told.lostSignatures.map(({ signId }) => signId),
  ]);
  for (const { id, external_id: name, status } of state.signatureRequests)
    if (ours(name) && ['ongoing', 'done'].includes(status) && !known.has(id))
      wrong.push(`document ${id} (${status}) is unknown here, and the takeover did not name it`);
  const alive = state.sessions.filter(
    ({ status, client_reference_id: name }) => status !== 'expired' && ours(name),
  );
  for (const [name, sessions] of grouped(alive, ({ client_reference_id: name }) => name))
    if (sessions.length > 1) wrong.push(`${name} can be paid by ${sessions.length} sessions`);
  return { wrong, requests: rows.length, repeatedMails: repeatsOf(state, wrong) };
}

function standsWrong(row: Row, there: string | undefined, isPaid: boolean): string[] {
  const is = `request ${row.id} is ${row.status}, contract ${row.contractStatus}; there it is ${there}`;
  const isSigned = ['WAITING_PAYMENT', 'COMPLETE'].includes(row.status);
  if (there === 'done') {
    if (!isSigned) return [is];
    return isPaid === (row.status === 'COMPLETE') ? [] : [`${is}, ${isPaid ? '' : 'not '}paid`];
  }
  if (isSigned) return [is];
  const isOpen = row.contractStatus === 'PENDING';
  return isOpen === (there === 'ongoing' || there === 'draft') ? [] : [is];
}

/** The signed PDF on the disk is the provider's for this very document. */
async function isAnothers(
  { signId, contractId, id }: Row,
  dataDir: string,
  env: Installation['env'],
): Promise<string[]> {
  const answer = await ask(env, `${signId}/documents/download?version=completed`);
  const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
  const there = digest(new Uint8Array(await answer.arrayBuffer()));
  const here = digest(readFileSync(join(dataDir, 'contracts', `${contractId}.pdf`)));
  return here === there ? [] : [`request ${id}: the signed PDF here is not the one of ${signId}`];
}

/** Per address and Message-ID; a different subject under the same one would be a different mail. */
function repeatsOf({ mails }: SandboxState, wrong: string[]): number {
  let repeats = 0;
  for (const [messageId, same] of grouped(mails, (mail) => mail.messageId)) {
    if (messageId === null || same.length === 1) continue;
    repeats += same.length - 1;
    if (new Set(same.map(({ to }) => to.join())).size > 1)
      wrong.push(`the mail ${messageId} went to several people`);
  }
  return repeats;
}

function grouped<T, K>(all: readonly T[], keyOf: (one: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const one of all) groups.set(keyOf(one), [...(groups.get(keyOf(one)) ?? []), one]);
  return groups;
}

function ask(env: Installation['env'], path: string): Promise<Response> {
  const url = `${env['ESIGN_API_URL']}/signature_requests/${path}`;
  return fetch(url, { headers: { authorization: `Bearer ${env['ESIGN_API_KEY']}` } });
}
