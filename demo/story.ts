/** Plays the whole story: the customer signs and pays, and everything that must follow is checked. */
import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { framedDocument, openPage, press } from './browser.js';
import { callFor } from './http.js';
import { until } from './patience.js';
import { attachedPdf, mailedLink, mailTo, webhookAnswer } from './sandbox.js';
import { expectStatus, type Scene } from './scene.js';
import type { Services } from './services.js';
import type { Steps } from './steps.js';

/** Rejects at the first thing that is wrong; `steps.current` names it. */
export async function tellTheStory(services: Services, scene: Scene, steps: Steps): Promise<void> {
  const signedThere = await customerSigns(services, scene, steps);
  const stored = await serviceFollows(services, scene, steps, signedThere);
  await mailsArrive(services, scene, steps, stored);
  await customerPays(services, scene, steps);
}

/** Returns the PDF as the provider holds it after signing. */
async function customerSigns(services: Services, { customer }: Scene, steps: Steps): Promise<Buffer> {
  const link = await steps.take(
    'waiting for the mail with the signing link',
    () => mailedLink(services, customer.email, `${services.sandboxUrl}/sign/`),
    () => 'mail with the signing link reached the customer',
  );
  return steps.take(
    'signing',
    async () => {
      const page = await openPage(link, services);
      const document = framedDocument(page);
      checkPdf((await callFor(200, document, services)).body);
      const { html } = await press('Sign the document', page, services);
      if (!html.includes('Done: signed')) throw new Error('the page does not say that it is signed');
      return (await callFor(200, document, services)).body;
    },
    () => 'customer opened the page, read the PDF and signed',
  );
}

/** Returns the PDF that the service stored. */
async function serviceFollows(
  services: Services,
  { asCustomer, request, contract }: Scene,
  steps: Steps,
  signedThere: Buffer,
): Promise<Buffer> {
  await steps.take(
    'waiting for the webhook of the signature',
    () => webhookAnswer(services, 'signature_request.done', contract.signId),
    (status) => `webhook of the signature provider answered ${status}`,
  );
  return steps.take(
    'waiting for the signed PDF',
    async () => {
      await reachStatus(services, { asCustomer, request }, 'WAITING_PAYMENT');
      expectStatus((await asCustomer.contract(contract.id)).status, 'SIGNED');
      const stored = await asCustomer.contractPdf(contract.id);
      checkPdf(stored);
      if (sha256(stored) !== sha256(signedThere)) throw new Error('it is not the PDF that was signed');
      return stored;
    },
    (pdf) => `signed PDF stored, ${pdf.length} bytes, SHA-256 ${sha256(pdf).slice(0, 12)}…: WAITING_PAYMENT`,
  );
}

async function mailsArrive(
  services: Services,
  { customer, administrator, request }: Scene,
  steps: Steps,
  stored: Buffer,
): Promise<void> {
  await steps.take(
    'waiting for the mail with the signed PDF',
    async () => {
      const mail = await mailTo(services, customer.email, ({ attachments }) =>
        attachments.some(({ contentType }) => contentType === 'application/pdf'),
      );
      if (!(await attachedPdf(services, mail)).equals(stored)) throw new Error('it is another PDF');
    },
    () => 'mail with the signed PDF reached the customer',
  );
  await steps.take(
    'waiting for the mail to the administrator',
    () => mailTo(services, administrator.email, ({ text }) => text.includes(request.reference)),
    () => 'mail about the signature reached the administrator',
  );
}

async function customerPays(
  services: Services,
  { asCustomer, request, customer }: Scene,
  steps: Steps,
): Promise<void> {
  const link = await steps.take(
    'waiting for the mail with the payment link',
    () => mailedLink(services, customer.email, `${services.baseUrl}/pay/`),
    () => 'payment session created, mail with the payment link reached the customer',
  );
  const paid = await steps.take(
    'paying',
    async () => {
      const page = await openPage(link, services);
      const { paymentUrl } = await asCustomer.request(request.id);
      if (paymentUrl !== page.url) throw new Error('the API and the link lead to different pages');
      await press('Pay now', page, services);
      return page;
    },
    () => 'customer opened the payment page and paid',
  );
  await steps.take(
    'waiting for the webhook of the payment',
    async () => {
      const sessionId = basename(new URL(paid.url).pathname);
      const status = await webhookAnswer(services, 'checkout.session.completed', sessionId);
      await reachStatus(services, { asCustomer, request }, 'COMPLETE');
      return status;
    },
    (status) => `webhook of the payment provider answered ${status}: COMPLETE`,
  );
}

/** Asks once a second: the API allows sixty calls a minute. */
async function reachStatus(
  services: Services,
  { asCustomer, request }: Pick<Scene, 'asCustomer' | 'request'>,
  status: string,
): Promise<void> {
  const look = async () => ((await asCustomer.request(request.id)).status === status ? true : undefined);
  await until(`the status ${status}`, look, { signal: services.signal, everyMs: 1_000 });
}

function checkPdf(bytes: Buffer): void {
  if (!bytes.subarray(0, 5).equals(Buffer.from('%PDF-'))) throw new Error('the document is no PDF');
}

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
