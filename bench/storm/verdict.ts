/** Compares the daemon's records with the sandbox's, by the rules of the simulator (simulation/rules). */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { dayIn } from '../../sandbox/signature/last-day.js';
import type { SandboxState } from '../../sandbox/state.js';
import { claimedWrongly, ENTRIES, type Entry } from '../../simulation/rules/claims.js';
import { strayFiles, wrongDocument } from '../../simulation/rules/documents.js';
import type { ContractRow, Outside, Rows } from '../../simulation/rules/facts.js';
import { isOnDisk } from '../../simulation/rules/history.js';
import { cameAsAnother, MailJobs } from '../../simulation/rules/mails.js';
import { payableTwice } from '../../simulation/rules/payments.js';
import { owedAtRest, untrueAtRest } from '../../simulation/rules/rest.js';
import { standWrong } from '../../simulation/rules/standing.js';

const HOST = 'demo.test';
const OFFICE = `office@${HOST}`;

/** `read` gets the installation's records. */
export function withRecords<T>(dataDir: string, read: (rows: Rows) => T): T {
  const db = new Database(join(dataDir, 'esign.db'), { readonly: true });
  try {
    return read((sql, ...values) => db.prepare(sql).all(...values) as never[]);
  } finally {
    db.close();
  }
}

/** What is wrong once everything has come to rest. */
export function judge(rows: Rows, dataDir: string, state: SandboxState): string[] {
  const outside = outsideOf(state);
  const sessions = [...outside.sessions.values()];
  const directory = join(dataDir, 'contracts');
  const pdfs = rows<ContractRow>('SELECT * FROM contracts WHERE pdfSha256 IS NOT NULL');
  const letters = new Map<string, string>();
  return [
    ...standWrong(rows, outside, 'with help'),
    ...rows<Entry>(ENTRIES, 0).flatMap((entry) => claimedWrongly(rows, outside, entry)),
    ...[...new Set(sessions.map((each) => each.client_reference_id))].flatMap((name) =>
      payableTwice(
        sessions.filter((each) => each.client_reference_id === name),
        outside,
      ),
    ),
    ...untrueAtRest(rows, outside),
    ...owedAtRest(rows, outside),
    ...pdfs.flatMap((contract) => {
      const file = join(directory, `${contract.id}.pdf`);
      return wrongDocument(contract, existsSync(file) ? readFileSync(file) : undefined);
    }),
    ...strayFiles(pdfs, readdirSync(directory)),
    ...new MailJobs(rows, HOST).lost((messageId) => messageId in state.counters.mailsById),
    ...state.mails.flatMap(({ messageId, to: [to = ''], subject }) =>
      messageId === null ? [] : cameAsAnother(letters, messageId, to === OFFICE ? to : `${to} ${subject}`),
    ),
  ];
}

/** What is missing although nothing was restored: jobs of mails, and acknowledged events. */
export function isGone(rows: Rows, { acknowledged, counters }: SandboxState): string[] {
  const jobs = new MailJobs(rows, HOST);
  const signedAt = new Map(
    rows<{ signId: string; at: string }>(
      "SELECT c.signId, h.at FROM history h JOIN contracts c ON c.id = h.contractId WHERE h.what = 'contract.signed'",
    ).map(({ signId, at }) => [signId, Date.parse(at)]),
  );
  // A repeated "signed" is not stored.
  const isRepeat = ({ event, subjectId, at }: (typeof acknowledged)[number]) =>
    event === 'signature_request.done' && (signedAt.get(subjectId) ?? Infinity) <= at;
  return [
    ...Object.keys(counters.mailsById).flatMap((id) =>
      jobs.idOf(id) === undefined ? [`the mail ${id} belongs to no job`] : [],
    ),
    ...acknowledged.flatMap((each) =>
      isOnDisk(rows, each.side, each.eventId) || isRepeat(each)
        ? []
        : [`${each.event} of ${each.subjectId} was acknowledged and is gone`],
    ),
  ];
}

export function countsOf(rows: Rows, { counters, acknowledged, sessions }: SandboxState) {
  const statuses = rows<{ status: string; n: number }>(
    'SELECT status, count(*) AS n FROM requests GROUP BY status',
  );
  const mails = Object.values(counters.mailsById);
  return {
    ...Object.fromEntries(statuses.map(({ status, n }) => [status, n])),
    'events acknowledged': acknowledged.length,
    'payment sessions': sessions.length,
    mails: mails.length,
    'mails that came twice': mails.filter((times) => times > 1).length,
  };
}

function outsideOf({ signatureRequests, sessions }: SandboxState): Outside {
  const signatures = signatureRequests.map(
    ({ id, status, external_id, completed_at, expiration_date, timezone, signers }) => ({
      id,
      status,
      externalId: external_id,
      completedAt: completed_at === null ? null : Date.parse(completed_at),
      expirationDate: dayIn(timezone, Date.parse(expiration_date)),
      timezone,
      signers,
    }),
  );
  return {
    now: Date.now,
    signatures: new Map(signatures.map((each) => [each.id, each])),
    // Nobody pays another amount in a soak.
    sessions: new Map(sessions.map((each) => [each.id, { ...each, ...each.price, charged: null }])),
    refused: new Set(),
    givenUp: new Set(),
    nameOf: (address) => address,
  };
}
