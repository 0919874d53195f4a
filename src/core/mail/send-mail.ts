/** The send-mail job: reads the facts, writes the mail and hands it to the server. */
import { hash } from 'node:crypto';
import { domainToASCII } from 'node:url';
import { findContract, findCurrentContract, requireContract } from '../../db/contracts/contracts.js';
import { insertSentMail } from '../../db/mail/sent-mails.js';
import { requirePayment } from '../../db/payments/payments.js';
import { requireRequest } from '../../db/requests/requests.js';
import { requireUser } from '../../db/users/users.js';
import { JOB } from '../actor.js';
import type { Change } from '../change.js';
import { writerOf } from '../commands.js';
import type { Context } from '../context.js';
import { failedStats } from '../jobs/failed.js';
import type { JobResult } from '../jobs/kind.js';
import { listRows } from '../needs/needs.js';
import type { ContractRow, UserRow } from '../../db/schema.js';
import { localeOf, fullName } from '../users/names.js';
import { companyLine, companyName } from '../settings/company.js';
import { ourPayments, standingOfPayments } from '../payment/our-payments.js';
import { announced, isAskedToPay } from '../payment/pay-link.js';
import { makePasswordLink } from '../users/password-links.js';
import { openSignedPdf } from '../signature/signed-pdf.js';
import { hearersOf, isToOffice, type OfficeMail } from './hearers.js';
import type { MailContent } from './letter.js';
import { isMailError, noteRefusal, noteTaken } from './mail-server.js';
import {
  isToCustomer,
  mailJob,
  type CancelNotice,
  type MailJob,
  type MailOrder,
  type PasswordOrder,
  type RenewalNotice,
  type RequestOrder,
} from './mail-job.js';
import {
  cancelMail,
  passwordMail,
  renewalMail,
  requestMail,
  runMail,
  unknownPaymentMail,
  webhookMail,
  type Sender,
} from './mails.js';
import { digestMail, jobsFailedMail } from './todo-mails.js';
import type { Mail } from './transport.js';

/** Nobody reads more in a mail. */
const DIGEST_LENGTH_MAX = 30;

/** The handler. A mail that was sent but not recorded is sent again with the same Message-ID, as long as it says the same. */
export async function sendMail(ctx: Context, job: MailJob): Promise<JobResult> {
  const order = job.payload;
  if (whyPointless(ctx, order)) return { settle: (tx) => whyPointless(tx, order) ?? wantedAfterAll() };
  const others = toTell(ctx, order);
  if (others)
    return {
      settle: (tx) => tellEach(tx, job, others),
      outcome: others.length === 0 ? 'nobody_hears' : 'ordered',
    };
  const letter = await letterOf(ctx, order);
  if (!letter) return { outcome: 'nothing_to_tell' };
  const messageId = messageIdOf(ctx, job, letter);
  const taken = await takenOf(ctx, letter, messageId);
  return {
    settle(tx) {
      const { recipient: to, userId, isBare } = taken;
      const { mail, of } = order;
      tx.record('mail.sent', taken, { mail, to, userId, of, ...(isBare && { bare: true }) });
      keep(ctx, tx, { ...taken, messageId, name: order.mail });
      noteTaken(tx);
      if (order.mail === 'contract-signed') announced(tx, order.contractId);
    },
  };
}

/**
 * Those in the office who each get a job of their own, so that no address keeps another from hearing; undefined for one mail to one.
 * Instead of somebody who hears of it no more, whoever does is told; who was told already is not told again.
 */
function toTell({ config: { adminEmail } }: Context, order: MailOrder): string[] | undefined {
  if (!isToOffice(order)) return undefined;
  const hearers = hearersOf(adminEmail, order.mail);
  const isToOne = order.to === undefined ? hearers.length === 1 : hearers.includes(order.to);
  return isToOne ? undefined : hearers;
}

function tellEach(
  tx: Change,
  { id, payload, requestId, contractId }: MailJob,
  addresses: readonly string[],
): void {
  const { of = id } = payload;
  for (const to of addresses) tx.enqueue(mailJob, { ...payload, to, of }, { requestId, contractId });
}

/** The letter as the server has taken it: with its document, or without one that is too large for a mail. */
async function takenOf(ctx: Context, letter: Letter, messageId: string): Promise<Letter> {
  try {
    await send(ctx, letter, messageId);
    return letter;
  } catch (error) {
    await noteRefusal(ctx, error);
    const bare = isMailError(error, 'too_large') ? letter.withoutPdf?.() : undefined;
    if (!bare) throw error;
    return takenOf(ctx, bare, messageId);
  }
}

/**
 * Those about no request, such as the daily list, tell how things stand when they leave, and links to set a password are new each
 * time: what a retry writes differently is another mail.
 */
function messageIdOf(ctx: Context, job: MailJob, { requestId, mail }: Letter): string {
  const { id, createdAt, uniqueKey, payload } = job;
  if ('contractId' in payload && uniqueKey !== null) {
    const contract = requireContract(ctx.db, { id: payload.contractId });
    return `${contractMailId(contract, uniqueKey)}@${domain(ctx)}`;
  }
  const version =
    requestId === null ? `.${hash('sha256', `${mail.subject}\n${mail.text}`).slice(0, 16)}` : '';
  return `job-${id}.${createdAt.replaceAll(/\D/g, '')}${version}@${domain(ctx)}`;
}

/**
 * Of its id, what stands before the `@`: mailboxes show one mail for each. A mail about a contract has the same on every machine that has the contract, so that what a lost machine has sent
 * and the one that took over sends again is one mail.
 */
function contractMailId({ key }: Pick<ContractRow, 'key'>, uniqueKey: string): string {
  return `mail-${hash('sha256', `${key} ${uniqueKey}`).slice(0, 32)}`;
}

/** For evidence: what was said to whom about a request. */
function keep(
  { config }: Context,
  { db, now }: Change,
  { mail, requestId, contractId, signedPdf, messageId, name }: Letter & { messageId: string; name: string },
): void {
  if (requestId === null) return;
  const contract = contractId === null ? undefined : findContract(db, { id: contractId });
  insertSentMail(db, {
    requestId,
    contractId,
    at: now,
    mail: name,
    sender: config.mailFrom.address,
    address: mail.to.address,
    messageId,
    subject: mail.subject,
    body: mail.text,
    attachments: JSON.stringify(signedPdf ? [{ filename: signedPdf, sha256: contract?.pdfSha256 }] : []),
  });
}

/** Nobody is asked to pay for what is paid or canceled, for an earlier contract, while money is on its way, or a person must look at a payment. */
function whyPointless({ db }: Pick<Context, 'db'>, order: MailOrder): string | undefined {
  if (order.mail !== 'payment-link' && order.mail !== 'payment-reminder') return undefined;
  const contract = requireContract(db, { id: order.contractId });
  const ours = ourPayments(db, contract.requestId);
  if (isAskedToPay(ours, contract)) return undefined;
  const standing = standingOfPayments(ours);
  if (standing === 'on_its_way') return 'on_its_way';
  return standing === 'case' ? 'in_review' : 'not_waiting_payment';
}

/** Somebody has decided meanwhile, and the next attempt does what is due. */
function wantedAfterAll(): never {
  throw new Error('the customer has to pay after all');
}

/** Never mails a document other than the one that was signed. */
async function send(
  ctx: Context,
  { mail, contractId, signedPdf: filename }: Letter,
  messageId: string,
): Promise<void> {
  if (contractId === null || filename === undefined) return ctx.mail.send({ ...mail, messageId });
  const contract = requireContract(ctx.db, { id: contractId });
  const { file, size } = await openSignedPdf(
    ctx,
    { ...contract, pdfSha256: contract.pdfSha256 as string },
    JOB,
  );
  try {
    const attachments = [{ filename, file, size, contentType: 'application/pdf' }];
    return await ctx.mail.send({ ...mail, messageId, attachments });
  } finally {
    await file.close();
  }
}

interface Letter {
  mail: Omit<Mail, 'messageId' | 'attachments'>;
  signedPdf?: string;
  /** What to say instead when that is too large for a mail. */
  withoutPdf?: () => Letter;
  isBare?: boolean;
  requestId: number | null;
  contractId: number | null;
  userId?: number;
  /** For the history, which stores no addresses. */
  recipient: 'customer' | 'administrator' | 'user';
}

/** Undefined when there is nothing to tell any more. */
async function letterOf(ctx: Context, order: MailOrder): Promise<Letter | undefined> {
  if ('contractId' in order) return contractLetter(ctx, order);
  if (order.mail === 'request-canceled') return cancelLetter(ctx, order);
  if (order.mail === 'renewal') return renewalLetter(ctx, order);
  if (order.mail === 'invitation' || order.mail === 'password-reset') return passwordLetter(ctx, order);
  const content = await aboutNoRequest(ctx, order);
  return (
    content && {
      mail: { ...office(ctx, order), ...content },
      requestId: null,
      contractId: null,
      recipient: 'administrator',
    }
  );
}

type AboutNoRequest = Exclude<MailOrder, RequestOrder | CancelNotice | RenewalNotice | PasswordOrder>;

async function aboutNoRequest(ctx: Context, order: AboutNoRequest): Promise<MailContent | undefined> {
  const sender = senderOf(ctx);
  switch (order.mail) {
    case 'run-failing':
      return runMail(order, sender);
    case 'unknown-payment':
      return unknownPaymentMail(order, sender);
    case 'webhook-disabled':
      return webhookMail(order, sender);
    case 'digest': {
      const found = await listRows(ctx, DIGEST_LENGTH_MAX);
      return found.rows.length > 0 ? digestMail(found, sender) : undefined;
    }
    case 'jobs-failed': {
      const groups = failedStats(ctx, { failedAt: { from: order.since, until: null } });
      return groups.length > 0 ? jobsFailedMail(groups, order.since, sender) : undefined;
    }
  }
}

/** Undefined when the request was reopened before the mail could leave. */
function cancelLetter(ctx: Context, { requestId }: CancelNotice): Letter | undefined {
  const subject = subjectOf(ctx, requestId);
  if (subject.request.status !== 'CANCELED') return undefined;
  const content = cancelMail({ ...senderOf(ctx, subject.customer), ...subject });
  return { mail: { to: mailbox(subject), ...content }, requestId, contractId: null, recipient: 'customer' };
}

/** Undefined when it is not to be renewed after all. */
function renewalLetter(ctx: Context, { requestId }: RenewalNotice): Letter | undefined {
  const subject = subjectOf(ctx, requestId);
  const { renewsId, status } = subject.request;
  const contract = renewsId === null ? undefined : findCurrentContract(ctx.db, { requestId: renewsId });
  if (!contract?.expiredAt || status === 'CANCELED') return undefined;
  const content = renewalMail({ ...senderOf(ctx, subject.customer), ...subject }, contract.expiredAt);
  return { mail: { to: mailbox(subject), ...content }, requestId, contractId: null, recipient: 'customer' };
}

/** Undefined when the link would open nothing. */
async function passwordLetter(ctx: Context, order: PasswordOrder): Promise<Letter | undefined> {
  const link = await makePasswordLink(ctx, order);
  if (!link) return undefined;
  const { user } = link;
  const content = passwordMail(order, link, senderOf(ctx, user));
  return {
    mail: { to: mailbox({ customer: user }), ...content },
    requestId: null,
    contractId: null,
    userId: user.id,
    recipient: 'user',
  };
}

function contractLetter(ctx: Context, order: RequestOrder, isBare = false): Letter {
  const contract = requireContract(ctx.db, { id: order.contractId });
  const { id: contractId, requestId } = contract;
  const subject = subjectOf(ctx, requestId);
  const payment = (paymentId: string) => requirePayment(ctx.db, { paymentId });
  const sender = senderOf(ctx, isToCustomer(order) ? subject.customer : undefined);
  const isToPay = isAskedToPay(ourPayments(ctx.db, contract.requestId), contract);
  const content = requestMail(order, { ...sender, ...subject, contract, payment, isToPay, isBare });
  const recipient = isToCustomer(order) ? 'customer' : 'administrator';
  return {
    mail: {
      ...(isToOffice(order) ? office(ctx, order) : { to: mailbox(subject) }),
      ...content,
    },
    isBare,
    ...(order.mail === 'contract-signed' &&
      !isBare && {
        signedPdf: `${subject.request.reference}.pdf`,
        withoutPdf: () => contractLetter(ctx, order, true),
      }),
    requestId,
    contractId,
    recipient,
  };
}

/** In the reader's language; the office reads that of the settings. */
function senderOf({ config }: Context, reader?: UserRow): Sender {
  const { timeZone, baseUrl } = config;
  const locale = reader ? localeOf(config, reader) : config.locale;
  return {
    locale,
    timeZone,
    issuer: companyName(config),
    company: companyLine(config),
    baseUrl,
    write: writerOf(config),
  };
}

function office({ config: { adminEmail } }: Context, { mail, to }: MailOrder & { mail: OfficeMail }) {
  const [only = ''] = hearersOf(adminEmail, mail);
  return { to: { address: to ?? only } };
}

function subjectOf({ db }: Context, requestId: number) {
  const request = requireRequest(db, { id: requestId });
  return { request, customer: requireUser(db, { id: request.ownerId }) };
}

function mailbox({ customer }: Pick<ReturnType<typeof subjectOf>, 'customer'>) {
  return { name: fullName(customer), address: customer.username };
}

/** In ASCII, for headers: `entretien-é.fr` becomes punycode. */
function domain({ config: { mailFrom } }: Context): string {
  return domainToASCII(mailFrom.address.slice(mailFrom.address.indexOf('@') + 1));
}
