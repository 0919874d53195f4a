import { createTransport } from 'nodemailer';
import { expect, test } from 'vitest';
import type { Sandbox } from '../../sandbox/start.js';
import { aSandbox, read } from './support.js';

const MESSAGE = {
  from: 'service@example.test',
  to: { name: 'Zoé', address: 'zoe@example.test' },
  subject: 'Votre contrat signé ✓',
  text: 'See http://example.test/x?a=1&b=2',
  html: '<p>Hello <script>alert(1)</script><img src="cid:dot@example.test" alt=""></p>',
  attachments: [
    { filename: 'contract-1.pdf', content: Buffer.from('%PDF-1.4 tiny'), contentType: 'application/pdf' },
    {
      filename: 'dot.gif',
      content: Buffer.from('GIF89a'),
      contentType: 'image/gif',
      cid: 'dot@example.test',
    },
  ],
};

function send(sandbox: Sandbox, more: object = {}): Promise<unknown> {
  const transport = createTransport({
    host: '127.0.0.1',
    port: sandbox.smtpPort,
    greetingTimeout: 400,
    ...more,
  });
  return transport.sendMail(MESSAGE).finally(() => transport.close());
}

test('a mail is kept with its subject, texts and attachments, and can be read by page and by API', async () => {
  const sandbox = await aSandbox();
  await send(sandbox);

  const [mail] = sandbox.mails();
  expect(mail).toMatchObject({ source: 'smtp', to: ['zoe@example.test'], subject: MESSAGE.subject });
  // What belongs to the HTML stands first.
  expect(mail!.attachments[1]!.content.toString()).toBe('%PDF-1.4 tiny');
  expect(await read(await fetch(`${sandbox.url}/_sandbox/mails`))).toMatchObject([
    {
      number: 1,
      text: `${MESSAGE.text}\n`,
      attachments: [{ filename: 'dot.gif' }, { filename: 'contract-1.pdf', size: 13 }],
    },
  ]);
  const page = await (await fetch(`${sandbox.url}/mail/1`)).text();
  expect(page).toContain('href="http://example.test/x?a=1&amp;b=2"');
  expect(page).not.toContain('<script>');
  const framed = await fetch(`${sandbox.url}/mail/1/html`);
  expect(framed.headers.get('content-security-policy')).toMatch(/^sandbox /);
  expect(await framed.text()).toContain('src="data:image/gif;base64,R0lGODlh"');
  expect(await (await fetch(`${sandbox.url}/mail/1/attachments/1`)).text()).toBe('%PDF-1.4 tiny');
  expect((await fetch(`${sandbox.url}/mail/2`)).status).toBe(404);
});
