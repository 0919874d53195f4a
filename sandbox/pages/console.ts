/** The console: everything at a glance, and a switch for everything that can happen. */
import { Hono, type Context } from 'hono';
import { html } from 'hono/html';
import { z } from 'zod';
import { FAULT_KINDS, parseFault, whereOf, type Fault } from '../faults.js';
import { actionsOn, UnknownName } from '../handle.js';
import { listSessions } from '../payment/actions.js';
import { charged, type PaymentSession } from '../payment/session.js';
import { listRequests } from '../signature/actions.js';
import type { SignatureRequest } from '../signature/types.js';
import type { Delivery } from '../webhooks-out.js';
import type { World } from '../world.js';
import { badge, button, money, pageHeaders, say, shortTime, show, table, type Html } from './layout.js';
import { mailTable } from './mail.js';

const SHOWN = 25;

export function consolePage(world: World): Hono {
  const app = new Hono();
  app.use('/', pageHeaders());
  app.use('/console/*', pageHeaders());
  app.get('/', (c) => show(c, { title: 'Console', body: overview(world) }));

  app.post('/console/act', async (c) => {
    const form = await c.req.parseBody();
    return attempt(c, () => act(world, text(form['action']), text(form['id'])));
  });
  app.post('/console/charge', async (c) => {
    const { id, amount, currency, converted } = await c.req.parseBody();
    return attempt(c, () => {
      const wanted = charged.safeParse({
        amount: Number(amount),
        currency,
        converted: converted || undefined,
      });
      if (!wanted.success) throw new RangeError(z.prettifyError(wanted.error));
      return actionsOn(world).pay(text(id), { charged: wanted.data });
    });
  });
  app.post('/console/faults', async (c) => {
    const form = await c.req.parseBody();
    const delayMs = text(form['delay']) === '' ? undefined : Number(form['delay']);
    return attempt(c, () => void world.faults.add({ ...parseFault(text(form['fault'])), delayMs }));
  });
  app.post('/console/faults/clear', async (c) => {
    const { id } = await c.req.parseBody();
    return attempt(c, () => (id ? world.faults.remove(Number(id)) : world.faults.clear()));
  });
  return app;
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Leads back to the console, or shows what was wrong. */
function attempt(c: Context, work: () => unknown): Response | Promise<Response> {
  try {
    if (work() === false)
      return say(c, 'Not possible', 'It is in no state for that; nothing was changed.', 409);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return say(c, 'Not possible', error.message, 409);
  }
  return c.redirect('/', 303);
}

function act(world: World, action: string, id: string): boolean {
  const actions = actionsOn(world);
  switch (action) {
    case 'sign':
    case 'decline':
    case 'fail':
    case 'bounce':
    case 'expire':
    case 'cancel':
    case 'delete':
    case 'pay':
    case 'expireSession':
      return actions[action](id);
    default:
      throw new UnknownName(`nothing here is called ${action}`);
  }
}

function overview(world: World) {
  const requests = listRequests(world).slice(0, SHOWN);
  const sessions = listSessions(world).slice(0, SHOWN);
  const deliveries = world.webhooks.deliveries.slice(-SHOWN).toReversed();
  return html`
    ${section('Signature requests', ['Created', 'Name', 'State', 'Actions'], requests.map(requestRow))}
    ${section('Payments', ['Created', 'What', 'Amount', 'State', 'Actions'], sessions.map(sessionRow))}
    <section class="scroll">
      <h2>Mail</h2>
      ${mailTable(world.mailbox.list().slice(-SHOWN))}
    </section>
    ${section('Webhooks sent', ['Event', 'State', 'Answers'], deliveries.map(deliveryRow))}
    ${faultSection(world.faults.list())}
  `;
}

function section(title: string, columns: string[], rows: Html[]) {
  return html`<section class="scroll">
    <h2>${title}</h2>
    ${rows.length > 0 ? table(columns, rows) : html`<p class="soft">None yet.</p>`}
  </section>`;
}

function requestRow(request: SignatureRequest): Html {
  const buttons = ['sign', 'decline', 'fail', 'bounce', 'expire', 'cancel', 'delete'].map((action) =>
    button('/console/act', action, { id: request.id, action }),
  );
  return html`<tr>
    <td>${shortTime(request.createdAt)}</td>
    <td>
      <a href="/sign/${request.id}">${request.name}</a><br /><code class="soft"
        >${request.externalId ?? request.id}</code
      >
    </td>
    <td>${badge(request.status)}</td>
    <td>${request.status === 'ongoing' ? buttons : ''}</td>
  </tr>`;
}

function sessionRow(session: PaymentSession): Html {
  const buttons = [
    button('/console/act', 'pay', { id: session.id, action: 'pay' }),
    button('/console/act', 'expire', { id: session.id, action: 'expireSession' }),
    chargeForm(session),
  ];
  return html`<tr>
    <td>${shortTime(session.created * 1000)}</td>
    <td>
      <a href="/pay/${session.id}">${session.description}</a><br /><code class="soft"
        >${session.client_reference_id ?? ''}</code
      >
    </td>
    <td>${money(session)}</td>
    <td>${badge(session.status)} ${badge(session.payment_status)}</td>
    <td>${session.status === 'open' ? buttons : ''}</td>
  </tr>`;
}

/** Pays something else than the price, or the price in a currency of the customer's. */
function chargeForm({ id, amount, currency }: PaymentSession): Html {
  return html`<details>
    <summary>pay something else</summary>
    <form method="post" action="/console/charge">
      <input type="hidden" name="id" value="${id}" />
      <input name="amount" type="number" min="0" value="${amount}" aria-label="Amount in minor units" />
      <input name="currency" size="3" value="${currency}" aria-label="Currency" />
      <select name="converted" aria-label="As what">
        <option value="">another amount</option>
        <option value="presentment_details">the price, converted for the customer</option>
        <option value="currency_conversion">the same, as until March 2025</option>
      </select>
      <button class="small quiet">pay</button>
    </form>
  </details>`;
}

function deliveryRow(delivery: Delivery): Html {
  const answers = delivery.attempts.map(
    ({ at, ms, status, error }) =>
      html`<li>${shortTime(at)}: ${status ?? error ?? 'under way'} after ${ms} ms</li>`,
  );
  return html`<tr>
    <td>${delivery.event}<br /><code class="soft">${delivery.eventId}</code></td>
    <td>${badge(delivery.state)}</td>
    <td>
      <ol>
        ${answers}
      </ol>
    </td>
  </tr>`;
}

function faultSection(faults: Fault[]) {
  const targets = Object.entries(FAULT_KINDS);
  const choices = targets.flatMap(([target, kinds]) => kinds.map((kind) => `${target}:${kind}`));
  const rows = faults.map(
    (fault) =>
      html`<tr>
        <td><code>${whereOf(fault)}:${fault.kind}</code></td>
        <td>${fault.struck} of ${fault.times ?? 'any number'}</td>
        <td>${button('/console/faults/clear', 'clear', { id: String(fault.id) })}</td>
      </tr>`,
  );
  return html`${section('Faults', ['Fault', 'Struck', ''], rows)}
    <section>
      <form method="post" action="/console/faults">
        <div class="fields">
          <div>
            <label for="fault">Fault (target[.operation][@page][~about]:kind[:times])</label>
            <input id="fault" name="fault" list="faults" placeholder="payment:500:3" required />
            <datalist id="faults">
              ${choices.map((choice) => html`<option value="${choice}"></option>`)}
            </datalist>
          </div>
          <div>
            <label for="delay">Delay in ms</label>
            <input id="delay" name="delay" type="number" min="0" max="600000" />
          </div>
          <div><button>Switch on</button></div>
        </div>
      </form>
      <details>
        <summary>All faults</summary>
        <ul>
          ${targets.map(([target, kinds]) => html`<li><code>${target}</code>: ${kinds.join(', ')}</li>`)}
        </ul>
        <p>
          Without a number a fault strikes until it is cleared. <code>signature.activate:500</code> strikes
          that call alone, <code>signature.list@2:429</code> the second page of the list,
          <code>payment.get~ada@example.org:500</code> whatever is about this customer.
        </p>
      </details>
      <p class="row">${button('/console/faults/clear', 'Clear all faults')}</p>
    </section>`;
}
