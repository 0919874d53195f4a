/** Where the customer pays or gives up. A second click does no harm and says so. */
import { Hono, type Context } from 'hono';
import { html } from 'hono/html';
import { findSession, pay } from '../payment/actions.js';
import type { PaymentSession } from '../payment/session.js';
import type { World } from '../world.js';
import { money, notFound, pageHeaders, say, show } from './layout.js';

export function payPages(world: World): Hono {
  const app = new Hono();
  app.use(pageHeaders());
  const visit = (c: Context, then: (session: PaymentSession) => Response | Promise<Response>) => {
    const session = findSession(world, c.req.param('id') ?? '');
    return session ? then(session) : notFound(c, 'There is nothing to pay at this address.');
  };

  app.get('/:id', (c) =>
    visit(c, (session) => (session.status === 'open' ? payPage(c, session) : closedPage(c, session))),
  );

  app.post('/:id/pay', (c) =>
    visit(c, (session) => {
      if (!pay(world, session)) return closedPage(c, session);
      const { success_url } = session;
      if (success_url) return c.redirect(success_url.replaceAll('{CHECKOUT_SESSION_ID}', session.id), 303);
      const amount = money(session);
      return say(c, 'Done: paid', `Thank you, you have paid ${amount}. You may close this page.`);
    }),
  );

  app.post('/:id/give-up', (c) =>
    visit(c, (session) => {
      if (session.status !== 'open') return closedPage(c, session);
      if (session.cancel_url) return c.redirect(session.cancel_url, 303);
      return say(c, 'Not paid', 'Nothing was paid. The link stays valid: you can come back to it.');
    }),
  );
  return app;
}

function closedPage(c: Context, session: PaymentSession): Response | Promise<Response> {
  if (session.status === 'complete') {
    return say(c, 'Already paid', 'This payment has already been made; nothing was charged again.');
  }
  return say(c, 'No longer possible', 'This payment link has expired; nothing was charged.', 410);
}

function payPage(c: Context, session: PaymentSession): Response | Promise<Response> {
  return show(c, {
    title: 'Payment',
    narrow: true,
    body: html`
      <section>
        <p>${session.description}</p>
        <p class="amount">${money(session)}</p>
        <p class="soft">${session.customer_email ?? ''}</p>
        <div class="row">
          <form method="post" action="/pay/${session.id}/pay"><button>Pay now</button></form>
          <form method="post" action="/pay/${session.id}/give-up">
            <button class="quiet">Give up</button>
          </form>
        </div>
      </section>
    `,
  });
}
