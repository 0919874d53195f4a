/**
 * The signatures of a delivery (rules 8): one inside the body, and in the headers that of the Standard Webhooks and a
 * plain one over the raw body.
 */
import { createHmac } from 'node:crypto';

export interface SignedMessage {
  messageId: string;
  /** Unix seconds of this attempt. */
  timestamp: number;
  body: string;
}

/** The signature inside the body, over the body without it. */
export function bodySignature(secret: string, content: string): string {
  return hmac(secret, content).digest('hex');
}

/** The body with its signature as the last member. */
export function signedBody(content: string, signature: string): string {
  return `${content.slice(0, -1)},"signature":"${signature}"}`;
}

/** The bytes of a delivery; signed from its first attempt on. */
export function sentBody({ content, signature }: { content: string; signature: string | null }): string {
  return signature === null ? content : signedBody(content, signature);
}

/** The signature headers. The first secret is the current one; the previous one may follow. */
export function signatureHeaders(secrets: readonly string[], message: SignedMessage): Record<string, string> {
  const [current = ''] = secrets;
  return {
    'webhook-id': message.messageId,
    'webhook-timestamp': String(message.timestamp),
    'webhook-signature': secrets.map((secret) => `v1,${standardSignature(secret, message)}`).join(' '),
    'x-webhook-signature-256': `sha256=${hmac(current, message.body).digest('hex')}`,
  };
}

function standardSignature(secret: string, { messageId, timestamp, body }: SignedMessage): string {
  return hmac(standardKey(secret), `${messageId}.${timestamp}.${body}`).digest('base64');
}

const PREFIX = 'whsec_';
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** After `whsec_` the secret is base64; any other is used as text. */
function standardKey(secret: string): Buffer | string {
  const rest = secret.slice(PREFIX.length);
  const isEncoded = secret.startsWith(PREFIX) && rest !== '' && BASE64.test(rest);
  return isEncoded ? Buffer.from(rest, 'base64') : secret;
}

function hmac(key: Buffer | string, text: string) {
  return createHmac('sha256', key).update(text);
}
