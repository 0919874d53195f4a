/** A sandbox on free ports for each test, a contract PDF, and the calls that most tests begin with. */
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { buffer } from 'node:stream/consumers';
import PdfDocument from 'pdfkit';
import { onTestFinished } from 'vitest';
import { listening } from '../../sandbox/listening.js';
import { startSandbox, type Sandbox, type SandboxOptions } from '../../sandbox/start.js';

export async function aSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const sandbox = await startSandbox({ port: 0, smtpPort: 0, retryDelaysMs: [10, 20], ...options });
  onTestFinished(() => sandbox.close());
  return sandbox;
}

export type Call = { headers: IncomingHttpHeaders; body: string };

/** Hears webhooks and answers them with the statuses given, the last one from then on. */
export async function aListener(...statuses: number[]): Promise<{ url: string; calls: Call[] }> {
  const calls: Call[] = [];
  const server = createServer((request, response) => {
    void buffer(request).then((body) => {
      calls.push({ headers: request.headers, body: body.toString() });
      response.writeHead(statuses[calls.length - 1] ?? statuses.at(-1) ?? 200).end();
    });
  });
  const port = await listening(server, '127.0.0.1', 0);
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${port}/hook`, calls };
}

/** Two pages; the anchor stands on the second, after words in the same font. */
export async function aContractPdf(anchor = '{{s1|signature|180|60}}'): Promise<Buffer> {
  const pdf = new PdfDocument({ size: 'A4' });
  pdf.fontSize(18).text('Maintenance contract').fontSize(11).text('Between the owner and the company.');
  pdf.addPage().text('Signature of the customer:');
  pdf.moveDown().font('Helvetica').fontSize(9).text(anchor);
  pdf.end();
  return buffer(pdf);
}

type ApiCall = Omit<RequestInit, 'headers'> & { json?: unknown; headers?: Record<string, string> };

export function api(sandbox: Sandbox, path: string, init: ApiCall = {}): Promise<Response> {
  const { json, ...rest } = init;
  const body = json === undefined ? {} : { method: 'POST', body: JSON.stringify(json) };
  const headers = { Authorization: 'Bearer sandbox-api-key', ...init.headers };
  return fetch(`${sandbox.apiUrl}${path}`, { ...body, ...rest, headers });
}

export async function read<T = Record<string, never>>(answer: Response): Promise<T> {
  const body: T = JSON.parse(await answer.text());
  return body;
}

export const SIGNER = {
  info: { first_name: 'Zoé', last_name: "O'Neil-Łuk", email: 'zoe@example.test', locale: 'en' },
  signature_level: 'electronic_signature',
  signature_authentication_mode: 'no_otp',
};

export function uploadForm(pdf: Buffer, fields: Record<string, string> = {}): FormData {
  const form = new FormData();
  form.set('file', new Blob([new Uint8Array(pdf)], { type: 'application/pdf' }), 'contract.pdf');
  for (const [name, value] of Object.entries({
    nature: 'signable_document',
    parse_anchors: 'true',
    ...fields,
  })) {
    form.set(name, value);
  }
  return form;
}

/** A request with document and signer, not yet activated. */
export async function aDraft(sandbox: Sandbox, pdf?: Buffer, more: object = {}): Promise<string> {
  const sent = { name: 'Contract 1', delivery_mode: 'email', external_id: 'contract-1', ...more };
  const { id } = await read<{ id: string }>(await api(sandbox, '/signature_requests', { json: sent }));
  const body = uploadForm(pdf ?? (await aContractPdf()));
  await api(sandbox, `/signature_requests/${id}/documents`, { method: 'POST', body });
  await api(sandbox, `/signature_requests/${id}/signers`, { json: SIGNER });
  return id;
}

/** A request that waits for its signature, and the customer's link. */
export async function anOngoing(sandbox: Sandbox, pdf?: Buffer): Promise<{ id: string; link: string }> {
  const id = await aDraft(sandbox, pdf);
  const answer = await api(sandbox, `/signature_requests/${id}/activate`, { method: 'POST' });
  const { signers } = await read<{ signers: { signature_link: string }[] }>(answer);
  return { id, link: signers[0]?.signature_link ?? '' };
}

export const SESSION = new URLSearchParams({
  mode: 'payment',
  'line_items[0][quantity]': '1',
  'line_items[0][price_data][currency]': 'eur',
  'line_items[0][price_data][unit_amount]': '12000',
  'line_items[0][price_data][product_data][name]': 'Maintenance contract',
  client_reference_id: 'contract-1',
  'metadata[contract_id]': '1',
}).toString();

export function createSession(sandbox: Sandbox, key?: string, body = SESSION): Promise<Response> {
  return fetch(`${sandbox.paymentUrl}/v1/checkout/sessions`, {
    method: 'POST',
    headers: {
      Authorization: 'Bearer sandbox-payment-key',
      'Content-Type': 'application/x-www-form-urlencoded',
      ...(key !== undefined && { 'Idempotency-Key': key }),
    },
    body,
  });
}
