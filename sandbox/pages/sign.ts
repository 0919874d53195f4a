/** Where the customer reads the document and signs it or declines. A second click does no harm and says so. */
import { Hono, type Context } from 'hono';
import { html } from 'hono/html';
import { decline, findRequest, sign } from '../signature/actions.js';
import { pdfToShow } from '../signature/signed-pdf.js';
import type { SignatureRequest, Signer } from '../signature/types.js';
import type { World } from '../world.js';
import { notFound, pageHeaders, say, show } from './layout.js';

type Visit = { request: SignatureRequest; signer: Signer; token: string | null };

export function signPages(world: World): Hono {
  const app = new Hono();
  app.use(pageHeaders());

  app.get('/:id', (c) => visit(world, c, (one) => readingPage(c, one)));

  app.get('/:id/document.pdf', (c) =>
    visit(world, c, async ({ request }) => {
      const document = request.documents.find(({ nature }) => nature === 'signable_document');
      if (!document) return say(c, 'No document', 'This signature request has no document.', 404);
      const pdf = await pdfToShow(world, request, document);
      const how = c.req.query('download') === undefined ? 'inline' : 'attachment';
      return c.body(new Uint8Array(pdf), 200, {
        'Content-Type': 'application/pdf',
        'Content-Disposition': `${how}; filename*=UTF-8''${encodeURIComponent(document.filename)}`,
        // The pages' usual policy would break the browser's PDF viewer.
        'Content-Security-Policy': "frame-ancestors 'self'",
      });
    }),
  );

  app.post('/:id/sign', (c) =>
    visit(world, c, ({ request, signer }) => {
      if (!sign(world, request, { signerId: signer.id })) return nothingToDo(c, request, signer);
      const open = request.signers.filter(({ status }) => status !== 'signed').length;
      const more = open > 0 ? ` ${open} more signature(s) are awaited.` : '';
      const thanks = `Thank you, you have signed "${request.name}".${more} You may close this page.`;
      return say(c, 'Done: signed', thanks);
    }),
  );

  app.post('/:id/decline', (c) =>
    visit(world, c, async ({ request, signer }) => {
      const { reason } = await c.req.parseBody();
      const words = typeof reason === 'string' ? reason.trim().slice(0, 1000) : '';
      if (!decline(world, request, words || 'No reason given', signer.id))
        return nothingToDo(c, request, signer);
      return say(c, 'Done: declined', `You have declined to sign "${request.name}". The sender is told.`);
    }),
  );
  return app;
}

/** A token is checked only when the link carries one: the console and scripts come without. */
function visit(
  world: World,
  c: Context,
  then: (one: Visit) => Response | Promise<Response>,
): Response | Promise<Response> {
  const request = findRequest(world, c.req.param('id') ?? '');
  const asked = c.req.query('signer');
  const signer =
    request?.signers.find(({ id, status }) => (asked === undefined ? status !== 'signed' : id === asked)) ??
    (asked === undefined ? request?.signers[0] : undefined);
  if (!request || !signer) return notFound(c, 'There is nothing to sign at this address.');
  const token = c.req.query('token') ?? null;
  if (token !== null && (token !== signer.linkToken || (signer.linkExpiresAt ?? 0) <= world.now())) {
    return say(c, 'Link no longer valid', 'This link has expired or was replaced by a newer one.', 410);
  }
  return then({ request, signer, token });
}

function nothingToDo(c: Context, request: SignatureRequest, signer: Signer): Response | Promise<Response> {
  if (signer.status === 'signed') {
    return say(c, 'Already signed', `You have already signed "${request.name}"; nothing was changed.`);
  }
  const sentence = `"${request.name}" is ${request.status}; nothing was changed.`;
  return say(c, 'Nothing to sign', sentence, 409);
}

function readingPage(c: Context, { request, signer, token }: Visit): Response | Promise<Response> {
  const query = new URLSearchParams({ signer: signer.id, ...(token !== null && { token }) }).toString();
  const base = `/sign/${request.id}`;
  const open = request.status === 'ongoing' && signer.status !== 'signed';
  const name = `${signer.info.first_name} ${signer.info.last_name}`;
  return show(c, {
    title: request.name,
    narrow: true,
    body: html`
      <section>
        <p>
          For <strong>${name}</strong> (${signer.info.email}), to be signed until the end of
          ${request.expirationDate} (${request.timezone}).
        </p>
        <iframe class="document" title="The document" src="${base}/document.pdf?${query}"></iframe>
        <p class="row">
          <a class="button quiet" href="${base}/document.pdf?${query}&download=1" download
            >Download the PDF</a
          >
        </p>
      </section>
      ${
        open
          ? actions(base, query, request.signersAllowedToDecline)
          : html`<p class="note ${signer.status === 'signed' ? 'good' : 'bad'}" role="status">
              ${signer.status === 'signed' ? 'You have signed this document.' : `This signature request is ${request.status}.`}
            </p>`
      }
    `,
  });
}

function actions(base: string, query: string, mayDecline: boolean) {
  return html`
    <section>
      <h2>Sign</h2>
      <p>By pressing the button you agree to the document above.</p>
      <form method="post" action="${base}/sign?${query}"><button>Sign the document</button></form>
    </section>
    <section>
      <h2>Or decline</h2>
      ${mayDecline ? '' : html`<p class="soft">The sender has not offered this (signers_allowed_to_decline); the sandbox does.</p>`}
      <form method="post" action="${base}/decline?${query}">
        <label for="reason">Reason</label>
        <input id="reason" name="reason" maxlength="1000" required />
        <p class="row"><button class="quiet">Decline to sign</button></p>
      </form>
    </section>
  `;
}
