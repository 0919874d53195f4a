/**
 * The back office: server-rendered pages for administrators that work without scripts. Refusals are pages too. A page
 * never decides what may be done; it shows what core allows.
 */
import { Hono } from 'hono';
import { HttpError } from '../http/errors.js';
import { CONTRACTS } from '../../core/resources/contracts.js';
import { JOBS } from '../../core/resources/jobs.js';
import { OFFERS } from '../../core/resources/offers.js';
import { PAYMENTS } from '../../core/resources/payments.js';
import type { Filters, Resource } from '../../core/resources/resource.js';
import { TROUBLESHOOTINGS } from '../../core/resources/troubleshootings.js';
import type { Env, Parts } from '../parts.js';
import { loginPages } from './login.js';
import { dashboardPage, technicalPage } from './sheets/dashboard.js';
import { deliveryPages } from './lists/deliveries.js';
import { eraseUserPages } from './acts/erase-user.js';
import { exportPages } from './acts/exports.js';
import { failedPages } from './lists/failed.js';
import { historyPages } from './lists/history.js';
import { importPages } from './acts/import.js';
import { inboxPages } from './lists/inbox.js';
import { listPage } from './lists/list-page.js';
import { reportPage } from './sheets/report.js';
import { requestActs } from './acts/requests.js';
import { requestPage } from './sheets/request.js';
import { equipmentPages } from './sheets/equipment.js';
import { entryPages } from './acts/entries.js';
import { requestsPage } from './lists/requests.js';
import { pricePages } from './lists/prices.js';
import { sessionPages } from './lists/sessions.js';
import { todoPage } from './lists/todo.js';
import { userPages } from './sheets/user.js';
import { webhookPages } from './lists/webhooks.js';
import { usersPages } from './lists/users.js';
import { answerWithPage } from './frame/page-call.js';
import { FILES, type Section } from './frame/layout.js';
import { Pages } from './frame/pages.js';
import { signedIn } from './frame/session.js';

export function adminRoutes(parts: Parts) {
  const admin = new Hono<Env>();
  admin.get('/admin/assets/:name', (c) => FILES.send(c, c.req.param('name')));
  admin.route('/', loginPages(parts));
  admin.use('/admin/*', signedIn(parts));
  for (const pages of [
    dashboardPage,
    technicalPage,
    todoPage,
    requestsPage,
    requestActs,
    entryPages,
    equipmentPages,
    importPages,
    reportPage,
    requestPage,
    exportPages,
    eraseUserPages,
    failedPages,
    inboxPages,
    webhookPages,
    deliveryPages,
    historyPages,
    usersPages,
    userPages,
    sessionPages,
    pricePages,
    plainList(CONTRACTS, 'contracts', 'contracts'),
    plainList(PAYMENTS, 'payments', 'payments'),
    plainList(OFFERS, 'offers'),
    plainList(TROUBLESHOOTINGS, 'troubleshootings'),
    plainList(JOBS, 'jobs', 'jobs'),
  ]) {
    admin.route('/', pages(parts).routes);
  }
  admin.all('/admin/*', () => {
    throw new HttpError(404, 'Not Found');
  });
  admin.onError(answerWithPage(parts));
  return admin;
}

/** A list that needs nothing of its own. */
function plainList<Row, F extends Filters, By extends string>(
  noun: Resource<Row, F, By>,
  name: 'contracts' | 'payments' | 'offers' | 'troubleshootings' | 'jobs',
  section: Section = 'requests',
) {
  return (parts: Parts) =>
    listPage(new Pages(parts, section), noun, {
      path: `/admin/${name}`,
      title: `admin.nav.${name}`,
    });
}
