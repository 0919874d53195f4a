/** PDFs as a browser's reader sees them (pdf.js). */
import { getDocumentProxy } from 'unpdf';

type Page = Awaited<ReturnType<Awaited<ReturnType<typeof getDocumentProxy>>['getPage']>>;

/** The words of each page, line by line, in the order in which they are drawn. */
export function pagesOf(pdf: Uint8Array): Promise<string[]> {
  return onEachPage(pdf, async (page) => {
    const { items } = await page.getTextContent({ disableNormalization: true });
    return items.map((item) => ('str' in item ? wordsOf(item) : '')).join('');
  });
}

export async function textOf(pdf: Uint8Array): Promise<string> {
  return (await pagesOf(pdf)).join('\n');
}

async function onEachPage<T>(pdf: Uint8Array, read: (page: Page) => Promise<T>): Promise<T[]> {
  // It takes the bytes away.
  const document = await getDocumentProxy(Uint8Array.from(pdf), { verbosity: 0 });
  const numbers = Array.from({ length: document.numPages }, (_, index) => index + 1);
  const found = await Promise.all(numbers.map(async (number) => read(await document.getPage(number))));
  await document.loadingTask.destroy();
  return found;
}

/** Marks on letters are read behind them. */
const wordsOf = ({ str, hasEOL }: { str: string; hasEOL: boolean }) =>
  str.normalize('NFC') + (hasEOL ? '\n' : '');

interface Tag {
  role?: string;
  id?: string;
  children?: Tag[];
}

/** What a screen reader reads, in its order: each tag that holds words, with them. */
export async function tagsOf(pdf: Uint8Array): Promise<Told[]> {
  const pages = await onEachPage(pdf, async (page) => {
    const { items } = await page.getTextContent({ includeMarkedContent: true });
    const words = new Map<string, string>();
    const open: (string | undefined)[] = [];
    for (const item of items) {
      const id = open.at(-1) ?? 'decoration';
      if ('str' in item) words.set(id, (words.get(id) ?? '') + wordsOf(item));
      else if (item.type === 'endMarkedContent') open.pop();
      else open.push(item.id);
    }
    return toldBy(await page.getStructTree(), words);
  });
  return pages.flat();
}

interface Told {
  role: string;
  words: string;
}

function toldBy({ role = '', children = [] }: Tag, words: ReadonlyMap<string, string>): Told[] {
  const own = children
    .map(({ id }) => (id === undefined ? '' : words.get(id)) ?? '')
    .join('')
    .trim();
  return [...(own ? [{ role, words: own }] : []), ...children.flatMap((child) => toldBy(child, words))];
}

export interface ShownWords {
  words: string;
  /** In points from the top left corner of the page as it is shown. */
  left: number;
  right: number;
  top: number;
  bottom: number;
  isUpright: boolean;
  /** Page numbers and the like, which a screen reader skips. */
  isDecoration: boolean;
}

export interface ShownPage {
  width: number;
  height: number;
  words: ShownWords[];
}

export function shownPages(pdf: Uint8Array): Promise<ShownPage[]> {
  return onEachPage(pdf, async (page) => {
    const { width, height, transform } = page.getViewport({ scale: 1 });
    const { items, styles } = await page.getTextContent({ includeMarkedContent: true });
    const words: ShownWords[] = [];
    const open: boolean[] = [];
    for (const item of items) {
      if (!('str' in item)) {
        if (item.type === 'endMarkedContent') open.pop();
        else open.push('tag' in item && item.tag === 'Artifact');
      } else if (item.str.trim() !== '') {
        const [a, b, , , x, y] = along(transform as Matrix, item.transform as Matrix);
        const size = Math.hypot(a, b);
        const { ascent = 1, descent = 0 } = styles[item.fontName] ?? {};
        words.push({
          words: item.str,
          left: x,
          right: x + item.width,
          top: y - ascent * size,
          bottom: y - descent * size,
          isUpright: Math.abs(b) < 0.01 * size && a > 0,
          isDecoration: open.includes(true),
        });
      }
    }
    return { width, height, words };
  });
}

type Matrix = [number, number, number, number, number, number];

/** What one and then the other does. */
function along([a, b, c, d, e, f]: Matrix, [g, h, i, j, x, y]: Matrix): Matrix {
  return [a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * x + c * y + e, b * x + d * y + f];
}
