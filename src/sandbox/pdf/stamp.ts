/** Shows signatures on a PDF by an incremental update: the bytes that were there stay as they were. */
import { PdfFile, type PdfPage } from './file.js';
import { Name, Ref, write, type Dict, type Value } from './values.js';

export type Place = {
  /** Whether y counts from the top of the page down to the box's top, or from the bottom up to its bottom. */
  from: 'top' | 'bottom';
  page: number;
  x: number;
  y: number;
  width: number;
  height: number;
};

/** Without a place it goes to the bottom of the last page. */
export type Stamp = { place: Place | undefined; lines: string[] };

type Box = { x: number; y: number; width: number; height: number };

const FONT = 'SandboxSign';
const BOTTOM: Box = { x: 48, y: 24, width: 240, height: 40 };
/** Generous for a Helvetica letter, so that lines never leave the box. */
const LETTER_WIDTH = 0.54;

/** Throws when the PDF cannot be read. The same input gives the same bytes. */
export function stampPdf(bytes: Buffer, stamps: Stamp[]): Buffer {
  const file = new PdfFile(bytes);
  const pages = file.pages();
  const update = new Update(file);
  const font = update.add(
    write(dict({ Type: 'Font', Subtype: 'Type1', BaseFont: 'Helvetica', Encoding: 'WinAnsiEncoding' })),
  );
  const last = pages.length - 1;
  if (last < 0) throw new Error('PDF: no pages');
  const save = update.addStream('q');
  for (const [index, page] of pages.entries()) {
    const here = stamps.filter(({ place }) => pageIndex(place, last) === index);
    if (here.length === 0) continue;
    const drawing = here.map(({ place, lines }) => draw(boxOf(file, page, place), lines)).join('\n');
    // The page's own instructions are wrapped in q … Q: they may leave the axes upside down.
    const restoreAndDraw = update.addStream(`Q\n${drawing}`);
    update.replacePage(page, font, save, restoreAndDraw);
  }
  return update.finish();
}

function pageIndex(place: Place | undefined, last: number): number {
  return place && place.page <= last + 1 ? place.page - 1 : last;
}

function boxOf(file: PdfFile, page: PdfPage, place: Place | undefined): Box {
  const media = file.array(file.inherited(page.dict, 'MediaBox')) ?? [0, 0, 595, 842];
  const [left = 0, bottom = 0, , top = 842] = media.map((value) => (typeof value === 'number' ? value : 0));
  if (!place) return { ...BOTTOM, x: left + BOTTOM.x, y: bottom + BOTTOM.y };
  const { x, y, width, height } = place;
  // Anchors are already in the page's own coordinates, fields count from its top left corner.
  return place.from === 'bottom'
    ? { x, y, width, height }
    : { x: left + x, y: top - y - height, width, height };
}

function draw({ x, y, width, height }: Box, lines: string[]): string {
  const step = height / (lines.length + 0.5);
  const texts = lines.map((line, index) => {
    const text = winAnsi(line);
    const size = Math.max(2, Math.min(9, step * 0.82, (width - 6) / (text.length * LETTER_WIDTH)));
    const baseline = y + height - step * (index + 0.95);
    return `BT /${FONT} ${number(size)} Tf ${number(x + 3)} ${number(baseline)} Td <${text.toString('hex')}> Tj ET`;
  });
  const box = [x, y, width, height].map(number).join(' ');
  // White first, so that the anchor's text does not shine through.
  return [
    'q',
    `1 1 1 rg ${box} re f`,
    `0.11 0.31 0.66 RG 0.75 w ${box} re S`,
    '0.07 0.2 0.45 rg',
    ...texts,
    'Q',
  ].join('\n');
}

const number = (value: number): string => String(Number(value.toFixed(2)));

const WIN_ANSI_EXTRA = '€\u0000‚ƒ„…†‡ˆ‰Š‹Œ\u0000Ž\u0000\u0000‘’“”•–—˜™š›œ\u0000žŸ';

/** Letters that Helvetica's coding lacks lose their accent, or become a question mark. */
function winAnsi(text: string): Buffer {
  const code = (letter: string): number | undefined => {
    const point = letter.codePointAt(0) ?? 0;
    if ((point >= 0x20 && point < 0x7f) || (point >= 0xa0 && point <= 0xff)) return point;
    const extra = WIN_ANSI_EXTRA.indexOf(letter);
    return extra >= 0 ? 0x80 + extra : undefined;
  };
  const plain: Record<string, string> = { Ł: 'L', ł: 'l', Đ: 'D', đ: 'd', ı: 'i' };
  const letters = Array.from(text.normalize('NFC'));
  return Buffer.from(
    letters.map((letter) => code(letter) ?? code(plain[letter] ?? letter.normalize('NFD').charAt(0)) ?? 0x3f),
  );
}

function dict(names: Record<string, string>): Dict {
  return new Map(Object.entries(names).map(([key, name]) => [key, new Name(name)]));
}

/** New and changed objects, to be written behind the old file. */
class Update {
  readonly #file: PdfFile;
  readonly #changed = new Map<number, { generation: number; body: Buffer }>();
  #next: number;

  constructor(file: PdfFile) {
    this.#file = file;
    this.#next = Math.max(...file.objects.keys()) + 1;
  }

  add(body: string): Ref {
    const ref = new Ref(this.#next, 0);
    this.#next += 1;
    this.#changed.set(ref.number, { generation: 0, body: Buffer.from(body, 'latin1') });
    return ref;
  }

  addStream(content: string): Ref {
    return this.add(`<</Length ${content.length}>>\nstream\n${content}\nendstream`);
  }

  replacePage({ ref, dict: page }: PdfPage, font: Ref, before: Ref, after: Ref): void {
    const file = this.#file;
    const resources: Dict = new Map(file.dict(file.inherited(page, 'Resources')) ?? []);
    resources.set('Font', new Map<string, Value>(file.dict(resources.get('Font')) ?? []).set(FONT, font));
    const contents = page.get('Contents');
    const old = file.array(contents) ?? (contents === undefined ? [] : [contents]);
    const changed: Dict = new Map(page);
    changed.set('Resources', resources).set('Contents', [before, ...old, after]);
    this.#changed.set(ref.number, {
      generation: ref.generation,
      body: Buffer.from(write(changed), 'latin1'),
    });
  }

  finish(): Buffer {
    const parts: Buffer[] = [this.#file.bytes, Buffer.from('\n')];
    let offset = this.#file.bytes.length + 1;
    let table = 'xref\n';
    for (const [number, { generation, body }] of [...this.#changed].sort(([one], [other]) => one - other)) {
      const object = Buffer.concat([
        Buffer.from(`${number} ${generation} obj\n`),
        body,
        Buffer.from('\nendobj\n'),
      ]);
      table += `${number} 1\n${String(offset).padStart(10, '0')} ${String(generation).padStart(5, '0')} n \n`;
      parts.push(object);
      offset += object.length;
    }
    parts.push(
      Buffer.from(`${table}trailer\n${write(this.#trailer())}\nstartxref\n${offset}\n%%EOF\n`, 'latin1'),
    );
    return Buffer.concat(parts);
  }

  #trailer(): Dict {
    const { trailer, bytes } = this.#file;
    const previous = [...bytes.toString('latin1').matchAll(/startxref\s+(\d+)/g)].at(-1)?.[1];
    const kept = [...trailer].filter(([key]) => ['Root', 'Info', 'ID'].includes(key));
    const fresh: Dict = new Map([...kept, ['Size', this.#next]]);
    return previous === undefined ? fresh : fresh.set('Prev', Number(previous));
  }
}
