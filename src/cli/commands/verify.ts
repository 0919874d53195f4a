/** `esignctl verify`: checks an archive that an export has made; needs neither settings nor data (rules 10). */
import type { Problem } from '../../core/evidence/verify-archive.js';
import { EXIT } from '../exit-codes.js';
import { asText, param } from '../verb/params.js';
import { withProgress } from '../output/progress.js';
import { verb } from '../verb/verb.js';
import { counted } from '../output/words.js';

const ABOUT = `
Exit code 0: not a byte has changed since the archive was made. Exit code 1: something has changed; the files concerned are named.
It needs neither settings nor data. Who made the archive is proved by the installation’s own history, which holds the digest
of the seal: \`esignctl history --what request.exported\`.`;

export const verify = verb('verify', {
  about:
    'check an archive made by `requests export` or `users export`, even years later and on another machine',
  args: { file: param('the archive', asText) },
  text: ABOUT,
  examples: ['REQ-2026-000123.zip', 'evidence.zip --json'],
  async run(shell, { file }) {
    const { verifyArchive } = await import('../../core/evidence/verify-archive.js');
    const { out, signal } = shell;
    const { isWhole, manifest, sha256, problems } = await withProgress(shell, 'verifying', () =>
      verifyArchive(file, signal),
    );
    const document = {
      file,
      whole: isWhole,
      kind: manifest?.kind ?? null,
      subject: manifest?.subject ?? null,
      firm: manifest?.firm ?? null,
      madeAt: manifest?.madeAt ?? null,
      files: manifest?.files.length ?? 0,
      missing: manifest?.missing ?? [],
      sha256,
      problems: problems.map(({ problem, name }) => ({ problem, name, message: WORDS[problem] })),
    };
    out.result(document, () => {
      for (const { name, message } of document.problems) out.line(`${name ?? file}: ${message}`);
      if (!isWhole) return out.line(`changed: ${counted(problems.length, 'problem')}`);
      const { subject, firm, madeAt, files } = document;
      out.line(`whole: ${subject}, exported by ${firm} at ${out.time(madeAt)}, ${counted(files, 'file')}`);
      out.line(`seal SHA-256 ${sha256}`);
    });
    return isWhole ? EXIT.done : EXIT.failed;
  },
});

const WORDS: Record<Problem, string> = {
  unreadable: 'it is not an archive, or damaged beyond reading',
  no_manifest: 'it has no manifest.json of an export',
  changed: 'it is not the file that was exported',
  missing: 'it is missing',
  extra: 'it was not in the archive when it was made',
  twice: 'it is in the archive twice',
  seal: 'the seal does not match: a byte of the archive has changed, or another program made it',
  too_large: 'it claims to hold more than any export does, so its files were not read',
};
