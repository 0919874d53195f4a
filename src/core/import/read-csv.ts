/** A file of a spreadsheet: its encoding and its separator are told apart, its cells are read as RFC 4180 says. */

export interface CsvRow {
  /** In which it begins, as editors count. */
  line: number;
  cells: string[];
}

/** What that code page has in place of Latin-1's control characters. The TextDecoder of Node 22.14 leaves them as they are. */
const WINDOWS_1252 = Array.from('€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ');

/** UTF-8 with or without a mark, or the UTF-16 of “Unicode text”; what is none is the 8-bit code page of Western spreadsheets. */
export function decoded(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return Buffer.from(bytes)
      .toString('latin1')
      .replace(/[\x80-\x9f]/g, (letter) => WINDOWS_1252[letter.charCodeAt(0) - 0x80] ?? letter);
  }
}

/** Empty rows are left out. The separator is the one of which the first line has the most. */
export function readCsv(text: string): CsvRow[] {
  const first = /^.*$/m.exec(text)?.[0] ?? '';
  const separator =
    [';', ',', '\t'].toSorted((a, b) => first.split(b).length - first.split(a).length)[0] ?? ',';
  const rows: CsvRow[] = [];
  let line = 1;
  let row: CsvRow = { line, cells: [] };
  const cell = new RegExp(
    `(?:"((?:[^"]|"")*)"|([^"${separator}\r\n][^${separator}\r\n]*)?)(${separator}|\r\n|\r|\n|$)`,
    'y',
  );
  while (cell.lastIndex < text.length || row.cells.length > 0) {
    const at = cell.lastIndex;
    const [whole, quoted, plain = '', end = ''] = cell.exec(text) ?? [];
    if (whole === undefined) {
      // A quotation mark within or behind a cell: the rest of the line is taken as it stands.
      const rest = /.*/y;
      rest.lastIndex = at;
      const words = rest.exec(text)?.[0] ?? '';
      row.cells.push(words);
      cell.lastIndex = at + words.length;
      continue;
    }
    row.cells.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    line += whole.split(/\r\n|\r|\n/).length - 1;
    if (end === separator) continue;
    if (row.cells.some((words) => words.trim() !== '')) rows.push(row);
    row = { line, cells: [] };
    if (end === '') break;
  }
  return rows;
}
