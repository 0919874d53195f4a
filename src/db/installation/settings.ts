/** The settings with which the daemon last ran, as digests. */
import { all, run, sqlite } from '../db.js';

export const listSettingsInForce = all(() => sqlite.selectFrom('settingsInForce').selectAll());

export const putSettingInForce = run((p: { name: string; digest: string }) =>
  sqlite
    .insertInto('settingsInForce')
    .values({ name: p.name, digest: p.digest })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ digest: p.digest })),
);
