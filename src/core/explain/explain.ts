/** Answers "the customer says he signed, why is it stuck?": the whole story of a request, what is wrong, what to do (decisions 10). */
import { runningDaemonPid } from '../../db/daemon-lock.js';
import type { ContractRow, RequestRow, RequestStatus } from '../../db/schema.js';
import type { Context } from '../context.js';
import { isLocked, requestLock } from '../lock.js';
import { lookAtSignedPdf } from '../signature/open-signed-pdf.js';
import { examinePdf } from '../signature/signed-pdf.js';
import { openCase, type CaseFile } from './case-file.js';
import { findSubjects } from './find-subject.js';
import type { Facts, Finding } from './finding.js';
import { findingsOf } from './findings.js';
import { askProviders, viewEntries, type PresentView } from './present-view.js';
import { inOrder, timelineOf } from './timeline.js';
import { sayer, type TimelineEntry } from './timeline-entry.js';

export type { Finding } from './finding.js';

export interface OtherRequest {
  id: number;
  reference: string;
  status: RequestStatus;
}

export interface Subject extends OtherRequest {
  title: string;
  /** Log-in name of the owner. */
  customer: string;
  contractId: number | null;
  signId: string | null;
  paymentId: string | null;
  /** Further requests that the same key names. */
  others: OtherRequest[];
}

export interface Explanation {
  subject: Subject;
  timeline: TimelineEntry[];
  /** The gravest first; at least one. */
  findings: Finding[];
  /** The first finding's words. */
  verdict: string;
  /** A command line that begins with `esignctl `, or null when there is nothing to do. */
  next: string | null;
}

export interface ExplainOptions {
  /** Do not ask the providers. */
  offline?: boolean;
}

/** Throws `request_not_found` when the key names nothing. Changes nothing. */
export async function explain(ctx: Context, key: string, options: ExplainOptions = {}): Promise<Explanation> {
  const found = findSubjects(ctx, key);
  const chosen = found.length > 1 ? mostUrgent(ctx, found) : (found[0] as RequestRow);
  const others = found.filter(({ id }) => id !== chosen.id).map(nameOf);
  return explainRequest(ctx, chosen, { ...options, others });
}

/** The same for one request that is known, as the back office shows it. */
export async function explainRequest(
  ctx: Context,
  request: RequestRow,
  { offline = false, others = [] }: ExplainOptions & { others?: OtherRequest[] } = {},
): Promise<Explanation> {
  const file = openCase(ctx, request);
  const view = offline ? undefined : await askProviders(ctx, file);
  const findings = findingsOf({ ...factsOf(ctx, file, view), pdf: await readPdf(ctx, file) });
  const [gravest] = findings as [Finding];
  const asked = view ? viewEntries(sayer(ctx), file, view) : [];
  return {
    subject: { ...subjectOf(file), others },
    timeline: inOrder([...timelineOf(ctx, file), ...asked]),
    findings,
    verdict: gravest.message,
    next: gravest.next,
  };
}

/** The findings without asking anybody, the gravest first; at least one. A PDF that nobody has touched is not read again. */
export async function findingsHere(ctx: Context, file: CaseFile): Promise<Finding[]> {
  const signed = signedOf(file);
  const pdf = signed && { contractId: signed.id, state: await lookAtSignedPdf(ctx, signed) };
  return findingsOf({ ...factsOf(ctx, file, undefined), pdf });
}

function factsOf(ctx: Context, file: CaseFile, view: PresentView | undefined): Facts {
  return {
    ctx,
    say: sayer(ctx),
    file,
    view,
    pdf: undefined,
    isDaemonRunning: ctx.jobs.isRunning || runningDaemonPid(ctx.config.dataDir) !== undefined,
    isBusy: isLocked(ctx, ctx.db, requestLock(file.request.id)),
  };
}

async function readPdf(ctx: Context, file: CaseFile): Promise<Facts['pdf']> {
  const signed = signedOf(file);
  const state = signed && (await examinePdf(ctx, signed));
  return state && { contractId: signed.id, state };
}

function signedOf({ contracts }: CaseFile): (ContractRow & { pdfSha256: string }) | undefined {
  return contracts.findLast(
    (contract): contract is ContractRow & { pdfSha256: string } => contract.pdfSha256 !== null,
  );
}

/** The newest in trouble, else the newest that is not complete, else the newest. */
function mostUrgent(ctx: Context, requests: RequestRow[]): RequestRow {
  const open = requests.filter(({ status }) => status !== 'COMPLETE');
  const stuck = open.find((request) => {
    const [first] = findingsOf(factsOf(ctx, openCase(ctx, request), undefined));
    return first?.level === 'trouble';
  });
  return stuck ?? open[0] ?? (requests[0] as RequestRow);
}

function nameOf({ id, reference, status }: RequestRow): OtherRequest {
  return { id, reference, status };
}

function subjectOf({ request, customer, contract, payment }: CaseFile): Omit<Subject, 'others'> {
  return {
    ...nameOf(request),
    title: request.title,
    customer: customer.username,
    contractId: contract?.id ?? null,
    signId: contract?.signId ?? null,
    paymentId: payment?.paymentId ?? null,
  };
}
