/** Where a reader sees the words of a PDF (pdf.js). */
import { getDocumentProxy } from 'unpdf';

export interface ShownWords {
  /** From 1. */
  page: number;
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

export async function shownPages(pdf: Uint8Array): Promise<ShownPage[]> {
  // It takes the bytes away.
  const document = await getDocumentProxy(Uint8Array.from(pdf), { verbosity: 0 });
  const pages: ShownPage[] = [];
  for (let number = 1; number <= document.numPages; number += 1) {
    const page = await document.getPage(number);
    const { width, height, transform: turn } = page.getViewport({ scale: 1 });
    const { items, styles } = await page.getTextContent({ includeMarkedContent: true });
    const words: ShownWords[] = [];
    const open: boolean[] = [];
    for (const item of items) {
      if (!('str' in item)) {
        if (item.type === 'endMarkedContent') open.pop();
        else open.push('tag' in item && item.tag === 'Artifact');
      } else if (item.str.trim() !== '') {
        const [a, b, , , x, y] = along(turn as Matrix, item.transform as Matrix);
        const size = Math.hypot(a, b);
        const { ascent = 1, descent = 0 } = styles[item.fontName] ?? {};
        words.push({
          page: number,
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
    pages.push({ width, height, words });
  }
  await document.loadingTask.destroy();
  return pages;
}

type Matrix = [number, number, number, number, number, number];

/** What one and then the other does. */
function along([a, b, c, d, e, f]: Matrix, [g, h, i, j, x, y]: Matrix): Matrix {
  return [a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * x + c * y + e, b * x + d * y + f];
}
