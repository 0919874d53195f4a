/** Times of the command line: people read them in ESIGN_TIMEZONE, programs in UTC. */
import { expect, test } from 'vitest';
import { startCli } from '../support.js';

const terminal = { stdout: 120 };

test('a table names the zone once and shows times in it; a pipe and --json stay UTC', async () => {
  const cli = await startCli({}, undefined, { ESIGN_TIMEZONE: 'America/Los_Angeles' });
  await cli.addFailedJob();
  const list = ['failed', 'list'];

  const shown = (await cli.runIn({ terminal }, ...list)).stdout;
  expect(shown).toContain('FAILED AT (GMT-8)');
  expect(shown).toContain('2026-03-02 01:14:07');
  expect(shown.match(/GMT-8/g)).toHaveLength(1);

  expect((await cli.run(...list)).stdout).toContain('2026-03-02T09:14:07.123Z');
  expect(JSON.parse((await cli.run(...list, '--json')).stdout)).toMatchObject([
    { failedAt: '2026-03-02T09:14:07.123Z' },
  ]);
});

test('a time that names no offset is in the zone, as the tables show it', async () => {
  const cli = await startCli({}, undefined, { ESIGN_TIMEZONE: 'America/Los_Angeles' });
  await cli.addFailedJob();
  const after = async (time: string) => (await cli.run('failed list --since', time)).stderr;
  expect(await after('2026-03-02T01:14:07')).toBe('1 failed job\n');
  expect(await after('2026-03-02 01:15')).toBe('0 failed jobs\n');
  expect(await after('2026-03-02T09:15Z')).toBe('0 failed jobs\n');
});

test('explain tells a terminal the last moment to sign in the zone, and everybody else in UTC', async () => {
  const cli = await startCli({}, undefined, { ESIGN_TIMEZONE: 'Pacific/Kiritimati' });
  const { request } = await cli.waitingRequest();
  const last = cli.contract(request.id).expiredAt as string;
  const words = ['explain', String(request.id)];

  expect(last).toMatch(/T09:59:59\.000Z$/);
  const shown = (await cli.runIn({ terminal }, ...words)).stdout.replaceAll(/\s+/g, ' ');
  expect(shown).toContain(`can do so until ${last.slice(0, 10)} 23:59:59 GMT+14`);
  const { verdict } = JSON.parse((await cli.run(...words, '--json')).stdout) as { verdict: string };
  expect(verdict).toContain(`can do so until ${last}`);
});

test('a zone that does not exist is reported with its fix: exit 2', async () => {
  const cli = await startCli();
  const { code, stderr } = await cli.runIn({ env: { ESIGN_TIMEZONE: 'Mars/Olympus' } }, 'status');
  expect(code).toBe(2);
  expect(stderr).toContain('ESIGN_TIMEZONE: is not a time zone that this machine knows. Give an IANA name');
});
