/** The record of a request as a PDF that somebody outside the firm can read: parties, contracts, what happened, mails. */
import {
  collect,
  ensureRoom,
  heightOf,
  openPaper,
  PAGE,
  rule,
  STYLES,
  write,
  writeFooters,
  type Paper,
  type Style,
} from '../contracts/contract-pdf-sheet.js';
import { printable, printableLine } from '../contracts/contract-pdf-words.js';
import type { TimelineEntry } from '../explain/timeline.js';
import { moneyWords, priceWords } from '../payment/price.js';
import { formatFullMoment, formatMoment, withMoments, type Reader } from '../texts/format.js';
import { label, type LabelKey } from '../texts/index.js';
import { whoOf, fullName } from '../users/names.js';
import type { ContractRow, PaymentRow, SentMailRow } from '../../db/schema.js';
import type { Missing } from './write-archive.js';
import type { RequestFacts } from './request-facts.js';

export interface Record extends Reader {
  firm: string;
  madeAt: string;
  facts: RequestFacts;
  timeline: readonly TimelineEntry[];
  contracts: readonly ContractRow[];
  payments: readonly PaymentRow[];
  mails: readonly SentMailRow[];
  /** Of files that go with it, by name. */
  digests: ReadonlyMap<string, string>;
  missing: readonly Missing[];
}

/** Equal records give equal bytes. */
export async function renderTimelinePdf(record: Record): Promise<Buffer> {
  const { locale, firm, madeAt, facts } = record;
  const { reference, title } = facts.request;
  const paper = openPaper({ locale, title: `${reference} – ${firm}`, author: firm, subject: title, madeAt });
  const bytes = collect(paper.doc);
  writeHead(paper, record);
  writeParties(paper, record);
  for (const contract of record.contracts) writeContract(paper, record, contract);
  writeTimeline(paper, record);
  writeMails(paper, record);
  writeMissing(paper, record);
  heading(paper, paper.say('evidence.check'));
  paragraph(paper, paper.say('evidence.check.text'));
  paper.root.end();
  writeFooters(paper, printableLine(`${reference}   ·   ${firm}`));
  paper.doc.end();
  return bytes;
}

function writeHead(paper: Paper, { firm, madeAt, facts, ...reader }: Record): void {
  const { say, doc } = paper;
  write(paper, 'P', printableLine(firm), STYLES.name);
  doc.y += 6;
  rule(paper, doc.y);
  doc.y += 16;
  write(paper, 'H1', say('evidence.title', { reference: facts.request.reference }), {
    ...STYLES.title,
    size: 18,
  });
  doc.y += 2;
  write(paper, 'P', say('evidence.made', { date: formatFullMoment(reader, madeAt) }), STYLES.small);
  doc.y += 10;
  paragraph(paper, say('evidence.intro', { firm: printableLine(firm), zone: reader.timeZone }));
}

function writeParties(paper: Paper, { facts }: Record): void {
  const { request, customer, equipment } = facts;
  heading(paper, paper.say('evidence.parties'));
  rows(paper, [
    ['list.customer', fullName(customer)],
    ['evidence.email', customer.email],
    ['list.phone', customer.phone],
    ['list.equipment', `${equipment.name}, ${equipment.model}, ${equipment.serialNumber}`],
    ['evidence.subject', request.title],
    ['evidence.description', request.description],
    ['list.status', label(paper.say, `state.${request.status}`, request.status)],
  ]);
}

function writeContract(paper: Paper, record: Record, contract: ContractRow): void {
  const { say } = paper;
  const { id, status, signId, signedAt, expiredAt, signerEmail, pdfSha256 } = contract;
  const moment = (at: string | null) => at && formatFullMoment(record, at);
  const sessions = record.payments.filter(({ contractId }) => contractId === id);
  const payment = sessions.findLast((one) => one.state === 'paid') ?? sessions.at(-1);
  heading(paper, say('evidence.contract', { id }));
  rows(paper, [
    ['list.status', label(say, `state.${status}`, status)],
    ['evidence.amount', priceWords(record.locale, contract)],
    ['evidence.contract_made', moment(contract.createdAt)],
    ['evidence.sent_to', signerEmail],
    ['list.signedAt', moment(signedAt)],
    [signedAt ? 'evidence.term_end' : 'evidence.sign_before', moment(expiredAt)],
    ['evidence.sign_id', signId],
    ['evidence.signed_sha', pdfSha256],
    ['evidence.audit_sha', record.digests.get(`contracts/${id}/audit-trail.pdf`)],
    ['evidence.payment', payment && label(say, `state.${payment.state}`, payment.state)],
    ['evidence.paid', payment?.paidAt && paidWords(record, payment)],
    ['evidence.payment_id', payment?.paymentId],
  ]);
}

function paidWords(record: Record, { amount, currency, paidAt }: PaymentRow): string {
  return `${moneyWords(record.locale, { amount, currency })}, ${formatFullMoment(record, paidAt ?? '')}`;
}

/** At most this many entries are printed, the newest; a program reads any number. */
const PRINTED_MAX = 1_000;

function writeTimeline(paper: Paper, record: Record): void {
  heading(paper, paper.say('evidence.timeline'));
  const told = record.timeline.filter(isForPeople);
  const printed = told.slice(-PRINTED_MAX);
  const isCut = printed.length < told.length;
  if (isCut) paragraph(paper, paper.say('evidence.timeline_cut', { count: PRINTED_MAX }));
  for (const { at, actor, message, note } of printed) {
    const said = note === null ? message : `${message}: “${note}”`;
    entry(paper, {
      head: formatFullMoment(record, at),
      words: withMoments(record, said),
      small:
        actor === null ? '' : paper.say('evidence.by', { who: whoOf(paper.say, actor, 'evidence.actor') }),
    });
  }
}

/** What this system tried, and what it told other programs, is in timeline.json; what failed or was given up counts. */
function isForPeople({ what }: TimelineEntry): boolean {
  return !/^job\.(?!failed|removed)|^webhook\.redelivered|^inbox\.replayed/.test(what);
}

function writeMails(paper: Paper, record: Record): void {
  if (record.mails.length === 0) return;
  heading(paper, paper.say('evidence.mails'));
  for (const { at, address, subject, messageId } of record.mails) {
    entry(paper, {
      head: formatMoment(record, at),
      words: `${paper.say('evidence.mail_to', { address })}: ${subject}`,
      small: messageId,
    });
  }
}

function writeMissing(paper: Paper, { missing }: Record): void {
  if (missing.length === 0) return;
  heading(paper, paper.say('evidence.missing'));
  for (const { name, reason } of missing) entry(paper, { head: name, words: reason, small: '' });
}

function heading(paper: Paper, words: string): void {
  const { doc } = paper;
  ensureRoom(paper, 60);
  doc.y += 12;
  write(paper, 'H2', words, STYLES.heading);
  doc.y += 3;
  rule(paper, doc.y);
  doc.y += 5;
}

function paragraph(paper: Paper, words: string): void {
  ensureRoom(paper, heightOf(paper, words, STYLES.body, PAGE.width));
  write(paper, 'P', words, STYLES.body);
}

const VALUES = { x: PAGE.left + 130, width: PAGE.width - 130 };

/** Those without a value are left out. */
function rows(paper: Paper, list: readonly (readonly [LabelKey, string | null | undefined])[]): void {
  const { doc, say } = paper;
  for (const [key, value] of list) {
    const words = value ? printable(value) : '';
    if (words === '') continue;
    const name = say(key);
    const height = Math.max(
      heightOf(paper, words, STYLES.body, VALUES.width),
      heightOf(paper, name, STYLES.small, 122),
    );
    ensureRoom(paper, Math.min(height, 300) + 2);
    const top = doc.y;
    write(paper, 'P', name, STYLES.small, { y: top + 0.8, width: 122 });
    const page = doc.bufferedPageRange().count;
    write(paper, 'P', words, STYLES.body, { x: VALUES.x, y: top });
    // Words that went on to another page end there.
    if (doc.bufferedPageRange().count === page) doc.y = top + height;
    doc.y += 2;
  }
}

function entry(paper: Paper, { head, words, small }: { head: string; words: string; small: string }): void {
  const { doc } = paper;
  const lines: [string, Style][] = [
    [printableLine(head), STYLES.label],
    [printable(words), STYLES.body],
    [printableLine(small), STYLES.small],
  ];
  const height = lines.reduce((sum, [text, style]) => sum + heightOf(paper, text, style, PAGE.width), 0);
  ensureRoom(paper, Math.min(height, 300));
  for (const [text, style] of lines) write(paper, 'P', text, style);
  doc.y += 5;
}
