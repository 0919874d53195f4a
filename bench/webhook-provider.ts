/** Both providers of the webhook benchmarks, in a process of their own; they answer at once. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PDF } from './webhook-story.js';

let sessions = 0;

/** The state of a signed document, its signer, or a new payment session. */
function answerTo(method: string, path: string): object | undefined {
  const [, signId, rest] = /\/signature_requests\/([^/?]+)(\/[^?]*)?/.exec(path) ?? [];
  if (signId !== undefined && rest === undefined) {
    const signedAt = new Date().toISOString();
    const signers = [{ id: 's', status: 'signed' }];
    return {
      id: signId,
      status: 'done',
      created_at: '2026-01-01T00:00:00Z',
      completed_at: signedAt,
      signers,
    };
  }
  if (signId !== undefined && /^\/signers\/[^/]+$/.test(rest ?? ''))
    return { id: 's', signature_link: 'http://x', info: { email: 'a@example.org' } };
  if (method !== 'POST' || !path.startsWith('/v1/checkout/sessions')) return undefined;
  sessions += 1;
  return { id: `cs_${sessions}`, url: 'http://x', status: 'open', payment_status: 'unpaid' };
}

const server = createServer((req, res) => {
  req.resume();
  const path = req.url ?? '';
  const answer = answerTo(req.method ?? '', path);
  if (answer) {
    const body = JSON.stringify(answer);
    res.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
    res.end(body);
  } else if (path.includes('/documents/download')) {
    res.writeHead(200, { 'content-type': 'application/pdf', 'content-length': PDF.length });
    res.end(PDF);
  } else {
    res.writeHead(404, { 'content-type': 'application/json' });
    res.end('{"detail": "not found"}');
  }
});
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
