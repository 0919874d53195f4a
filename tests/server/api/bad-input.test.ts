/**
 * Whatever is sent to any documented operation: no answer is 5xx, every refusal has the one shape of errors, every answer
 * is one that the document foresees. A failure prints its seed; `FUZZ_SEED=… FUZZ_RUNS=…` goes through it again, or longer.
 */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { startApp } from '../../support/app.js';
import { EVERY_CASE } from '../../support/breadth.js';
import { sign, stripeSignature } from '../../support/webhooks.js';
import { apiOf } from '../support.js';
import { describedBy, type Described, type DescribedOperation } from './docs/described.js';
import { nastyCalls, type NastyCall } from './nasty.js';

const RUNS = Number(process.env['FUZZ_RUNS'] ?? (EVERY_CASE ? 60 : 15));
const SEED = process.env['FUZZ_SEED'];

test('no input makes a documented operation fail', { timeout: RUNS * 5_000 }, async () => {
  const service = await aBusyService();
  const described = await describedBy(service.app);

  const failures: string[] = [];
  for (const operation of described.operations.toSorted(byHarm)) {
    const property = fc.asyncProperty(nastyCalls(operation), async (call) => {
      const faults = await faultsOf(await send(service, operation, call), operation, described);
      if (faults.length > 0) throw new Error(faults.join('; '));
    });
    const options = { numRuns: RUNS, includeErrorInReport: true, ...(SEED && { seed: Number(SEED) }) };
    await fc.assert(property, options).catch((error: unknown) => {
      failures.push(`${operation.name}: ${String(error)}`);
    });
  }
  expect(failures).toEqual([]);
});

/** Ids 1 to 6 of the customers' things are taken; half of them are not the caller's. */
async function aBusyService() {
  const service = await startApp({ env: { ESIGN_RATE_LIMIT_IP: '0', ESIGN_RATE_LIMIT_USER: '0' } });
  const { ctx } = service;
  const { app, addUser, tokenOf } = apiOf(service);
  const owner = await addUser('owner@example.org');
  await addUser('admin@example.org', { role: 'ROLE_ADMIN' });
  for (let i = 0; i < 2; i += 1) {
    await service.addRequest(owner, { status: 'new' });
    await service.addRequest(undefined, { status: 'new' });
    await service.waitingRequest();
  }
  await ctx.jobs.start();
  const proof = (token: string) => ({ Authorization: `Bearer ${token}` });
  return {
    app,
    /** What proves who calls. */
    proofs: {
      owner: proof(await tokenOf('owner@example.org')),
      admin: proof(await tokenOf('admin@example.org')),
      forger: proof('e30.e30.e30'),
      nobody: {},
    },
    /** The same for the providers, whose proof is over the bytes they send. */
    signatures: (body: string) => ({
      'X-Esign-Signature-256': sign(body),
      'Stripe-Signature': stripeSignature(service, body),
    }),
  };
}

type Service = Awaited<ReturnType<typeof aBusyService>>;

/** What removes things and what changes accounts comes last, so that the others find something. */
function byHarm(a: DescribedOperation, b: DescribedOperation): number {
  const harm = ({ method, path }: DescribedOperation) =>
    (method === 'DELETE' ? 1 : 0) + (path.startsWith('/api/users') && method !== 'GET' ? 2 : 0);
  return harm(a) - harm(b);
}

function send(
  { app, proofs, signatures }: Service,
  { method, path: template }: DescribedOperation,
  call: NastyCall,
) {
  const { caller, path, headers, body } = call;
  const isProvider = template.startsWith('/webhook/') && typeof body === 'string' && caller === 'owner';
  const proof = isProvider ? signatures(body) : proofs[caller];
  const init: RequestInit = { method, headers: { ...headers, ...proof } };
  if (body !== undefined) init.body = body;
  return app.request(path, init, { incoming: { socket: { remoteAddress: '192.0.2.1' } } });
}

/** 404 and 405 may come from a path that the nonsense in it led elsewhere. */
const ANYWHERE = [404, 405];

async function faultsOf(answer: Response, operation: DescribedOperation, { faultsOf }: Described) {
  const { status, headers } = answer;
  const text = await answer.text();
  const type = headers.get('Content-Type')?.split(';')[0] ?? '';
  if (status >= 500) return [`${status} ${text}`];
  if (!headers.has('X-Request-Id')) return ['no X-Request-Id'];
  const isOfApi = operation.path.startsWith('/api');
  if (isOfApi && !headers.get('Link')?.includes('#apiDocumentation')) return [`${status} without Link`];
  const foreseen = operation.answers[status];
  if (!foreseen && !ANYWHERE.includes(status)) return [`${status} is not documented: ${text}`];
  if (status >= 400) return refusalFaults({ status, type, text }, foreseen, faultsOf);
  const content = foreseen?.content[type];
  return content && type.endsWith('json') ? faultsOf(content.pointer, JSON.parse(text)) : [];
}

function refusalFaults(
  { status, type, text }: { status: number; type: string; text: string },
  foreseen: DescribedOperation['answers'][string] | undefined,
  faultsOf: Described['faultsOf'],
): string[] {
  const isBare = foreseen && Object.keys(foreseen.content).length === 0;
  if (isBare && text === '') return [];
  // A page that people open.
  if (type === 'text/html' && foreseen?.content[type]) return [];
  if (!/^application\/(ld\+|problem\+)?json$/.test(type)) return [`a refusal of type ${type}`];
  const body = JSON.parse(text) as { code: number };
  if (body.code !== status) return [`code ${body.code} in an answer ${status}`];
  return faultsOf('/components/schemas/Error', body);
}
