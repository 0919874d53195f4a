/** Reports an archive that was written. */
import type { WrittenArchive } from '../../core/evidence/write-archive.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import type { Shell } from '../io.js';
import { bytes, counted } from './words.js';

/** Exit 1 when something that belongs in it could not be had. */
export function tellArchive(
  { out }: Shell,
  written: WrittenArchive,
  { mayMiss = false }: { mayMiss?: boolean } = {},
): ExitCode {
  const { kind, subject, file, size, sha256, madeAt, files, missing } = written;
  out.result({ kind, subject, file, size, sha256, madeAt, files, missing }, () => {
    out.line(`exported ${subject} to ${file} (${bytes(size)}, ${counted(files.length, 'file')})`);
    out.line(`seal SHA-256 ${sha256}, kept in the history`);
  });
  for (const { name, reason } of missing) out.note(`missing ${name}: ${reason}`);
  return missing.length > 0 && !mayMiss ? EXIT.failed : EXIT.done;
}
