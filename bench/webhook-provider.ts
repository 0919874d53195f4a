/** Both providers of the webhook measure, in a process of their own; they answer at once. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const PDF = Buffer.from(`%PDF-1.7\n${'x'.repeat(30_000)}\n%%EOF\n`);

let sessions = 0;

/** The state of a signed document, its signer, or a new payment session. */
function answerTo(method: string, path: string): object | undefined {
  const [, signId, rest] = /\/signature_requests\/([^/?]+)(\/[^?]*)?/.exec(path) ?? [];
  if (signId !== undefined && rest === undefined)
    return {
      id: signId,
      external_id: signId.replace('sign', 'contract'),
      status: 'done',
      created_at: '2026-01-01T00:00:00Z',
      completed_at: new Date().toISOString(),
      signers: [{ id: 's', status: 'signed' }],
    };
  if (signId !== undefined && /^\/signers\/[^/]+$/.test(rest ?? ''))
    return { id: 's', signature_link: 'http://x', info: { email: 'a@example.org' } };
  if (method !== 'POST' || !path.startsWith('/v1/checkout/sessions')) return undefined;
  sessions += 1;
  return { id: `cs_${sessions}`, url: 'http://x', status: 'open', payment_status: 'unpaid' };
}

const server = createServer((req, res) => {
  req.resume();
  const path = req.url ?? '';
  const isPdf = path.includes('/documents/download');
  const answer = isPdf ? undefined : answerTo(req.method ?? '', path);
  const body = isPdf ? PDF : Buffer.from(JSON.stringify(answer ?? { detail: 'not found' }));
  const type = isPdf ? 'application/pdf' : 'application/json';
  res.writeHead(isPdf || answer ? 200 : 404, { 'content-type': type, 'content-length': body.length });
  res.end(body);
});
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
