/** A backup is whole or not there; a restore leaves the old data or the new, whatever cuts it off. */
import { askForReset, readPasswordLink } from '../../../src/core/users/password-links.js';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import type nodeFs from 'node:fs';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire, syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import Database from 'better-sqlite3';
import { packTar, unpackTar, type TarHeader } from 'modern-tar';
import { describe, expect, onTestFinished, test } from 'vitest';
import { DATABASE, findManifest } from '../../../src/core/backup/manifest.js';
import { filesBelow } from '../../../src/core/backup/mirror.js';
import { checkBackup, readCopy } from '../../../src/core/backup/read-copy.js';
import { restoreBackup } from '../../../src/core/backup/restore-backup.js';
import { writeSnapshot } from '../../../src/core/backup/write-snapshot.js';
import { writeBackup } from '../../../src/core/backup/write-backup.js';
import { systemClock } from '../../../src/core/clock.js';
import { checkAllSignatures } from '../../../src/core/signature/check-all-signatures.js';
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
  type TestApp,
} from '../../support/app.js';
import { DEAD } from '../../support/holders.js';
import { backupOf } from '../../support/restored.js';

const clock = systemClock;

/** A service with a signed contract, a waiting one, and a key. */
async function anApp(): Promise<TestApp> {
  const app = await startApp();
  const { signId } = await app.waitingRequest();
  await app.waitingRequest();
  app.sandbox.sign(signId);
  await checkAllSignatures(app.ctx, { actor: TESTER });
  writeFileSync(join(app.dataDir, 'keys', 'jwt.secret'), 'k'.repeat(43), { mode: 0o600 });
  return app;
}

async function aBackup(app: TestApp): Promise<string> {
  const file = join(temporaryDirectory(), 'esign.tar');
  await writeBackup({ dataDir: app.dataDir, file, clock });
  return file;
}

let archive: Buffer | undefined;

/** A backup of such a service; made once. */
async function someBackup(): Promise<string> {
  archive ??= readFileSync(await aBackup(await anApp()));
  const file = join(temporaryDirectory(), 'esign.tar');
  writeFileSync(file, archive);
  return file;
}

/** All that a restore must bring back, by name and hash; the database by what stands in it. */
function contentOf(dataDir: string): Record<string, string> {
  const names = ['contracts', 'keys'].flatMap((folder) =>
    readdirSync(join(dataDir, folder)).map((name) => `${folder}/${name}`),
  );
  return Object.fromEntries(
    names.map((name) => [
      name,
      createHash('sha256')
        .update(readFileSync(join(dataDir, name)))
        .digest('hex'),
    ]),
  );
}

/** Its manifest and files, and every row of its database. */
async function contentsOf(file: string) {
  const path = join(temporaryDirectory(), DATABASE);
  const unpack = (name: string) => (name === DATABASE ? path : undefined);
  const contents = await readCopy(file, { unpack, signal: undefined });
  const db = new Database(path, { readonly: true });
  onTestFinished(() => void db.close());
  const tables = db
    .prepare("SELECT name, sql FROM sqlite_master WHERE type = 'table' ORDER BY name")
    .raw()
    .all() as [string, string][];
  const rows = tables.map(([table]) => db.prepare(`SELECT * FROM "${table}"`).all());
  const { database: _, counts: __, contractsSeen: ___, ...manifest } = contents.manifest;
  const files = [...contents.files.values()].filter(({ name }) => name !== DATABASE);
  return { journal: db.pragma('journal_mode'), tables, rows, manifest, files };
}

describe('backup', () => {
  test('holds database, PDFs and keys, is readable by its owner alone, and says what it holds', async () => {
    const app = await anApp();
    const file = join(temporaryDirectory(), 'esign.tar');

    const report = await writeBackup({ dataDir: app.dataDir, file, clock });

    expect(report).toMatchObject({ file, requests: 2, pdfs: 3, keys: 1, problems: [] });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(join(file, '..'))).toEqual(['esign.tar']);
    expect(await checkBackup(file)).toEqual(report);
  });

  test('is a tar of exactly what a snapshot is, and read as that is', async () => {
    const { dataDir, clock } = await anApp();
    const [directory, unpacked] = [join(temporaryDirectory(), 'snapshot'), temporaryDirectory()];
    const file = join(temporaryDirectory(), 'esign.tar');
    await writeSnapshot({ dataDir, directory, clock });
    const report = await writeBackup({ dataDir, file, clock });

    execFileSync('tar', ['-xf', file, '-C', unpacked]);

    rmSync(join(directory, 'snapshot.lock'));
    expect([...filesBelow(unpacked)].toSorted()).toEqual([...filesBelow(directory)].toSorted());
    const manifests = [directory, unpacked].map((each) => findManifest(each));
    expect(manifests[1]).toEqual({ ...manifests[0], contractsSeen: manifests[1]?.contractsSeen });
    const read = (from: string) => readCopy(from, { signal: undefined });
    const [{ files }, ...others] = await Promise.all([read(directory), read(unpacked), read(file)]);
    for (const other of others) expect(other.files).toEqual(files);
    expect(await checkBackup(directory)).toEqual({ ...report, file: directory });
  });

  test('holds the same as the backups that other tests begin with', async () => {
    const app = await anApp();
    const file = join(temporaryDirectory(), 'esign.tar');
    const report = await writeBackup({ dataDir: app.dataDir, file, clock: app.clock });

    const theirs = await backupOf(app);

    const reportOfTheirs = { ...(await checkBackup(theirs)), file, size: report.size };
    expect(reportOfTheirs).toEqual(report);
    const [contents, contentsOfTheirs] = [await contentsOf(file), await contentsOf(theirs)];
    expect(contentsOfTheirs).toEqual(contents);
  });

  test('a signed PDF that is missing or changed is reported, and the rest is saved', async () => {
    const app = await anApp();
    const [signed = ''] = readdirSync(join(app.dataDir, 'contracts')).filter((name) =>
      /^\d+\.pdf$/.test(name),
    );
    const pdf = join(app.dataDir, 'contracts', signed);
    const file = join(temporaryDirectory(), 'a.tar');

    writeFileSync(pdf, '%PDF- something else %%EOF');
    const changed = await writeBackup({ dataDir: app.dataDir, file, clock });
    rmSync(pdf);
    const missing = await writeBackup({ dataDir: app.dataDir, file, clock, force: true });

    expect(changed.problems).toEqual([expect.stringContaining('is not the one that was stored')]);
    expect(missing.problems).toEqual([expect.stringContaining('is missing')]);
    expect((await checkBackup(file)).problems).toEqual(missing.problems);
  });

  test('a file of that name is kept without force, and replaced with it', async () => {
    const app = await anApp();
    const file = join(temporaryDirectory(), 'esign.tar');
    writeFileSync(file, 'precious');

    const error = await rejection(writeBackup({ dataDir: app.dataDir, file, clock }));
    expect(error.code).toBe('file_exists');
    expect(readFileSync(file, 'utf8')).toBe('precious');

    await writeBackup({ dataDir: app.dataDir, file, clock, force: true });
    expect((await checkBackup(file)).requests).toBe(2);
  });

  test('cut off in the middle it leaves nothing; what a killed one left is swept by the next', async () => {
    const app = await anApp();
    const { dataDir } = app;
    const directory = temporaryDirectory();
    const file = join(directory, 'esign.tar');
    const before = readdirSync(dataDir);
    mkdirSync(join(directory, `.esign.tar.${DEAD}.tmp`));
    mkdirSync(join(dataDir, `.backup.${DEAD}.tmp`));
    const stop = new AbortController();
    const { signal } = stop;

    const cutOff = writeBackup({ dataDir, file, clock, signal, onProgress: () => stop.abort() });

    expect((await rejection(cutOff)).name).toBe('AbortError');
    expect(readdirSync(directory)).toEqual([]);
    expect(readdirSync(dataDir)).toEqual(before);
  });

  test('neither what is saved nor anything but a regular file is replaced, even by force', async () => {
    const { dataDir } = await anApp();
    const before = readdirSync(dataDir);
    const elsewhere = temporaryDirectory();
    symlinkSync('/nowhere', join(elsewhere, 'link.tar'));
    symlinkSync(dataDir, join(elsewhere, 'data'));
    const files = [
      ...['esign.db', 'esign.db-wal', 'keys/jwt.secret', 'contracts/new.tar'].map((name) =>
        join(dataDir, name),
      ),
      join(elsewhere, 'data', 'esign.db'),
      join(elsewhere, 'link.tar'),
      elsewhere,
    ];
    for (const file of files)
      expect(await rejection(writeBackup({ dataDir, file, clock, force: true }))).toMatchObject({
        code: expect.stringMatching(/not_permitted|not_found/) as unknown,
      });
    expect(readdirSync(dataDir)).toEqual(before);
    expect(readFileSync(join(dataDir, 'esign.db')).subarray(0, 6).toString()).toBe('SQLite');
  });

  test('no backup is written of a directory without data', async () => {
    const dataDir = temporaryDirectory();
    const file = join(temporaryDirectory(), 'a.tar');
    expect((await rejection(writeBackup({ dataDir, file, clock }))).code).toBe('no_data');
    expect(readdirSync(dataDir)).toEqual([]);
  });
});

describe('a file that is not an intact backup is refused', () => {
  /** The entries of a backup, changed. */
  async function repacked(
    file: string,
    change: (entries: Map<string, Uint8Array>) => void,
    extra?: TarHeader,
  ) {
    const unpacked = await unpackTar(readFileSync(file));
    const entries = new Map(unpacked.map(({ header, data }) => [header.name, data ?? Buffer.alloc(0)]));
    change(entries);
    const files = [...entries].map(([name, body]) => ({ header: { name, size: body.length }, body }));
    const copy = join(temporaryDirectory(), 'copy.tar');
    writeFileSync(copy, await packTar([...(extra ? [{ header: extra }] : []), ...files]));
    return copy;
  }

  const set = (name: string, text: string) => (entries: Map<string, Uint8Array>) => {
    const manifest = entries.get('manifest.json') as Uint8Array;
    entries.delete('manifest.json');
    entries.set(name, Buffer.from(text));
    entries.set('manifest.json', manifest);
  };

  test('repacked without a change it is still whole', async () => {
    const copy = await repacked(await someBackup(), () => undefined);
    expect((await checkBackup(copy)).problems).toEqual([]);
  });

  test.each<[string, (entries: Map<string, Uint8Array>) => void, string]>([
    ['a path that leads out', set('../../evil', 'x'), 'it holds "../../evil"'],
    ['a path that leads out through a folder', set('contracts/../../evil', 'x'), 'contracts/../../evil'],
    ['an absolute path', set('/tmp/evil', 'x'), 'it holds "/tmp/evil"'],
    ['a hidden key', set('keys/.ssh', 'x'), 'it holds "keys/.ssh"'],
    ['a file that is no file', set('contracts/undefined', 'x'), 'it holds "contracts/undefined"'],
    ['a PDF at the place of another', set('contracts/0/1/5.pdf', 'x'), 'it holds "contracts/0/1/5.pdf"'],
    ['a key that is not listed', set('keys/other', 'x'), 'keys/other is not in its manifest.json'],
    ['a changed key', set('keys/jwt.secret', 'x'), 'keys/jwt.secret does not match its manifest.json'],
    ['a missing key', (entries) => entries.delete('keys/jwt.secret'), 'keys/jwt.secret is missing'],
    ['no manifest', (entries) => entries.delete('manifest.json'), 'it has no valid manifest.json'],
    [
      'a manifest that is none',
      (entries) => entries.set('manifest.json', Buffer.from('[]')),
      'its manifest.json cannot be understood',
    ],
    [
      'a manifest without end',
      (entries) => entries.set('manifest.json', Buffer.alloc(2 * 1024 * 1024)),
      'its manifest.json is too long',
    ],
    ['no database', (entries) => entries.delete('esign.db'), 'esign.db is missing'],
    [
      'a foreign file before a large one',
      (entries) => {
        const [...own] = entries;
        entries.clear();
        entries.set('evil', Buffer.from('x'));
        for (const [name, bytes] of own) entries.set(name, bytes);
        entries.set('contracts/0/0/98.pdf', Buffer.alloc(8 * 1024 * 1024));
      },
      'it holds "evil"',
    ],
  ])('%s', async (_, change, words) => {
    const copy = await repacked(await someBackup(), change);
    const dataDir = temporaryDirectory();
    const restore = () => restoreBackup({ dataDir, file: copy, clock, actor: TESTER });
    for (const refuse of [() => checkBackup(copy), restore]) {
      expect(await rejection(refuse())).toMatchObject({
        code: 'backup_damaged',
        kind: 'refused',
        message: expect.stringContaining(words),
      });
    }
    expect(readdirSync(dataDir).filter((name) => !name.startsWith('esignd.'))).toEqual([]);
  });

  test('of another installation than the one that the settings name', async () => {
    const dataDir = temporaryDirectory();
    const file = await someBackup();
    const restore = (installation: string) =>
      restoreBackup({ dataDir, installation, file, clock, actor: TESTER });
    const refusal = await rejection(restore('a'.repeat(16)));
    expect(refusal).toMatchObject({ code: 'other_installation', kind: 'refused' });
    expect(readdirSync(dataDir).filter((name) => !name.startsWith('esignd.'))).toEqual([]);
    const { installation } = await restore((await checkBackup(file)).installation);
    expect(refusal.message).toContain(installation);
  });

  test('a link', async () => {
    const link: TarHeader = { name: 'keys/link', size: 0, type: 'symlink', linkname: '/etc/passwd' };
    const copy = await repacked(await someBackup(), () => undefined, link);
    expect((await rejection(checkBackup(copy))).message).toContain('it holds "keys/link"');
  });

  test('a whole list over a database that is damaged', async () => {
    const sum = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
    const copy = await repacked(await someBackup(), (entries) => {
      const database = entries.get('esign.db') as Uint8Array;
      const before = sum(database);
      database.fill(0x5a, 8192, 16_384);
      const text = Buffer.from(entries.get('manifest.json') as Uint8Array).toString();
      entries.set('manifest.json', Buffer.from(text.replace(before, sum(database))));
    });
    expect((await rejection(checkBackup(copy))).message).toContain('its database');
  });

  test('cut at any place, garbage, empty, not there', async () => {
    const whole = readFileSync(await someBackup());
    const copy = join(temporaryDirectory(), 'copy.tar');
    const places = [0, 5, 0.3, 0.9, 0.999].map((part) => (part < 1 ? Math.floor(whole.length * part) : part));
    // Between two entries, and before the end of the last.
    for (const at of [...places, whole.length - 1024, whole.length - 512]) {
      writeFileSync(copy, whole.subarray(0, at));
      expect(await rejection(checkBackup(copy)), `cut at ${at}`).toMatchObject({
        code: 'backup_damaged',
        message: expect.stringMatching(/[^.]\.$/) as unknown,
      });
    }
    writeFileSync(copy, 'this is no archive at all');
    expect((await rejection(checkBackup(copy))).code).toBe('backup_damaged');
    expect((await rejection(checkBackup('/nowhere/a.tar'))).code).toBe('backup_not_found');
    expect((await rejection(checkBackup(temporaryDirectory()))).message).toContain(
      'has no valid manifest.json',
    );
  });

  test('compressed by somebody: the refusal says to decompress it', async () => {
    const copy = join(temporaryDirectory(), 'copy.tar.gz');
    writeFileSync(copy, gzipSync(readFileSync(await someBackup())));
    expect(await rejection(checkBackup(copy))).toMatchObject({
      code: 'backup_damaged',
      message: `${copy} is compressed.`,
      hint: 'Decompress it with gunzip first.',
    });
  });

  test('changed in any byte that counts: it is refused, or the signed PDF is named', async () => {
    const file = await someBackup();
    const whole = readFileSync(file);
    const copy = join(temporaryDirectory(), 'copy.tar');
    const { problems: none } = await checkBackup(file);
    expect(none).toEqual([]);
    // Behind its name in the archive.
    const signed = whole.indexOf('contracts/0/0/1.pdf') + 512;
    const manifest = whole.lastIndexOf('"sha256"') + 12;
    for (const i of [0, 5_000, 50_000, whole.indexOf('keys/jwt.secret'), signed, manifest]) {
      const changed = Buffer.from(whole);
      changed[i] = (changed[i] as number) ^ 0xff;
      writeFileSync(copy, changed);
      const verdict = await checkBackup(copy).then(
        ({ problems }) => problems.length > 0,
        ({ code }) => code,
      );
      expect(verdict, `byte ${i}`).toBe(i === signed || 'backup_damaged');
    }
  });
});

describe('restore', () => {
  test('brings everything back, keeps the old data aside, and writes down who did it', async () => {
    const app = await anApp();
    const file = await aBackup(app);
    const before = contentOf(app.dataDir);
    const { id } = await app.addRequest();
    await app.ctx.close();
    rmSync(join(app.dataDir, 'contracts'), { recursive: true });

    const restored = await restoreBackup({
      dataDir: app.dataDir,
      file,
      clock,
      actor: TESTER,
      reason: 'drill',
    });

    expect(contentOf(app.dataDir)).toEqual(before);
    const ctx = openContext(app.ctx.config);
    const find = ctx.db.raw.prepare('SELECT id FROM requests WHERE id = ?');
    expect(find.get(id)).toBeUndefined();
    expect(
      ctx.db.raw.prepare("SELECT actor, detail FROM history WHERE what = 'data.restored'").get(),
    ).toEqual({
      actor: 'user:tester@example.org',
      detail: expect.stringContaining('"reason":"drill"'),
    });
    await ctx.close();
    const old = openContext({ ...app.ctx.config, dataDir: restored.aside });
    expect(old.db.raw.prepare('SELECT id FROM requests WHERE id = ?').get(id)).toEqual({ id });
    await old.close();
    for (const [name, mode] of [
      ['esign.db', 0o640],
      ['contracts', 0o750],
      ['keys', 0o700],
      ['keys/jwt.secret', 0o600],
    ] as const) {
      expect(statSync(join(app.dataDir, name)).mode & 0o777).toBe(mode);
    }
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
      const { pdfs } = await restoreBackup({ dataDir: app.dataDir, file: from, clock, actor: TESTER });
      expect(contentOf(app.dataDir)).toEqual(before);
      expect(pdfs).toBe(Object.keys(before).filter((name) => name.endsWith('.pdf')).length);
    }
  });

  test('a link to set a password opens nothing any more: it may have been used since the backup', async () => {
    const app = await startApp();
    const { username } = await app.addUser();
    await askForReset(app.ctx, username);
    await app.drain();
    const token = /password\/(\w{64})/.exec(app.sandbox.mails().at(-1)?.text ?? '')?.[1] ?? '';
    const file = await aBackup(app);
    expect(readPasswordLink(app.ctx, token).state).toBe('open');
    await app.ctx.close();

    await restoreBackup({ dataDir: app.dataDir, file, clock: app.clock, actor: TESTER });

    const ctx = openContext(app.ctx.config, { clock: app.clock });
    expect(readPasswordLink(ctx, token).state).toBe('unknown');
    await ctx.close();
  });

  test('nobody is logged in any more: a refresh token revoked since the backup would be valid again', async () => {
    const app = await startApp();
    const user = await app.addUser();
    const [revoked, used] = [await issueRefreshToken(app.ctx, user), await issueRefreshToken(app.ctx, user)];
    const access = await new AccessTokens(app.ctx).issue(user);
    const session = await beginSession(app.ctx, user, { address: '192.0.2.7', agent: 'test' });
    const file = await aBackup(app);
    await invalidateRefreshToken(app.ctx, revoked as string);
    await app.ctx.close();

    await restoreBackup({ dataDir: app.dataDir, file, clock: app.clock, actor: TESTER });

    const ctx = openContext(app.ctx.config, { clock: app.clock });
    for (const token of [revoked, used])
      expect(await refreshTokens(ctx, token as string)).toMatchObject({ type: 'unknown' });
    expect(await new AccessTokens(ctx).verify(access)).toEqual({ type: 'invalid' });
    expect(await openSession(ctx, session as string)).toBeUndefined();
    await ctx.close();
  });

  test('works on a machine that has nothing yet, and in the place of a database that is ruined', async () => {
    const app = await anApp();
    const file = await aBackup(app);
    const dataDir = join(temporaryDirectory(), 'new');
    await restoreBackup({ dataDir, file, clock, actor: TESTER });
    writeFileSync(join(dataDir, 'esign.db'), 'ruined');

    const { aside } = await restoreBackup({
      dataDir,
      file,
      clock: { now: () => new Date('2026-03-02T09:14:07.000Z') },
      actor: TESTER,
    });

    expect(contentOf(dataDir)).toEqual(contentOf(app.dataDir));
    expect(aside).toBe(join(dataDir, 'before-restore-20260302T091407Z'));
    expect(readFileSync(join(aside, 'esign.db'), 'utf8')).toBe('ruined');
  });

  test('what a crash left half written is not kept with the old data', async () => {
    const app = await anApp();
    const file = await aBackup(app);
    await app.ctx.close();
    writeFileSync(join(app.dataDir, 'contracts', `supplied.pdf.${DEAD}.1.tmp`), 'half');

    const { aside } = await restoreBackup({ dataDir: app.dataDir, file, clock, actor: TESTER });

    expect(readdirSync(join(aside, 'contracts')).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  test('three in the same second keep what each of them has replaced', async () => {
    const app = await anApp();
    const file = await aBackup(app);
    const dataDir = join(temporaryDirectory(), 'new');
    const asides: string[] = [];
    for (let i = 0; i < 3; i += 1) {
      const at = { now: () => new Date('2026-03-02T09:14:07.000Z') };
      const { aside } = await restoreBackup({ dataDir, file, clock: at, actor: TESTER });
      writeFileSync(join(dataDir, 'contracts', `${i}.draft.pdf`), 'mark');
      asides.push(aside);
    }

    const [first, ...others] = asides.map((aside) => readdirSync(aside).toSorted());
    expect([first, ...others]).toEqual([
      [],
      ['contracts', 'esign.db', 'keys'],
      ['contracts', 'esign.db', 'keys'],
    ]);
    expect(existsSync(join(asides[1] as string, 'contracts', '0.draft.pdf'))).toBe(true);
    expect(existsSync(join(asides[2] as string, 'contracts', '1.draft.pdf'))).toBe(true);
    expect(readdirSync(dataDir).filter((name) => name.startsWith('restore-'))).toEqual([]);
  });

  test('beside a daemon or a command it is refused, and nothing is changed', async () => {
    const app = await anApp();
    const file = await aBackup(app);
    const restore = () => restoreBackup({ dataDir: app.dataDir, file, clock, actor: TESTER });

    expect(await rejection(restore())).toMatchObject({ code: 'data_in_use', kind: 'busy' });
    const lock = takeDaemonLock(app.dataDir);
    expect(await rejection(restore())).toMatchObject({ code: 'daemon_running', kind: 'refused' });
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
    const error = await rejection(restoreBackup({ dataDir, file, clock, actor: TESTER }));
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
      for (const directory of [dataDir, unpacked])
        await restoreBackup({ dataDir: directory, file, clock, actor: TESTER });
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
    await restoreBackup({ dataDir, file, clock, actor: TESTER });
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
