/** Reads an uploaded PDF: its pages, and the text anchors that say where signatures go: `{{s1|signature|85|37}}`, s1 being the first signer. */
import { createHash } from 'node:crypto';
import type { PDF } from '@libpdf/core';
import { pageOf, type Page } from './page.js';

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

export type PdfFacts = {
  sha256: string;
  pages: Page[];
  anchors: Anchor[];
  /** By a password, for reading or for changes. */
  isProtected: boolean;
};

const ANCHOR = /\{\{\s*s(\d+)\s*\|\s*signature\s*\|\s*(\d+)\s*\|\s*(\d+)\s*\}\}/g;
/** In longer documents the provider silently ignores anchors. */
const PAGES_WITH_ANCHORS_MAX = 150;
const KEPT = 20;

/** By SHA-256. Reading takes some 30 ms, and those who try things out upload the same contract again and again. */
const known = new Map<string, PdfFacts>();

/** Undefined for what cannot be read, or has no page. */
export async function readPdf(bytes: Buffer): Promise<PdfFacts | undefined> {
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const facts = known.get(sha256) ?? (await look(bytes, sha256));
  if (!facts) return undefined;
  known.delete(sha256);
  known.set(sha256, facts);
  for (const oldest of known.keys()) if (known.size > KEPT) known.delete(oldest);
  return facts;
}

async function look(bytes: Buffer, sha256: string): Promise<PdfFacts | undefined> {
  const { PDF } = await import('@libpdf/core');
  const end = bytes.lastIndexOf('%%EOF');
  const isCut = end < 0 || /\d+ \d+ obj\b/.test(bytes.toString('latin1', end));
  if (isCut || !bytes.subarray(0, 5).equals(Buffer.from('%PDF-'))) return undefined;
  try {
    // What stands behind the end would hide the table of its objects.
    const pdf = await PDF.load(bytes.subarray(0, end + 5));
    const pages = pdf.getPages().map((page) => pageOf(pdf, page));
    if (pages.length === 0) return undefined;
    const hasAnchors = !pdf.isEncrypted && pages.length <= PAGES_WITH_ANCHORS_MAX;
    const anchors = hasAnchors ? anchorsIn(pdf) : [];
    return { sha256, pages, anchors, isProtected: pdf.isEncrypted };
  } catch {
    return undefined;
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
