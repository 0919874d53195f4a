/** The command esign-sandbox: options and environment in, addresses on stdout, exit code out. */
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { Command, CommanderError, InvalidArgumentError } from 'commander';
import { FAULT_KINDS } from './faults.js';
import type { RateLimit, SandboxOptions, Subscriptions, WebhookTargets } from './options.js';
import { startSandbox, type Sandbox } from './start.js';

type Environment = Record<string, string | undefined>;

type Flags = {
  host: string;
  port: number;
  smtpPort: number;
  allowRemote: boolean;
  seed?: number;
  publicUrl?: string;
  webhookUrl?: string[];
  paymentWebhookUrl?: string[];
  retryDelays?: number[];
  rateLimit?: RateLimit;
  fault?: string[];
  verbose: boolean;
};

const FAULT_LINES = Object.entries(FAULT_KINDS)
  .map(([target, kinds]) => `  ${target.padEnd(16)} ${kinds.join(' ')}`)
  .join('\n');

const HELP = `
Secrets are read from the environment, never from arguments:
  ESIGN_API_KEY                 key of the signature provider (sandbox-api-key)
  ESIGN_WEBHOOK_SECRET          signs the signature webhooks
  ESIGN_WEBHOOK_HEADER          their header (X-Esign-Signature-256)
  ESIGN_PAYMENT_API_KEY         key of the payment provider (sandbox-payment-key)
  ESIGN_PAYMENT_WEBHOOK_SECRET  signs the payment webhooks; without it none are sent
  ESIGN_BASE_URL                the service that hears the webhooks (http://127.0.0.1:8080)
Several services can share the account: name an address for each. A secret may be a list, separated by commas, in the
same order; the last one serves for the rest.

Examples:
  esign-sandbox
  esign-sandbox --port 0 --smtp-port 0
  esign-sandbox --fault payment:500:3 --fault pdf:empty:1 --fault signature.activate:answer_lost:1
  esign-sandbox --rate-limit 30/200 --webhook-url http://127.0.0.1:9000/webhook/contract-signed

Faults are written target[.operation][@page][~about]:kind[:times]; times: by default until cleared:
${FAULT_LINES}

Operations: of the signature provider create upload documents signer signer_get signer_update activate get list remind
cancel delete download audit audit_pdf; of the payment provider create get list expire. @page strikes one page of a
list. ~about strikes only calls about one thing: an id, a name or an e-mail address. First_page: a list gives its first
page again, under a new cursor.
  --fault payment.get~ada@example.org:500   one customer's payment cannot be looked up
  --fault signature.audit_pdf:timeout       only the audit trails hang
  --fault signature.list@2:429:2            the list breaks off twice at its second page
  --fault signature.list@2:first_page       the list never ends

Exit codes: 0 stopped by SIGTERM or SIGINT; 1 it could not listen; 2 wrong usage.`;

/** Resolves with the exit code when the sandbox has been stopped. */
export async function main(argv: readonly string[], environment: Environment): Promise<number> {
  const command = createCommand();
  try {
    command.parse(argv, { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    throw error;
  }
  try {
    const options = toOptions(command.opts<Flags>(), environment);
    const sandbox = await startSandbox(options);
    announce(sandbox, options);
    await stopSignal();
    await sandbox.close();
    return 0;
  } catch (error) {
    const [sentence, code] = explain(error);
    process.stderr.write(`esign-sandbox: ${sentence}\n`);
    return code;
  }
}

function createCommand(): Command {
  return new Command('esign-sandbox')
    .description('Stands in for the signature provider, the payment provider and a mail server.')
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--port <port>', 'HTTP port, 0 for any free one', portNumber, 8090)
    .option('--smtp-port <port>', 'SMTP port, 0 for any free one', portNumber, 8025)
    .option('--allow-remote', 'allow an address that other machines can reach', false)
    .option(
      '--seed <number>',
      'the same seed gives the same ids; another one each time by default',
      wholeNumber,
    )
    .option('--public-url <url>', 'base of the links in mails and answers', webAddress)
    .option('--webhook-url <url>', 'where signature webhooks go; again for each other service', webAddresses)
    .option(
      '--payment-webhook-url <url>',
      'where payment webhooks go; again for each other service',
      webAddresses,
    )
    .option('--retry-delays <list>', 'waits between tries of a webhook in ms, comma separated', delayList)
    .option('--rate-limit <minute/hour>', 'calls of the signature API, for example 30/200', rateLimit)
    .option('--fault <fault>', 'switch a fault on; may be repeated', collect)
    .option('--verbose', 'tell on stderr what happens', false)
    .addHelpText('after', HELP)
    .allowExcessArguments(false)
    .exitOverride();
}

function toOptions(flags: Flags, environment: Environment): SandboxOptions {
  const { webhookUrl, paymentWebhookUrl, ...rest } = flags;
  const service = (environment['ESIGN_BASE_URL'] ?? 'http://127.0.0.1:8080').replace(/\/+$/, '');
  const [first, ...others] = subscriptions(webhookUrl ?? [], paymentWebhookUrl ?? [], environment, service);
  return {
    ...rest,
    // A service that knows the ids of an earlier run would confuse them with new ones.
    seed: rest.seed ?? randomInt(1, 1_000_000_000),
    apiKey: environment['ESIGN_API_KEY'] || undefined,
    paymentKey: environment['ESIGN_PAYMENT_API_KEY'] || undefined,
    retryDelaysMs: flags.retryDelays,
    faults: flags.fault,
    log: flags.verbose ? (line) => void process.stderr.write(`${line}\n`) : undefined,
    ...first,
    others,
  };
}

/** The first service, and those that share its account. */
function subscriptions(
  webhookUrl: readonly string[],
  paymentWebhookUrl: readonly string[],
  environment: Environment,
  service: string,
): Subscriptions {
  const secret = (name: string, number: number): string | undefined => {
    const list = environment[name]?.split(',').map((one) => one.trim());
    return list?.[number] ?? list?.at(-1);
  };
  const subscription = (number: number): WebhookTargets => ({
    webhookUrl: webhookUrl[number],
    webhookSecret: secret('ESIGN_WEBHOOK_SECRET', number),
    webhookHeader: environment['ESIGN_WEBHOOK_HEADER'],
    paymentWebhookUrl: paymentWebhookUrl[number],
    paymentWebhookSecret: secret('ESIGN_PAYMENT_WEBHOOK_SECRET', number),
  });
  const first = subscription(0);
  first.webhookUrl ??= `${service}/webhook/contract-signed`;
  first.paymentWebhookUrl ??= `${service}/webhook/payment`;
  const others = Math.max(webhookUrl.length, paymentWebhookUrl.length) - 1;
  return [first, ...Array.from({ length: Math.max(others, 0) }, (_, i) => subscription(i + 1))];
}

function announce(sandbox: Sandbox, { seed }: SandboxOptions): void {
  const lines = [
    `console    ${sandbox.url}/`,
    `signature  ${sandbox.apiUrl}`,
    `payment    ${sandbox.paymentUrl}`,
    `seed       ${seed}`,
    // For scripts that wait until it is ready.
    `ready ${sandbox.url} ${sandbox.smtpUrl}`,
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}

async function stopSignal(): Promise<void> {
  await Promise.race([once(process, 'SIGTERM'), once(process, 'SIGINT')]);
}

function explain(error: unknown): [string, number] {
  if (error instanceof RangeError) return [error.message, 2];
  if (!(error instanceof Error)) return [String(error), 1];
  const { code, port, address } = error as NodeJS.ErrnoException & { port?: number; address?: string };
  if (code === 'EADDRINUSE') return [`port ${port} on ${address} is in use; choose another or 0`, 1];
  if (code === 'EACCES') return [`port ${port} may not be opened by this user`, 1];
  return [error.message, 1];
}

function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
}

function portNumber(text: string): number {
  const port = wholeNumber(text);
  if (port > 65_535) throw new InvalidArgumentError('It must be from 0 to 65535.');
  return port;
}

function webAddress(text: string): string {
  if (!/^https?:\/\//.test(text) || !URL.canParse(text))
    throw new InvalidArgumentError('It must be an http(s) address.');
  return text;
}

function webAddresses(text: string, before: string[] = []): string[] {
  return [...before, webAddress(text)];
}

function delayList(text: string): number[] {
  return text.split(',').map(wholeNumber);
}

function rateLimit(text: string): RateLimit {
  const [minute, hour, ...rest] = text.split('/').map(wholeNumber);
  if (minute === undefined || hour === undefined || rest.length > 0) {
    throw new InvalidArgumentError('It must be two numbers, such as 30/200.');
  }
  return { minute, hour };
}

function collect(text: string, before: string[] = []): string[] {
  return [...before, text];
}
