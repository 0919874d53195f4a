/**
 * esignctl explain: every way in which a request can be stuck is made to happen; the verdict must name the cause, and the
 * command that it names must fix it.
 */
import { appendFileSync, rmSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { addMs } from '../../../src/core/clock.js';
import { signedPdfPath } from '../../../src/core/contracts/contract-files.js';
import type { Explanation, Finding } from '../../../src/core/explain/explain.js';
import { requestLock, withLock } from '../../../src/core/lock.js';
import { checkSignature } from '../../../src/core/signature/check-signature.js';
import { PAYMENT_WEBHOOK_SECRET, TESTER, type Waiting } from '../../support/app.js';
import { DAY, HOUR } from '../../support/clock.js';
import { faultsOf } from '../../support/command-line.js';
import { findingName } from '../../support/finding-names.js';
import { LIVING } from '../../support/holders.js';
import { lengthenHistory } from '../../support/long-history.js';
import { answered, aReceiver } from '../../support/receiver.js';
import { subscribed } from '../../support/subscriptions.js';
import { deliver, deliverPayment, deliverRaw, eventBody } from '../../support/webhooks.js';
import { json, jsonError, startCli, type Cli } from '../support.js';

/** The service and the sandbox live `ms` away from the real time by which esignctl goes. */
class ShiftedClock {
  ms = 0;
  now = () => addMs(new Date(), this.ms);
}

interface Scene extends Waiting {
  cli: Cli;
  clock: ShiftedClock;
  id: number;
}

async function aScene(settings: Record<string, string> = {}): Promise<Scene> {
  const clock = new ShiftedClock();
  const cli = await startCli({}, clock, settings);
  cli.env['ESIGN_PAYMENT_WEBHOOK_SECRET'] = PAYMENT_WEBHOOK_SECRET;
  const waiting = await cli.waitingRequest();
  return { ...waiting, cli, clock, id: waiting.request.id };
}

/** Somewhere between "signed" and "paid", with nothing left to do but the customer's part. */
async function signed({ cli, id, signId }: Scene, ...faults: string[]): Promise<string> {
  for (const fault of faults) cli.sandbox.faults.add(fault);
  cli.sandbox.sign(signId);
  await checkSignature(cli.ctx, id, { actor: TESTER });
  await cli.drain();
  return cli.request(id).paymentId as string;
}

/** The webhook tells that it is signed; its document is spoiled. */
async function spoiled({ cli, signId }: Scene, fault: string): Promise<void> {
  cli.sandbox.faults.add(fault);
  cli.sandbox.sign(signId);
  await deliver(cli, signId);
}

/** The last try of all that waits, as if the others had been made. */
async function exhaust({ cli }: Pick<Scene, 'cli'>): Promise<void> {
  cli.ctx.db.raw.exec(
    `UPDATE jobs SET runAt = '2026-01-01', attempt = iif(kind = 'create-payment-session', 3, 6) WHERE state = 'available'`,
  );
  await cli.drain();
}

/** Sent some days ago by everybody's clock but the reader's. */
async function longAgo({ cli, clock }: Scene, days: number): Promise<Waiting> {
  clock.ms = -days * DAY;
  const old = await cli.waitingRequest();
  clock.ms = 0;
  return old;
}

/** Another request than the scene's, and what a person does beside the command, when it is not to clear the faults. */
type Happened = { about?: number; before?: () => unknown };

type Shown<T> = Omit<T, 'next' | 'need' | 'reply'> & { next: string | null };
/** As the document shows it, with its commands written out. */
type Story = Shown<Omit<Explanation, 'findings'>> & { findings: Shown<Finding>[] };

async function story(cli: Cli, key: string | number, ...more: string[]): Promise<Story> {
  const ran = await cli.run(`explain ${key} --json`, ...more);
  expect(ran.code).toBe(0);
  const told = json(ran) as unknown as Story;
  for (const { message, next } of told.findings) {
    expect(message).not.toMatch(/%\w+%/);
    expect(next === null ? [] : faultsOf(wordsOf(next))).toEqual([]);
  }
  return told;
}

const names = ({ findings }: Story) => findings.map(findingName);

/** The words of a command line, with one pair of quotes at most. */
const wordsOf = (next: string): string[] =>
  [...next.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, word]) => quoted ?? (word as string)).slice(1);

/** What happens, the finding (its key, and its cause where it has several), its command, and the status or finding afterwards. */
const SITUATIONS: Record<string, (scene: Scene) => unknown> = {
  'the webhook was lost → webhook_missed: lost → check-signature → WAITING_PAYMENT': ({ cli, signId }) =>
    cli.sandbox.sign(signId),
  'the webhook came with a wrong signature → webhook_missed: wrong_signature → check-signature → WAITING_PAYMENT':
    ({ cli, signId }) => {
      cli.sandbox.sign(signId);
      return deliverRaw(cli, eventBody(cli, signId), 'sha256=00');
    },
  'the webhook came before the contract was known here → webhook_missed: rejected → check-signature → WAITING_PAYMENT':
    async ({ cli, signId }) => {
      cli.sandbox.sign(signId);
      const rename = cli.ctx.db.raw.prepare('UPDATE contracts SET signId = ?');
      rename.run('not-yet');
      // So that it does not say whose it is.
      cli.sandbox.faults.add('signature.get:401:1');
      expect(await deliver(cli, signId)).toBe(404);
      rename.run(signId);
    },
  'the signed PDF is damaged, and it is tried again → completion_stuck: retrying → jobs push → WAITING_PAYMENT':
    (scene) => spoiled(scene, 'pdf:truncated'),
  'the signed PDF stays damaged until all tries are used up → completion_stuck: failed → failed replay → WAITING_PAYMENT':
    (scene) => spoiled(scene, 'pdf:not_pdf').then(() => exhaust(scene)),
  'the customer declined → ended: declined_because → reset-signature → waiting_for_customer': async (
    scene,
  ) => {
    scene.cli.sandbox.decline(scene.signId, { reason: 'too expensive' });
    await deliver(scene.cli, scene.signId, { name: 'signature_request.declined' });
    await scene.cli.drain();
  },
  'the provider has told of an error while signing, and has not canceled it yet → ended: signer_error → reset-signature → waiting_for_customer':
    ({ cli, signId }) => deliver(cli, signId, { name: 'signer.error' }),
  'it was canceled at the provider, and we did not hear of it → ended: canceled → reset-signature → waiting_for_customer':
    ({ cli, signId }) => cli.sandbox.cancel(signId),
  'it was put back to a draft at the provider → reset_unfinished: draft → reset-signature → waiting_for_customer':
    ({ cli, signId }) => cli.sandbox.setStatus(signId, 'draft'),
  'it was deleted at the provider for good → ended: not_found → reset-signature → waiting_for_customer': ({
    cli,
    signId,
  }) => cli.sandbox.delete(signId, { permanent: true }),
  'the contract was closed by the daily expiry while the provider was still open → ended: date_passed → reset-signature → waiting_for_customer':
    async (scene) => {
      const { cli, clock } = scene;
      const { request, signId, contract } = await longAgo(scene, 31);
      cli.ctx.db.raw.prepare('UPDATE contracts SET signUrlExpiresAt = NULL WHERE id = ?').run(contract.id);
      await cli.run('expire-contracts');
      clock.ms = -2 * DAY;
      // The provider's day is not over yet.
      cli.sandbox.setStatus(signId, 'ongoing');
      return { about: request.id, before: () => (clock.ms = 0) };
    },
  'the link to sign has expired → sign_link_over → contracts show → waiting_for_customer': async (scene) => ({
    about: (await longAgo(scene, 3)).request.id,
  }),
  'it was signed after the last moment → signature_case: late → reset-signature → waiting_for_customer':
    async (scene) => {
      // Its last day was the day before yesterday, so an hour ago is after it also just after midnight.
      const { request, signId } = await longAgo(scene, 32);
      scene.clock.ms = -2 * DAY;
      scene.cli.sandbox.sign(signId, { completedAt: Date.now() - HOUR });
      scene.clock.ms = 0;
      return { about: request.id };
    },
  'the signature provider is down → provider_unusable: down → check-signature → WAITING_PAYMENT': ({
    cli,
    signId,
  }) => {
    cli.sandbox.faults.add('signature:reset');
    cli.sandbox.sign(signId);
  },
  'the contract was never sent: the start stopped half-way → start_unfinished: interrupted → start-signature → WAITING_SIGNATURE':
    async ({ cli }) => {
      const { id } = await cli.addRequest();
      cli.sandbox.faults.add('signature.activate:500:1');
      await cli.run(`start-signature ${id}`);
      return { about: id };
    },
  'a reset stopped half-way → reset_unfinished: refused → reset-signature → waiting_for_customer': ({
    cli,
    id,
  }) => {
    cli.sandbox.faults.add('signature.create:500:1');
    return cli.run(`reset-signature ${id} --yes`);
  },
  'nobody has sent the contract → not_started → start-signature → WAITING_SIGNATURE': async ({ cli }) => ({
    about: (await cli.addRequest()).id,
  }),
  'the payment link could not be made in four tries → payment_job_stuck: failed → failed replay → waiting_for_payment':
    (scene) => signed(scene, 'payment.create:500').then(() => exhaust(scene)),
  'the payment link is being tried again → payment_job_stuck: retrying → jobs push → waiting_for_payment': (
    scene,
  ) => signed(scene, 'payment.create:500'),
  'the failed payment job was removed → payment_missing: unmade → payments renew → waiting_for_payment':
    async (scene) => {
      await signed(scene, 'payment.create:500');
      await exhaust(scene);
      const [job] = scene.cli.jobs('create-payment-session');
      await scene.cli.run(`failed remove ${job?.id} --yes`);
    },
  'the payment link has expired → payment_over: expired → payments renew → waiting_for_payment': async (
    scene,
  ) => scene.cli.sandbox.expireSession(await signed(scene)),
  'the bank refused the payment in the end → payment_missing: refused → payments renew → waiting_for_payment':
    async (scene) => {
      const { cli } = scene;
      const paymentId = await signed(scene);
      cli.sandbox.pay(paymentId, { async: true });
      cli.sandbox.settlePayment(paymentId, 'failed');
      const type = 'checkout.session.async_payment_failed';
      await deliverPayment(cli, paymentId, { type, paymentStatus: 'unpaid' });
      await cli.drain();
    },
  'the payment provider lost the session → payment_missing: gone → payments renew → waiting_for_payment':
    async (scene) => {
      await signed(scene);
      scene.cli.sandbox.faults.add('payment.get:404:2');
      return { before: () => undefined };
    },
  'paid there, and the webhook was lost → webhook_missed: lost → payments check → COMPLETE': async (scene) =>
    scene.cli.sandbox.pay(await signed(scene)),
  'paid there, and payment webhooks are not set up → webhook_missed: off → payments check → COMPLETE': async (
    scene,
  ) => {
    scene.cli.env['ESIGN_PAYMENT_WEBHOOK_SECRET'] = '';
    scene.cli.sandbox.pay(await signed(scene));
  },
  'the payment provider is down → provider_unusable: down → payments check → COMPLETE': async (scene) => {
    scene.cli.sandbox.pay(await signed(scene));
    scene.cli.sandbox.faults.add('payment:reset');
  },
  'paid through the page of an earlier contract → payment_case: old_session_paid → requests complete → COMPLETE':
    async (scene) => {
      const { cli, id } = scene;
      const old = await signed(scene);
      for (const how of ['cancel', 'reopen'])
        await cli.run('requests', how, String(id), '--reason', 'by mistake', '--yes');
      await cli.run(`start-signature ${id}`);
      await signed({ ...scene, signId: cli.contract(id).signId as string });
      await deliverPayment(cli, old);
      await cli.drain();
    },
  // The link, which waited for that mail.
  'mails fail until their tries are used up → jobs_failed → failed replay → jobs_retrying': (scene) =>
    signed(scene, 'smtp:451').then(() => exhaust(scene)),
  'the mail server is down → jobs_retrying → jobs push → waiting_for_payment': (scene) =>
    signed(scene, 'smtp:refuse'),
  // The office's own mails were refused as well.
  'the mail server refuses the customer’s address → mail_refused: customer → users set-email → mail_refused: other':
    (scene) => signed(scene, 'smtp:550').then(() => exhaust(scene)),
  'the signed PDF is gone from the disk → pdf_lost: missing → contracts fetch-pdf → waiting_for_payment': (
    scene,
  ) => signed(scene).then(() => rmSync(signedPdfPath(scene.cli.ctx, scene.contract.id))),
  'the signed PDF on the disk was damaged → pdf_lost: damaged → contracts fetch-pdf → waiting_for_payment': (
    scene,
  ) => signed(scene).then(() => appendFileSync(signedPdfPath(scene.cli.ctx, scene.contract.id), ' ')),
  'the provider would refuse the customer’s name → signer_invalid: name → users edit → not_started': async ({
    cli,
  }) => ({ about: (await cli.addRequest(await cli.addUser({ firstName: '', lastName: '' }))).id }),
  'no daemon runs, and work waits → daemon_down → jobs push → waiting_for_payment': ({ cli, id, signId }) => {
    cli.sandbox.sign(signId);
    return cli.run(`check-signature ${id}`);
  },
};

test.for(Object.entries(SITUATIONS))('%s', async ([title, happen]) => {
  const [, finding, command, becomes] = title.split(' → ');
  const scene = await aScene();
  const { cli } = scene;
  const mended = () => cli.sandbox.faults.clear();
  const { about: id = scene.id, before = mended } = Object(await happen(scene)) as Happened;

  const told = await story(cli, id);

  expect(names(told)[0]).toBe(finding);
  expect(told.verdict).toBe(told.findings[0]?.message);
  expect(told.next).toMatch(new RegExp(`^esignctl ${command} (?:\\d+|\\S+@\\S+ …)`));
  before();
  const typed = String(told.next)
    .replace('--first-name … --last-name …', '--first-name Ada --last-name Lovelace')
    .replace('…', 'right@example.org');
  const yes = command === 'reset-signature' ? ['--yes'] : [];
  expect(await cli.run(...wordsOf(typed), ...yes)).toMatchObject({ code: 0 });
  // What a running daemon would do by itself.
  await cli.drain();
  const after = await story(cli, id);
  expect(names(after)[0]).not.toBe(finding);
  expect([after.subject.status, names(after)[0]]).toContain(becomes);
});

describe('nothing to do', () => {
  test('the customer has the contract, then the payment link, then all is done', async () => {
    const scene = await aScene();
    const { cli, id } = scene;
    expect(await story(cli, id)).toMatchObject({ findings: [{ key: 'waiting_for_customer' }], next: null });
    const paymentId = await signed(scene);
    expect(await story(cli, id)).toMatchObject({ findings: [{ key: 'waiting_for_payment' }], next: null });
    cli.sandbox.pay(paymentId, { async: true });
    const next = `esignctl payments check ${id}`;
    expect(await story(cli, id)).toMatchObject({ findings: [{ key: 'payment_pending' }], next });
    await deliverPayment(cli, paymentId);
    await cli.drain();
    expect(await story(cli, id)).toMatchObject({ findings: [{ key: 'finished' }], next: null });
  });

  test('a word of the provider that we do not know, and a wrong API key; offline, nobody was asked', async () => {
    const scene = await aScene();
    const { cli, id, signId } = scene;
    const is = async (name: string, next: string | null, ...words: string[]) => {
      const told = await story(cli, id, ...words);
      expect([names(told), told.next]).toEqual([[name], next]);
    };
    cli.sandbox.setStatus(signId, 'paused');
    await is('status_unknown', null);
    cli.sandbox.faults.add('signature.get:401');
    await is('provider_unusable: refuses_key', 'esignctl doctor');
    const { calls } = cli.sandbox.state().counters;
    await is('signature_not_asked', `esignctl check-signature ${id}`, '--offline');
    expect(cli.sandbox.state().counters.calls).toEqual(calls);
    cli.sandbox.faults.clear();
    cli.sandbox.setStatus(signId, 'ongoing');
    await signed(scene);
    cli.sandbox.faults.add('payment.get:401');
    await is('provider_unusable: refuses_key', 'esignctl doctor');
    await is('payment_not_asked', `esignctl payments check ${id}`, '--offline');
  });

  test('while somebody works on it the verdict is to look again; forged deliveries are reported, but are no trouble', async () => {
    const { cli, id, signId } = await aScene();
    await deliverRaw(cli, eventBody(cli, signId), 'sha256=00');
    expect(names(await story(cli, id))).toEqual(['waiting_for_customer', 'deliveries_turned_away']);
    await withLock(cli.ctx, requestLock(id), async () => {
      // By another process.
      cli.ctx.db.raw.prepare('UPDATE locks SET holder = ?').run(LIVING);
      expect(names(await story(cli, id))).toEqual(['busy', 'deliveries_turned_away']);
    });
  });

  test('the customer signed what a reset had replaced: the verdict says so, and leads to the link that counts', async () => {
    const { cli, id, signId, contract } = await aScene();
    await cli.run(`reset-signature ${id} --yes`);
    await deliver(cli, signId);
    const current = cli.contract(id);

    const told = await story(cli, id);

    expect(names(told)[0]).toBe('signature_case: replaced_before');
    expect(told.verdict).toContain(`signed contract ${contract.id}`);
    expect(told.verdict).toContain(`contract ${current.id} had already replaced it`);
    expect(told.next).toBe(`esignctl contracts show ${current.id}`);
    expect((await cli.run(...wordsOf(told.next as string))).stdout).toContain(current.signUrl);
  });
});

describe('outbound webhooks', () => {
  const withReceiver = async (answer?: Parameters<typeof aReceiver>[0]) => ({
    ...(await aScene({ ESIGN_WEBHOOK_ALLOW_PRIVATE: '127.0.0.1' })),
    ...(await aReceiver(answer)),
  });
  const OFF = `UPDATE webhooks SET active = 0, disabledReason = 'failing'`;

  test('every subscription that was switched off is a cause; when all are on, what was missed is sent again', async () => {
    const { cli, id, signId, url, received } = await withReceiver();
    const [first, second, third] = [
      await subscribed(cli, { url }),
      await subscribed(cli, { url }),
      await subscribed(cli, { url }),
    ];
    cli.sandbox.sign(signId);
    await checkSignature(cli.ctx, id, { actor: TESTER });
    cli.ctx.db.raw.exec(OFF);
    await cli.drain();
    await cli.run(`webhooks enable ${third.id}`);

    const { findings, timeline } = await story(cli, id);

    expect(findings).toMatchObject([
      { key: 'subscription_disabled', next: `esignctl webhooks enable ${first.id}` },
      { key: 'subscription_disabled', next: `esignctl webhooks enable ${second.id}` },
      { key: 'delivery_missed' },
      { key: 'waiting_for_payment' },
    ]);
    expect(timeline.find(({ what }) => what === 'job.dropped')?.message).toContain('Not delivered');
    for (const { next } of findings.slice(0, 2))
      expect(await cli.run(...wordsOf(next as string))).toMatchObject({ code: 0 });
    expect(received).toEqual([]);
    const missed = await story(cli, id);
    expect(names(missed)).toEqual(['delivery_missed', 'waiting_for_payment']);
    expect(await cli.run(...wordsOf(missed.next as string))).toMatchObject({ code: 0 });
    expect(received.length).toBeGreaterThan(0);
    expect(names(await story(cli, id))).toEqual(['waiting_for_payment']);
  });

  test('what the customer suffers from comes before a deaf receiver', async () => {
    const scene = await withReceiver();
    const { cli, id, url } = scene;
    const hook = await subscribed(cli, { url });
    await signed(scene, 'smtp:550');
    await exhaust(scene);
    await cli.run(`webhooks disable ${hook.id}`);
    cli.ctx.db.raw.exec("UPDATE deliveries SET state = 'failed', finishedAt = createdAt");

    const keys = (await story(cli, id)).findings.map(({ key }) => key);

    expect(keys[0]).toMatch(/mail_address|mail_refused|jobs_failed/);
    expect(keys.indexOf('subscription_disabled')).toBeGreaterThan(
      keys.findIndex((key) => /mail_address|mail_refused|jobs_failed|jobs_retrying/.test(key)),
    );
  });

  test('no command is named that would send to a subscription that is off', async () => {
    const scene = await withReceiver(answered(500));
    const { cli, id, url } = scene;
    const hook = await subscribed(cli, { url });
    await cli.run(`reset-signature ${id} --yes`);
    await exhaust(scene);
    expect((await story(cli, id)).findings.map(({ next }) => next)).toContainEqual(
      expect.stringContaining('failed replay'),
    );
    await cli.run(`webhooks disable ${hook.id}`);
    const { findings } = await story(cli, id);
    expect(findings.map(({ next }) => next)).toEqual([`esignctl webhooks enable ${hook.id}`, null]);
  });
});

test('a payment page that could not be made is not promised forever', async () => {
  const { cli, id, signId } = await aScene();
  cli.sandbox.sign(signId);
  cli.sandbox.faults.add('payment.create:500');
  const tries = [await cli.run(`check-signature ${id}`)];
  for (let n = 0; n < 3; n += 1) tries.push(await cli.run(`payments renew ${id}`));
  const [job] = cli.jobs('create-payment-session');
  const retried = expect.stringContaining('It will be retried automatically') as string;
  const usedUp = expect.stringContaining(`All tries are used up. Run \`esignctl failed replay ${job?.id}\``);
  expect(tries.map(({ stderr }) => stderr)).toEqual([retried, retried, retried, usedUp]);
  expect(job?.state).toBe('failed');
});

describe('keys', () => {
  test('number, reference, contract, signId, paymentId and e-mail lead to the same request', async () => {
    const scene = await aScene();
    const { cli, id, signId, contract, owner, request } = scene;
    const paymentId = await signed(scene);
    const references = [request.reference.toLowerCase(), request.reference.replace('-00000', '-')];
    const keys = [
      id,
      ...references,
      `contract:${contract.id}`,
      signId,
      paymentId,
      owner.username.toUpperCase(),
    ];
    for (const key of keys) expect([key, (await story(cli, key)).subject.id]).toEqual([key, id]);
  });

  test('what names nothing is exit 4', async () => {
    const { cli } = await aScene();
    for (const key of ['999', 'REQ-1999-000001', 'contract:999', 'no-such-sign-id', 'nobody@example.org']) {
      const ran = await cli.run('explain', key, '--json');
      expect([key, ran.code, jsonError(ran).code]).toEqual([key, 4, 'request_not_found']);
    }
  });

  test('of several requests of a customer the stuck one is explained, the others are named', async () => {
    const { cli, owner, id, signId } = await aScene();
    const { id: other, reference } = await cli.addRequest(owner);
    cli.sandbox.decline(signId);
    await deliver(cli, signId, { name: 'signature_request.declined' });

    const { subject } = await story(cli, owner.username);

    expect(subject).toMatchObject({ id, others: [{ id: other, reference, status: 'in_progress' }] });
  });
});

test('a person reads who it is about, the time line with local times, the verdict and the command', async () => {
  const { cli, id, signId, request, owner } = await aScene();
  cli.sandbox.sign(signId);
  await deliverRaw(cli, eventBody(cli, signId), 'sha256=00');

  const surroundings = { terminal: { stdout: 100 }, env: { NO_COLOR: '1' } };
  const { stdout } = await cli.runIn(surroundings, `explain ${id}`);

  const lines = stdout.split('\n');
  expect(lines[0]).toBe(`${request.reference} (request ${id}): Yearly maintenance`);
  expect(lines[1]).toContain(`Waiting for signature, customer ${owner.username}, contract`);
  expect(stdout).toMatch(/TIME \([A-Z]{3,4}\) +WHO +WHAT/);
  expect(stdout.replaceAll(/\s+/g, ' ')).toContain('rejected: its signature is wrong');
  expect(stdout).toContain('The signature provider now reports: signed');
  expect(stdout).toMatch(/^Verdict: The customer has signed/m);
  expect(stdout).toMatch(new RegExp(`^Next: esignctl check-signature ${id}$`, 'm'));

  const piped = await cli.run(`explain ${id}`);
  expect(piped.stdout).toContain('TIME\tWHO\tWHAT\n');
  expect(piped.stdout).toMatch(
    /\n\d{4}-\d\d-\d\dT[\d:.]+Z\tprovider\tWebhook for the signature provider rejected/,
  );
});

test('of a long story the newest part is told, with the command that tells what came before', async () => {
  const { cli, id } = await aScene();
  lengthenHistory(cli.ctx.db, { requestId: id, by: 250 });

  const { stdout } = await cli.run(`explain ${id} --offline`);

  expect(stdout.match(/Request changed/g)).toHaveLength(200);
  const [, words = ''] = /^Earlier entries: esignctl (history .+)$/m.exec(stdout) ?? [];
  const before = await cli.run(...words.split(' '), '--limit', '100');
  expect(before.stdout.match(/Request changed/g)).toHaveLength(50);
  expect(before.stdout).toMatch(/Contract \d+ sent/);
  expect(await story(cli, id, '--offline')).toMatchObject({ earlier: `esignctl ${words}` });
});
