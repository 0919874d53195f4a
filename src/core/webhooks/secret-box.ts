/** Secrets of subscriptions at rest: AES-256-GCM under a key in `keys/` (decisions 8). They must be readable, to sign. */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { secretFile } from '../secret-file.js';

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

  /** Throws when it was sealed under another key, or changed. */
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

  /** Read when it is first needed: most commands never are in need of it. */
  #open(): Buffer {
    this.#key ??= Buffer.from(secretFile(this.#dataDir, 'webhooks.key'), 'base64url').subarray(0, 32);
    return this.#key;
  }
}

function unreadable(cause?: unknown): Error {
  return new Error(
    'the secret of the subscription cannot be read: keys/webhooks.key is not the one it was sealed with',
    {
      cause,
    },
  );
}
