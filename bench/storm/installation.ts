/** The installation that a storm strikes: directory, settings, users, sandbox and daemon. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { programFile, runProgram, startProgram, type Program } from '../../demo/program.js';
import { demoSettings, secret } from '../../demo/settings.js';
import { freePort } from '../../tests/support/free-port.js';
import { SandboxClient } from './sandbox.js';

export interface Person {
  email: string;
  password: string;
}

export interface Installation {
  directory: string;
  dataDir: string;
  baseUrl: string;
  env: Record<string, string>;
  sandbox: SandboxClient;
  administrator: Person;
  /** Added by the administrator. */
  customers: Person[];
  startDaemon: () => Promise<Program>;
  /** Stops the sandbox; `keep` leaves the directory for inspection. */
  leave(options: { keep: boolean }): Promise<void>;
}

const CUSTOMERS = ['anna@demo.test', 'boris@demo.test', 'chloe@demo.test', 'dario@demo.test'];
/** The provider retries for days; here for two minutes, long enough to meet a running daemon. */
const RETRY_DELAYS_MS = [250, 500, ...Array<number>(120).fill(1_000)];

export async function install(): Promise<Installation> {
  const directory = mkdtempSync(join(process.env['BENCH_DIR'] ?? tmpdir(), 'esign-soak-'));
  const ports = { api: await freePort(), sandbox: await freePort(), smtp: await freePort() };
  const env = {
    ...demoSettings(join(directory, 'data'), ports),
    ESIGN_RATE_LIMIT_IP: '0',
    ESIGN_RATE_LIMIT_USER: '0',
    ESIGN_LOG_LEVEL: 'warn',
  };
  const limits = ['--retry-delays', RETRY_DELAYS_MS.join(), '--rate-limit', '1000000/10000000'];
  const sandbox = startProgram(programFile('esign-sandbox'), {
    args: ['--port', String(ports.sandbox), '--smtp-port', String(ports.smtp), ...limits],
    env,
    logFile: join(directory, 'sandbox.log'),
  });
  await sandbox.said(/^ready /m);
  const administrator = { email: env.ESIGN_ADMIN_EMAIL, password: secret() };
  const names = ['--first-name', 'Anna', '--last-name', 'Martin'];
  await runProgram(programFile('esignctl'), { args: ['init'], env });
  await runProgram(programFile('esignctl'), {
    args: ['users', 'create', administrator.email, '--role', 'admin', ...names, '--password-stdin'],
    env,
    input: administrator.password,
  });
  return {
    directory,
    dataDir: env.ESIGN_DATA_DIR,
    baseUrl: env.ESIGN_BASE_URL,
    env,
    sandbox: new SandboxClient(env.ESIGN_PAYMENT_API_URL),
    administrator,
    customers: CUSTOMERS.map((email) => ({ email, password: secret() })),
    startDaemon: async () => {
      const daemon = startProgram(programFile('esignd'), { env, logFile: join(directory, 'esignd.log') });
      await daemon.said(/listening on/);
      return daemon;
    },
    leave: async ({ keep }) => {
      await sandbox.killHard();
      if (keep) console.log(`kept: ${directory}`);
      else rmSync(directory, { recursive: true, force: true });
    },
  };
}
