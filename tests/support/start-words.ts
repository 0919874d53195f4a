/** Words of a table about starts that were stopped, with a PDF of one’s own or without. */
import { rmSync } from 'node:fs';
import type { Context } from '../../src/core/context.js';
import { draftPdfPath } from '../../src/core/contracts/contract-files.js';
import { anyContractPdf, type TestApp } from './app.js';
import { startSignature } from './start-signature.js';
import type { BY } from './story.js';
import type { Words } from './table.js';

export const PDF = await anyContractPdf();
export const PDFS: Record<string, Buffer> = {
  own: PDF,
  another: Buffer.concat([PDF, Buffer.from('\n% another\n%%EOF\n')]),
};

export const draftOf = (app: TestApp, id: number) => draftPdfPath(app.ctx, app.contract(id).id);
export const withPdf =
  (which = 'own') =>
  (ctx: Context, id: number, by: typeof BY) =>
    startSignature(ctx, id, { ...by, pdf: PDFS[which] });

export const START_WORDS: Words = {
  stoppedWithPdf: (s, fault) => s.stopped(fault, PDF),
  startedWith: (s, which) => s.by(withPdf(which)),
  draftIsGone: (s) => s.does((app, id) => rmSync(draftOf(app, id))),
  wasNeverStored: (s) => s.sql('UPDATE contracts SET draftSha256 = NULL'),
};
