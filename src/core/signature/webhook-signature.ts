/** The signature of inbound signature webhooks (spec 4.7): `sha256=<hex of HMAC-SHA256 over the raw body>`. */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

/** True when one of the secrets (two during a rotation) made the header. Takes as long for a wrong as for a right one. */
export function isGenuine(rawBody: Buffer, header: string | undefined, secrets: readonly string[]): boolean {
  let genuine = false;
  for (const secret of secrets) {
    const expected = `sha256=${createHmac('sha256', secret).update(rawBody).digest('hex')}`;
    // Compared as digests: equal lengths whatever was sent.
    genuine = timingSafeEqual(digest(expected), digest(header ?? '')) || genuine;
  }
  return genuine && header !== undefined && header !== '';
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
