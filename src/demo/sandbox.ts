/** What the sandbox can tell about the world outside: mails that arrived, webhooks that were sent. */
import { z } from 'zod';
import { callFor } from './http.js';
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

export type Mail = z.infer<typeof mails>[number];

/** The first mail to that address which `isIt` recognises. */
export function mailTo(services: Services, address: string, isIt: (mail: Mail) => boolean): Promise<Mail> {
  return until(
    `the mail to ${address}`,
    async () => {
      const answer = await callFor(200, `${services.sandboxUrl}/_sandbox/mails`, services);
      return mails.parse(JSON.parse(answer.text)).find((mail) => mail.to.includes(address) && isIt(mail));
    },
    services,
  );
}

export async function attachedPdf(services: Services, mail: Mail): Promise<Buffer> {
  const index = mail.attachments.findIndex(({ contentType }) => contentType === 'application/pdf');
  if (index < 0) throw new Error(`the mail "${mail.subject}" has no PDF attached`);
  const { body } = await callFor(
    200,
    `${services.sandboxUrl}/mail/${mail.number}/attachments/${index}`,
    services,
  );
  return body;
}

/** The status with which the service took a provider's webhook. Waits through the provider's retries. */
export function webhookAnswer(services: Services, event: string, subjectId: string): Promise<number> {
  return until(
    `the webhook ${event}`,
    async () => {
      const answer = await callFor(200, `${services.sandboxUrl}/_sandbox/state`, services);
      const sent = state
        .parse(JSON.parse(answer.text))
        .deliveries.find((one) => one.event === event && one.subjectId === subjectId);
      if (sent?.state === 'given_up' || sent?.state === 'lost')
        throw new Error(`the webhook ${event} is lost`);
      return sent?.state === 'delivered' ? (sent.attempts.at(-1)?.status ?? undefined) : undefined;
    },
    services,
  );
}
