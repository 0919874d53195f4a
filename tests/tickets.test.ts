/**
 * docs/tickets.md is followed to the letter. For each ticket the situation is made at real providers; then the commands are
 * run as they stand there, what they print is compared with what the document shows, and the buttons are looked for.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import { officeOn, type Office } from './server/admin/support.js';
import { run, startCli, type Cli, type Ran } from './cli/support.js';
import { temporaryDirectory, type Waiting } from './support/app.js';
import { aReceiver, answered } from './support/receiver.js';
import { subscribed } from './support/subscriptions.js';
import { deliver } from './support/webhooks.js';

interface Ticket {
  title: string;
  commands: string[][];
  /** The lines that they print, in their order; `…` stands for anything. */
  output: string[];
  /** The labels of the buttons, in the order of the clicks. */
  clicks: string[];
}

const TEXT = readFileSync(new URL('../docs/tickets.md', import.meta.url), 'utf8');
const TICKETS = TEXT.split(/^## /m).slice(1).map(ticketOf);

function ticketOf(section: string): Ticket {
  const lines = /^```console\n([\s\S]*?)^```$/m.exec(section)?.[1]?.trim().split('\n') ?? [];
  const isTyped = (line: string) => line.startsWith('$ ');
  const office = /^Back office: (.*(?:\n.+)*)/m.exec(section)?.[1] ?? '';
  return {
    title: section.slice(0, section.indexOf('\n')),
    commands: lines.filter(isTyped).map((line) => wordsOf(line.slice(2))),
    output: lines.filter((line) => !isTyped(line)),
    clicks: [...office.matchAll(/\*\*(.+?)\*\*/gs)].map(([, label]) =>
      (label as string).replaceAll('\n', ' '),
    ),
  };
}

/** As a shell reads them. */
function wordsOf(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? (plain as string));
}

interface Situation {
  cli: Cli;
  /** Where the clicks begin, after the search; by default the dashboard. */
  page?: string;
  /** What happens between the first command and the second. */
  between?: () => unknown;
  /** What is different afterwards. */
  after?: () => unknown;
}

const ANNA = { username: 'anna.weber@example.org', firstName: 'Anna', lastName: 'Weber' };
const REQUEST = '/admin/requests/1';

interface Sent extends Waiting {
  cli: Cli;
}

async function sent(customer: Partial<typeof ANNA> = {}): Promise<Sent> {
  const cli = await startCli();
  return { cli, ...(await cli.waitingRequest({ ...ANNA, ...customer })) };
}

async function signed(): Promise<Sent> {
  const story = await sent();
  story.cli.sandbox.sign(story.signId);
  await deliver(story.cli, story.signId);
  await story.cli.drain();
  return story;
}

const mailsTo = ({ sandbox }: Cli, address: string) =>
  sandbox.mails().filter(({ to }) => to.includes(address));

/** In the order of the document. */
const SITUATIONS: (() => Promise<Situation>)[] = [
  async function signedButNothingHappened() {
    const { cli, signId } = await sent();
    cli.sandbox.sign(signId);
    const after = () => expect(cli.request(1).status).toBe('WAITING_PAYMENT');
    return { cli, page: REQUEST, after };
  },
  async function signingMailLost() {
    const { cli } = await sent();
    const before = mailsTo(cli, ANNA.username).length;
    const after = () => expect(mailsTo(cli, ANNA.username)).toHaveLength(before + 1);
    return { cli, page: REQUEST, after };
  },
  async function paymentLinkDead() {
    const { cli } = await signed();
    const { paymentId } = cli.request(1);
    cli.sandbox.expireSession(paymentId as string);
    const after = async () => {
      const { app } = await officeOn(cli);
      const answer = await app.request(`/pay/${cli.request(1).payToken}`);
      expect(answer.status).toBe(303);
      expect(cli.request(1).paymentId).not.toBe(paymentId);
    };
    return { cli, page: REQUEST, after };
  },
  async function wrongAddress() {
    const { cli, signId } = await sent({ username: 'anna.weber@exmaple.org' });
    await deliver(cli, signId, { name: 'signer.notification_delivery_failed' });
    const after = () => expect(mailsTo(cli, ANNA.username)).toHaveLength(1);
    return { cli, page: '/admin/users/1', after };
  },
  async function declinedByMistake() {
    const { cli, signId } = await sent();
    cli.sandbox.decline(signId, { reason: 'wrong button' });
    await deliver(cli, signId, { name: 'signature_request.declined' });
    const after = () => expect(cli.contract(1)).toMatchObject({ id: 2, status: 'PENDING' });
    return { cli, page: REQUEST, after };
  },
  async function thirtyFailedJobs() {
    const cli = await startCli();
    const id = await cli.addFailedJob({ error: 'payment provider answered 503' });
    cli.ctx.db.raw
      .prepare(
        `WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < 30)
         INSERT INTO jobs (kind, payload, state, attempt, runAt, lastError, errors, requestId, contractId, createdAt, finishedAt)
         SELECT kind, payload, state, attempt, runAt, lastError, errors, requestId, contractId, createdAt, finishedAt
         FROM jobs, n WHERE id = ?`,
      )
      .run(id);
    const after = () => expect(cli.jobs().filter(({ state }) => state === 'failed')).toEqual([]);
    return { cli, page: '/admin/failed', after };
  },
  async function whatHappened() {
    const { cli } = await signed();
    return { cli, page: '/admin/requests?search=weber' };
  },
  async function providerDownAllNight() {
    const { cli, signId } = await sent();
    cli.sandbox.sign(signId);
    cli.sandbox.faults.add('signature:503');
    const between = () => cli.sandbox.faults.clear();
    const after = () => expect(cli.request(1).status).toBe('WAITING_PAYMENT');
    return { cli, between, after };
  },
  async function howManyWait() {
    const { cli } = await sent();
    await cli.waitingRequest({ username: 'ben@example.org', firstName: 'Ben', lastName: 'Ott' });
    return { cli, page: '/admin' };
  },
  async function proofForADispute() {
    const { cli } = await signed();
    return { cli, page: REQUEST };
  },
  async function resetByMistake() {
    const { cli } = await sent();
    await cli.run('reset-signature', '1', '--yes');
    return { cli, page: REQUEST };
  },
  async function receiverGotNothing() {
    const cli = await startCli({}, undefined, { ESIGN_WEBHOOK_ALLOW_PRIVATE: '127.0.0.1' });
    const receiver = await aReceiver(answered(503));
    await subscribed(cli, { url: receiver.url, owner: await cli.addUser({ role: 'ROLE_ADMIN' }) });
    await cli.waitingRequest(ANNA);
    const [job] = cli.jobs('deliver-webhook');
    for (let attempt = 0; attempt < 7; attempt += 1) await cli.ctx.jobs.runNow(Number(job?.id));
    receiver.answer = answered(204);
    const after = () => expect(receiver.received).toHaveLength(8);
    return { cli, page: '/admin/webhooks/1', after };
  },
  async function whoDidThis() {
    const { cli } = await sent();
    await cli.run('requests', 'cancel', '1', '--reason', 'moved away');
    return { cli, page: REQUEST };
  },
  async function expiryDidNotRun() {
    const { cli, contract } = await sent();
    cli.ctx.db.raw
      .prepare("UPDATE contracts SET expiredAt = '2026-03-01T23:59:59.000Z' WHERE id = ?")
      .run(contract.id);
    const long = new Date(Date.now() - 3 * 86_400_000).toISOString();
    cli.ctx.db.raw
      .prepare("INSERT INTO runs (name, startedAt, finishedAt, result) VALUES ('expire', ?, ?, '{}')")
      .run(long, long);
    const after = () => expect(cli.contract(1).status).toBe('EXPIRED');
    return { cli, after };
  },
];

test('there are fourteen tickets, and none needs more than two commands, or two clicks', () => {
  expect(TICKETS).toHaveLength(14);
  expect(SITUATIONS).toHaveLength(TICKETS.length);
  const tooLong = TICKETS.filter(
    ({ commands, clicks }) =>
      commands.length === 0 ||
      commands.length > 2 ||
      clicks.length > 2 ||
      commands.some(([program]) => program !== 'esignctl'),
  );
  expect(tooLong.map(({ title }) => title)).toEqual([]);
});

describe.each(TICKETS.map((ticket, i) => [ticket.title, ticket, SITUATIONS[i]] as const))(
  '%s',
  (_, { commands, output, clicks }, situation) => {
    test('is settled as the document says', async () => {
      const { cli, page = '/admin', between, after } = await (situation as () => Promise<Situation>)();
      await follow(await officeOn(cli), page, clicks);

      const directory = temporaryDirectory();
      const lines: string[] = [];
      for (const [i, [, ...words]] of commands.entries()) {
        if (i === 1) await between?.();
        const argv = words.map((word) => (word.endsWith('.zip') ? join(directory, word) : word));
        const ran = await typed(cli, argv);
        lines.push(...linesOf(ran).map((line) => line.replaceAll(`${directory}/`, '')));
      }
      expect(unprinted(lines, output)).toBeUndefined();
      await after?.();
    });
  },
);

/** On a wide terminal, where a question is answered with yes. */
function typed({ env }: Cli, argv: string[]): Promise<Ran> {
  return run(argv, { env, terminal: { stdin: true, stdout: 1_000, stderr: 1_000 }, stdin: 'y\n' });
}

function linesOf({ stdout, stderr }: Ran): string[] {
  return stripVTControlCharacters(`${stdout}\n${stderr}`).split('\n').map(normal);
}

/** Columns are as wide as their contents; the year is that of the test. */
function normal(line: string): string {
  return line
    .trim()
    .replaceAll(/ {2,}/g, '  ')
    .replaceAll(/REQ-\d{4}-/g, 'REQ-2026-');
}

/** The first line that is not there, with what is instead. */
function unprinted(lines: string[], wanted: string[]): { line: string; instead: string[] } | undefined {
  let at = 0;
  for (const line of wanted.map(normal)) {
    const pattern = new RegExp(`^${line.split('…').map(escaped).join('.*')}$`);
    const found = lines.findIndex((each, i) => i >= at && pattern.test(each));
    if (found === -1) return { line, instead: lines.slice(at) };
    at = found + 1;
  }
  return undefined;
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

/** Each label is on the page to which the one before leads. */
async function follow(office: Office, page: string, clicks: string[]): Promise<void> {
  const visitor = await office.staff();
  let { text } = await visitor.get(page);
  for (const label of clicks) {
    const link = [...text.matchAll(/<(a|button)\b([^>]*)>([\s\S]*?)<\/\1\s*>/g)].find(
      ([, , , inside]) => wordsIn(inside as string) === label,
    );
    if (!link) throw new Error(`**${label}** is not on the page: ${wordsIn(text).slice(0, 400)}`);
    const href = /href="([^"]+)"/.exec(link[2] as string)?.[1];
    if (href) ({ text } = await visitor.get(href.replaceAll('&amp;', '&')));
  }
}

function wordsIn(html: string): string {
  return html
    .replaceAll(/<svg[\s\S]*?<\/svg>|<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
