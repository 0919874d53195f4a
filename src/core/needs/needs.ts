/**
 * What needs the office (rules 12): every request, job and subscription where somebody has to act, with since when, what
 * happened and the next command. The same list is the command `todo`, the queue on the dashboard and the daily mail.
 *
 * Only requests that may need somebody are looked at, each found by an index: those whose time is over, those with a
 * failed job or a refused mail, those with a case told to the office, and the newest whose signed PDF is not there.
 */
import { statSync } from 'node:fs';
import { listSignedContracts, newestContractId } from '../../db/contracts/contracts.js';
import type { Db } from '../../db/db.js';
import { searchHistory } from '../../db/history/search.js';
import { listFailingRuns } from '../../db/installation/runs.js';
import { listOpenUnknownSignatures } from '../../db/installation/unknown-signatures.js';
import { listFailedJobs } from '../../db/jobs/failed.js';
import { listRefusedMails } from '../../db/jobs/refused.js';
import { listDueRequests, listRequestsByIds } from '../../db/requests/requests.js';
import type { ContractRow, JobRow, RequestRow, UserRow } from '../../db/schema.js';
import { findUser } from '../../db/users/users.js';
import { listDisabledWebhooks } from '../../db/webhooks/webhooks.js';
import { iso } from '../clock.js';
import { command, type Command } from '../commands.js';
import type { Context } from '../context.js';
import { signedPdfPath } from '../contracts/contract-files.js';
import { openCase } from '../explain/case-file.js';
import { findingsHere } from '../explain/explain.js';
import { sayer } from '../explain/timeline-entry.js';
import { nameOfJob } from '../explain/timeline-jobs.js';
import type { HistoryWord } from '../history/history.js';
import { parseJob, type Job } from '../jobs/kinds.js';
import { pastErrors } from '../jobs/past-errors.js';
import { listRuns } from '../schedule/runs.js';
import { adviceOn } from '../signature/unknown-signatures.js';
import { outcomeWords } from '../webhooks/outcome-words.js';
import { kindOfNeed, sinceOf, type NeedKind } from './kinds.js';

export interface Need {
  kind: NeedKind;
  /** ISO 8601. */
  since: string;
  /** Null when it is about no request. */
  request: { id: number; reference: string; title: string; customer: string } | null;
  /** In the language of the settings. */
  what: string;
  next: Command;
}

export interface Needs {
  /** Since the longest time first. */
  needs: Need[];
  /** There are more. */
  isMore: boolean;
}

/** Told to the office by mail once, and open until somebody decides. */
const CASES: readonly HistoryWord[] = [
  'contract.foreign_signature',
  'contract.replaced_signed',
  'contract.canceled_signed',
  'contract.signer_refused',
  'payment.canceled_paid',
  'payment.old_session_paid',
  'payment.other_price',
  'payment.failed',
];

export async function listNeeds(ctx: Context, limit: number): Promise<Needs> {
  const { ids, others, isMore } = candidates(ctx, limit);
  const requests = listRequestsByIds(ctx.db, { ids });
  const found = await Promise.all(requests.map((request) => needsOf(ctx, request)));
  const needs = [...others, ...found.flat()].toSorted((a, b) =>
    a.since < b.since ? -1 : a.since > b.since ? 1 : 0,
  );
  return { needs: needs.slice(0, limit), isMore: isMore || needs.length > limit };
}

/** The requests to look at, and what needs somebody although it is about none of them. */
function candidates(ctx: Context, limit: number) {
  const { db } = ctx;
  const due = listDueRequests(db, { now: iso(ctx.clock.now()), limit });
  const failed = listFailedJobs(db, {}, limit);
  const refused = listRefusedMails(db, { limit });
  const webhooks = listDisabledWebhooks(db, { limit });
  const unknown = listOpenUnknownSignatures(db, { limit });
  const ids = new Set([
    ...due.map(({ id }) => id),
    ...[...failed, ...refused].flatMap(({ requestId }) => requestId ?? []),
    ...CASES.flatMap((what) => toldOf(db, what, limit)),
    ...withoutPdf(ctx).slice(0, limit),
  ]);
  return {
    ids: [...ids],
    others: [
      ...[...failed, ...refused]
        .filter(({ requestId }) => requestId === null)
        .flatMap((job) => ofJob(ctx, job)),
      ...webhooks.map((webhook): Need => ({
        kind: 'webhook_disabled',
        since: webhook.updatedAt,
        request: null,
        what: sayer(ctx)('todo.webhook_disabled', {
          webhook: webhook.id,
          url: webhook.url,
          error: webhook.lastError === null ? '–' : outcomeWords(sayer(ctx), webhook.lastError),
        }),
        next: command('webhooks enable', webhook.id),
      })),
      ...unknown.map((one): Need => ({
        kind: 'unknown',
        since: one.seenAt,
        request: null,
        what: sayer(ctx)('todo.unknown_signature', {
          sign: one.signId,
          name: one.name ?? '–',
          advice: sayer(ctx)(adviceOn(one)),
        }),
        next: { ...command('check-signature'), options: ['--settle', one.signId], reason: '…' },
      })),
      ...listRuns(ctx).flatMap(({ run, isLate, isFailing, lastAt }): Need[] => {
        if (!isLate || isFailing || lastAt === null) return [];
        const say = sayer(ctx);
        const what = say('todo.run_late', { run: say(`run.${run}`) });
        return [{ kind: 'run_failing', since: lastAt, request: null, what, next: command('doctor') }];
      }),
      ...listFailingRuns(db).map((run): Need => ({
        kind: 'run_failing',
        since: run.since,
        request: null,
        what: sayer(ctx)('todo.run_failing', { run: sayer(ctx)(`run.${run.name}`), error: run.error }),
        next: command('doctor'),
      })),
    ],
    isMore: [due, failed, refused, webhooks, unknown].some((rows) => rows.length === limit),
  };
}

/** Of so many of the newest the signed PDF is looked for; doctor looks at more of them and reads them. */
const PDFS_LOOKED_AT = 200;

/** The requests whose signed PDF is missing, or has another size than when it was signed. */
function withoutPdf(ctx: Context): number[] {
  const after = newestContractId(ctx.db) - PDFS_LOOKED_AT;
  const signed = listSignedContracts(ctx.db, { after, limit: PDFS_LOOKED_AT });
  const isThere = ({ id, pdfSize }: ContractRow) =>
    statSync(signedPdfPath(ctx, id), { throwIfNoEntry: false })?.size === pdfSize;
  return signed.filter((contract) => !isThere(contract)).map(({ requestId }) => requestId);
}

function toldOf(db: Db, what: HistoryWord, limit: number): number[] {
  const told = searchHistory(db, { what, beforeId: Number.MAX_SAFE_INTEGER, limit });
  return told.flatMap(({ requestId }) => requestId ?? []);
}

/** A job about no request that has failed, or a mail whose recipient is refused. */
function ofJob(ctx: Context, row: JobRow): Need[] {
  const say = sayer(ctx);
  const job = parseJob(row);
  const [names, error] = [nameOfJob(say, job), row.lastError ?? '–'];
  const last = pastErrors(row).at(-1);
  const user = last?.reason === 'recipient_refused' ? userOf(ctx.db, job) : undefined;
  if (last && user) {
    const { username } = user;
    const what = say('todo.address_refused', { username, mail: names, error });
    const next = command('users set-email', username, '…');
    return [{ kind: 'mail_refused', since: last.at, request: null, what, next }];
  }
  if (row.state !== 'failed') return [];
  const what = say('finding.jobs_failed', { names, error });
  const next = command('failed replay', row.id);
  return [{ kind: 'job_failed', since: row.finishedAt ?? row.runAt, request: null, what, next }];
}

/** To whom a mail about an account goes. */
function userOf(db: Db, job: Job): UserRow | undefined {
  const userId = job.kind === 'send-mail' && 'userId' in job.payload ? job.payload.userId : null;
  return userId === null ? undefined : findUser(db, { id: userId });
}

/** The trouble of a request that somebody can act on. */
async function needsOf(ctx: Context, request: RequestRow): Promise<Need[]> {
  const file = openCase(ctx, request);
  const { id, reference, title } = request;
  const { firstName, lastName, username } = file.customer;
  const customer = `${firstName} ${lastName}`.trim() || username;
  const findings = await findingsHere(ctx, file);
  return findings.flatMap(({ key, level, message, next }) => {
    const kind = level === 'trouble' ? kindOfNeed(key) : null;
    if (!kind) return [];
    const since = sinceOf(kind, file) ?? request.dueAt ?? request.statusSince;
    return [
      {
        kind,
        since,
        request: { id, reference, title, customer },
        what: message,
        next: next ?? command('explain', id),
      },
    ];
  });
}
