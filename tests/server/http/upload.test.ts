/** A PDF that is supplied: judged while it comes in, and nothing of it is left when it is refused. */
import { existsSync, readdirSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { listen } from '../../../src/server/http/listen.js';
import { A4, pdfOf } from '../../support/odd-pdfs.js';
import { PATIENCE } from '../../support/patience.js';
import { aRequest, startApi } from '../support.js';

const PDF = `%PDF-1.7\n${'x'.repeat(300_000)}\n%%EOF\n`;

async function office() {
  const app = startApi();
  await aRequest(await app.as('anna@example.org'));
  app.ctx.db.raw.exec(`UPDATE users SET firstName = 'Anna', lastName = 'Martin'`);
  const admin = await app.as('admin@example.org');
  return {
    app,
    files: () => readdirSync(join(app.ctx.config.dataDir, 'contracts')),
    start: (body: unknown, headers: Record<string, string> = {}) =>
      admin('POST', '/api/requests/1/signature', { body, headers }),
  };
}

function formOf(...files: [name: string, content: string][]): FormData {
  const form = new FormData();
  for (const [name, content] of files) form.append(name, new File([content], 'contract.pdf'));
  return form;
}

test.each([
  ['two files', formOf(['file', PDF], ['file', PDF]), 'This value should be a PDF file.'],
  [
    'a file of another name beside it',
    formOf(['file', PDF], ['more', PDF]),
    'This value should be a PDF file.',
  ],
  ['no PDF', formOf(['file', 'x'.repeat(2_000_000)]), 'The file is not a PDF.'],
  ['an empty file', formOf(['file', '']), 'The file is empty.'],
  ['half a PDF', formOf(['file', PDF.slice(0, -8)]), 'The file is cut short.'],
])('%s: refused by name, nothing is made and nothing stays', async (_, form, words) => {
  const { app, start, files } = await office();

  const { status, json } = await start(form);

  expect([status, json['errors']]).toEqual([422, { file: words }]);
  expect(files()).toEqual([]);
  expect(app.ctx.db.raw.prepare('SELECT count(*) FROM contracts').pluck().get()).toBe(0);
});

test.each([
  ['more than a PDF may have', 51 * 1024 * 1024, 413],
  ['a PDF with one byte too many', 50 * 1024 * 1024 + 1, 422],
])('%s is refused, and nothing stays', async (_, size, expected) => {
  const { start, files } = await office();

  const { status } = await start(formOf(['file', `%PDF-1.7\n${' '.repeat(size - 15)}%%EOF\n`]));

  expect(status).toBe(expected);
  expect(files()).toEqual([]);
});

test('a form that ends too early is refused, and nothing stays', async () => {
  const { start, files } = await office();
  const part = '--x\r\nContent-Disposition: form-data; name="file"; filename="c.pdf"\r\n\r\n';
  const headers = { 'Content-Type': 'multipart/form-data; boundary=x' };

  for (const body of ['', '--x', PDF, part, part + PDF, `${part}${PDF}\r\n--y--`]) {
    const { status, json } = await start(body, headers);
    expect([status, json['errors']]).toEqual([422, { file: 'This value should be a PDF file.' }]);
  }
  expect(files()).toEqual([]);
});

test('a supplied PDF leaves one file, the contract to sign, although the provider cannot be reached', async () => {
  const { start, files } = await office();

  expect((await start(formOf(['file', pdfOf([A4]).toString('latin1')]))).status).toBe(503);

  expect(files()).toEqual(['1.draft.pdf']);
});

test('a reason that comes with the PDF keeps its limit', async () => {
  const { start, files } = await office();
  const form = formOf(['file', pdfOf([A4]).toString('latin1')]);
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
      'Content-Type': 'multipart/form-data; boundary=x',
      Authorization: `Bearer ${await app.tokenOf('admin@example.org')}`,
    },
  });
  call.on('error', () => undefined);
  call.write('--x\r\nContent-Disposition: form-data; name="file"; filename="c.pdf"\r\n\r\n%PDF-1.7\n');
  call.write('x'.repeat(1_000_000));
  await expect.poll(files, PATIENCE).toHaveLength(1);

  call.destroy();

  await expect.poll(files, PATIENCE).toEqual([]);
  expect(existsSync(join(app.ctx.config.dataDir, 'contracts'))).toBe(true);
});
