/** `esignctl import`: customers, equipment and requests from a file (rules 6, 10). */
import { readFile } from 'node:fs/promises';
import { EXIT } from '../exit-codes.js';
import { param } from '../verb/params.js';
import { UsageError } from '../verb/usage-error.js';
import { verb } from '../verb/verb.js';

const ABOUT = `
The first line names the columns, in any order: username, firstName, lastName, phone, locale, address; name, model, serialNumber of a piece
of equipment; title, description, amount, currency of a request; or as lists name them with \`--csv\`. Only username is needed. Commas,
semicolons or tabs separate the columns; UTF-8, UTF-16 and the code page of Western spreadsheets are recognized. A row is imported whole
or not at all. What already exists is not changed, so importing the same file again changes nothing. Nobody is invited: \`users invite\` does that.`;

export const importing = verb('import', {
  about: 'import customers, equipment and requests from a CSV file',
  args: { file: param('the file', String) },
  changes: true,
  text: ABOUT,
  examples: ['customers.csv --dry-run', 'customers.csv --reason "the old card index"'],
  async act(shell, { file }) {
    const { importDocument, importFile } = await import('../../core/import/import-file.js');
    const { ctx, by, out, dryRun } = shell;
    const bytes = await readFile(file).catch((error: unknown) => {
      const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
      throw new UsageError(`the file ${file} cannot be read (${code})`, 'Name a readable CSV file.');
    });
    const imported = await importFile(ctx, bytes, by);
    const done = importDocument(imported);
    out.result(done, () => {
      const { rows } = importDocument(imported, (fault) => out.faultWords(fault));
      for (const { line, what, error } of rows)
        out.line(`line ${line}: ${dryRun ? toCome(what) : what}${error === null ? '' : `: ${error}`}`);
      if (done.ignored.length > 0)
        out.warn(
          `columns not imported, since their names are unknown: ${done.ignored.join(', ')}. See \`esignctl import --help\`.`,
        );
      out.line(`created ${done.created}, unchanged ${done.unchanged}, failed ${done.failed}`);
    });
    return done.failed > 0 ? EXIT.failed : EXIT.done;
  },
});

/** What a dry run says of a row. */
function toCome(what: string): string {
  return what.replace(/^created/, 'would create').replace(/^unchanged/, 'would not change');
}
