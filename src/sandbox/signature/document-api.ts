/** The signature provider's calls on the documents of a request. */
import { createHash } from 'node:crypto';
import { Hono, type Context } from 'hono';
import type { GateEnv } from '../fault-gate.js';
import { findAnchors } from '../pdf/anchors.js';
import { countPages } from '../pdf/file.js';
import type { World } from '../world.js';
import { signedPdf } from './signed-pdf.js';
import type { Guard } from './guard.js';
import { getDocument, getRequest, requireStatus } from './lookup.js';
import { spoiledPdf } from './pdf-faults.js';
import { invalid, Problem } from './problems.js';
import type { SignatureDocument, SignatureRequest } from './types.js';
import { documentView } from './views.js';

const MAX_BYTES = 50 * 1024 * 1024;
const NATURES = ['signable_document', 'attachment'];
/** In longer documents the provider does not look for anchors, and does not say so. */
const MAX_PAGES_WITH_ANCHORS = 150;

export function documentApi(world: World, guard: Guard): Hono<GateEnv> {
  const api = new Hono<GateEnv>();
  const requestOf = (id: string | undefined): SignatureRequest => getRequest(world, id ?? '');

  api.post('/', ...guard('upload'), async (c) => {
    const request = requestOf(c.req.param('id'));
    requireStatus(request, 'signature_request.not_in_draft', 'draft');
    const document = await readUpload(world, c);
    request.documents.push(document);
    return c.json(documentView(request, document), 201);
  });

  api.get('/', ...guard('documents'), (c) => {
    const request = requestOf(c.req.param('id'));
    return c.json(request.documents.map((document) => documentView(request, document)));
  });

  api.get('/download', ...guard('download'), (c) => {
    const request = requestOf(c.req.param('id'));
    const completed = c.req.query('version') === 'completed';
    if (completed && request.status !== 'done') {
      const type = 'document.unable_to_download_signature_request_not_in_done';
      throw new Problem(400, type, `The signature request is ${request.status}, not done.`);
    }
    const [document, another] = request.documents.filter(({ nature }) => nature === 'signable_document');
    if (!document) throw new Problem(404, 'document.not_found', 'The signature request has no document.');
    if (another || c.req.query('archive') === 'true') {
      throw new Problem(400, 'sandbox.archive_not_simulated', 'The sandbox makes no ZIP archives.');
    }
    return sendPdf(world, c, request, document);
  });

  api.get('/:documentId/download', ...guard('download'), (c) => {
    const request = requestOf(c.req.param('id'));
    return sendPdf(world, c, request, getDocument(request, c.req.param('documentId')));
  });

  return api;
}

function sendPdf(
  world: World,
  c: Context<GateEnv>,
  request: SignatureRequest,
  document: SignatureDocument,
): Response | Promise<Response> {
  const pdf = request.status === 'done' ? signedPdf(world, request, document) : document.content;
  const fault = world.faults.take('pdf', 'download');
  if (fault) return spoiledPdf(world, c, fault, pdf);
  c.header('Content-Type', 'application/pdf');
  c.header('Content-Disposition', `attachment; filename*=UTF-8''${encodeURIComponent(document.filename)}`);
  return c.body(new Uint8Array(pdf));
}

async function readUpload(world: World, c: Context<GateEnv>): Promise<SignatureDocument> {
  const form = await c.req.parseBody().catch(() => {
    throw new Problem(415, 'unsupported_media_type', 'Send the file as multipart/form-data.');
  });
  const { file, nature, name } = form;
  if (!(file instanceof File)) throw invalid('file', 'This file is missing.');
  if (typeof nature !== 'string' || !NATURES.includes(nature)) {
    throw invalid('nature', `This value must be one of ${NATURES.join(', ')}.`);
  }
  const filename = typeof name === 'string' && name !== '' ? name : file.name;
  if (/[/\\]/.test(filename) || filename.trim() !== filename)
    throw invalid('name', 'This name is not valid.');
  const content = Buffer.from(await file.arrayBuffer());
  if (content.length > MAX_BYTES) throw invalid('file', 'This file is larger than 50 MB.');
  if (!content.subarray(0, 5).equals(Buffer.from('%PDF-'))) throw invalid('file', 'This file is not a PDF.');

  const totalPages = countPages(content);
  const parseAnchors = form['parse_anchors'] === 'true' && totalPages <= MAX_PAGES_WITH_ANCHORS;
  return {
    id: world.ids.uuid(),
    filename,
    nature,
    content,
    sha256: createHash('sha256').update(content).digest('hex'),
    createdAt: world.now(),
    parseAnchors,
    totalPages,
    totalAnchors: parseAnchors ? findAnchors(content).length : 0,
  };
}
