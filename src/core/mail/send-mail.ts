/** The send-mail job: reads the facts when the mail leaves, writes it, hands it to the server. */
import { domainToASCII } from 'node:url';
import { findContract } from '../../db/contracts.js';
import { findPayment } from '../../db/payments.js';
import { findRequest } from '../../db/requests.js';
import { findUser } from '../../db/users.js';
import type { ContractRow, PaymentRow, RequestRow, UserRow } from '../../db/schema.js';
import { JOB } from '../actor.js';
import { iso } from '../clock.js';
import type { Context } from '../context.js';
import { signedPdfPath } from '../contracts/contract-files.js';
import { record } from '../history.js';
import type { Job, MailOrder, RunNotice, WebhookNotice } from '../jobs/kinds.js';
import { isBeforeSending } from '../lifecycle.js';
import type { JobResult } from '../jobs/attempts.js';
import { openSignedPdf } from '../signature/open-signed-pdf.js';
import type { MailContent, RequestFacts } from './mail-types.js';
import {
  adminSignedNotice,
  contractEndedNotice,
  foreignSignatureNotice,
  paymentTroubleNotice,
  replacedSignedNotice,
  runFailingNotice,
  signedLateNotice,
  webhookDisabledNotice,
} from './admin-notices.js';
import { contractSignedMail, paymentLinkMail } from './customer-mails.js';
import type { Attachment, Mail } from './transport.js';

/** The handler. A mail that went out but was not recorded goes out again with the same Message-ID. */
export async function sendMail(ctx: Context, job: Job<'send-mail'>): Promise<JobResult> {
  const order = job.payload;
  if (order.mail === 'contract-signed') await proveAttachment(ctx, order.contractId);
  const letter = letterOf(ctx, order);
  await ctx.mail.send({
    ...letter.mail,
    messageId: `job-${job.id}.${job.createdAt.replaceAll(/\D/g, '')}@${domain(ctx)}`,
  });
  return {
    settle: (db) =>
      record(db, {
        at: iso(ctx.clock.now()),
        actor: JOB,
        what: 'mail.sent',
        requestId: letter.requestId,
        contractId: letter.contractId,
        detail: { mail: order.mail, to: letter.recipient },
      }),
  };
}

/** Nobody is mailed another document than the one that was signed. */
async function proveAttachment(ctx: Context, contractId: number): Promise<void> {
  const contract = findContract(ctx.db, contractId) as ContractRow;
  const pdf = await openSignedPdf(ctx, { ...contract, pdfSha256: contract.pdfSha256 as string }, JOB);
  await pdf.file.close();
}

interface Letter {
  mail: Omit<Mail, 'messageId'>;
  requestId: number | null;
  contractId: number | null;
  /** For the history, which holds no address: customer or administrator. */
  recipient: 'customer' | 'administrator';
}

function letterOf(ctx: Context, order: MailOrder): Letter {
  if (order.mail === 'webhook-disabled') return aboutNoRequest(ctx, webhookNotice(ctx, order));
  if (order.mail === 'run-failing') return aboutNoRequest(ctx, runNotice(ctx, order));
  return aboutRequest(ctx, order);
}

function aboutNoRequest({ config }: Context, content: MailContent): Letter {
  return {
    mail: { to: { address: config.adminEmail }, ...content },
    requestId: null,
    contractId: null,
    recipient: 'administrator',
  };
}

function runNotice({ config: { locale, timeZone, mailFrom } }: Context, order: RunNotice): MailContent {
  return runFailingNotice({ ...order, locale, timeZone, issuer: mailFrom.name });
}

function webhookNotice(ctx: Context, { webhookId, url, event, cause, error }: WebhookNotice): MailContent {
  const { locale, mailFrom, baseUrl } = ctx.config;
  return webhookDisabledNotice({
    locale,
    issuer: mailFrom.name,
    baseUrl,
    subscriptionId: webhookId,
    url,
    event,
    cause,
    lastError: error,
  });
}

function aboutRequest(ctx: Context, order: Exclude<MailOrder, WebhookNotice | RunNotice>): Letter {
  const contract = findContract(ctx.db, order.contractId) as ContractRow;
  const request = findRequest(ctx.db, contract.requestId) as RequestRow;
  const customer = findUser(ctx.db, request.ownerId) as UserRow;
  const facts = factsOf(ctx, request, customer);
  const toCustomer = (content: MailContent, attachments: Attachment[] = []): Letter => ({
    mail: {
      to: { name: `${customer.firstName} ${customer.lastName}`.trim(), address: customer.username },
      ...content,
      attachments,
    },
    requestId: request.id,
    contractId: contract.id,
    recipient: 'customer',
  });
  const toAdministrator = (content: MailContent): Letter => ({
    mail: { to: { address: ctx.config.adminEmail }, ...content },
    requestId: request.id,
    contractId: contract.id,
    recipient: 'administrator',
  });
  const contractId = contract.id;
  switch (order.mail) {
    case 'contract-signed':
      return toCustomer(contractSignedMail({ ...facts, contractId, signedAt: contract.signedAt as string }), [
        {
          filename: `${request.reference}.pdf`,
          path: signedPdfPath(ctx, contractId),
          contentType: 'application/pdf',
        },
      ]);
    case 'admin-signed':
      return toAdministrator(
        adminSignedNotice({ ...facts, contractId, signedAt: contract.signedAt as string }),
      );
    case 'payment-link':
      return toCustomer(paymentLinkMail({ ...facts, ...paymentFacts(ctx, order.paymentId) }));
    case 'contract-ended':
      return toAdministrator(
        contractEndedNotice({
          ...facts,
          contractId,
          reason: order.reason,
          declineReason: order.declineReason,
          isToStart: isBeforeSending(request),
        }),
      );
    case 'signed-late':
      return toAdministrator(
        signedLateNotice({
          ...facts,
          contractId,
          signedAt: order.signedAt,
          expiredAt: contract.expiredAt as string,
        }),
      );
    case 'replaced-signed':
      return toAdministrator(replacedSignedNotice({ ...facts, contractId, by: order.by }));
    case 'foreign-signature': {
      const { signId, externalId, isServed } = order;
      return toAdministrator(foreignSignatureNotice({ ...facts, contractId, signId, externalId, isServed }));
    }
    case 'payment-trouble': {
      const { amount, currency } = contract;
      const { trouble, paymentId, detail, paid } = order;
      return toAdministrator(
        paymentTroubleNotice({ ...facts, trouble, amount, currency, paymentId, detail, paid }),
      );
    }
  }
}

function factsOf(
  ctx: Context,
  request: RequestRow,
  { firstName, lastName, username }: UserRow,
): RequestFacts {
  return {
    locale: ctx.config.locale,
    timeZone: ctx.config.timeZone,
    issuer: ctx.config.mailFrom.name,
    baseUrl: ctx.config.baseUrl,
    requestId: request.id,
    reference: request.reference,
    title: request.title,
    customer: { firstName, lastName, username },
  };
}

function paymentFacts(ctx: Context, paymentId: string) {
  const { amount, currency, paymentUrl, expiresAt } = findPayment(ctx.db, paymentId) as PaymentRow;
  return { amount, currency, paymentUrl: paymentUrl as string, validUntil: expiresAt };
}

/** In the form that stands in headers: a name such as `entretien-é.fr` has one. */
function domain({ config: { mailFrom } }: Context): string {
  return domainToASCII(mailFrom.address.slice(mailFrom.address.indexOf('@') + 1));
}
