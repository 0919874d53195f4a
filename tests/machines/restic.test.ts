/** What the units of ops/restic start, with a real restic and a repository in a directory. */
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { checkBackup } from '../../src/core/backup/read-copy.js';
import { readCopies } from '../../src/core/backup/copies.js';
import { unknownSettings } from '../../src/core/settings/unknown.js';
import { findInstallationId } from '../../src/db/installation/installation.js';
import { temporaryDirectory } from '../support/app.js';
import { startCli, type Cli } from '../cli/support.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const SCRIPT = join(ROOT, 'ops/restic/esign-restic');
const CTL = fileURLToPath(new URL('../../dist/bin/esignctl.js', import.meta.url));
const CAN_RUN = spawnSync('restic', ['version']).error === undefined && existsSync(CTL);

test('what the script reads is not called a misspelt setting', () => {
  const text = readFileSync(SCRIPT, 'utf8') + readFileSync(join(ROOT, 'ops/restic/restic.env'), 'utf8');
  const names = text.match(/ESIGN_[A-Z_]+/g) ?? [];
  expect(names.length).toBeGreaterThan(4);
  expect(unknownSettings(names, 'file')).toEqual([]);
});

interface Firm {
  cli: Cli;
  host: string;
  run: (...words: string[]) => { code: number | null; said: string };
}

async function aFirm(repository: string): Promise<Firm> {
  const cli = await startCli();
  await cli.waitingRequest();
  const bin = temporaryDirectory();
  const esignctl = join(bin, 'esignctl');
  writeFileSync(esignctl, `#!/bin/sh\nexec "${process.execPath}" -- "${CTL}" "$@"\n`);
  chmodSync(esignctl, 0o755);
  const env = {
    ...cli.env,
    PATH: `${bin}:${process.env['PATH']}`,
    ESIGN_SNAPSHOT_DIR: join(cli.dataDir, 'snapshot'),
    RESTIC_REPOSITORY: repository,
    RESTIC_PASSWORD: 'a password',
    RESTIC_CACHE_DIR: temporaryDirectory(),
    ESIGN_RESTIC_KEEP: '--keep-last 1',
  };
  const run = (command: string, ...words: string[]) => {
    const { status, stdout, stderr } = spawnSync(command, words, { env, encoding: 'utf8' });
    return { code: status, said: stdout + stderr };
  };
  return { cli, host: `esign-${findInstallationId(cli.ctx.db)}`, run };
}

const hostsIn = ({ run }: Firm) =>
  (JSON.parse(run('restic', 'snapshots', '--json').said) as { hostname: string }[])
    .map(({ hostname }) => hostname)
    .toSorted();

test.skipIf(!CAN_RUN)(
  'two firms in one repository: each run sends a copy and says so, old ones of one firm go, and the rest comes back whole',
  async () => {
    const repository = join(temporaryDirectory(), 'repository');
    const [firm, other] = [await aFirm(repository), await aFirm(repository)];

    expect(firm.run(SCRIPT, 'run')).toMatchObject({ code: 0 });
    expect(other.run(SCRIPT, 'run')).toMatchObject({ code: 0 });
    await firm.cli.addRequest();
    expect(firm.run(SCRIPT, 'run')).toMatchObject({ code: 0 });
    expect(hostsIn(firm)).toEqual([firm.host, firm.host, other.host].toSorted());
    expect(readCopies(firm.cli.ctx).offSite).toMatchObject({
      where: 'restic',
      ageSeconds: expect.any(Number),
    });

    expect(firm.run(SCRIPT, 'check')).toMatchObject({ code: 0 });
    expect(hostsIn(firm)).toEqual([firm.host, other.host].toSorted());

    const target = temporaryDirectory();
    const directory = join(target, firm.cli.dataDir, 'snapshot');
    expect(firm.run('restic', 'restore', 'latest', '--host', firm.host, '--target', target).code).toBe(0);
    expect(await checkBackup(directory)).toMatchObject({ requests: 2, pdfs: 1, problems: [] });
  },
);

test.skipIf(!CAN_RUN)(
  'a repository that was there and is not any more: the run fails, and no empty one is made',
  async () => {
    const repository = join(temporaryDirectory(), 'repository');
    const firm = await aFirm(repository);
    expect(firm.run(SCRIPT, 'run')).toMatchObject({ code: 0 });
    const { madeAt } = readCopies(firm.cli.ctx).offSite;
    rmSync(repository, { recursive: true });
    mkdirSync(repository);

    expect(firm.run(SCRIPT, 'run').code).not.toBe(0);
    expect(execFileSync('ls', [repository], { encoding: 'utf8' })).toBe('');
    expect(readCopies(firm.cli.ctx).offSite.madeAt).toBe(madeAt);
  },
);
