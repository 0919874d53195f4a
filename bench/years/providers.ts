/**
 * Both providers, in a process of their own: every signature that waits is still open, every payment session too. The first part of
 * the address says how many requests the installation has, and so which of them wait (list-data.ts).
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const PER_PAGE = 100;

function isWaiting(requestId: number): boolean {
  const state = (((requestId - 1) * 48_271) % 65_537) % 100;
  return state >= 80 && state < 90;
}

function signature(id: string): object {
  const signers = [{ id: 'signer', status: 'notified' }];
  return { id, status: 'ongoing', created_at: new Date().toISOString(), signers };
}

function signer(requests: number, requestId: number): object {
  const owners = Math.max(1, requests / 1_000);
  const place = (requestId - 1) % owners;
  const email = `user${place === 0 ? 0 : place + 1}@example.org`;
  return { id: 'signer', signature_link: 'http://127.0.0.1/sign', info: { email } };
}

/** The newest first. */
function page(requests: number, after: string | null): object {
  const data: object[] = [];
  let id = after === null ? requests : Number(after);
  for (; id > 0 && data.length < PER_PAGE; id -= 1) if (isWaiting(id)) data.push(signature(`sign-${id}`));
  return { meta: { next_cursor: id > 0 ? String(id) : null }, data };
}

function answerTo(url: URL): object | undefined {
  const [, requests, path = ''] = /^\/(\d+)\/(.*)$/.exec(url.pathname) ?? [];
  if (path === 'v3/signature_requests') {
    const isNamed = url.searchParams.has('external_id[eq]');
    return isNamed ? { data: [] } : page(Number(requests), url.searchParams.get('after'));
  }
  const [, signId] = /^v3\/signature_requests\/([^/]+)$/.exec(path) ?? [];
  if (signId !== undefined) return signature(signId);
  const [, signed] = /^v3\/signature_requests\/sign-(\d+)\/signers\/signer(-\d+)?$/.exec(path) ?? [];
  if (signed !== undefined) return signer(Number(requests), Number(signed));
  if (path === 'v1/checkout/sessions') return { data: [], has_more: false };
  const [, paymentId] = /^v1\/checkout\/sessions\/([^/]+)$/.exec(path) ?? [];
  if (paymentId === undefined) return undefined;
  return { id: paymentId, url: 'http://127.0.0.1/pay', status: 'open', payment_status: 'unpaid' };
}

/** What else is asked for: audit trails. */
const NOT_READY = { type: 'audit_trail.not_ready_for_download', detail: 'not ready' };

const server = createServer((req, res) => {
  req.resume();
  const answer = req.method === 'GET' ? answerTo(new URL(req.url ?? '/', 'http://x')) : undefined;
  const body = JSON.stringify(answer ?? NOT_READY);
  res.writeHead(answer ? 200 : 404, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
  });
  res.end(body);
});
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
process.on('disconnect', () => process.exit());
