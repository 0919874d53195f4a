/** /api/contracts: read by the owner of the request and by administrators; the PDF as a download (rules 6). */
import { z } from 'zod';
import { getContractOf, openContractPdf, type ContractPdf } from '../../core/contracts/contracts.js';
import { showContractOf, type ContractView } from '../../core/contracts/list-contracts.js';
import { CONTRACTS } from '../../core/resources/contracts.js';
import { actorOf } from '../../core/users/rights.js';
import { withFreshSignLink } from '../../core/signature/sent.js';
import { CONTRACT_STATUSES } from '../../core/lifecycle.js';
import { address, ID, link, TIME } from './docs/fields.js';
import { documented } from './docs/operation.js';
import { idParam, iriOf } from './iri.js';
import { authenticated } from './middleware.js';
import type { Call, Parts } from '../parts.js';
import { declareResource, itemPath, resourceRoutes } from './resource.js';

export const CONTRACT = declareResource({
  type: 'Contract',
  name: 'contracts',
  about: 'What the customer signs. A request may have had several; one counts.',
  fields: {
    id: ID,
    request: link('requests'),
    status: z.enum(CONTRACT_STATUSES),
    signId: z.string().optional().describe("The provider's id of the signature request"),
    signUrl: address('https://sign.example.org/s/6f1c').optional().describe('Where the customer signs'),
    amount: z.int().meta({ description: 'In minor units', examples: [12_000] }),
    currency: z.string().meta({ examples: ['eur'] }),
    vat: z
      .number()
      .optional()
      .meta({ description: 'Value added tax in the amount, in percent', examples: [20] }),
    createdAt: TIME,
    expiredAt: TIME.optional().describe('The last moment to sign; once signed, the end of the term'),
    signedAt: TIME.optional(),
    customer: z.string().meta({ description: 'The name of the customer', examples: ['Anna Weber'] }),
  },
  shows: (row: ContractView) => ({ ...row, request: iriOf('requests', row.requestId) }),
  noun: CONTRACTS,
});

const DOWNLOAD = documented({
  title: 'Downloads the PDF of a contract',
  about: 'The signed one as soon as there is one.',
  group: CONTRACT.type,
  returns: { status: 200, about: 'The document.', mediaTypes: ['application/pdf'] },
  refuses: [503],
});

export function contractRoutes(parts: Parts) {
  const { ctx } = parts;
  return resourceRoutes(parts, CONTRACT, {
    list: 'Lists contracts',
    show: {
      title: 'Shows a contract',
      about: 'A link to sign that has expired is renewed at the provider.',
      run: showContractOf,
      refresh: withFreshSignLink,
    },
  }).get(`${itemPath(CONTRACT)}/pdf`, DOWNLOAD, authenticated(parts), async (c) => {
    const contract = getContractOf(ctx, c.get('user'), idParam(c));
    return sendPdf(c, contract.id, await openContractPdf(ctx, contract, actorOf(c.get('user'))));
  });
}

export function sendPdf(c: Call, id: number, { isSigned, ...pdf }: ContractPdf): Promise<Response> {
  const name = `contract-${id}${isSigned ? '-signed' : ''}.pdf`;
  return sendFile(c, { name, type: 'application/pdf' }, pdf);
}

export async function sendFile(
  c: Call,
  { name, type }: { name: string; type: string },
  { file, size }: Pick<ContractPdf, 'file' | 'size'>,
): Promise<Response> {
  c.header('Content-Type', type);
  c.header('Content-Length', String(size));
  c.header('Content-Disposition', `attachment; filename="${name}"`);
  c.header('Cache-Control', 'no-store, private');
  if (c.req.method === 'HEAD') {
    await file.close();
    return c.body(null, 200);
  }
  return c.body(contentOf(file), 200);
}

/** Streams a file and closes it at the end, also when the reader goes away. */
function contentOf(file: ContractPdf['file']): ReadableStream<Uint8Array> {
  const chunks = file.createReadStream()[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await chunks.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await chunks.return?.();
    },
  });
}
