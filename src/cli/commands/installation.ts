/** `esignctl doctor`, `init`, `migrate`, `prune`, `config …` and `completion` (rules 9, 10). */
import type { ShownSetting } from '../../core/settings/show.js';
import { SCRIPTS, SHELLS } from '../completion/scripts.js';
import { EXIT } from '../exit-codes.js';
import type { Shell } from '../io.js';
import { tellTable, type ListColumn } from '../output/lists.js';
import { byWhom } from '../run/open.js';
import { withProgress } from '../output/progress.js';
import { PRUNED, counted } from '../output/words.js';
import { group, verb } from '../verb/verb.js';
import { choice, flag } from '../verb/params.js';

const ABOUT_DOCTOR = `
It answers within seconds, even with much data: it then reads only a part of the
database, and checks only the newest PDFs and counts. Each such check says so.
With --full it looks at everything, which may take minutes. The daemon
reads the whole database when it starts, and every backup is read whole.`;

export const doctor = verb('doctor', {
  about: 'check settings, data, providers, mail server and daemon; says how to fix what fails',
  text: ABOUT_DOCTOR,
  options: { full: flag('read the whole database and every signed PDF') },
  examples: ['', '--full', '--json'],
  async run(shell, { full }) {
    const core = await import('../../core/doctor/examine.js');
    const { io, out, envFile, interruption } = shell;
    const examined = await withProgress(shell, 'checking', () =>
      core.examine(io.env, envFile, { cut: interruption.cut, ...io.waysOut }, { isFull: full }),
    );
    const zone = await zoneOf(shell);
    if (zone !== undefined) out.zone = () => zone;
    const checks = examined.map(({ fix, ...check }) => ({ ...check, fix: fix && out.advice(fix) }));
    const failures = checks.filter(({ state }) => state === 'failed').length;
    out.result({ ok: failures === 0, checks }, () => tellTable(out, CHECKS, checks));
    const isPart = checks.some(({ state, fix }) => state === 'ok' && fix !== null);
    const where = isPart ? ', but only a part was looked at; --full looks at everything' : '';
    out.note(failures === 0 ? `nothing failed${where}` : `${counted(failures, 'check')} failed`);
    return failures > 0 ? EXIT.failed : EXIT.done;
  },
});

const ABOUT_INIT = `
The package does this once, when it is installed. A database that is there
already stays as it is. It needs no setting but ESIGN_DATA_DIR.`;

export const init = verb('init', {
  about: 'make the first database of a new installation',
  text: ABOUT_INIT,
  examples: [''],
  async run(shell) {
    const { initData } = await import('../../core/installation/init.js');
    const { settledDirectory } = await import('../run/settings.js');
    const { out } = shell;
    const made = initData(settledDirectory(shell));
    const { directory, created, installation } = made;
    out.result(made, () => {
      out.line(
        created
          ? `made a new database in ${directory}`
          : `there is a database in ${directory} already; nothing was changed`,
      );
      if (installation !== null)
        out.line(`its installation, for the settings: ESIGN_INSTALLATION=${installation}`);
    });
  },
});

export const migrate = verb('migrate', {
  about: 'upgrade the database to this version (the daemon does so when it starts)',
  changes: true,
  examples: ['--dry-run', ''],
  async run(shell) {
    const { migrateData } = await import('../../core/installation/migrate.js');
    const { settings } = await import('../run/settings.js');
    const { out, dryRun } = shell;
    const { applied, backup, schema } = migrateData(settings(shell), byWhom(shell));
    out.result({ applied, backup, schema }, () => {
      for (const name of applied) out.line(`${dryRun ? 'would apply' : 'applied'} ${name}`);
      if (backup) out.line(`the database from before is ${backup}`);
      const summary = applied.length === 0 ? 'up to date' : counted(applied.length, 'migration');
      out.line(`${summary}; the database has schema ${schema}`);
    });
  },
});

const ABOUT_PRUNE = `
It removes jobs and deliveries that ended 30 days ago, the content of webhooks
answered 90 days ago, and expired refresh tokens, sessions and idempotency keys.
Contracts, PDFs, the history and the failed jobs stay. The daemon runs it every
night.`;

export const prune = verb('prune', {
  about: 'remove old data that nobody needs, and tidy the database; safe while the daemon runs',
  text: ABOUT_PRUNE,
  changes: true,
  examples: ['--dry-run', '', '--json'],
  async act(shell) {
    const core = await import('../../core/retention/prune.js');
    const { ctx, by, out, signal, dryRun, interruption } = shell;
    interruption.say(() => 'a part was removed; the next run removes the rest');
    const pruned = await core.prune(ctx, { ...by, signal });
    interruption.say(() => '');
    const found = PRUNED.filter(([what]) => pruned[what] > 0);
    out.result(pruned, () => {
      for (const [what, noun] of found)
        out.line(`${dryRun ? 'would remove' : 'removed'} ${counted(pruned[what], noun)}`);
      if (found.length === 0) out.line('nothing to remove');
    });
    if (!pruned.folded)
      out.warn(
        'the write-ahead log could not be folded into the database, because a program keeps reading it; end that program, such as an sqlite3 shell or a hanging copy, and run this again',
      );
  },
});

const show = verb('config show', {
  about: 'every setting, its value (secrets are masked) and where it comes from',
  examples: ['', '--env-file /etc/esign/esign.env --json'],
  /** Invalid settings are reported as everywhere, and nothing is shown. */
  async run({ io, envFile, out }) {
    const { showSettings } = await import('../../core/settings/show.js');
    const settings = showSettings(io.env, envFile);
    out.result(settings, () => tellTable(out, SETTINGS, settings));
  },
});

export const config = group(
  'config',
  { about: 'the settings as esignd and esignctl read them', examples: ['show'] },
  [show],
);

export const completion = verb('completion', {
  about: 'print the script that lets a shell complete esignctl with the Tab key',
  args: { shell: choice('the shell', SHELLS) },
  text: 'It completes commands, options, their values and ids.',
  examples: [
    'bash > /etc/bash_completion.d/esignctl',
    'zsh > "${fpath[1]}/_esignctl"',
    'fish > ~/.config/fish/completions/esignctl.fish',
  ],
  async run({ out }, { shell }) {
    out.result({ shell, script: SCRIPTS[shell] }, () => out.text(SCRIPTS[shell]));
  },
});

/** The states whose colours they have. */
const CHECK_STATES: Readonly<Record<string, string>> = { ok: 'done', warning: 'open' };

const CHECKS: readonly ListColumn<{ name: string; state: string; message: string; fix: string | null }>[] = [
  { head: 'CHECK', of: ({ name }) => name },
  { head: 'STATE', of: ({ state }) => ({ state: CHECK_STATES[state] ?? state, plain: state, words: state }) },
  {
    head: 'FOUND',
    isWhole: true,
    of: ({ message, fix }, out) =>
      out.timesIn(fix === null ? message : `${message.replace(/\.$/, '')}. ${fix}`),
  },
];

/** In which zone times are shown; undefined with wrong settings, which are one of the findings. */
async function zoneOf({ io, envFile }: Shell): Promise<string | undefined> {
  const { ConfigError, loadConfig } = await import('../../core/settings/config.js');
  try {
    return loadConfig(io.env, envFile).config.timeZone;
  } catch (error) {
    if (error instanceof ConfigError) return undefined;
    throw error;
  }
}

const SETTINGS: readonly ListColumn<ShownSetting>[] = [
  { head: 'SETTING', isWhole: true, of: ({ name }) => name },
  {
    head: 'VALUE',
    isWhole: true,
    of: ({ value, nearest }) => (nearest === null ? value : `not a setting; the nearest is ${nearest}`),
  },
  { head: 'FROM', of: ({ from }) => from },
];
