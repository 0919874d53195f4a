/** The installation of one soak round: directory, settings, users, sandbox and daemon. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { programFile, runProgram, startProgram, type Program } from '../../demo/program.js';
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

const CUSTOMERS = ['anna@soak.test', 'boris@soak.test', 'chloe@soak.test', 'dario@soak.test'];
/** The provider retries for days; here for two minutes, long enough to meet a running daemon. */
const RETRY_DELAYS_MS = [250, 500, ...Array<number>(120).fill(1_000)];

const secret = () => randomBytes(18).toString('base64url');

export async function install(): Promise<Installation> {
  const directory = mkdtempSync(join(process.env['BENCH_DIR'] ?? tmpdir(), 'esign-soak-'));
  const port = await freePort();
  const baseUrl = `http://127.0.0.1:${port}`;
  const secrets = {
    ESIGN_API_KEY: secret(),
    ESIGN_WEBHOOK_SECRET: secret(),
    ESIGN_PAYMENT_API_KEY: secret(),
    ESIGN_PAYMENT_WEBHOOK_SECRET: secret(),
  };
  const ports = ['--port', '0', '--smtp-port', '0'];
  const limits = ['--retry-delays', RETRY_DELAYS_MS.join(), '--rate-limit', '1000000/10000000'];
  const sandbox = startProgram(programFile('esign-sandbox'), {
    args: [...ports, ...limits],
    env: { ...secrets, ESIGN_BASE_URL: baseUrl },
    logFile: join(directory, 'sandbox.log'),
  });
  const [, sandboxUrl = '', smtpUrl = ''] = await sandbox.said(/^ready (\S+) (\S+)$/m);
  const env = {
    ...secrets,
    ESIGN_DATA_DIR: join(directory, 'data'),
    ESIGN_PORT: String(port),
    ESIGN_BASE_URL: baseUrl,
    ESIGN_API_URL: `${sandboxUrl}/v3`,
    ESIGN_PAYMENT_API_URL: sandboxUrl,
    ESIGN_SMTP_URL: smtpUrl,
    ESIGN_OFFSITE_MAX_AGE: 'off',
    ESIGN_MAIL_FROM: 'Soak Maintenance <contracts@soak.test>',
    ESIGN_ADMIN_EMAIL: 'office@soak.test',
    ESIGN_RATE_LIMIT_IP: '0',
    ESIGN_RATE_LIMIT_USER: '0',
    // A repeat must not look like a failure to a provider that retries for so long.
    ESIGN_WEBHOOK_REPEAT_STATUS: '200',
    ESIGN_RECONCILE_CRON: '* * * * *',
    ESIGN_LOG_LEVEL: 'warn',
  };
  const administrator = { email: 'office@soak.test', password: secret() };
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
    baseUrl,
    env,
    sandbox: new SandboxClient(sandboxUrl),
    administrator,
    customers: CUSTOMERS.map((email) => ({ email, password: secret() })),
    startDaemon: async () => {
      const daemon = startProgram(programFile('esignd'), { env, logFile: join(directory, 'esignd.log') });
      await daemon.said(/listening on/);
      return daemon;
    },
    leave: async ({ keep }) => {
      await sandbox.killHard();
      if (!keep) rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** Below the ephemeral ports: an outgoing connection could take one of those while the daemon is down. */
async function freePort(): Promise<number> {
  for (;;) {
    const server = createServer();
    try {
      server.listen(20_000 + Math.floor(Math.random() * 12_000), '127.0.0.1');
      await once(server, 'listening');
      const { port } = server.address() as AddressInfo;
      server.close();
      await once(server, 'close');
      return port;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    }
  }
}
