/** Everybody's mailbox: a list, and each mail with text, HTML (locked in a frame) and attachments. */
import { Hono, type Context } from 'hono';
import { html } from 'hono/html';
import type { Mail } from '../mailbox.js';
import type { World } from '../world.js';
import { notFound, pageHeaders, shortTime, show, table } from './layout.js';

/** The mail's own HTML: no scripts, nothing from the network; its links open in a new tab. */
const MAIL_POLICY =
  "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:";

export function mailPages(world: World): Hono {
  const app = new Hono();
  app.use(pageHeaders());
  const visit = (c: Context, then: (mail: Mail) => Response | Promise<Response>) => {
    const mail = world.mailbox.find(Number(c.req.param('number')));
    return mail ? then(mail) : notFound(c, 'There is no such mail.');
  };

  app.get('/', (c) => {
    const body = html`<section class="scroll">${mailTable(world.mailbox.list())}</section>`;
    return show(c, { title: 'Mail', body });
  });
  app.get('/:number', (c) => visit(c, (mail) => mailPage(c, mail)));
  app.get('/:number/html', (c) =>
    visit(c, (mail) =>
      c.body(`<!doctype html><base target="_blank">${withImages(mail)}`, 200, {
        'Content-Type': 'text/html; charset=utf-8',
        'Content-Security-Policy': MAIL_POLICY,
      }),
    ),
  );
  app.get('/:number/attachments/:index', (c) =>
    visit(c, (mail) => {
      const attachment = mail.attachments[Number(c.req.param('index'))];
      if (!attachment) return notFound(c, 'There is no such attachment.');
      return c.body(new Uint8Array(attachment.content), 200, {
        // Never inline: a stranger's HTML must not run under our address.
        'Content-Type':
          attachment.contentType === 'application/pdf' ? 'application/pdf' : 'application/octet-stream',
        'Content-Disposition': `attachment; filename*=UTF-8''${encodeURIComponent(attachment.filename)}`,
      });
    }),
  );
  return app;
}

/** The HTML with the images that came with it, as a mail program shows them. */
function withImages({ html: page, attachments }: Mail): string {
  return (page ?? '').replaceAll(/\bcid:([\w.@+-]+)/g, (name, id) => {
    const image = attachments.find(
      ({ contentId, contentType }) => contentId === id && contentType.startsWith('image/'),
    );
    return image ? `data:${image.contentType};base64,${image.content.toString('base64')}` : name;
  });
}

export function mailTable(mails: readonly Mail[]) {
  if (mails.length === 0) return html`<p class="soft">No mail yet.</p>`;
  const rows = mails.toReversed().map(
    (mail) =>
      html`<tr>
        <td>${shortTime(mail.receivedAt)}</td>
        <td>${mail.to.join(', ')}</td>
        <td><a href="/mail/${mail.number}">${mail.subject || '(no subject)'}</a></td>
        <td>${mail.attachments.length > 0 ? mail.attachments.length : ''}</td>
      </tr>`,
  );
  return table(['Received', 'To', 'Subject', 'Files'], rows);
}

function mailPage(c: Context, mail: Mail): Response | Promise<Response> {
  const attachments = mail.attachments.map(
    ({ filename, size }, index) =>
      html`<li><a href="/mail/${mail.number}/attachments/${index}">${filename}</a> (${size} bytes)</li>`,
  );
  return show(c, {
    title: mail.subject || '(no subject)',
    narrow: true,
    body: html`
      <section>
        <p class="soft">
          From ${mail.from}<br />To ${mail.to.join(', ')}<br />${shortTime(mail.receivedAt)} UTC,
          ${mail.source === 'smtp' ? 'received by SMTP' : 'sent by the signature provider'}
        </p>
        ${
          attachments.length > 0
            ? html`<ul>
                ${attachments}
              </ul>`
            : ''
        }
      </section>
      <section>
        <h2>Text</h2>
        <pre>${linked(mail.text)}</pre>
      </section>
      ${
        mail.html === null
          ? ''
          : html`<section>
              <h2>HTML</h2>
              <iframe
                class="document"
                title="The mail as HTML"
                sandbox="allow-popups allow-popups-to-escape-sandbox"
                src="/mail/${mail.number}/html"
              ></iframe>
            </section>`
      }
    `,
  });
}

/** Web addresses become links; everything else is plain text. */
function linked(text: string) {
  return text
    .split(/(https?:\/\/[^\s<>"]+)/)
    .map((part, index) => (index % 2 === 1 ? html`<a href="${part}">${part}</a>` : part));
}
