/** What a service manager sees of the daemon: readiness, watchdog, reload, stop. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { PATIENCE } from '../support/patience.js';
import { sign } from '../support/webhooks.js';
import { startProgram } from '../support/processes.js';
import { aWorld } from '../support/world.js';
import { lacks } from './needs.js';

/** Prints each datagram that arrives, as systemd would read it. */
const LISTENER = `
import socket, sys
s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
s.bind(sys.argv[1])
print("bound", flush=True)
while True: print(s.recv(4096).decode().replace("\\n", " "), flush=True)
`;

const BODY = JSON.stringify({
  event_name: 'signature_request.done',
  data: { signature_request: { id: 'nobody' } },
});

test.skipIf(lacks('systemd-notify', 'python3'))(
  'systemd hears of readiness, life, reload and stop; SIGHUP takes over secrets, and wrong settings change nothing',
  async (t) => {
    const world = await aWorld(t);
    const socket = join(world.dataDir, '..', 'notify');
    const listener = spawn('python3', ['-c', LISTENER, socket]);
    t.onTestFinished(() => void listener.kill('SIGKILL'));
    let heard = '';
    listener.stdout.on('data', (text: Buffer) => (heard += text.toString()));
    await once(listener.stdout, 'data');
    const hears = (text: string) => vi.waitUntil(() => heard.includes(text), PATIENCE);
    const settings = (changes: Record<string, string>) =>
      Object.entries({ ...world.env, ...changes })
        .map(([name, value]) => `${name}='${value}'\n`)
        .join('');
    const file = join(world.dataDir, '..', 'esign.env');
    writeFileSync(file, settings({}));
    const env = { NOTIFY_SOCKET: socket, WATCHDOG_USEC: '600000' };
    const daemon = startProgram(t, 'esignd', { args: ['--env-file', file], env });
    const statusWith = async (secret: string) => {
      const headers = { 'X-Esign-Signature-256': sign(BODY, secret) };
      return (
        await fetch(`${world.baseUrl}/webhook/contract-signed`, { method: 'POST', body: BODY, headers })
      ).status;
    };

    await hears('READY=1');
    await hears('WATCHDOG=1');
    expect(heard).toContain(`MAINPID=${daemon.pid}`);
    expect(await statusWith('the next webhook secret')).toBe(401);

    writeFileSync(file, settings({ ESIGN_WEBHOOK_SECRET: 'the next webhook secret', ESIGN_CURRENCY: 'usd' }));
    process.kill(daemon.pid, 'SIGHUP');
    await hears('RELOADING=1');
    const [line] = await daemon.said(/\{.*settings read again.*/);
    expect(JSON.parse(line)).toMatchObject({
      taken: ['ESIGN_WEBHOOK_SECRET'],
      needRestart: ['ESIGN_CURRENCY'],
    });
    expect(await statusWith('the next webhook secret'), 'genuine now, for a contract that nobody knows').toBe(
      404,
    );

    writeFileSync(file, settings({ ESIGN_WEBHOOK_SECRET: 'short' }));
    process.kill(daemon.pid, 'SIGHUP');
    await daemon.said(/wrong settings: those from before stay/);
    expect(await statusWith('the next webhook secret')).toBe(404);
    expect(daemon.stderr).not.toContain('next webhook secret');

    expect(await daemon.stop('SIGTERM')).toMatchObject({ code: 0 });
    await hears('STOPPING=1');
  },
);
