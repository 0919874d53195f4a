/** The history names the settings that a restart has changed, and never a value (rules 9). */
import { expect, test } from 'vitest';
import { noteSettings, reloadSettings } from '../../../src/core/settings/reload.js';
import { startApp, type TestApp } from '../../support/app.js';

const told = (app: TestApp) =>
  (
    app.ctx.db.raw
      .prepare("SELECT actor, detail FROM history WHERE what = 'settings.reloaded' ORDER BY id")
      .all() as { actor: string; detail: string }[]
  ).map(({ actor, detail }) => [actor, (JSON.parse(detail) as { taken: string[] }).taken]);

test('the first start tells nothing, each later one what has changed since, and nothing twice', async () => {
  const app = await startApp();
  const { ctx } = app;
  await noteSettings(ctx);
  await noteSettings(ctx);
  expect(told(app)).toEqual([]);

  Object.assign(ctx.config, { apiKey: 'another key', contractAmount: 15_000 });
  await noteSettings(ctx);
  await noteSettings(ctx);
  expect(told(app)).toEqual([['restart', ['ESIGN_API_KEY', 'ESIGN_CONTRACT_AMOUNT']]]);

  await reloadSettings(ctx, { ...ctx.config, apiKey: 'a third key' });
  await noteSettings(ctx);
  expect(told(app).slice(1)).toEqual([['signal', ['ESIGN_API_KEY']]]);
  expect(JSON.stringify(ctx.db.raw.prepare('SELECT * FROM settingsInForce').all())).not.toContain(
    'third key',
  );
});
