/** POST /api/requests/{id}/signature: an administrator starts the signature, if wanted with a PDF of its own (decisions 6). */
import { Hono, type Context as HonoContext } from 'hono';
import { z } from 'zod';
import { PDF_BYTES_MAX } from '../../core/contracts/contract-files.js';
import { invalid } from '../../core/errors.js';
import { getRequestOf } from '../../core/requests/requests.js';
import { startSignature } from '../../core/signature/start-signature.js';
import { actorOf, mustBeAdmin } from '../../core/users/rights.js';
import { readBody } from '../body.js';
import { documented } from '../docs/notes.js';
import { created } from '../docs/operation.js';
import { bareType } from '../media-types.js';
import { authenticated, negotiated } from '../middleware.js';
import { idParam } from '../iri.js';
import type { Env, Parts } from '../parts.js';
import { sendCreated } from '../respond.js';
import { CONTRACT, contractItem } from './contracts.js';

const MULTIPART = 'multipart/form-data';
/** What the boundaries and headers of a form add to its file. */
const FORM_BYTES_MAX = 64 * 1024;

const START = documented({
  title: 'Starts the signature of a request',
  about: 'Makes the contract, or takes the PDF of the form, and lets the provider send it to the customer.',
  group: 'Request',
  isForAdministrators: true,
  takes: {
    schema: z.object({
      file: z.file().optional().describe('The contract, instead of the one that the service makes'),
    }),
    mediaTypes: [MULTIPART],
    isOptional: true,
    refuses: [413, 422],
  },
  returns: created(CONTRACT),
  refuses: [409, 503],
});

export function signatureRoutes(parts: Parts) {
  const { ctx } = parts;
  return new Hono<Env>().post(
    '/api/requests/:id{[0-9]+}/signature',
    START,
    authenticated(parts),
    negotiated(),
    async (c) => {
      const user = c.get('user');
      const { request } = getRequestOf(ctx, user, idParam(c));
      mustBeAdmin(user);
      const pdf = await fileOf(c);
      const contract = await startSignature(ctx, request.id, { actor: actorOf(user), ...(pdf && { pdf }) });
      return sendCreated(c, contractItem(contract));
    },
  );
}

/** The file of a form; any other body, or none, asks for the generated PDF. */
async function fileOf(c: HonoContext<Env>): Promise<Buffer | undefined> {
  const contentType = c.req.header('Content-Type') ?? '';
  if (bareType(contentType) !== MULTIPART) return undefined;
  const body = await readBody(c, PDF_BYTES_MAX + FORM_BYTES_MAX);
  const file = (await parseForm(body, contentType))?.get('file');
  if (file === null) return undefined;
  if (!(file instanceof File) || file.size === 0) throw invalid({ file: 'This value should be a PDF file.' });
  return Buffer.from(await file.arrayBuffer());
}

async function parseForm(body: Buffer, contentType: string): Promise<FormData | undefined> {
  try {
    return await new Response(body, { headers: { 'Content-Type': contentType } }).formData();
  } catch {
    return undefined;
  }
}
