/** The settings with which the daemon last ran, as digests. */
import { all, run, sqlite } from '../db.js';
import { putRow } from '../table.js';

export const listSettingsInForce = all(() => sqlite.selectFrom('settingsInForce').selectAll());

export const putSettingInForce = run(putRow('settingsInForce', ['name'], ['digest']));
