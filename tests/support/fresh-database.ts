/** Databases of the newest schema, copied from one that was migrated once: to migrate each anew took longer than most tests. */
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { migrate } from '../../src/db/migrate.js';
import { openDb } from '../../src/db/open.js';

interface Template {
  bytes: Buffer;
  /** Where the installation's id is written; a database has no checksum. */
  idAt: number;
}

let template: Template | undefined;

/** Writes `file`, unless it is there. */
export function freshDatabase(file: string): void {
  if (existsSync(file)) return;
  mkdirSync(dirname(file), { recursive: true, mode: 0o750 });
  const bytes = freshBytes();
  // Two bytes of the header say that it has a WAL, as `openDb` wants it; SQLite opens none such from memory.
  bytes.fill(2, 18, 20);
  writeFileSync(file, bytes, { mode: 0o640 });
}

/** Each is an installation of its own. */
function freshBytes(): Buffer {
  template ??= migrated();
  const bytes = Buffer.from(template.bytes);
  bytes.write(randomBytes(8).toString('hex'), template.idAt, 'latin1');
  return bytes;
}

function migrated(): Template {
  const db = openDb(':memory:', { busyTimeoutMs: 0 });
  migrate(db);
  const bytes = db.raw.serialize();
  const idAt = bytes.indexOf(db.raw.prepare('SELECT id FROM installation').pluck().get() as string);
  db.close();
  return { bytes, idAt };
}
