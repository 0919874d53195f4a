/** What is not an intact backup is refused. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { packTar, unpackTar, type TarHeader } from 'modern-tar';
import { describe, expect, test } from 'vitest';
import { checkBackup } from '../../../src/core/backup/read-copy.js';
import { restoreBackup } from '../../../src/core/backup/restore-backup.js';
import { systemClock } from '../../../src/core/clock.js';
import { rejection, temporaryDirectory, TESTER } from '../../support/app.js';
import { someBackup } from '../../support/backups.js';

const clock = systemClock;
const restore = (dataDir: string, file: string, more: Partial<Parameters<typeof restoreBackup>[0]> = {}) =>
  restoreBackup({ dataDir, file, clock, actor: TESTER, ...more });

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

  const manifest = (bytes: Buffer) => (entries: Map<string, Uint8Array>) =>
    void entries.set('manifest.json', bytes);

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
    ['a manifest that is none', manifest(Buffer.from('[]')), 'its manifest.json cannot be understood'],
    ['a manifest without end', manifest(Buffer.alloc(2 * 1024 * 1024)), 'its manifest.json is too long'],
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
    for (const refuse of [() => checkBackup(copy), () => restore(dataDir, copy)]) {
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
    const refusal = await rejection(restore(dataDir, file, { installation: 'a'.repeat(16) }));
    expect(refusal).toMatchObject({ code: 'other_installation', kind: 'refused' });
    expect(readdirSync(dataDir).filter((name) => !name.startsWith('esignd.'))).toEqual([]);
    const { installation } = await checkBackup(file);
    await restore(dataDir, file, { installation });
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
