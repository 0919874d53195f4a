/** The objects and pages of a PDF. Objects are found by looking for them, so a damaged cross-reference is no matter. */
import { inflateSync } from 'node:zlib';
import { Name, Reader, Ref, type Dict, type Value } from './values.js';

export type PdfObject = { generation: number; value: Value; stream?: Buffer | undefined };
export type PdfPage = { ref: Ref; dict: Dict };

export class PdfFile {
  readonly bytes: Buffer;
  readonly objects = new Map<number, PdfObject>();
  readonly trailer: Dict = new Map();

  /** Throws when the bytes make no sense as a PDF, or when it is encrypted. */
  constructor(bytes: Buffer) {
    this.bytes = bytes;
    const text = bytes.toString('latin1');
    this.#readObjects(text);
    this.#readTrailers(text);
    this.#readObjectStreams();
    if (this.trailer.has('Encrypt')) throw new Error('PDF: encrypted files are not supported');
    if (!this.trailer.has('Root')) throw new Error('PDF: no catalogue');
  }

  get(value: Value | undefined): Value | undefined {
    return value instanceof Ref ? this.get(this.objects.get(value.number)?.value) : value;
  }

  dict(value: Value | undefined): Dict | undefined {
    const found = this.get(value);
    return found instanceof Map ? found : undefined;
  }

  array(value: Value | undefined): Value[] | undefined {
    const found = this.get(value);
    return Array.isArray(found) ? found : undefined;
  }

  /** In reading order. */
  pages(): PdfPage[] {
    const pages: PdfPage[] = [];
    const seen = new Set<number>();
    const visit = (node: Value | undefined): void => {
      if (!(node instanceof Ref) || seen.has(node.number)) return;
      seen.add(node.number);
      const dict = this.dict(node);
      const kids = dict && this.array(dict.get('Kids'));
      if (kids) kids.forEach(visit);
      else if (dict) pages.push({ ref: node, dict });
    };
    visit(this.dict(this.trailer.get('Root'))?.get('Pages'));
    return pages;
  }

  /** What a page says itself or takes over from above. */
  inherited(page: Dict, key: string, depth = 0): Value | undefined {
    const parent = depth < 50 ? this.dict(page.get('Parent')) : undefined;
    return page.get(key) ?? (parent && this.inherited(parent, key, depth + 1));
  }

  /** The page's drawing instructions, all parts in one. */
  content(page: Dict): string {
    const contents = page.get('Contents');
    const parts = this.array(contents) ?? (contents === undefined ? [] : [contents]);
    return parts.map((part) => (part instanceof Ref ? this.#inflated(part.number) : '')).join('\n');
  }

  #inflated(number: number): string {
    const object = this.objects.get(number);
    if (!object?.stream || !(object.value instanceof Map)) return '';
    const filter = object.value.get('Filter');
    const names = (this.array(filter) ?? (filter === undefined ? [] : [this.get(filter)])).map((one) =>
      one instanceof Name ? one.text : '',
    );
    if (names.length === 0) return object.stream.toString('latin1');
    if (names.length > 1 || names[0] !== 'FlateDecode') return '';
    return inflateSync(object.stream).toString('latin1');
  }

  #readObjects(text: string): void {
    const header = /(?<![\d.])(\d{1,10})[\0\t\n\f\r ]+(\d{1,5})[\0\t\n\f\r ]+obj\b/g;
    for (let found = header.exec(text); found; found = header.exec(text)) {
      const reader = new Reader(text, header.lastIndex);
      const value = reader.next();
      if (value === undefined) continue;
      const stream = value instanceof Map ? this.#readStream(text, reader.at, value) : undefined;
      this.objects.set(Number(found[1]), { generation: Number(found[2]), value, stream: stream?.bytes });
      // On behind the stream: its bytes might look like objects.
      header.lastIndex = stream?.end ?? reader.at;
    }
  }

  #readStream(text: string, at: number, dict: Dict): { bytes: Buffer; end: number } | undefined {
    const keyword = /[\0\t\n\f\r ]*stream(?:\r\n|\n|\r)/y;
    keyword.lastIndex = at;
    if (!keyword.test(text)) return undefined;
    const start = keyword.lastIndex;
    const length = dict.get('Length');
    const direct =
      typeof length === 'number' && /^\s*endstream/.test(text.slice(start + length, start + length + 12));
    const end = direct ? start + length : text.indexOf('endstream', start);
    if (end < 0) return undefined;
    return { bytes: this.bytes.subarray(start, end), end };
  }

  #readTrailers(text: string): void {
    for (const { index } of text.matchAll(/\btrailer\b/g)) {
      const dict = new Reader(text, index + 'trailer'.length).next();
      if (dict instanceof Map) for (const [key, value] of dict) this.trailer.set(key, value);
    }
    for (const { value } of this.objects.values()) {
      if (!isType(value, 'XRef')) continue;
      for (const key of ['Root', 'Info', 'ID', 'Encrypt']) {
        const entry = value.get(key);
        if (entry !== undefined && !this.trailer.has(key)) this.trailer.set(key, entry);
      }
    }
  }

  #readObjectStreams(): void {
    for (const [number, { value }] of Array.from(this.objects)) {
      if (!isType(value, 'ObjStm')) continue;
      const text = this.#inflated(number);
      const [count, first] = [value.get('N'), value.get('First')];
      if (typeof count !== 'number' || typeof first !== 'number') continue;
      const header = new Reader(text);
      for (let index = 0; index < count; index += 1) {
        const [inner, offset] = [header.next(), header.next()];
        if (typeof inner !== 'number' || typeof offset !== 'number' || this.objects.has(inner)) continue;
        const found = new Reader(text, first + offset).next();
        if (found !== undefined) this.objects.set(inner, { generation: 0, value: found });
      }
    }
  }
}

function isType(value: Value, type: string): value is Dict {
  const name = value instanceof Map ? value.get('Type') : undefined;
  return name instanceof Name && name.text === type;
}

/** At least one: what we cannot read is counted as a single page. */
export function countPages(bytes: Buffer): number {
  try {
    return Math.max(1, new PdfFile(bytes).pages().length);
  } catch {
    return 1;
  }
}
