/** PDFs as scanners, offices and proxies make them: whole ones of every shape, and broken ones. */
import { buffer } from 'node:stream/consumers';
import { constants, deflateRawSync, deflateSync } from 'node:zlib';
import PdfDocument from 'pdfkit';

export const A4 = '/MediaBox [0 0 595 842]';
export const A4_ACROSS = '/MediaBox [0 0 842 595]';

/** Pages with these entries, under a node with those that all inherit. */
export function pdfOf(pages: readonly string[], { inherited = '' } = {}): Buffer {
  const kids = pages.map((_, i) => `${i + 3} 0 R`).join(' ');
  return ofObjects([
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} ${inherited} >>`,
    ...pages.map((entries) => `<< /Type /Page /Parent 2 0 R ${entries} >>`),
  ]);
}

/** The first is the catalog. */
export function ofObjects(objects: readonly string[]): Buffer {
  let text = '%PDF-1.4\n';
  const offsets = objects.map((object, i) => {
    const at = text.length;
    text += `${i + 1} 0 obj\n${object}\nendobj\n`;
    return at;
  });
  return Buffer.from(text + endOf({ first: 0, offsets, at: text.length }), 'latin1');
}

/** The same document with another page 1, added behind its end. */
export function withNewPage(pdf: Buffer, entries: string): Buffer {
  const page = `3 0 obj\n<< /Type /Page /Parent 2 0 R ${entries} >>\nendobj\n`;
  const before = Number(/startxref\n(\d+)/.exec(pdf.toString('latin1'))?.[1]);
  const end = endOf({ first: 3, offsets: [pdf.length], at: pdf.length + page.length, before });
  return Buffer.concat([pdf, Buffer.from(page + end)]);
}

interface Table {
  first: number;
  offsets: readonly number[];
  at: number;
  /** Where the earlier table is. */
  before?: number;
}

function endOf({ first, offsets, at, before }: Table): string {
  const free = before === undefined ? '0000000000 65535 f \n' : '';
  const entries = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const size = offsets.length + (before === undefined ? 1 : first);
  const previous = before === undefined ? '' : ` /Prev ${before}`;
  const count = before === undefined ? size : offsets.length;
  return `xref\n${first} ${count}\n${free}${entries}trailer\n<< /Size ${size} /Root 1 0 R${previous} >>\nstartxref\n${at}\n%%EOF\n`;
}

/** One page in a compressed object stream, as current office programs write it; behind its objects come megabytes of nothing. */
export function packedPdf(entries: string, { megabytes = 0 } = {}): Buffer {
  const packed = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R ${entries} >>`,
  ];
  const startOf = (nth: number) => packed.slice(0, nth).join('').length + nth;
  const index = packed.map((_, i) => `${i + 1} ${startOf(i)} `).join('');
  const content = deflated(Buffer.from(index + packed.join(' ')), megabytes);
  const head = `%PDF-1.7\n`;
  const stream = (number: number, dict: string, bytes: Buffer) =>
    Buffer.concat([
      Buffer.from(`${number} 0 obj\n<< ${dict} /Filter /FlateDecode /Length ${bytes.length} >>\nstream\n`),
      bytes,
      Buffer.from('\nendstream\nendobj\n'),
    ]);
  const objects = stream(4, `/Type /ObjStm /N 3 /First ${index.length}`, content);
  const at = head.length + objects.length;
  const rows = [
    [0, 0, 255],
    [2, 4, 0],
    [2, 4, 1],
    [2, 4, 2],
    [1, head.length, 0],
    [1, at, 0],
  ];
  const table = Buffer.from(
    rows.flatMap(([kind = 0, where = 0, which = 0]) => [
      kind,
      where >> 24,
      where >> 16,
      where >> 8,
      where,
      which,
    ]),
  );
  const tableStream = stream(5, '/Type /XRef /Size 6 /W [1 4 1] /Root 1 0 R', deflateSync(table));
  return Buffer.concat([Buffer.from(head), objects, tableStream, Buffer.from(`startxref\n${at}\n%%EOF\n`)]);
}

/** Made of pieces, so that nothing here is as large as what it unpacks to. */
function deflated(bytes: Buffer, megabytes: number): Buffer {
  const piece = (part: Buffer) => deflateRawSync(part, { finishFlush: constants.Z_SYNC_FLUSH });
  const nothing = piece(Buffer.alloc(1024 ** 2));
  const [header, end] = [Buffer.from([0x78, 0x9c]), Buffer.from([3, 0])];
  return Buffer.concat([header, piece(bytes), ...Array.from({ length: megabytes }, () => nothing), end]);
}

/** `userPassword` is needed to read it, `ownerPassword` to change it. */
export function lockedPdf(passwords: { userPassword?: string; ownerPassword?: string }): Promise<Buffer> {
  const pdf = new PdfDocument({ size: 'A4', ...passwords });
  pdf.text('Confidential.').end();
  return buffer(pdf);
}

export const NULS = Buffer.alloc(1_100);
export const PROXY_WORDS = Buffer.from(
  '<html><body>Served by a proxy: object 12 of page 0</body></html>\n'.repeat(30),
);
