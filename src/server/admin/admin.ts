/**
 * The back office: server-rendered pages for administrators that work without scripts. Refusals are pages too. A page
 * never decides what may be done; it shows what core allows.
 */
import { Hono } from 'hono';
import { HttpError } from '../http/errors.js';
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
import { otherLists } from './lists/others.js';
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
import { FILES } from './frame/layout.js';
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
    ...otherLists,
  ]) {
    admin.route('/', pages(parts).routes);
  }
  admin.all('/admin/*', () => {
    throw new HttpError(404, 'Not Found');
  });
  admin.onError(answerWithPage(parts));
  return admin;
}
