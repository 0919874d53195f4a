/**
 * The package under a real systemd: what docs/operations.md and the units promise, tried. One container for all; each test
 * leaves the daemon running with good settings.
 */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { whyNoContainer } from './container.js';
import { blockWith } from './document.js';
import { bootWithPackage, install, type Installation } from './installation.js';

const WHY_NOT = whyNoContainer();
const UNITS = ['esignd', 'esign-expire'];
/** The tests together start it more often than the limit of the unit allows. */
const RESTART = '{ systemctl reset-failed esignd || true; } && systemctl restart esignd';

let machine: Installation;

describe.skipIf(WHY_NOT)(`in a booted container${WHY_NOT ? ` (not here: ${WHY_NOT})` : ''}`, () => {
  beforeAll(async () => {
    machine = await bootWithPackage();
    await install(machine);
    machine.run('cp -p /etc/esign/esign.env /root/good.env');
  }, 180_000);
  afterEach(() => {
    machine.run(`
      cp -p /root/good.env /etc/esign/esign.env
      rm -rf /etc/systemd/system/esign*.service.d
      systemctl daemon-reload
      if [ -e /usr/bin/esignd ]; then ${RESTART}; fi`);
  });
  afterAll(() => machine?.stop());

  test('the package brings its documents, and units that systemd finds no fault with', () => {
    for (const document of ['operations', 'upgrade', 'security', 'api', 'webhook-receivers'])
      machine.run(`test -s /usr/share/doc/esign/${document}.md`);
    for (const unit of ['esignd.service', 'esign-expire.service', 'esign-expire.timer'])
      machine.run(`test -f /usr/lib/systemd/system/${unit} && dpkg --search /usr/lib/systemd/system/${unit}`);

    expect(machine.run('systemd-analyze verify --man=no esignd.service esign-expire.timer')).toBe('');
    for (const unit of UNITS) {
      const report = machine.run(`systemd-analyze security --no-pager ${unit} | tail -1`);
      expect(Number(/: ([\d.]+)/.exec(report)?.[1])).toBeLessThanOrEqual(1.5);
    }
    for (const unit of UNITS)
      expect(machine.run(`systemctl show --property=After ${unit}`)).toContain('time-sync.target');
  });

  test('started means ready: nothing is found wrong the moment that systemctl returns', () => {
    machine.run(`${RESTART} && curl --silent --fail http://127.0.0.1:8080/readyz`);
    expect(machine.run('sudo -u esign esignctl doctor')).toMatch(/nothing failed/);
    expect(machine.run('systemctl show --property=StatusText esignd')).toContain('listening on');
  });

  describe('a daemon that cannot start', () => {
    test('over wrong settings is failed at once, is not restarted, and its status says which', async () => {
      machine.set('ESIGN_PORT', 'eighty');
      expect(machine.attempt(RESTART).code).not.toBe(0);

      expect(state()).toMatchObject({ ActiveState: 'failed', NRestarts: '0', ExecMainStatus: '2' });
      const status = machine.attempt('systemctl status --no-pager --full esignd').said;
      expect(status).toMatch(/Status: "Wrong settings: ESIGN_PORT: is not a whole number/);
    });

    test('over a port in use is failed after twenty tries, its status says why, and the documented commands bring it back', async () => {
      machine.set('ESIGN_PORT', '8090');
      // The limit is what is tried here, not the pause between the tries.
      dropIn('quick', '[Service]\nRestartSec=10ms\n');
      machine.attempt(RESTART);
      await machine.until('[ "$(systemctl is-failed esignd)" = failed ]', 60_000);

      expect(state()).toMatchObject({ ActiveState: 'failed', ExecMainStatus: '1' });
      const status = machine.attempt('systemctl status --no-pager --full esignd').said;
      expect(status).toMatch(/Status: "Port 8090 on 127\.0\.0\.1 is in use/);

      machine.set('ESIGN_PORT', '8080');
      expect(machine.attempt('systemctl start esignd').code, 'not before the limit is reset').not.toBe(0);
      machine.run(blockWith('systemctl reset-failed'));
      expect(state()).toMatchObject({ ActiveState: 'active' });
    });

    test('over keys, data or settings that its user may not read names the file', () => {
      dropIn('once', '[Service]\nRestart=no\n');
      const said = (harm: string, fix: string) => {
        machine.run(harm);
        expect(machine.attempt(RESTART).code).not.toBe(0);
        machine.run(fix);
        return machine.run('systemctl show --property=StatusText esignd');
      };
      const key = '/var/lib/esign/keys/jwt.secret';
      expect(said(`chown root ${key}`, `chown esign ${key}`)).toContain(`${key} cannot be used (EACCES`);
      expect(said('chown root /var/lib/esign/keys', 'chown esign /var/lib/esign/keys')).toContain(
        '/keys cannot be used',
      );
      const file = '/etc/esign/esign.env';
      expect(said(`chmod 0600 ${file}`, `chmod 0640 ${file}`)).toMatch(
        /esign\.env cannot be read \(EACCES\)(?!.*required)/,
      );
    });

    const state = () =>
      Object.fromEntries(
        machine
          .run('systemctl show --property=ActiveState,NRestarts,ExecMainStatus,Result esignd')
          .trim()
          .split('\n')
          .map((line) => line.split('=')),
      ) as Record<string, string>;
  });

  describe('programs start from /usr alone', () => {
    /** Tries every directory that can be written, and what root has put elsewhere. Prints what ran. */
    const TRY = `
      for directory in $(find / \\( -path /proc -o -path /sys \\) -prune -o -type d -writable -print 2>/dev/null); do
        if cp /usr/bin/true "$directory/planted" 2>/dev/null; then
          echo "wrote $directory"
          if "$directory/planted" 2>/dev/null; then echo "ran $directory"; fi
          rm "$directory/planted"
        fi
      done
      for directory in $PLANTED; do
        if [ -e "$directory/planted-by-root" ]; then echo "sees $directory"; fi
        if "$directory/planted-by-root" 2>/dev/null; then echo "ran $directory"; fi
      done
      echo "usr $(grep ' /usr ' /proc/self/mounts | cut -d' ' -f4 | cut -d, -f1)"
      /usr/bin/true && echo "usr runs"`;
    const PLANTED = ['/run', '/dev/shm', '/opt', '/etc', '/srv', '/var/lib/esign', '/srv/esign-backup'];

    test.each(UNITS)('in the sandbox of %s nothing else runs, and /usr cannot be written', (unit) => {
      machine.run(`install -d -o esign /srv/esign-backup`);
      for (const directory of PLANTED) machine.run(`cp /usr/bin/true ${directory}/planted-by-root`);
      machine.put('/usr/lib/esign/try.sh', `PLANTED='${PLANTED.join(' ')}'\n${TRY}`);
      const text = machine
        .run(`cat /usr/lib/systemd/system/${unit}.service`)
        .replace(/^ExecStart=.*$/m, 'ExecStart=/usr/bin/sh /usr/lib/esign/try.sh')
        .replace(/^Type=.*$/m, 'Type=oneshot')
        .replaceAll(/^(Restart|WatchdogSec|NotifyAccess).*$/gm, '');
      machine.put(`/run/systemd/system/try-${unit}.service`, text);
      machine.run(`systemctl daemon-reload && systemctl start try-${unit}`);

      const tried = machine
        .run(`journalctl --output=cat --no-pager _SYSTEMD_UNIT=try-${unit}.service`)
        .split('\n');
      expect(tried).toEqual(expect.arrayContaining(['wrote /var/lib/esign', 'wrote /tmp', 'wrote /var/tmp']));
      expect(tried).toEqual(
        expect.arrayContaining(['sees /run', 'sees /dev/shm', 'sees /etc', 'sees /var/lib/esign']),
      );
      expect(tried.filter((line) => line.startsWith('ran '))).toEqual([]);
      expect(tried).toEqual(expect.arrayContaining(['usr ro', 'usr runs']));
      for (const directory of PLANTED) machine.run(`rm ${directory}/planted-by-root`);
    });
  });

  describe('secrets outside the settings', () => {
    const SECRET = '/etc/esign/credentials/api-key';

    test('a file that the group may read serves the daemon, staff, cron and the expiry unit', () => {
      machine.run('install -d -o root -g esign -m 0750 /etc/esign/credentials');
      machine.run(`printf sandbox-api-key | install -o root -g esign -m 0640 /dev/stdin ${SECRET}`);
      machine.set('ESIGN_API_KEY', '');
      machine.set('ESIGN_API_KEY_FILE', SECRET);

      machine.run(`${RESTART} && systemctl start esign-expire`);
      expect(machine.run('sudo -u esign esignctl doctor')).toContain('nothing failed');
      machine.run(cronJob());
    });

    test('one that only root may read serves the units by LoadCredential, and commands as the document says', () => {
      machine.run(`chown root:root ${SECRET} && chmod 0600 ${SECRET}`);
      machine.set('ESIGN_API_KEY', '');
      const lines = blockWith('LoadCredential=api-key:');
      for (const unit of UNITS) dropIn('override', lines, unit);
      machine.run(`${RESTART} && systemctl start esign-expire`);
      expect(machine.attempt('sudo -u esign esignctl doctor').said).toContain('ESIGN_API_KEY');
      expect(machine.run(blockWith('systemd-run --quiet --pipe'))).toContain('nothing failed');
    });

    /** The line of ops/cron/esign, as cron runs it. */
    function cronJob(): string {
      const table = machine.run('cat /usr/share/doc/esign/examples/cron/esign');
      const command = /^5 0 \* \* \* esign (.*)$/m.exec(table)?.[1];
      return `sudo -u esign env -i HOME=/var/lib/esign LOGNAME=esign PATH=/usr/bin:/bin sh -c '${command}'`;
    }
  });

  test('a scheduled backup that the unit may not write: doctor, status, metrics and one mail report it; the documented lines fix it', async () => {
    machine.set('ESIGN_BACKUP_DIR', '/srv/esign-backup');
    machine.run(RESTART);
    await machine.until('sudo -u esign esignctl status | grep "failing: backup"');

    const doctor = machine.attempt('sudo -u esign esignctl doctor');
    expect(doctor).toMatchObject({
      code: 1,
      said: expect.stringContaining('ReadWritePaths=/srv/esign-backup'),
    });
    expect(machine.run('curl --silent http://127.0.0.1:8080/metrics')).toContain(
      'esign_scheduled_run_failing{run="backup"} 1',
    );
    machine.run(RESTART);
    await machine.until('sudo -u esign esignctl status | grep "failing: backup.*2 times"');
    await machine.until('[ "$(sudo -u esign esignctl status --json | jq .jobs.available)" = 0 ]');
    const mails = machine.run(
      'curl --silent http://127.0.0.1:8090/_sandbox/state | jq -r ".mails[].subject"',
    );
    expect(mails.split('\n').filter((subject) => subject.includes('backup'))).toEqual([
      'Failed: scheduled backup',
    ]);

    dropIn('override', blockWith('ReadWritePaths='));
    machine.run(RESTART);
    await machine.until('ls /srv/esign-backup/esign-*.tar');
    await machine.until('sudo -u esign esignctl doctor');
    expect(machine.run('sudo -u esign esignctl status')).not.toContain('failing');
  });

  test('off-site copies leave by SFTP from inside their units, old ones go, and the newest comes back', () => {
    machine.run(`
      adduser --quiet --system --group --shell /bin/sh --home /srv/copies copies
      install -d -o esign -g esign -m 0700 /var/lib/esign/.ssh
      sudo -u esign ssh-keygen -q -t ed25519 -N '' -f /var/lib/esign/.ssh/id_ed25519
      ssh-keyscan 127.0.0.1 2>/dev/null | install -o esign -g esign /dev/stdin /var/lib/esign/.ssh/known_hosts
      install -d -o copies -g copies -m 0700 /srv/copies/.ssh
      install -o copies -g copies -m 0600 /var/lib/esign/.ssh/id_ed25519.pub /srv/copies/.ssh/authorized_keys
      install -m 0600 /usr/share/doc/esign/examples/restic.env /etc/esign/restic.env
      echo 'RESTIC_REPOSITORY=sftp:copies@127.0.0.1:/srv/copies/esign' >>/etc/esign/restic.env
      head -c 24 /dev/urandom | base64 | install -m 0600 /dev/stdin /etc/esign/restic.password`);
    machine.run('systemctl start esign-restic && systemctl start esign-restic');
    expect(machine.run('sudo -u esign esignctl status')).toMatch(/off-site copy\t.*, restic/);
    expect(machine.run('sudo -u esign esignctl doctor')).toMatch(/nothing failed/);
    machine.run('systemctl start esign-restic-check');

    machine.run(`
      id=$(sudo -u esign esignctl init --json | jq -r .installation)
      export RESTIC_REPOSITORY=/srv/copies/esign RESTIC_PASSWORD_FILE=/etc/esign/restic.password
      restic restore --quiet latest --host "esign-$id" --target /srv/back`);
    const restored = machine.run('esignctl restore --check /srv/back/var/lib/esign/snapshot --json');
    expect(JSON.parse(restored)).toMatchObject({ problems: [] });

    machine.run('mv /srv/copies/esign /srv/copies/away');
    expect(machine.attempt('systemctl start esign-restic').code, 'no second repository').not.toBe(0);
    machine.run('mv /srv/copies/away /srv/copies/esign && systemctl start esign-restic');
    for (const unit of ['esign-restic', 'esign-restic-check']) {
      const report = machine.run(`systemd-analyze security --no-pager ${unit} | tail -1`);
      expect(Number(/: ([\d.]+)/.exec(report)?.[1])).toBeLessThanOrEqual(1.5);
    }
    machine.run('rm /etc/esign/restic.*');
  });

  test('a second firm has its own user, data and daemon; the data of the first in its place is refused', async () => {
    machine.run(`
      esign-instance acme && esign-instance acme
      grep '^ESIGN_' /etc/esign/esign.env | grep -v '^ESIGN_DATA_DIR' >>/etc/esign/acme.env
      echo ESIGN_PORT=8181 >>/etc/esign/acme.env
      systemctl start esignd@acme
      curl --silent --fail http://127.0.0.1:8181/readyz`);
    expect(machine.run('sudo -u esign-acme esignctl --instance acme doctor')).toContain('nothing failed');
    expect(machine.attempt('sudo -u esign-acme ls /var/lib/esign').code).not.toBe(0);

    machine.run(`
      systemctl stop esignd@acme
      mv /var/lib/esign-acme /var/lib/acme-elsewhere
      cp -a /var/lib/esign /var/lib/esign-acme && chown -R esign-acme:esign-acme /var/lib/esign-acme`);
    expect(machine.attempt('systemctl start esignd@acme').code).not.toBe(0);
    await machine.until('systemctl show --property=StatusText esignd@acme | grep "belongs to installation"');
    machine.run(`
      rm -rf /var/lib/esign-acme && mv /var/lib/acme-elsewhere /var/lib/esign-acme
      systemctl reset-failed esignd@acme && systemctl start esignd@acme
      systemctl stop esignd@acme`);
  });

  test('the journal holds JSON lines alone, and -p warning those that somebody should read', () => {
    machine.set('ESIGN_BACKUP_DIR', '/srv/esign-backup');
    machine.run(RESTART);
    machine.set('ESIGN_PORT', 'eighty');
    machine.attempt(RESTART);
    machine.set('ESIGN_PORT', '8080');
    machine.run(RESTART);
    machine.attempt('curl --silent --request POST http://127.0.0.1:8080/webhook/contract-signed --data x');
    const lines = machine
      .run('journalctl --output=cat --no-pager _SYSTEMD_UNIT=esignd.service')
      .trim()
      .split('\n');
    expect(lines.length).toBeGreaterThan(10);
    const parsed = lines.map((line) => JSON.parse(line) as { level: number; msg: string });
    const serious = machine
      .run('journalctl --output=cat --no-pager --priority=warning _SYSTEMD_UNIT=esignd.service')
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { msg: string }).msg);
    expect(serious).toEqual(parsed.filter(({ level }) => level >= 40).map(({ msg }) => msg));
    expect(serious.join('\n')).toMatch(/scheduled run failed.*\n.*Wrong settings/s);

    const filter = /^journalctl -u esignd -o cat \| jq .*$/m.exec(blockWith('fromjson?'))?.[0] as string;
    const found = machine.run(filter.replace('.requestId == 42', '.msg == "ready"'));
    expect(found.trim().split('\n').length).toBeGreaterThan(3);
  });

  test('a reload goes by signal to the daemon that runs; wrong settings change nothing', async () => {
    const before = machine.run('systemctl show --property=MainPID esignd');
    machine.set('ESIGN_LOG_LEVEL', 'loud');
    machine.run('systemctl reload esignd');
    await machine.until(
      "journalctl -u esignd -o cat --no-pager | grep 'wrong settings: those from before stay'",
    );
    machine.set('ESIGN_LOG_LEVEL', 'info');
    machine.run('systemctl reload esignd');
    expect(machine.run('systemctl show --property=MainPID esignd')).toBe(before);
  });

  test('a damaged database is reported by the status, /readyz and doctor; what can be read is answered', () => {
    const database = '/var/lib/esign/esign.db';
    machine.run(`systemctl stop esignd && cp -p ${database} /root/whole.db`);
    // The first page of a table that nothing below needs.
    const page = machine.run(`cd /usr/lib/esign && bin/node --eval '
      const db = require("better-sqlite3")("/root/whole.db");
      console.log(db.prepare("SELECT rootpage FROM sqlite_schema WHERE name = ?").pluck().get("troubleshootings"))'`);
    machine.run(
      `dd if=/dev/urandom of=${database} bs=4096 seek=${Number(page) - 1} count=1 conv=notrunc status=none`,
    );
    machine.run('systemctl start esignd');
    const status = machine.run('systemctl show --property=StatusText esignd');
    const readiness = machine.run('curl --silent http://127.0.0.1:8080/readyz');
    const health = machine.run('curl --silent --fail http://127.0.0.1:8080/healthz');
    const doctor = machine.attempt('sudo -u esign esignctl doctor').said;
    machine.run(
      `systemctl stop esignd && cp -p /root/whole.db ${database} && rm -f ${database}-wal ${database}-shm`,
    );

    expect(status).toContain('the database is damaged, nothing is stored');
    expect(JSON.parse(readiness)).toMatchObject({ notReady: ['database', 'jobs'] });
    expect(JSON.parse(health)).toEqual({ status: 'ok' });
    expect(doctor).toMatch(/damaged.*esignctl restore/);
  });

  test('a read-only data directory is reported as such, and no restore is advised', () => {
    machine.run(
      'systemctl stop esignd && mount --bind /var/lib/esign /var/lib/esign && mount -o remount,bind,ro /var/lib/esign',
    );
    const { code, said } = machine.attempt('sudo -u esign esignctl doctor');
    machine.run('umount /var/lib/esign');
    expect(code).toBe(1);
    expect(said).toContain('mounted read-only');
    expect(said).not.toContain('restore');
  });

  test('somebody who may not read the settings learns that, not that all are missing', () => {
    const { code, said } = machine.attempt("su -s /bin/sh -c 'esignctl status' nobody");
    expect(code).toBe(2);
    expect(said).toContain('/etc/esign/esign.env cannot be read (EACCES)');
    expect(said).not.toContain('required');
  });

  describe('the life of the package', () => {
    const isRunning = () => machine.attempt('systemctl is-active esignd').said.trim() === 'active';
    const isEnabled = () => machine.attempt('systemctl is-enabled esignd').said.trim() === 'enabled';

    test('an upgrade restarts what runs, and leaves what does not', () => {
      const before = machine.run('systemctl show --property=MainPID esignd');
      machine.run(`apt-get install --quiet --yes --reinstall ./${machine.deb}`);
      expect(isRunning()).toBe(true);
      expect(machine.run('systemctl show --property=MainPID esignd')).not.toBe(before);

      machine.run('systemctl stop esignd');
      const said = machine.run(`apt-get install --quiet --yes --reinstall ./${machine.deb}`);
      expect(isRunning()).toBe(false);
      expect(said).toContain('systemctl start esignd');
      machine.run('systemctl start esignd');
    });

    test('removed and installed again, it runs as before; data and settings are those of before', () => {
      machine.run('apt-get remove --quiet --yes esign');
      expect(isRunning()).toBe(false);
      machine.run('test -e /var/lib/esign/esign.db && test -e /etc/esign/esign.env');

      machine.run(`apt-get install --quiet --yes ./${machine.deb}`);

      expect({ enabled: isEnabled(), running: isRunning() }).toEqual({ enabled: true, running: true });
      expect(machine.run('sudo -u esign esignctl doctor')).toContain('nothing failed');
    });

    test('purged, it leaves the contracts and nothing else; a new installation says that it is not enabled', () => {
      machine.run('apt-get purge --quiet --yes esign');
      machine.run('test -e /var/lib/esign/esign.db && ! test -e /etc/esign');
      expect(machine.run('ls /etc/systemd/system/multi-user.target.wants')).not.toContain('esign');

      expect(machine.run(`apt-get install --quiet --yes ./${machine.deb}`)).toContain(
        'systemctl enable --now esignd',
      );
      expect({ enabled: isEnabled(), running: isRunning() }).toEqual({ enabled: false, running: false });
    });
  });
});

function dropIn(name: string, text: string, unit = 'esignd'): void {
  machine.run(`mkdir -p /etc/systemd/system/${unit}.service.d`);
  machine.put(`/etc/systemd/system/${unit}.service.d/${name}.conf`, text);
  machine.run('systemctl daemon-reload');
}
