/** Finds the text anchors that say where signatures go: `{{s1|signature|85|37}}`, s1 being the first signer. */
import { PdfFile } from './file.js';
import { textRuns } from './text.js';

export type Anchor = {
  /** 1 for the first. */
  signer: number;
  /** 1 for the first. */
  page: number;
  /** Bottom left corner of the box, from the bottom left of the page. */
  x: number;
  y: number;
  width: number;
  height: number;
};

const ANCHOR = /\{\{\s*s(\d+)\s*\|\s*signature\s*\|\s*(\d+)\s*\|\s*(\d+)\s*\}\}/g;
/** Of a Helvetica letter, for anchors that stand behind other words. */
const AVERAGE_WIDTH = 0.5;

/** Only anchors in one run of plain text count. None for a PDF that cannot be read. */
export function findAnchors(bytes: Buffer): Anchor[] {
  try {
    const file = new PdfFile(bytes);
    return file.pages().flatMap(({ dict }, index) => anchorsOn(file.content(dict), index + 1));
  } catch {
    return [];
  }
}

function anchorsOn(content: string, page: number): Anchor[] {
  return textRuns(content).flatMap((run) =>
    [...run.text.matchAll(ANCHOR)].map((found) => {
      const [width, height] = [Number(found[2]), Number(found[3])];
      const x = run.x + found.index * run.size * AVERAGE_WIDTH;
      // The box hangs from the top of the anchor's letters.
      return { signer: Number(found[1]), page, x, y: run.y + run.size - height, width, height };
    }),
  );
}
