/** Everything about a request that goes into an archive, and what could not be had. */
import { listHistory } from '../../db/history/history.js';
import { findInboxEventById } from '../../db/inbox/inbox.js';
import { listSentMails } from '../../db/mail/sent-mails.js';
import type { ContractRow, HistoryRow, RequestRow, SentMailRow } from '../../db/schema.js';
import type { Actor } from '../actor.js';
import { iso } from '../clock.js';
import type { Context } from '../context.js';
import { openDraftPdf } from '../contracts/contract-files.js';
import { openContractPdf } from '../contracts/contracts.js';
import { AppError } from '../errors.js';
import { readCaseFile, type CaseFile } from '../explain/case-file.js';
import { timelineOf } from '../explain/timeline.js';
import { companyName } from '../settings/company.js';
import { isTextKey, sayIn, type Say } from '../texts/index.js';
import { fetchAuditTrail, openOnce, openKeptTrail, type OpenTrailFile } from './audit-trail.js';
import { type Missing, jsonText, type Content } from './write-archive.js';
import { factsOfRequest } from './request-facts.js';
import type { FileHandle } from 'node:fs/promises';

export interface Collected {
  contents: Content[];
  missing: Missing[];
}

export interface CollectOptions {
  actor: Actor;
  /** Without what only the signature provider has. */
  offline: boolean;
}

/** The caller closes the files (`closeAll`). Throws `provider_unavailable` and `audit_trail_not_ready` unless offline. */
export async function contentsOfRequest(
  ctx: Context,
  request: RequestRow,
  options: CollectOptions,
): Promise<Collected> {
  const file = readCaseFile(ctx, request, { isWhole: true });
  const history = listHistory(ctx.db, { requestId: request.id });
  const mails = listSentMails(ctx.db, { requestId: request.id });
  const contracts = await contentsOfContracts(ctx, file.contracts, options);
  const { contents, missing } = contracts;
  try {
    const timeline = timelineOf(ctx, file, history).filter(({ at }) => at <= file.now);
    const facts = factsOfRequest(ctx.db, file);
    const { config } = ctx;
    const say = sayIn(config.locale);
    // Loaded on demand: the PDF library and its fonts take 20 MB.
    const { renderTimelinePdf } = await import('./timeline-pdf.js');
    const pdf = await renderTimelinePdf({
      locale: config.locale,
      timeZone: config.timeZone,
      firm: companyName(config),
      madeAt: iso(ctx.clock.now()),
      facts,
      timeline,
      contracts: file.contracts,
      payments: file.payments,
      mails,
      digests: digestsOf(contents),
      missing,
    });
    const json = (name: 'request' | 'history' | 'events' | 'mails', document: unknown): Content => ({
      name: `${name}.json`,
      about: say(`evidence.about.${name}`),
      bytes: jsonText(document),
    });
    return {
      contents: [
        { name: 'timeline.pdf', about: say('evidence.about.timeline_pdf'), bytes: pdf },
        { name: 'timeline.json', about: say('evidence.about.timeline_json'), bytes: jsonText(timeline) },
        json('request', facts),
        json('history', history.map(historyDocument)),
        json('events', eventsOf(ctx, file)),
        json('mails', mails.map(mailDocument)),
        ...mails.map((mail, i) => mailContent(say, mail, i)),
        ...contents,
      ],
      missing,
    };
  } catch (error) {
    await closeAll(contents);
    throw error;
  }
}

export async function closeAll(contents: readonly Content[]): Promise<void> {
  await Promise.all(contents.map(async ({ bytes }) => isFile(bytes) && bytes.close()));
}

function isFile(bytes: Content['bytes']): bytes is FileHandle {
  return typeof bytes !== 'string' && !Buffer.isBuffer(bytes);
}

function digestsOf(contents: readonly Content[]): Map<string, string> {
  return new Map(contents.flatMap(({ name, sha256 }) => (sha256 ? [[name, sha256]] : [])));
}

async function contentsOfContracts(
  ctx: Context,
  contracts: readonly ContractRow[],
  options: CollectOptions,
): Promise<Collected> {
  const all: Collected = { contents: [], missing: [] };
  try {
    for (const contract of contracts) {
      await addPdfs(ctx, contract, options, all);
      await addTrail(ctx, contract, options, all);
    }
    return all;
  } catch (error) {
    await closeAll(all.contents);
    throw error;
  }
}

async function addPdfs(
  ctx: Context,
  contract: ContractRow,
  { actor }: CollectOptions,
  { contents, missing }: Collected,
): Promise<void> {
  const { id } = contract;
  const say = sayIn(ctx.config.locale);
  const draft = await openDraftPdf(ctx, contract);
  const draftName = `contracts/${id}/contract.pdf`;
  if (draft)
    contents.push({ name: draftName, about: say('evidence.about.contract', { id }), bytes: draft.file });
  else if (contract.draftSha256 !== null)
    missing.push({ name: draftName, reason: say('contract_pdf_missing') });
  if (contract.pdfSha256 === null) return;
  const name = `contracts/${id}/signed.pdf`;
  try {
    const { file } = await openContractPdf(ctx, contract, actor);
    contents.push({ name, about: say('evidence.about.signed', { id }), bytes: file });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    missing.push({ name, reason: isTextKey(error.code) ? say(error.code) : error.message });
  }
}

async function addTrail(
  ctx: Context,
  contract: ContractRow,
  { offline }: CollectOptions,
  { contents, missing }: Collected,
): Promise<void> {
  const { id, signId, signedAt } = contract;
  if (signId === null || signedAt === null) return;
  const say = sayIn(ctx.config.locale);
  const nameOf = (name: string) => `contracts/${id}/${name}`;
  const add = ({ name, sha256, file }: OpenTrailFile) => {
    const kind = name.endsWith('.pdf') ? 'evidence.about.audit_pdf' : 'evidence.about.audit_json';
    contents.push({ name: nameOf(name), about: say(kind, { id }), bytes: file, sha256 });
  };
  const kept = await openKeptTrail(ctx, contract);
  if (kept) return kept.forEach(add);
  if (offline) {
    const reason = say('evidence.missing.offline');
    missing.push(...['pdf', 'json'].map((kind) => ({ name: nameOf(`audit-trail.${kind}`), reason })));
    return undefined;
  }
  const trail = await fetchAuditTrail(ctx, { ...contract, signId });
  for (const file of trail.files) add({ ...file, file: await openOnce(file) });
  missing.push(...trail.missing.map(({ name, reason }) => ({ name: nameOf(name), reason: say(reason) })));
}

function historyDocument({ id, at, actor, what, contractId, detail }: HistoryRow) {
  return { id, at, actor, what, contractId, detail: JSON.parse(detail) };
}

/** With their bodies, as far as these are still kept. */
function eventsOf({ db }: Context, { inbox }: CaseFile) {
  return inbox.map((event) => ({
    ...event,
    body: findInboxEventById(db, { id: event.id })?.body?.toString('utf8') ?? null,
  }));
}

export function mailDocument(mail: SentMailRow) {
  const { attachments, ...plain } = mail;
  return { ...plain, attachments: JSON.parse(attachments) };
}

function mailContent(say: Say, mail: SentMailRow, index: number): Content {
  const { at, mail: kind, sender, address, messageId, subject, body } = mail;
  const attached: { filename: string; sha256?: string }[] = JSON.parse(mail.attachments);
  const head = [
    `Date: ${at}`,
    `From: ${sender}`,
    `To: ${address}`,
    `Subject: ${subject}`,
    `Message-ID: <${messageId}>`,
    ...attached.map(({ filename, sha256 = '' }) => `Attachment: ${filename} SHA-256 ${sha256}`.trim()),
  ];
  return {
    name: `mails/${String(index + 1).padStart(3, '0')}-${kind}.txt`,
    about: say('evidence.about.mail', { address }),
    bytes: `${head.join('\n')}\n\n${body}`,
  };
}
