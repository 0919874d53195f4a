/** The signature provider's calls on the documents of a request. */
import { Hono, type Context } from 'hono';
import type { GateEnv } from '../fault-gate.js';
import type { Fault } from '../faults.js';
import { readPdf } from '../pdf/read.js';
import { pause, type World } from '../world.js';
import { pdfToShow } from './signed-pdf.js';
import type { Guard } from './guard.js';
import { getDocument, getRequest, requireStatus } from './lookup.js';
import { invalid, notFound, Problem } from './problems.js';
import type { SignatureDocument, SignatureRequest } from './types.js';
import { documentView } from './views.js';

const MEGABYTE = 1024 * 1024;
const MAX_BYTES = 50 * MEGABYTE;
const NAME_LENGTH_MAX = 128;
const NATURES = ['signable_document', 'attachment'];

export function documentApi(world: World, guard: Guard): Hono<GateEnv> {
  const api = new Hono<GateEnv>();
  const requestOf = (c: Context): SignatureRequest => getRequest(world, c.req.param('id') ?? '');

  api.post('/', ...guard('upload'), async (c) => {
    const request = requestOf(c);
    requireStatus(request, 'signature_request.not_in_draft', 'draft');
    const document = await readUpload(world, c);
    request.documents.push(document);
    return c.json(documentView(request, document), 201);
  });

  api.get('/', ...guard('documents'), (c) => {
    const request = requestOf(c);
    return c.json(request.documents.map((document) => documentView(request, document)));
  });

  api.get('/download', ...guard('download'), (c) => {
    const request = requestOf(c);
    const completed = c.req.query('version') === 'completed';
    if (completed && request.status !== 'done') {
      const type = 'document.unable_to_download_signature_request_not_in_done';
      throw new Problem(400, type, `The signature request is ${request.status}, not done.`);
    }
    const [document, another] = request.documents.filter(({ nature }) => nature === 'signable_document');
    if (!document) throw notFound('The document');
    if (another || c.req.query('archive') === 'true') {
      throw new Problem(400, 'sandbox.archive_not_simulated', 'The sandbox makes no ZIP archives.');
    }
    return sendDocument(world, c, request, document);
  });

  api.get('/:documentId/download', ...guard('download'), (c) => {
    const request = requestOf(c);
    return sendDocument(world, c, request, getDocument(request, c.req.param('documentId')));
  });

  return api;
}

async function sendDocument(
  world: World,
  c: Context<GateEnv>,
  request: SignatureRequest,
  document: SignatureDocument,
): Promise<Response> {
  return sendPdf(world, c, await pdfToShow(world, request, document), document.filename);
}

/** As a download, unless a fault spoils it. */
export async function sendPdf(
  world: World,
  c: Context<GateEnv>,
  pdf: Buffer,
  filename: string,
): Promise<Response> {
  const fault = world.faults.take('pdf', 'download');
  if (fault) return spoiledPdf(world, c, fault, pdf);
  c.header('Content-Type', 'application/pdf');
  c.header('Content-Disposition', `attachment; filename*=UTF-8''${encodeURIComponent(filename)}`);
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
  if (filename.length > NAME_LENGTH_MAX || /[/\\]/.test(filename) || filename.trim() !== filename)
    throw invalid('name', 'This name is not valid.');
  const content = Buffer.from(await file.arrayBuffer());
  if (content.length > MAX_BYTES) throw invalid('file', 'This file is larger than 50 MB.');
  const read = await readPdf(content);
  if (!read) {
    const detail = 'An error has been detected on the given Document.';
    throw new Problem(400, 'document.analyze_error', detail);
  }
  return {
    id: world.ids.uuid(),
    filename,
    nature,
    content,
    createdAt: world.now(),
    ...read,
    anchors: form['parse_anchors'] === 'true' ? read.anchors : [],
  };
}

/** Downloads that go wrong although the answer is 200. */
async function spoiledPdf(world: World, c: Context, fault: Fault, pdf: Buffer): Promise<Response> {
  await pause(fault.delayMs ?? 0, world.closing);
  c.header('Content-Type', 'application/pdf');
  if (fault.kind === 'empty') return c.body('');
  if (fault.kind === 'too_large') return c.body(hugePdf(51));
  if (fault.kind === 'truncated') return c.body(new Uint8Array(pdf.subarray(0, Math.floor(pdf.length / 2))));
  c.header('Content-Type', 'text/html; charset=utf-8');
  return c.body('<!doctype html><title>Maintenance</title><h1>We are back soon</h1>');
}

/** Sends one block over and over: the size is real, the memory use is not. */
function hugePdf(megabytes: number): ReadableStream<Uint8Array> {
  const first = Buffer.from('%PDF-1.7\n');
  const block = new Uint8Array(MEGABYTE).fill(0x20);
  let sent = 0;
  return new ReadableStream({
    pull(controller) {
      controller.enqueue(sent === 0 ? first : block);
      sent += 1;
      if (sent > megabytes) controller.close();
    },
  });
}
