/** A restore leaves the old data or the new, whatever cuts it off. */
import { askForReset, readPasswordLink } from '../../../src/core/users/password-links.js';
import type nodeFs from 'node:fs';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire, syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { restoreBackup } from '../../../src/core/backup/restore-backup.js';
import { writeSnapshot } from '../../../src/core/backup/write-snapshot.js';
import { systemClock } from '../../../src/core/clock.js';
import { openContext } from '../../../src/core/open-context.js';
import { beginSession, openSession } from '../../../src/core/users/sessions.js';
import {
  invalidateRefreshToken,
  issueRefreshToken,
  refreshTokens,
  AccessTokens,
} from '../../../src/core/users/tokens.js';
import { takeDaemonLock } from '../../../src/db/installation/daemon-lock.js';
import {
  NO_PROVIDERS,
  rejection,
  startApp,
  temporaryDirectory,
  testConfig,
  TESTER,
} from '../../support/app.js';
import { aBackup, anApp, contentOf, someBackup } from '../../support/backups.js';
import { DEAD } from '../../support/holders.js';

const clock = systemClock;
const restore = (dataDir: string, file: string, more: Partial<Parameters<typeof restoreBackup>[0]> = {}) =>
  restoreBackup({ dataDir, file, clock, actor: TESTER, ...more });
const AT = { now: () => new Date('2026-03-02T09:14:07.000Z') };
const newDirectory = () => join(temporaryDirectory(), 'new');

describe('restore', () => {
  test('brings everything back, keeps the old data aside, and writes down who did it', async () => {
    const app = await anApp();
    const file = await aBackup(app);
    const before = contentOf(app.dataDir);
    const { id } = await app.addRequest();
    await app.ctx.close();
    rmSync(join(app.dataDir, 'contracts'), { recursive: true });
    // What a crash left half written is not kept.
    mkdirSync(join(app.dataDir, 'contracts'));
    writeFileSync(join(app.dataDir, 'contracts', `supplied.pdf.${DEAD}.1.tmp`), 'half');

    const restored = await restore(app.dataDir, file, { reason: 'drill' });

    expect(contentOf(app.dataDir)).toEqual(before);
    expect(readdirSync(join(restored.aside, 'contracts'))).toEqual([]);
    const ctx = openContext(app.ctx.config);
    const find = ctx.db.raw.prepare('SELECT id FROM requests WHERE id = ?');
    expect(find.get(id)).toBeUndefined();
    const told = ctx.db.raw.prepare("SELECT actor, detail FROM history WHERE what = 'data.restored'").get();
    const detail = expect.stringContaining('"reason":"drill"') as string;
    expect(told).toEqual({ actor: 'user:tester@example.org', detail });
    await ctx.close();
    const old = openContext({ ...app.ctx.config, dataDir: restored.aside });
    expect(old.db.raw.prepare('SELECT id FROM requests WHERE id = ?').get(id)).toEqual({ id });
    await old.close();
    const modes = ['esign.db', 'contracts', 'keys', 'keys/jwt.secret'].map(
      (name) => statSync(join(app.dataDir, name)).mode & 0o777,
    );
    expect(modes).toEqual([0o640, 0o750, 0o700, 0o600]);
  });

  test('leaves out files of contracts that were made after its database was copied: their numbers go to other customers', async () => {
    const app = await anApp();
    const before = contentOf(app.dataDir);
    for (const name of ['9.pdf', '9.draft.pdf', '9.audit-trail.json'])
      writeFileSync(join(app.dataDir, 'contracts', name), '%PDF-1.7 of somebody else');
    const file = await aBackup(app);
    const snapshot = join(temporaryDirectory(), 'snapshot');
    await writeSnapshot({ dataDir: app.dataDir, directory: snapshot, clock });
    await app.ctx.close();

    for (const from of [file, snapshot]) {
      const { pdfs } = await restore(app.dataDir, from);
      expect(contentOf(app.dataDir)).toEqual(before);
      expect(pdfs).toBe(Object.keys(before).filter((name) => name.endsWith('.pdf')).length);
    }
  });

  test('nobody is logged in any more, and no link to set a password opens: what was used or revoked since the backup would be valid again', async () => {
    const app = await startApp();
    const user = await app.addUser();
    await askForReset(app.ctx, user.username);
    await app.drain();
    const link = /password\/(\w{64})/.exec(app.sandbox.mails().at(-1)?.text ?? '')?.[1] ?? '';
    const [revoked, used] = [await issueRefreshToken(app.ctx, user), await issueRefreshToken(app.ctx, user)];
    const access = await new AccessTokens(app.ctx).issue(user);
    const session = await beginSession(app.ctx, user, { address: '192.0.2.7', agent: 'test' });
    const file = await aBackup(app);
    await invalidateRefreshToken(app.ctx, revoked as string);
    expect(readPasswordLink(app.ctx, link).state).toBe('open');
    await app.ctx.close();

    await restore(app.dataDir, file, { clock: app.clock });

    const ctx = openContext(app.ctx.config, { clock: app.clock });
    expect(readPasswordLink(ctx, link).state).toBe('unknown');
    for (const token of [revoked, used])
      expect(await refreshTokens(ctx, token as string)).toMatchObject({ type: 'unknown' });
    expect(await new AccessTokens(ctx).verify(access)).toEqual({ type: 'invalid' });
    expect(await openSession(ctx, session as string)).toBeUndefined();
    await ctx.close();
  });

  test('works on a machine that has nothing yet, and in the place of a database that is ruined; three in the same second keep what each has replaced', async () => {
    const app = await anApp();
    const file = await aBackup(app);
    const dataDir = newDirectory();
    const asides: string[] = [];
    for (let i = 0; i < 3; i += 1) {
      asides.push((await restore(dataDir, file, { clock: AT })).aside);
      expect(contentOf(dataDir)).toEqual(contentOf(app.dataDir));
      writeFileSync(join(dataDir, 'contracts', `${i}.draft.pdf`), 'mark');
      writeFileSync(join(dataDir, 'esign.db'), 'ruined');
    }

    expect(asides[0]).toBe(join(dataDir, 'before-restore-20260302T091407Z'));
    const all = ['contracts', 'esign.db', 'keys'];
    expect(asides.map((aside) => readdirSync(aside).toSorted())).toEqual([[], all, all]);
    for (const [i, aside] of asides.slice(1).entries()) {
      expect(readFileSync(join(aside, 'esign.db'), 'utf8')).toBe('ruined');
      expect(readdirSync(join(aside, 'contracts'))).toContain(`${i}.draft.pdf`);
    }
    expect(readdirSync(dataDir).filter((name) => name.startsWith('restore-'))).toEqual([]);
  });

  test('beside a daemon or a command it is refused, and nothing is changed', async () => {
    const app = await anApp();
    const file = await aBackup(app);
    const refused = () => rejection(restore(app.dataDir, file));

    expect(await refused()).toMatchObject({ code: 'data_in_use', kind: 'busy' });
    const lock = takeDaemonLock(app.dataDir);
    expect(await refused()).toMatchObject({ code: 'daemon_running', kind: 'refused' });
    lock?.release();

    expect(readdirSync(app.dataDir).filter((name) => name.includes('restore'))).toEqual([]);
    await app.addRequest();
  });

  test.each([
    ['newer than', 9999],
    ['older than the first of', 48],
  ])('data %s this version are refused', async (_, schema) => {
    const app = await anApp();
    app.ctx.db.raw.pragma(`user_version = ${schema}`);
    const file = await aBackup(app);
    const dataDir = temporaryDirectory();
    const error = await rejection(restore(dataDir, file));
    expect(error.name).toBe('SchemaError');
    expect(existsSync(join(dataDir, 'esign.db'))).toBe(false);
  });

  /** The steps of a swap, in its order; each test is killed after one of them. */
  const STEPS = ['esign.db-wal', 'esign.db-shm', 'esign.db', 'contracts', 'keys'];

  test.each(STEPS.flatMap((step) => [`${step} aside`, `${step} in place`]))(
    'killed after "%s", the next to open the data finishes it',
    async (cut) => {
      const file = await someBackup();
      const dataDir = temporaryDirectory();
      const unpacked = temporaryDirectory();
      for (const directory of [dataDir, unpacked]) await restore(directory, file);
      const wanted = contentOf(unpacked);
      writeFileSync(join(dataDir, 'keys', 'jwt.secret'), 'another');
      writeFileSync(join(dataDir, 'esign.db-wal'), 'of the old database');
      // As far as a restore comes before its swap.
      const staging = join(dataDir, 'restore-unpacked');
      const aside = join(dataDir, 'before-restore-20260302T091407Z');
      mkdirSync(staging);
      mkdirSync(aside);
      for (const name of ['esign.db', 'contracts', 'keys'])
        renameSync(join(unpacked, name), join(staging, name));
      writeFileSync(join(dataDir, 'restore-plan.json'), '{"aside":"before-restore-20260302T091407Z"}');
      for (const name of STEPS) {
        if (existsSync(join(dataDir, name))) renameSync(join(dataDir, name), join(aside, name));
        if (cut === `${name} aside`) break;
        if (existsSync(join(staging, name))) renameSync(join(staging, name), join(dataDir, name));
        if (cut === `${name} in place`) break;
      }

      const ctx = openContext(testConfig(dataDir, NO_PROVIDERS));

      expect(ctx.db.raw.prepare('SELECT count(*) FROM requests').pluck().get()).toBe(2);
      expect(contentOf(dataDir)).toEqual(wanted);
      expect(readFileSync(join(aside, 'keys', 'jwt.secret'), 'utf8')).toBe('another');
      expect(readFileSync(join(aside, 'esign.db-wal'), 'utf8')).toBe('of the old database');
      expect(readdirSync(dataDir).filter((name) => /restore-(plan|unpacked)/.test(name))).toEqual([]);
      await ctx.close();
    },
  );

  test('throws its plan away when the names of its files are on disk, not before', async () => {
    const fs = createRequire(import.meta.url)('node:fs') as Pick<
      typeof nodeFs,
      'fsyncSync' | 'fstatSync' | 'rmSync'
    >;
    const { fsyncSync, rmSync } = fs;
    const done: string[] = [];
    onTestFinished(() => {
      Object.assign(fs, { fsyncSync, rmSync });
      syncBuiltinESMExports();
    });
    const dataDir = temporaryDirectory();
    const file = await someBackup();
    Object.assign(fs, {
      fsyncSync: (descriptor: number) => {
        if (fs.fstatSync(descriptor).ino === statSync(dataDir).ino) done.push('names');
        fsyncSync(descriptor);
      },
      rmSync: (path: string, options?: object) => {
        if (path.endsWith('restore-plan.json')) done.push('plan');
        rmSync(path, options);
      },
    });
    syncBuiltinESMExports();
    await restore(dataDir, file);
    expect(done).toEqual(['names', 'plan']);
  });

  test('while a restore is under way nobody else opens the data', async () => {
    const app = await anApp();
    await app.ctx.close();
    const lock = takeDaemonLock(app.dataDir);
    writeFileSync(join(app.dataDir, 'restore-plan.json'), '{"aside":"before-restore-20260302T091407Z"}');
    expect(() => openContext(app.ctx.config)).toThrow('A restore is under way');
    lock?.release();
    rmSync(join(app.dataDir, 'restore-plan.json'));
  });
});
