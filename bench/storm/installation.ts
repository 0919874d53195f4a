/** The installation that a storm strikes: directory, settings, users, sandbox and daemon. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { programFile, runProgram, startProgram } from '../../demo/program.js';
import { demoSettings, secret } from '../../demo/settings.js';
import { keysOf } from '../../src/core/pick.js';
import { freePort } from '../../tests/support/free-port.js';
import { sandboxAt } from './sandbox.js';

export interface Person {
  email: string;
  password: string;
}

export type Installation = Awaited<ReturnType<typeof install>>;

const CUSTOMERS = ['anna@demo.test', 'boris@demo.test', 'chloe@demo.test', 'dario@demo.test'];
/** The provider retries for days; here for two minutes, long enough to meet a running daemon. */
const RETRY_DELAYS_MS = [250, 500, ...Array<number>(120).fill(1_000)];

export async function install() {
  const directory = mkdtempSync(join(process.env['BENCH_DIR'] ?? tmpdir(), 'esign-soak-'));
  const ports = { api: await freePort(), sandbox: await freePort(), smtp: await freePort() };
  const env: Record<string, string> & ReturnType<typeof demoSettings> = {
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
    sandbox: sandboxAt(env.ESIGN_PAYMENT_API_URL),
    administrator,
    /** Added by the administrator. */
    customers: CUSTOMERS.map((email) => ({ email, password: secret() })),
    startDaemon: async () => {
      const daemon = startProgram(programFile('esignd'), { env, logFile: join(directory, 'esignd.log') });
      await daemon.said(/listening on/);
      return daemon;
    },
    /** Stops the sandbox; `keep` leaves the directory for inspection. */
    leave: async ({ keep }: { keep: boolean }) => {
      await sandbox.killHard();
      if (keep) console.log(`kept: ${directory}`);
      else rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** The options of soak and drill: numbers above zero, all with a usual value; else the program ends with its usage. */
export function numbersOf<Names extends string>(
  usage: string,
  usual: Record<Names, number>,
): Record<Names, number> {
  try {
    const names = keysOf(usual);
    const options = Object.fromEntries(
      names.map((name) => [name, { type: 'string', default: String(usual[name]) }] as const),
    );
    const { values } = parseArgs({ options });
    const numbers = Object.fromEntries(names.map((name) => [name, Number(values[name])]));
    if (Object.values(numbers).every((number) => number > 0)) return numbers as Record<Names, number>;
  } catch {
    // An unknown option.
  }
  process.stderr.write(usage);
  process.exit(2);
}
