/** /api/contracts: read by the owner of the request and by administrators; the PDF as a download (decisions 6). */
import { Hono, type Context as HonoContext } from 'hono';
import { z } from 'zod';
import {
  getContractOf,
  listContracts,
  openContractPdf,
  type ContractPdf,
  type ContractRow,
} from '../../core/contracts/contracts.js';
import { actorOf } from '../../core/users/rights.js';
import { withFreshSignLink } from '../../core/signature/fresh-sign-link.js';
import { CONTRACT_STATUSES } from '../../core/lifecycle.js';
import { address, ID, link, TIME } from '../docs/fields.js';
import { documented } from '../docs/notes.js';
import { listed, shown, type Resource } from '../docs/operation.js';
import { item, shownTime } from '../hydra.js';
import { idParam, iriOf } from '../iri.js';
import { authenticated, negotiated } from '../middleware.js';
import type { Env, Parts } from '../parts.js';
import { queryOf } from '../query.js';
import { sendItem } from '../respond.js';
import { CONTRACTS } from './collections.js';

const PATH = CONTRACTS.path;

export const CONTRACT: Resource = {
  type: 'Contract',
  path: PATH,
  about: 'What the customer signs. A request may have had several; one counts.',
  fields: z.object({
    id: ID,
    request: link('requests'),
    status: z.enum(CONTRACT_STATUSES),
    signId: z.string().optional().describe("The provider's id of the signature request"),
    signUrl: address('https://sign.example.org/s/6f1c').optional().describe('Where the customer signs'),
    amount: z.int().meta({ description: 'In minor units', examples: [12_000] }),
    currency: z.string().meta({ examples: ['eur'] }),
    createdAt: TIME,
    expiredAt: TIME.optional().describe('The last moment to sign; once signed, the end of the term'),
    signedAt: TIME.optional(),
  }),
};

const LIST = documented({ title: 'Lists contracts', returns: listed(CONTRACT, CONTRACTS) });
const READ = documented({
  title: 'Shows a contract',
  about: 'A link to sign that has expired is renewed at the provider.',
  returns: shown(CONTRACT),
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
  const { baseUrl } = ctx.config;
  const member = authenticated(parts);
  return new Hono<Env>()
    .get(PATH, LIST, member, negotiated(), (c) =>
      parts.pages.send(c, () => {
        const asked = CONTRACTS.ask(queryOf(c), baseUrl);
        return CONTRACTS.answer(asked, listContracts(ctx, c.get('user'), asked), contractItem);
      }),
    )
    .get(`${PATH}/:id{[0-9]+}`, READ, member, negotiated(), async (c) => {
      const contract = getContractOf(ctx, c.get('user'), idParam(c));
      return sendItem(c, contractItem(await withFreshSignLink(ctx, contract)));
    })
    .get(`${PATH}/:id{[0-9]+}/pdf`, DOWNLOAD, member, async (c) => {
      const contract = getContractOf(ctx, c.get('user'), idParam(c));
      return sendPdf(c, contract.id, await openContractPdf(ctx, contract, actorOf(c.get('user'))));
    });
}

export async function sendPdf(c: HonoContext<Env>, id: number, { file, size, isSigned }: ContractPdf) {
  c.header('Content-Type', 'application/pdf');
  c.header('Content-Length', String(size));
  c.header('Content-Disposition', `attachment; filename="contract-${id}${isSigned ? '-signed' : ''}.pdf"`);
  c.header('Cache-Control', 'no-store, private');
  if (c.req.method === 'HEAD') {
    await file.close();
    return c.body(null, 200);
  }
  return c.body(contentOf(file), 200);
}

/** The bytes of a file, which is closed at their end and also when the reader goes away. */
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

export function contractItem(contract: ContractRow) {
  return item('Contract', iriOf('contracts', contract.id), {
    id: contract.id,
    request: iriOf('requests', contract.requestId),
    status: contract.status,
    signId: contract.signId,
    signUrl: contract.signUrl,
    amount: contract.amount,
    currency: contract.currency,
    createdAt: shownTime(contract.createdAt),
    expiredAt: contract.expiredAt && shownTime(contract.expiredAt),
    signedAt: contract.signedAt && shownTime(contract.signedAt),
  });
}
