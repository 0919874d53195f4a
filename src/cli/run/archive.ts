/** An export into one archive: its options, and what is said of it. */
import type { WrittenArchive } from '../../core/evidence/write-archive.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import type { Shell } from '../io.js';
import { withProgress } from '../output/progress.js';
import { bytes, counted } from '../output/words.js';
import { asText, flag, param, required } from '../verb/params.js';

const OUT = param('the archive to write; an existing file is never overwritten', asText, {
  word: 'file',
  group: 'output',
});

export const ARCHIVE = {
  out: required(OUT),
  offline: flag('leave out what only the signature provider has'),
};

interface Export {
  /** What is exported, in the document of a dry run and in words. */
  about: object;
  named: string;
  file: string;
  /** What only the provider has may be missing. */
  offline: boolean;
  doing: string;
  write: () => Promise<WrittenArchive>;
}

/** Exit 1 when something that belongs in it could not be had. */
export async function exportTo(
  shell: Shell,
  { about, named, file, offline, doing, write }: Export,
): Promise<ExitCode | void> {
  const { mustBeFree } = await import('../../core/evidence/new-file.js');
  const { out, dryRun } = shell;
  if (dryRun) {
    await mustBeFree(file);
    return out.result({ ...about, file }, () => out.line(`would export ${named} to ${file}`));
  }
  const { missing, ...written } = await withProgress(shell, doing, write);
  const { kind, subject, size, sha256, madeAt, files } = written;
  out.result({ kind, subject, file: written.file, size, sha256, madeAt, files, missing }, () => {
    out.line(`exported ${subject} to ${written.file} (${bytes(size)}, ${counted(files.length, 'file')})`);
    out.line(`seal SHA-256 ${sha256}, kept in the history`);
  });
  for (const { name, reason } of missing) out.note(`missing ${name}: ${reason}`);
  return missing.length > 0 && !offline ? EXIT.failed : EXIT.done;
}
