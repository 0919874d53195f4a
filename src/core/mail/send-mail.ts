/** The send-mail job: reads the facts, writes the mail and hands it to the server. */
import { domainToASCII } from 'node:url';
import { requireContract } from '../../db/contracts/contracts.js';
import { requirePayment } from '../../db/payments/payments.js';
import { requireRequest } from '../../db/requests/requests.js';
import { requireUser } from '../../db/users/users.js';
import { JOB } from '../actor.js';
import type { Context } from '../context.js';
import { signedPdfPath } from '../contracts/contract-files.js';
import type { JobResult } from '../jobs/kind.js';
import { openSignedPdf } from '../signature/open-signed-pdf.js';
import type { MailJob, MailOrder } from './mail-job.js';
import { fullName, isToCustomer, requestMail, runMail, webhookMail } from './mails.js';
import type { Mail } from './transport.js';

/** The handler. A mail that was sent but not recorded is sent again with the same Message-ID. */
export async function sendMail(ctx: Context, job: MailJob): Promise<JobResult> {
  const order = job.payload;
  if (order.mail === 'contract-signed') await proveAttachment(ctx, order.contractId);
  const letter = letterOf(ctx, order);
  await ctx.mail.send({
    ...letter.mail,
    messageId: `job-${job.id}.${job.createdAt.replaceAll(/\D/g, '')}@${domain(ctx)}`,
  });
  return {
    settle: (tx) => tx.record('mail.sent', letter, { mail: order.mail, to: letter.recipient }),
  };
}

/** Never mail a document other than the one that was signed. */
async function proveAttachment(ctx: Context, contractId: number): Promise<void> {
  const contract = requireContract(ctx.db, { id: contractId });
  const pdf = await openSignedPdf(ctx, { ...contract, pdfSha256: contract.pdfSha256 as string }, JOB);
  await pdf.file.close();
}

interface Letter {
  mail: Omit<Mail, 'messageId'>;
  requestId: number | null;
  contractId: number | null;
  /** For the history, which stores no addresses. */
  recipient: 'customer' | 'administrator';
}

function letterOf(ctx: Context, order: MailOrder): Letter {
  const { locale, timeZone, mailFrom, baseUrl, adminEmail } = ctx.config;
  const house = { locale, timeZone, issuer: mailFrom.name, baseUrl };
  const office = { to: { address: adminEmail } };
  const recipient = isToCustomer(order) ? 'customer' : 'administrator';
  if (!('contractId' in order)) {
    const content = order.mail === 'run-failing' ? runMail(order, house) : webhookMail(order, house);
    return { mail: { ...office, ...content }, requestId: null, contractId: null, recipient };
  }
  const contract = requireContract(ctx.db, { id: order.contractId });
  const request = requireRequest(ctx.db, { id: contract.requestId });
  const customer = requireUser(ctx.db, { id: request.ownerId });
  const payment = (paymentId: string) => requirePayment(ctx.db, { paymentId });
  const content = requestMail(order, { ...house, request, customer, contract, payment });
  const to = { name: fullName(customer), address: customer.username };
  const pdf = {
    filename: `${request.reference}.pdf`,
    path: signedPdfPath(ctx, contract.id),
    contentType: 'application/pdf',
  };
  return {
    mail: {
      ...(recipient === 'customer' ? { to } : office),
      ...content,
      attachments: order.mail === 'contract-signed' ? [pdf] : [],
    },
    requestId: request.id,
    contractId: contract.id,
    recipient,
  };
}

/** In ASCII, for headers: `entretien-é.fr` becomes punycode. */
function domain({ config: { mailFrom } }: Context): string {
  return domainToASCII(mailFrom.address.slice(mailFrom.address.indexOf('@') + 1));
}
