/**
 * The back office: server-rendered pages for administrators that work without scripts. Refusals are pages too. A page
 * never decides what may be done; it shows what core allows.
 */
import { Hono } from 'hono';
import { HttpError } from '../errors.js';
import type { Env, Parts } from '../parts.js';
import { loginPages } from './login.js';
import { dashboardPage } from './pages/dashboard.js';
import { deliveryPages } from './pages/deliveries.js';
import { eraseUserPages } from './pages/erase-user.js';
import { exportPages } from './pages/exports.js';
import { failedPages } from './pages/failed.js';
import { historyPages } from './pages/history.js';
import { inboxPages } from './pages/inbox.js';
import { requestActs } from './pages/request-acts.js';
import { requestPage } from './pages/request.js';
import { severalRequests } from './pages/several-requests.js';
import { requestsPage } from './pages/requests.js';
import { sessionPages } from './pages/sessions.js';
import { todoPage } from './pages/todo.js';
import { userPages } from './pages/user.js';
import { webhookPages } from './pages/webhooks.js';
import { usersPages } from './pages/users.js';
import { answerWithPage } from './error-page.js';
import { FILES } from './layout.js';
import { signedIn } from './session.js';

export function adminRoutes(parts: Parts) {
  const admin = new Hono<Env>();
  admin.get('/admin/assets/:name', (c) => FILES.send(c, c.req.param('name')));
  admin.route('/', loginPages(parts));
  admin.use('/admin/*', signedIn(parts));
  for (const pages of [
    dashboardPage,
    todoPage,
    requestsPage,
    requestActs,
    severalRequests,
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
  ]) {
    admin.route('/', pages(parts).routes);
  }
  admin.all('/admin/*', () => {
    throw new HttpError(404, 'Not Found');
  });
  admin.onError(answerWithPage(parts));
  return admin;
}
