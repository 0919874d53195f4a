/** Reads an uploaded PDF: its pages, and the text anchors that say where signatures go: `{{s1|signature|85|37}}`, s1 being the first signer. */
import { createHash } from 'node:crypto';
import type { PDF } from '@libpdf/core';

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

export type PdfFacts = { sha256: string; pages: number; anchors: Anchor[]; isProtected: boolean };

const ANCHOR = /\{\{\s*s(\d+)\s*\|\s*signature\s*\|\s*(\d+)\s*\|\s*(\d+)\s*\}\}/g;
/** In longer documents the provider silently ignores anchors. */
const PAGES_WITH_ANCHORS_MAX = 150;
const KEPT = 20;

/** By SHA-256. Reading takes some 30 ms, and those who try things out upload the same contract again and again. */
const known = new Map<string, PdfFacts>();

/** What we cannot read is counted as a single page without anchors. */
export async function readPdf(bytes: Buffer): Promise<PdfFacts> {
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const facts = known.get(sha256) ?? { sha256, ...(await look(bytes)) };
  known.delete(sha256);
  known.set(sha256, facts);
  for (const oldest of known.keys()) if (known.size > KEPT) known.delete(oldest);
  return facts;
}

async function look(bytes: Buffer): Promise<Omit<PdfFacts, 'sha256'>> {
  const { PDF } = await import('@libpdf/core');
  try {
    const pdf = await PDF.load(bytes);
    const pages = Math.max(1, pdf.getPageCount());
    const { isEncrypted: isProtected } = pdf;
    const isSearched = !isProtected && pages <= PAGES_WITH_ANCHORS_MAX;
    return { pages, isProtected, anchors: isSearched ? anchorsIn(pdf) : [] };
  } catch {
    return { pages: 1, isProtected: false, anchors: [] };
  }
}

function anchorsIn(pdf: PDF): Anchor[] {
  return pdf.findText(ANCHOR).flatMap(({ text, bbox, pageIndex }) =>
    [...text.matchAll(ANCHOR)].map(([, signer, width, height]) => ({
      signer: Number(signer),
      page: pageIndex + 1,
      x: bbox.x,
      // The box hangs from the top of the anchor's letters.
      y: bbox.y + bbox.height - Number(height),
      width: Number(width),
      height: Number(height),
    })),
  );
}
