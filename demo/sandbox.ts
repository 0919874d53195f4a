/** What the sandbox knows of the outside world: mails that arrived, webhooks that were sent. */
import { z } from 'zod';
import { callFor, callJson } from './http.js';
import { until } from './patience.js';
import type { Services } from './services.js';

const mails = z.array(
  z.object({
    number: z.number(),
    to: z.array(z.string()),
    subject: z.string(),
    text: z.string(),
    messageId: z.string().nullable(),
    attachments: z.array(z.object({ contentType: z.string() })),
  }),
);
const state = z.object({
  deliveries: z.array(
    z.object({
      event: z.string(),
      subjectId: z.string(),
      state: z.string(),
      attempts: z.array(z.object({ status: z.number().nullable() })),
    }),
  ),
});

type Mail = z.infer<typeof mails>[number];

/** The first mail to that address that `isIt` accepts. */
export function mailTo(services: Services, address: string, isIt: (mail: Mail) => boolean): Promise<Mail> {
  return until(
    `the mail to ${address}`,
    async () => {
      const all = await callJson(mails, 200, `${services.sandboxUrl}/_sandbox/mails`, services);
      return all.find((mail) => mail.to.includes(address) && isIt(mail));
    },
    services,
  );
}

/** The link in a mail to that address that begins like this. */
export async function mailedLink(services: Services, address: string, beginning: string): Promise<string> {
  const linkIn = ({ text }: Mail) =>
    text.match(/https?:\/\/[^\s<>"]+/g)?.find((link) => link.startsWith(beginning));
  return linkIn(await mailTo(services, address, (mail) => linkIn(mail) !== undefined)) ?? '';
}

export async function attachedPdf(services: Services, mail: Mail): Promise<Buffer> {
  const index = mail.attachments.findIndex(({ contentType }) => contentType === 'application/pdf');
  if (index < 0) throw new Error(`the mail "${mail.subject}" has no PDF attached`);
  const address = `${services.sandboxUrl}/mail/${mail.number}/attachments/${index}`;
  return (await callFor(200, address, services)).body;
}

/** The status with which the service answered a provider's webhook. Waits through the provider's retries. */
export function webhookAnswer(services: Services, event: string, subjectId: string): Promise<number> {
  return until(
    `the webhook ${event}`,
    async () => {
      const { deliveries } = await callJson(state, 200, `${services.sandboxUrl}/_sandbox/state`, services);
      const sent = deliveries.find((one) => one.event === event && one.subjectId === subjectId);
      if (sent?.state === 'given_up' || sent?.state === 'lost')
        throw new Error(`the webhook ${event} is lost`);
      return sent?.state === 'delivered' ? (sent.attempts.at(-1)?.status ?? undefined) : undefined;
    },
    services,
  );
}
