/**
 * Encrypts subscriptions' secrets at rest: AES-256-GCM under a key in `keys/` (rules 8). Not hashed, because they are
 * needed to sign.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { secretFile } from '../installation/secret-file.js';

const ALGORITHM = 'aes-256-gcm';
const VERSION = 'v1';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export class SecretBox {
  readonly #dataDir: string;
  #key: Buffer | undefined;

  constructor(dataDir: string) {
    this.#dataDir = dataDir;
  }

  seal(secret: string): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(ALGORITHM, this.#open(), nonce);
    const sealed = Buffer.concat([nonce, cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return `${VERSION}.${sealed.toString('base64')}`;
  }

  /** Throws for another key or changed text. */
  unseal(text: string): string {
    const [version, base64 = ''] = text.split('.', 2);
    const sealed = Buffer.from(base64, 'base64');
    if (version !== VERSION || sealed.length < NONCE_BYTES + TAG_BYTES) throw unreadable();
    const decipher = createDecipheriv(ALGORITHM, this.#open(), sealed.subarray(0, NONCE_BYTES));
    decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
    try {
      const secret = decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES));
      return Buffer.concat([secret, decipher.final()]).toString('utf8');
    } catch (error) {
      throw unreadable(error);
    }
  }

  /** Read on demand: most commands do not need it. */
  #open(): Buffer {
    this.#key ??= Buffer.from(secretFile(this.#dataDir, 'webhooks.key'), 'base64url').subarray(0, 32);
    return this.#key;
  }
}

function unreadable(cause?: unknown): Error {
  const why = 'keys/webhooks.key is not the one it was sealed with';
  return new Error(`the secret of the subscription cannot be read: ${why}`, { cause });
}
