/** A PDF that is supplied: judged while it comes in, and nothing of it is left when it is refused. */
import { existsSync, readdirSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { listen } from '../../../src/server/http/listen.js';
import { A4, pdfOf } from '../../support/odd-pdfs.js';
import { PATIENCE } from '../../support/patience.js';
import { twoRequests } from '../support.js';

const MULTIPART = { 'Content-Type': 'multipart/form-data; boundary=x' };
const PART = '--x\r\nContent-Disposition: form-data; name="file"; filename="c.pdf"\r\n\r\n';
const PDF = `%PDF-1.7\n${'x'.repeat(300_000)}\n%%EOF\n`;

async function office() {
  const { admin, ...app } = await twoRequests();
  return {
    app,
    files: () => readdirSync(join(app.ctx.config.dataDir, 'contracts')),
    start: (body: unknown, headers: Record<string, string> = {}) =>
      admin('POST', '/api/requests/1/signature', { body, headers }),
  };
}

function formOf(...files: [name: string, content: File | string][]): FormData {
  const form = new FormData();
  for (const [name, content] of files) form.append(name, content);
  return form;
}

const pdf = (content: string) => new File([content], 'contract.pdf');

const NO_FILE = 'This value should be a PDF file.';

test('what is no single PDF in a field of that name, or too large, is refused by name; nothing is made and nothing stays', async () => {
  const { app, start, files } = await office();
  for (const [what, form, words] of [
    ['two files', formOf(['file', pdf(PDF)], ['file', pdf(PDF)]), NO_FILE],
    ['a file of another name', formOf(['document', pdf(PDF)]), NO_FILE],
    ['a file of another name beside it', formOf(['file', pdf(PDF)], ['more', pdf(PDF)]), NO_FILE],
    ['words', formOf(['file', 'just words']), NO_FILE],
    ['no PDF', formOf(['file', pdf('x'.repeat(2_000_000))]), 'The file is not a PDF.'],
    ['an empty file', formOf(['file', pdf('')]), 'The file is empty.'],
    ['half a PDF', formOf(['file', pdf(PDF.slice(0, -8))]), 'The file is cut short.'],
    [
      'a PDF without pages',
      formOf(['file', pdf(pdfOf([]).toString('latin1'))]),
      expect.stringContaining('cannot be read as a PDF'),
    ],
    ['a byte too many', formOf(['file', pdf(sized(50 * 1024 * 1024 + 1))]), 'The file is larger than 50 MB.'],
  ] as const) {
    const { status, json } = await start(form);
    expect([what, status, json['errors'], files()]).toEqual([what, 422, { file: words }, []]);
  }
  // Not even read to its end.
  expect((await start(PART + sized(51 * 1024 * 1024), MULTIPART)).status).toBe(413);
  // The customer would get another document.
  expect((await start('%PDF-1.7 %%EOF', { 'Content-Type': 'application/pdf' })).status).toBe(415);
  expect(files()).toEqual([]);
  expect(app.ctx.db.raw.prepare('SELECT count(*) FROM contracts').pluck().get()).toBe(0);
});

const sized = (bytes: number) => `%PDF-1.7\n${' '.repeat(bytes - 15)}%%EOF\n`;

test('a form that ends too early is refused, and nothing stays', async () => {
  const { start, files } = await office();
  for (const body of ['', '--x', PDF, PART, PART + PDF, `${PART}${PDF}\r\n--y--`]) {
    const { status, json } = await start(body, MULTIPART);
    expect([status, json['errors']]).toEqual([422, { file: NO_FILE }]);
  }
  expect(files()).toEqual([]);
});

test('a supplied PDF leaves one file, the contract to sign, although the provider cannot be reached', async () => {
  const { start, files } = await office();

  expect((await start(formOf(['file', pdf(pdfOf([A4]).toString('latin1'))]))).status).toBe(503);

  expect(files()).toEqual(['1.draft.pdf']);
});

test('a reason that comes with the PDF keeps its limit', async () => {
  const { start, files } = await office();
  const form = formOf(['file', pdf(pdfOf([A4]).toString('latin1'))]);
  form.append('reason', 'x'.repeat(1_001));

  const { status, json } = await start(form);

  expect([status, Object.keys(json['errors'] as object), files()]).toEqual([422, ['reason'], []]);
});

test('a caller who goes away in the middle leaves nothing', async () => {
  const { app, files } = await office();
  const listener = await listen(app.app, { host: '127.0.0.1', port: 0 });
  onTestFinished(() => listener.close(100));
  const call = request({
    port: listener.port,
    method: 'POST',
    path: '/api/requests/1/signature',
    headers: {
      ...MULTIPART,
      Authorization: `Bearer ${await app.tokenOf('admin@example.org')}`,
    },
  });
  call.on('error', () => undefined);
  call.write(`${PART}%PDF-1.7\n`);
  call.write('x'.repeat(1_000_000));
  await expect.poll(files, PATIENCE).toHaveLength(1);

  call.destroy();

  await expect.poll(files, PATIENCE).toEqual([]);
  expect(existsSync(join(app.ctx.config.dataDir, 'contracts'))).toBe(true);
});
