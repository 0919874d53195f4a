/**
 * esignctl explain: every way in which a request can be stuck is made to happen; the verdict must name the cause, and the
 * command that it names must fix it.
 */
import { findingName } from '../../support/finding-names.js';
import { LIVING } from '../../support/holders.js';
import { appendFileSync, rmSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { addMs } from '../../../src/core/clock.js';
import { signedPdfPath } from '../../../src/core/contracts/contract-files.js';
import { requestLock, withLock } from '../../../src/core/lock.js';
import type { Explanation, Finding } from '../../../src/core/explain/explain.js';
import { checkSignature } from '../../../src/core/signature/check-signature.js';
import { startSignature } from '../../../src/core/signature/start-signature.js';
import { PAYMENT_WEBHOOK_SECRET, TESTER, type Waiting } from '../../support/app.js';
import { DAY } from '../../support/clock.js';
import { answered, aReceiver } from '../../support/receiver.js';
import { lengthenHistory } from '../../support/long-history.js';
import { subscribed } from '../../support/subscriptions.js';
import { deliver, deliverPayment, deliverRaw, eventBody } from '../../support/webhooks.js';
import { faultsOf } from '../../support/command-line.js';
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
async function signed(scene: Scene): Promise<string> {
  const { cli, signId } = scene;
  cli.sandbox.sign(signId);
  await checkSignature(cli.ctx, scene.id, { actor: TESTER });
  await cli.drain();
  return cli.request(scene.id).paymentId as string;
}

/** The last try of all that waits, as if the others had been made. */
async function exhaust(cli: Cli): Promise<void> {
  cli.ctx.db.raw.exec(
    `UPDATE jobs SET runAt = '2026-01-01', attempt = iif(kind = 'create-payment-session', 3, 6) WHERE state = 'available'`,
  );
  await cli.drain();
}

/** Made three days, or more, ago by everybody's clock but the reader's. */
async function longAgo(scene: Scene, days: number): Promise<Waiting> {
  scene.clock.ms = -days * DAY;
  const old = await scene.cli.waitingRequest();
  scene.clock.ms = 0;
  return old;
}

type Shown<T> = Omit<T, 'next' | 'need' | 'reply'> & { next: string | null };
/** As the document shows it, with its commands written out. */
type Story = Shown<Omit<Explanation, 'findings'>> & { findings: Shown<Finding>[] };

async function story(cli: Cli, key: string | number, ...more: string[]): Promise<Story> {
  const ran = await cli.run('explain', String(key), '--json', ...more);
  expect(ran.code).toBe(0);
  const told = json(ran) as unknown as Story;
  for (const { message, next } of told.findings) {
    expect(message).not.toMatch(/%\w+%/);
    expect(next === null ? [] : faultsOf(wordsOf(next))).toEqual([]);
  }
  return told;
}

/** Of the gravest. */
function nameOf([first]: Story['findings']): string | undefined {
  return first && findingName(first);
}

/** The words of a command line, with one pair of quotes at most. */
function wordsOf(next: string): string[] {
  return [...next.matchAll(/"([^"]*)"|(\S+)/g)]
    .map(([, quoted, word]) => quoted ?? (word as string))
    .slice(1);
}

interface Situation {
  name: string;
  /** Makes it happen; returns another request than the scene's when it is about that one. */
  happen(scene: Scene): Promise<number | void> | number | void;
  /** Its key, and its cause where it has several. */
  finding: string;
  verdict: RegExp;
  /** How its command begins, after the program's name. */
  next: string;
  /** What a person does beside the command. */
  before?(scene: Scene): void;
  /** The status of the request, or the finding of the next look, once the command has run. */
  becomes: string;
}

const SITUATIONS: Situation[] = [
  {
    name: 'the webhook was lost',
    happen: ({ cli, signId }) => void cli.sandbox.sign(signId),
    finding: 'webhook_missed: lost',
    verdict: /customer has signed.*webhook never reached us/,
    next: 'check-signature',
    becomes: 'WAITING_PAYMENT',
  },
  {
    name: 'the webhook came with a wrong signature',
    happen: async ({ cli, signId }) => {
      cli.sandbox.sign(signId);
      await deliverRaw(cli, eventBody(cli, signId), 'sha256=00');
    },
    finding: 'webhook_missed: wrong_signature',
    verdict: /its signature was wrong/,
    next: 'check-signature',
    becomes: 'WAITING_PAYMENT',
  },
  {
    name: 'the signed PDF is damaged, and it is tried again',
    happen: async ({ cli, signId }) => {
      cli.sandbox.faults.add('pdf:truncated');
      cli.sandbox.sign(signId);
      await deliver(cli, signId);
      await cli.ctx.jobs.idle();
    },
    finding: 'completion_stuck: retrying',
    verdict: /webhook came, but the signed contract could not be stored yet/,
    next: 'jobs push',
    before: ({ cli }) => cli.sandbox.faults.clear(),
    becomes: 'WAITING_PAYMENT',
  },
  {
    name: 'the signed PDF stays damaged until all tries are used up',
    happen: async ({ cli, signId }) => {
      cli.sandbox.faults.add('pdf:not_pdf');
      cli.sandbox.sign(signId);
      await deliver(cli, signId);
      await cli.ctx.jobs.idle();
      await exhaust(cli);
    },
    finding: 'completion_stuck: failed',
    verdict: /no attempts are left/,
    next: 'failed replay',
    before: ({ cli }) => cli.sandbox.faults.clear(),
    becomes: 'WAITING_PAYMENT',
  },
  {
    name: 'the customer declined',
    happen: async ({ cli, signId }) => {
      cli.sandbox.decline(signId, { reason: 'too expensive' });
      await deliver(cli, signId, { name: 'signature_request.declined' });
      await cli.drain();
    },
    finding: 'ended: declined_because',
    verdict: /declined the contract: “too expensive”/,
    next: 'reset-signature',
    becomes: 'waiting_for_customer',
  },
  {
    name: 'the provider has told of an error while signing, and has not canceled it yet',
    happen: async ({ cli, signId }) => {
      await deliver(cli, signId, { name: 'signer.error' });
    },
    finding: 'ended: signer_error',
    verdict: /document may be damaged/,
    next: 'reset-signature',
    becomes: 'waiting_for_customer',
  },
  {
    name: 'it was canceled at the provider, and we did not hear of it',
    happen: ({ cli, signId }) => void cli.sandbox.cancel(signId),
    finding: 'ended: canceled',
    verdict: /canceled at the signature provider/,
    next: 'reset-signature',
    becomes: 'waiting_for_customer',
  },
  {
    name: 'the webhook came before the contract was known here',
    happen: async ({ cli, signId }) => {
      cli.sandbox.sign(signId);
      const rename = cli.ctx.db.raw.prepare('UPDATE contracts SET signId = ?');
      rename.run('not-yet');
      // So that it does not say whose it is.
      cli.sandbox.faults.add('signature.get:401:1');
      expect(await deliver(cli, signId)).toBe(404);
      rename.run(signId);
    },
    finding: 'webhook_missed: rejected',
    verdict: /customer has signed, but the webhook was rejected/,
    next: 'check-signature',
    becomes: 'WAITING_PAYMENT',
  },
  {
    name: 'it was put back to a draft at the provider',
    happen: ({ cli, signId }) => void cli.sandbox.setStatus(signId, 'draft'),
    finding: 'reset_unfinished: draft',
    verdict: /still has the contract as a draft/,
    next: 'reset-signature',
    becomes: 'waiting_for_customer',
  },
  {
    name: 'it was deleted at the provider for good',
    happen: ({ cli, signId }) => void cli.sandbox.delete(signId, { permanent: true }),
    finding: 'ended: not_found',
    verdict: /no longer knows this contract/,
    next: 'reset-signature',
    becomes: 'waiting_for_customer',
  },
  {
    name: 'the contract was closed by the daily expiry while the provider was still open',
    happen: async (scene) => {
      const { request, signId, contract } = await longAgo(scene, 31);
      scene.cli.ctx.db.raw
        .prepare('UPDATE contracts SET signUrlExpiresAt = NULL WHERE id = ?')
        .run(contract.id);
      expect(signId).toBeTruthy();
      await scene.cli.run('expire-contracts');
      scene.clock.ms = -2 * DAY;
      // The provider's day is not over yet.
      scene.cli.sandbox.setStatus(signId, 'ongoing');
      return request.id;
    },
    finding: 'ended: date_passed',
    verdict: /deadline for signing has passed/,
    next: 'reset-signature',
    before: ({ clock }) => (clock.ms = 0),
    becomes: 'waiting_for_customer',
  },
  {
    name: 'the link to sign has expired',
    happen: async (scene) => (await longAgo(scene, 3)).request.id,
    finding: 'sign_link_over',
    verdict: /signing link has expired/,
    next: 'contracts show',
    becomes: 'waiting_for_customer',
  },
  {
    name: 'it was signed after the last moment',
    happen: async (scene) => {
      // Its last day was the day before yesterday, so an hour ago is after it also just after midnight.
      const { request, signId } = await longAgo(scene, 32);
      scene.clock.ms = -2 * DAY;
      scene.cli.sandbox.sign(signId, { completedAt: Date.now() - 3_600_000 });
      scene.clock.ms = 0;
      return request.id;
    },
    finding: 'signature_case: late',
    verdict: /signed after the deadline/,
    next: 'reset-signature',
    becomes: 'waiting_for_customer',
  },
  {
    name: 'the signature provider is down',
    happen: ({ cli }) => void cli.sandbox.faults.add('signature:reset'),
    finding: 'provider_unusable: down',
    verdict: /signature provider gave no usable answer/,
    next: 'check-signature',
    before: ({ cli, signId }) => {
      cli.sandbox.faults.clear();
      cli.sandbox.sign(signId);
    },
    becomes: 'WAITING_PAYMENT',
  },
  {
    name: 'the contract was never sent: the start stopped half-way',
    happen: async ({ cli }) => {
      const { id } = await cli.addRequest();
      cli.sandbox.faults.add('signature.activate:500');
      await startSignature(cli.ctx, id, { actor: TESTER }).catch(() => undefined);
      cli.sandbox.faults.clear();
      return id;
    },
    finding: 'start_unfinished: interrupted',
    verdict: /sending the contract was interrupted/,
    next: 'start-signature',
    becomes: 'WAITING_SIGNATURE',
  },
  {
    name: 'a reset stopped half-way',
    happen: async ({ cli, id }) => {
      cli.sandbox.faults.add('signature.create:500');
      await cli.run('reset-signature', String(id), '--yes');
      cli.sandbox.faults.clear();
    },
    finding: 'reset_unfinished: refused',
    verdict: /nothing to sign.* answered 500/,
    next: 'reset-signature',
    becomes: 'waiting_for_customer',
  },
  {
    name: 'nobody has sent the contract',
    happen: async ({ cli }) => (await cli.addRequest()).id,
    finding: 'not_started',
    verdict: /Nobody has sent the contract yet/,
    next: 'start-signature',
    becomes: 'WAITING_SIGNATURE',
  },
  {
    name: 'the payment link could not be made in four tries',
    happen: async (scene) => {
      scene.cli.sandbox.faults.add('payment.create:500');
      await signed(scene);
      await exhaust(scene.cli);
    },
    finding: 'payment_job_stuck: failed',
    verdict: /payment link could not be created, and no attempts are left: payment provider answered 500/,
    next: 'failed replay',
    before: ({ cli }) => cli.sandbox.faults.clear(),
    becomes: 'waiting_for_payment',
  },
  {
    name: 'the payment link is being tried again',
    happen: async (scene) => {
      scene.cli.sandbox.faults.add('payment.create:500');
      await signed(scene);
    },
    finding: 'payment_job_stuck: retrying',
    verdict: /could not be created yet/,
    next: 'jobs push',
    before: ({ cli }) => cli.sandbox.faults.clear(),
    becomes: 'waiting_for_payment',
  },
  {
    name: 'the failed payment job was removed',
    happen: async (scene) => {
      scene.cli.sandbox.faults.add('payment.create:500');
      await signed(scene);
      await exhaust(scene.cli);
      const [job] = scene.cli.jobs('create-payment-session');
      await scene.cli.run('failed', 'remove', String(job?.id), '--yes');
    },
    finding: 'payment_missing: unmade',
    verdict: /there is no payment link/,
    next: 'payments renew',
    before: ({ cli }) => cli.sandbox.faults.clear(),
    becomes: 'waiting_for_payment',
  },
  {
    name: 'the payment link has expired',
    happen: async (scene) => {
      const paymentId = await signed(scene);
      scene.cli.sandbox.expireSession(paymentId);
    },
    finding: 'payment_over: expired',
    verdict: /payment page has expired/,
    next: 'payments renew',
    becomes: 'waiting_for_payment',
  },
  {
    name: 'the bank refused the payment in the end',
    happen: async (scene) => {
      const paymentId = await signed(scene);
      scene.cli.sandbox.pay(paymentId, { async: true });
      scene.cli.sandbox.settlePayment(paymentId, 'failed');
      await deliverPayment(scene.cli, paymentId, {
        type: 'checkout.session.async_payment_failed',
        paymentStatus: 'unpaid',
      });
      await scene.cli.drain();
    },
    finding: 'payment_missing: refused',
    verdict: /bank declined/,
    next: 'payments renew',
    becomes: 'waiting_for_payment',
  },
  {
    name: 'the payment provider lost the session',
    happen: async (scene) => {
      await signed(scene);
      scene.cli.sandbox.faults.add('payment.get:404:2');
    },
    finding: 'payment_missing: gone',
    verdict: /no longer knows the payment link/,
    next: 'payments renew',
    becomes: 'waiting_for_payment',
  },
  {
    name: 'paid there, and the webhook was lost',
    happen: async (scene) => void scene.cli.sandbox.pay(await signed(scene)),
    finding: 'webhook_missed: lost',
    verdict: /has paid, but the payment provider’s webhook never reached us/,
    next: 'payments check',
    becomes: 'COMPLETE',
  },
  {
    name: 'paid there, and payment webhooks are not set up',
    happen: async (scene) => {
      scene.cli.env['ESIGN_PAYMENT_WEBHOOK_SECRET'] = '';
      scene.cli.sandbox.pay(await signed(scene));
    },
    finding: 'webhook_missed: off',
    verdict: /ESIGN_PAYMENT_WEBHOOK_SECRET is not set/,
    next: 'payments check',
    becomes: 'COMPLETE',
  },
  {
    name: 'the payment provider is down',
    happen: async (scene) => {
      scene.cli.sandbox.pay(await signed(scene));
      scene.cli.sandbox.faults.add('payment:reset');
    },
    finding: 'provider_unusable: down',
    verdict: /payment provider gave no usable answer/,
    next: 'payments check',
    before: ({ cli }) => cli.sandbox.faults.clear(),
    becomes: 'COMPLETE',
  },
  {
    name: 'paid through the page of an earlier contract',
    happen: async (scene) => {
      const { cli, id } = scene;
      const old = await signed(scene);
      for (const how of ['cancel', 'reopen'])
        await cli.run('requests', how, String(id), '--reason', 'by mistake', '--yes');
      await cli.run('start-signature', String(id));
      await signed({ ...scene, signId: cli.contract(id).signId as string });
      await deliverPayment(cli, old);
      await cli.drain();
    },
    finding: 'payment_case: old_session_paid',
    verdict: /through the link of an earlier contract/,
    next: 'requests complete',
    becomes: 'COMPLETE',
  },
  {
    name: 'mails fail until their tries are used up',
    happen: async (scene) => {
      scene.cli.sandbox.faults.add('smtp:451');
      await signed(scene);
      await exhaust(scene.cli);
    },
    finding: 'jobs_failed',
    verdict: /Failed for good: e-mail with the signed contract.*451/,
    next: 'failed replay',
    before: ({ cli }) => cli.sandbox.faults.clear(),
    // The link, which waited for that mail.
    becomes: 'jobs_retrying',
  },
  {
    name: 'the mail server is down',
    happen: async (scene) => {
      scene.cli.sandbox.faults.add('smtp:refuse');
      await signed(scene);
    },
    finding: 'jobs_retrying',
    verdict: /Not done yet: e-mail with/,
    next: 'jobs push',
    before: ({ cli }) => cli.sandbox.faults.clear(),
    becomes: 'waiting_for_payment',
  },
  {
    name: 'the mail server refuses the customer’s address',
    happen: async (scene) => {
      scene.cli.sandbox.faults.add('smtp:550');
      await signed(scene);
      await exhaust(scene.cli);
    },
    finding: 'mail_refused: customer',
    verdict:
      /does not accept mail for the customer’s address: .*550.*no such mailbox\. Not sent: e-mail with the signed contract/,
    next: 'users set-email',
    before: ({ cli }) => cli.sandbox.faults.clear(),
    // The office's own mails were refused as well.
    becomes: 'mail_refused: other',
  },
  {
    name: 'the signed PDF is gone from the disk',
    happen: async (scene) => {
      await signed(scene);
      rmSync(signedPdfPath(scene.cli.ctx, scene.contract.id));
    },
    finding: 'pdf_lost: missing',
    verdict: /signed PDF of contract \d+ is no longer on disk/,
    next: 'contracts fetch-pdf',
    becomes: 'waiting_for_payment',
  },
  {
    name: 'the signed PDF on the disk was damaged',
    happen: async (scene) => {
      await signed(scene);
      appendFileSync(signedPdfPath(scene.cli.ctx, scene.contract.id), ' ');
    },
    finding: 'pdf_lost: damaged',
    verdict: /not the one that was stored/,
    next: 'contracts fetch-pdf',
    becomes: 'waiting_for_payment',
  },
  {
    name: 'the provider would refuse the customer’s name',
    happen: async ({ cli }) => {
      const nameless = await cli.addUser({ firstName: '', lastName: '' });
      return (await cli.addRequest(nameless)).id;
    },
    finding: 'signer_invalid: name',
    verdict: /will not accept the customer’s name “–”\. Correct the first and last name of customer/,
    next: 'users edit',
    becomes: 'not_started',
  },
  {
    name: 'no daemon runs, and work waits',
    happen: async ({ cli, id, signId }) => {
      cli.sandbox.sign(signId);
      await cli.run('check-signature', String(id));
    },
    finding: 'daemon_down',
    verdict: /esignd is not running/,
    next: 'jobs push',
    becomes: 'waiting_for_payment',
  },
];

describe('the verdict names the cause, and its command fixes it', () => {
  test.each(SITUATIONS)('$name: $finding', async (situation) => {
    const scene = await aScene();
    const { cli } = scene;
    const id = (await situation.happen(scene)) ?? scene.id;

    const { findings, verdict, next } = await story(cli, id);

    expect(nameOf(findings)).toBe(situation.finding);
    expect(verdict).toMatch(situation.verdict);
    expect(next).toMatch(new RegExp(`^esignctl ${situation.next} (?:\\d+|\\S+@\\S+ …)`));
    situation.before?.(scene);
    const typed = (next as string)
      .replace('--first-name … --last-name …', '--first-name Ada --last-name Lovelace')
      .replace('…', 'right@example.org');
    const fixed = await cli.run(...wordsOf(typed), ...(needsYes(next) ? ['--yes'] : []));
    expect(fixed).toMatchObject({ code: 0 });
    // What a running daemon would do by itself.
    await cli.drain();
    const after = await story(cli, id);
    expect(nameOf(after.findings)).not.toBe(situation.finding);
    expect([after.subject.status, nameOf(after.findings)]).toContain(situation.becomes);
  });

  const needsYes = (next: string | null) => /reset-signature/.test(next ?? '');
});

describe('nothing to do', () => {
  test('the customer has the contract, then the payment link, then all is done', async () => {
    const scene = await aScene();
    const { cli, id } = scene;
    expect(await story(cli, id)).toMatchObject({ findings: [{ key: 'waiting_for_customer' }], next: null });
    const paymentId = await signed(scene);
    expect(await story(cli, id)).toMatchObject({ findings: [{ key: 'waiting_for_payment' }], next: null });
    cli.sandbox.pay(paymentId, { async: true });
    expect(await story(cli, id)).toMatchObject({
      findings: [{ key: 'payment_pending' }],
      next: `esignctl payments check ${id}`,
    });
    await deliverPayment(cli, paymentId);
    await cli.drain();
    expect(await story(cli, id)).toMatchObject({
      subject: { status: 'COMPLETE' },
      findings: [{ key: 'finished' }],
      next: null,
    });
  });

  test('a wrong API key and a word we do not know have no command that fixes them', async () => {
    const scene = await aScene();
    const { cli, id, signId } = scene;
    cli.sandbox.setStatus(signId, 'paused');
    expect(await story(cli, id)).toMatchObject({ findings: [{ key: 'status_unknown' }], next: null });
    cli.sandbox.faults.add('signature.get:401');
    expect(await story(cli, id)).toMatchObject({
      findings: [{ key: 'provider_unusable', cause: 'refuses_key' }],
      next: 'esignctl doctor',
    });
  });

  test('a wrong key of the payment provider leads to doctor; offline, nobody was asked', async () => {
    const scene = await aScene();
    const { cli, id } = scene;
    await signed(scene);
    cli.sandbox.faults.add('payment.get:401');
    expect(await story(cli, id)).toMatchObject({
      findings: [{ key: 'provider_unusable', cause: 'refuses_key' }],
      next: 'esignctl doctor',
    });
    expect(await story(cli, id, '--offline')).toMatchObject({
      findings: [{ key: 'payment_not_asked' }],
      next: `esignctl payments check ${id}`,
    });
  });

  test('while somebody works on it the verdict is to look again; forged deliveries are reported, but are no trouble', async () => {
    const { cli, id, signId } = await aScene();
    await deliverRaw(cli, eventBody(cli, signId), 'sha256=00');
    const keys = async () => (await story(cli, id)).findings.map(({ key }) => key);
    expect(await keys()).toEqual(['waiting_for_customer', 'deliveries_turned_away']);
    await withLock(cli.ctx, requestLock(id), async () => {
      // By another process.
      cli.ctx.db.raw.prepare('UPDATE locks SET holder = ?').run(LIVING);
      expect(await keys()).toEqual(['busy', 'deliveries_turned_away']);
    });
  });

  test('the customer signed what a reset had replaced: the verdict says so, and leads to the link that counts', async () => {
    const { cli, id, signId, contract } = await aScene();
    await cli.run('reset-signature', String(id), '--yes');
    await deliver(cli, signId);
    const current = cli.contract(id);

    const { findings, verdict, next } = await story(cli, id);

    expect(nameOf(findings)).toBe('signature_case: replaced_before');
    expect(verdict).toContain(`signed contract ${contract.id}`);
    expect(verdict).toContain(`contract ${current.id} had already replaced it`);
    expect(next).toBe(`esignctl contracts show ${current.id}`);
    expect((await cli.run(...wordsOf(next as string))).stdout).toContain(current.signUrl);
  });
});

describe('outbound webhooks', () => {
  test('a subscription that was switched off is the cause; when it is on, what was missed is sent again', async () => {
    const { cli, id, signId } = await aScene({ ESIGN_WEBHOOK_ALLOW_PRIVATE: '127.0.0.1' });
    const { url, received } = await aReceiver();
    const hook = await subscribed(cli, { url });
    cli.sandbox.sign(signId);
    await checkSignature(cli.ctx, id, { actor: TESTER });
    cli.ctx.db.raw.exec(`UPDATE webhooks SET active = 0, disabledReason = 'failing'`);
    await cli.drain();

    const { findings, next, timeline } = await story(cli, id);

    expect(findings[0]?.key).toBe('subscription_disabled');
    expect(next).toBe(`esignctl webhooks enable ${hook.id}`);
    expect(timeline.find(({ what }) => what === 'job.dropped')?.message).toContain('Not delivered');
    expect(await cli.run(...wordsOf(next as string))).toMatchObject({ code: 0 });
    const missed = await story(cli, id);
    expect(missed.findings.map(({ key }) => key)).toEqual(['delivery_missed', 'waiting_for_payment']);
    expect(await cli.run(...wordsOf(missed.next as string))).toMatchObject({ code: 0 });
    expect(received).toHaveLength(2);
    expect(await story(cli, id)).toMatchObject({ findings: [{ key: 'waiting_for_payment' }], next: null });
  });

  test('every subscription that was switched off is named at once, and what the others missed can be sent', async () => {
    const { cli, id, signId } = await aScene({ ESIGN_WEBHOOK_ALLOW_PRIVATE: '127.0.0.1' });
    const { url } = await aReceiver();
    const [first, second, third] = [
      await subscribed(cli, { url }),
      await subscribed(cli, { url }),
      await subscribed(cli, { url }),
    ];
    cli.sandbox.sign(signId);
    await checkSignature(cli.ctx, id, { actor: TESTER });
    cli.ctx.db.raw.exec(`UPDATE webhooks SET active = 0, disabledReason = 'failing'`);
    await cli.drain();
    await cli.run('webhooks', 'enable', String(third.id));

    const { findings } = await story(cli, id);

    expect(findings.slice(0, 3)).toMatchObject([
      { key: 'subscription_disabled', next: `esignctl webhooks enable ${first.id}` },
      { key: 'subscription_disabled', next: `esignctl webhooks enable ${second.id}` },
      { key: 'delivery_missed' },
    ]);
  });
});

describe('what the customer suffers from comes before a deaf receiver', () => {
  test('a mail that is refused, a payment link that could not be made', async () => {
    const scene = await aScene({ ESIGN_WEBHOOK_ALLOW_PRIVATE: '127.0.0.1' });
    const { cli, id } = scene;
    const { url } = await aReceiver();
    const hook = await subscribed(cli, { url });
    cli.sandbox.faults.add('smtp:550');
    await signed(scene);
    await exhaust(cli);
    await cli.run('webhooks', 'disable', String(hook.id));
    cli.ctx.db.raw.exec("UPDATE deliveries SET state = 'failed', finishedAt = createdAt");

    const keys = (await story(cli, id)).findings.map(({ key }) => key);

    expect(keys).toContain('subscription_disabled');
    expect(keys.findIndex((key) => key === 'subscription_disabled')).toBeGreaterThan(
      keys.findIndex((key) => /mail_address|mail_refused|jobs_failed|jobs_retrying/.test(key)),
    );
    expect(keys[0]).toMatch(/mail_address|mail_refused|jobs_failed/);
  });

  test('no command is named that would send to a subscription that is off', async () => {
    const { cli, id } = await aScene({ ESIGN_WEBHOOK_ALLOW_PRIVATE: '127.0.0.1' });
    const { url } = await aReceiver(answered(500));
    const hook = await subscribed(cli, { url });
    await cli.run('reset-signature', String(id), '--yes');
    await exhaust(cli);
    expect((await story(cli, id)).findings.map(({ next }) => next)).toContainEqual(
      expect.stringContaining('failed replay'),
    );
    await cli.run('webhooks', 'disable', String(hook.id));
    const { findings } = await story(cli, id);
    expect(findings.map(({ next }) => next)).toEqual([`esignctl webhooks enable ${hook.id}`, null]);
  });
});

describe('earlier knowledge is not shown as the present state', () => {
  test('a payment page that could not be made is not promised forever', async () => {
    const scene = await aScene();
    const { cli, id, signId } = scene;
    cli.sandbox.sign(signId);
    cli.sandbox.faults.add('payment.create:500');
    const checked = await cli.run('check-signature', String(id));
    expect(checked.stderr).toContain('It will be retried automatically');
    expect(checked.stderr).toContain(`esignctl explain ${id}`);
    for (let n = 0; n < 2; n += 1) {
      const renewed = await cli.run('payments', 'renew', String(id));
      expect(renewed.stderr).toContain('It will be retried automatically');
    }
    const last = await cli.run('payments', 'renew', String(id));
    const job = cli.jobs('create-payment-session')[0];
    expect(job?.state).toBe('failed');
    expect(last.stderr).toContain(`All tries are used up. Run \`esignctl failed replay ${job?.id}\``);
  });
});

describe('offline', () => {
  test('asks nobody, and says what our records tell', async () => {
    const scene = await aScene();
    const { cli, id, signId } = scene;
    cli.sandbox.sign(signId);
    const before = cli.sandbox.state().counters.calls;
    expect(await story(cli, id, '--offline')).toMatchObject({
      findings: [{ key: 'signature_not_asked' }],
      next: `esignctl check-signature ${id}`,
    });
    expect(cli.sandbox.state().counters.calls).toEqual(before);
  });
});

describe('keys', () => {
  test('number, reference, contract, signId, paymentId and e-mail lead to the same request', async () => {
    const scene = await aScene();
    const { cli, id, signId, contract, owner, request } = scene;
    const paymentId = await signed(scene);
    const keys = [
      String(id),
      request.reference.toLowerCase(),
      request.reference.replace('-00000', '-'),
      `contract:${contract.id}`,
      signId,
      paymentId,
      owner.username.toUpperCase(),
    ];
    for (const key of keys) expect((await story(cli, key)).subject.id).toBe(id);
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
    const newer = await cli.addRequest(owner);
    cli.sandbox.decline(signId);
    await deliver(cli, signId, { name: 'signature_request.declined' });

    const { subject } = await story(cli, owner.username);

    expect(subject.id).toBe(id);
    expect(subject.others).toEqual([{ id: newer.id, reference: newer.reference, status: 'in_progress' }]);
  });
});

test('a person reads who it is about, the time line with local times, the verdict and the command', async () => {
  const { cli, id, signId, request, owner } = await aScene();
  cli.sandbox.sign(signId);
  await deliverRaw(cli, eventBody(cli, signId), 'sha256=00');

  const terminal = await cli.runIn(
    { terminal: { stdout: 100 }, env: { NO_COLOR: '1' } },
    'explain',
    String(id),
  );

  const lines = terminal.stdout.split('\n');
  expect(lines[0]).toBe(`${request.reference} (request ${id}): Yearly maintenance`);
  expect(lines[1]).toContain(`Waiting for signature, customer ${owner.username}, contract`);
  expect(terminal.stdout).toMatch(/TIME \([A-Z]{3,4}\) +WHO +WHAT/);
  expect(terminal.stdout.replaceAll(/\s+/g, ' ')).toContain('rejected: its signature is wrong');
  expect(terminal.stdout).toContain('The signature provider now reports: signed');
  expect(terminal.stdout).toMatch(/^Verdict: The customer has signed/m);
  expect(terminal.stdout).toMatch(new RegExp(`^Next: esignctl check-signature ${id}$`, 'm'));
  for (const line of lines.filter((each) => !/^(REQ|WAITING)/.test(each))) {
    expect(line.length).toBeLessThanOrEqual(100);
  }

  const piped = await cli.run('explain', String(id));
  expect(piped.stdout).toContain('TIME\tWHO\tWHAT\n');
  expect(piped.stdout).toMatch(
    /\n\d{4}-\d\d-\d\dT[\d:.]+Z\tprovider\tWebhook for the signature provider rejected/,
  );
});

test('of a long story the newest part is told, with the command that tells what came before', async () => {
  const { cli, id } = await aScene();
  lengthenHistory(cli.ctx.db, { requestId: id, by: 250 });

  const { stdout } = await cli.run('explain', String(id), '--offline');

  expect(stdout.match(/Request changed/g)).toHaveLength(200);
  const [, words = ''] = /^Earlier entries: esignctl (history .+)$/m.exec(stdout) ?? [];
  const before = await cli.run(...words.split(' '), '--limit', '100');
  expect(before.stdout.match(/Request changed/g)).toHaveLength(50);
  expect(before.stdout).toMatch(/Contract \d+ sent/);
  expect(json(await cli.run('explain', String(id), '--offline', '--json'))).toMatchObject({
    earlier: `esignctl ${words}`,
  });
});
