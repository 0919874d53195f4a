/** What the inbound webhooks share: the body untouched, since its signature is over its bytes, and an answer without one. */
import type { Handler } from 'hono';
import type { StatusCode } from 'hono/utils/http-status';
import { rejectTooLarge, type InboundDelivery } from '../../core/rejections.js';
import { readBody } from '../body.js';
import { addressOf } from '../client-address.js';
import { HttpError } from '../errors.js';
import type { Env, Parts } from '../parts.js';

const BYTES_MAX = 256 * 1024;

/** The heading of these webhooks in the documents about the API. */
export const WEBHOOKS = 'Webhooks of providers';

/** What any of them may be answered. */
export const BARE = {
  413: 'Larger than 256 KiB.',
  429: 'Too many forged deliveries from this address.',
};

export function inbound(
  parts: Parts,
  { source, signatureHeader }: { source: 'signature' | 'payment'; signatureHeader: string },
  receive: (delivery: InboundDelivery) => Promise<{ status: StatusCode }>,
): Handler<Env> {
  return async (c) => {
    const rawBody = await readBody(c, BYTES_MAX).catch((error: unknown) => {
      if (error instanceof HttpError && error.status === 413) return undefined;
      throw error;
    });
    const address = addressOf(c, parts);
    if (!rawBody) {
      const size = Number(c.req.header('Content-Length')) || BYTES_MAX;
      const { status } = await rejectTooLarge(parts.ctx, source, { size, address });
      parts.measures.webhookReceived({ source, status });
      return c.body(null, status, { Connection: 'close' });
    }
    const signature = c.req.header(signatureHeader);
    const { status } = await receive({ rawBody, signature, address });
    parts.measures.webhookReceived({ source, status });
    return c.body(null, status);
  };
}
