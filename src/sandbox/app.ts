/** All routes of the sandbox on one port: two providers, a control API and pages. */
import type { HttpBindings } from '@hono/node-server';
import { Hono } from 'hono';
import { controlApi } from './control-api.js';
import { consolePage } from './pages/console.js';
import { mailPages } from './pages/mail.js';
import { payPages } from './pages/pay.js';
import { signPages } from './pages/sign.js';
import { styleSheet } from './pages/style.js';
import { paymentApi } from './payment/api.js';
import { signatureApi } from './signature/api.js';
import type { World } from './world.js';

export function createApp(world: World): Hono<{ Bindings: HttpBindings }> {
  const app = new Hono<{ Bindings: HttpBindings }>();
  app.route('/v3', signatureApi(world));
  app.route('/v1/checkout/sessions', paymentApi(world));
  app.route('/_sandbox', controlApi(world));
  app.route('/sign', signPages(world));
  app.route('/pay', payPages(world));
  app.route('/mail', mailPages(world));
  app.route('/', styleSheet());
  app.route('/', consolePage(world));
  app.notFound((c) => c.json({ type: 'not_found', detail: 'The sandbox has nothing here.' }, 404));
  app.onError((error, c) => {
    world.settings.log(`error: ${error.message}`);
    return c.json({ type: 'internal_error', detail: 'The sandbox has a bug here; see its log.' }, 500);
  });
  return app;
}
