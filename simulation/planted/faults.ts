/** The faults that the simulator must find: one for each kind of promise that it watches. */
import { fault, type FaultyWorld, type PlantedFault } from './fault.js';

const MONEY: FaultyWorld = { days: 5, requests: 18, often: ['payment', 'command'] };

/** Every contract of the request is its current one, so any money for it counts. */
const ANY_CONTRACT = { isOfCurrentContract: true };

/** A signature: who may say so, until when, whose contract, how many. */
const SIGNATURE_FAULTS: readonly PlantedFault[] = [
  fault<typeof import('../../src/core/signature/webhook-event.js')>('a forged "signed" is believed')(
    'core/signature/webhook-event',
    'isGenuine',
    () => () => true,
  ),
  fault<typeof import('../../src/core/signature/decide.js')>('a signature after the last moment counts')(
    'core/signature/decide',
    'isPast',
    () => () => false,
    { days: 20, requests: 12 },
  ),
  fault<typeof import('../../src/core/zone.js')>('the last day to sign is that of UTC')(
    'core/zone',
    'lastSecondAfter',
    (lastSecondAfter) => (_, from, days) => lastSecondAfter('UTC', from, days),
    { days: 1, requests: 3 },
  ),
  fault<typeof import('../../src/core/installation/identity.js')>(
    'a restore brings names back: what was made for a lost contract counts for a new one',
  )(
    'core/installation/identity',
    'newIdentity',
    (newIdentity) => (db) => {
      const { key, externalId } = newIdentity(db);
      const { id } = db.raw.prepare('SELECT coalesce(max(id), 0) + 1 AS id FROM contracts').get() as {
        id: number;
      };
      const again = String(id).padStart(key.length, '0');
      return { key: again, externalId: externalId.replace(key, again) };
    },
    { requests: 18, often: 'restore' },
  ),
  fault<typeof import('../../src/core/signature/close-at-provider.js')>(
    'a reset or a cancellation withdraws nothing at the providers',
  )('core/signature/close-at-provider', 'closeContract', () => () => Promise.resolve()),
  fault<typeof import('../../src/core/lock.js')>('two may work on a request at once')(
    'core/lock',
    'withLock',
    () => (ctx, _, work) => work(ctx),
    { requests: 18 },
  ),
];

/** Money: which counts, through which page, and who is told. */
const PAYMENT_FAULTS: readonly PlantedFault[] = [
  fault<typeof import('../../src/core/payment/decide.js')>(
    'money for an earlier contract completes the request',
  )(
    'core/payment/decide',
    'decidePayment',
    (decidePayment) => (facts) =>
      decidePayment({ ...facts, sessions: facts.sessions.map((one) => ({ ...one, ...ANY_CONTRACT })) }),
    MONEY,
  ),
  fault<typeof import('../../src/core/payment/price.js')>('another amount is accepted')(
    'core/payment/price',
    'isPriceOf',
    () => () => true,
  ),
  fault<typeof import('../../src/core/payment/decide.js')>(
    'money that was given up is told to nobody when it comes',
  )(
    'core/payment/decide',
    'decidePayment',
    (decidePayment) => (facts) =>
      decidePayment({ ...facts, sessions: facts.sessions.filter(({ ours }) => ours !== 'given_up') }),
    MONEY,
  ),
  fault<typeof import('../../src/core/payment/decide.js')>('no page is ever closed')(
    'core/payment/decide',
    'decidePayment',
    (decidePayment) => (facts) => {
      const { standing, effects } = decidePayment(facts);
      return { standing, effects: effects.filter((effect) => effect.do !== 'close') };
    },
    { days: 8, requests: 24 },
  ),
  fault<typeof import('../../src/core/payment/receive-payment-webhook.js')>(
    '"paid" is answered before it is on disk',
  )('core/payment/receive-payment-webhook', 'receivePaymentWebhook', (receive) => (ctx, delivery) => {
    const write = (work: never) => void ctx.writer.write(work).catch(() => undefined);
    return receive(Object.create(ctx, { writer: { value: { write } } }) as typeof ctx, delivery);
  }),
];

/** The queue, the disk, mail. */
const JOB_FAULTS: readonly PlantedFault[] = [
  fault<typeof import('../../src/core/jobs/release.js')>('jobs of a process that died are not released')(
    'core/jobs/release',
    'releaseRunning',
    () => () => Promise.resolve([]),
  ),
  fault<typeof import('../../src/core/jobs/retry-policy.js')>('a job waits half as long as promised')(
    'core/jobs/retry-policy',
    'nextTryAt',
    (nextTryAt) => (kind, attempt, now, atLeastMs) =>
      nextTryAt({ waitsMs: kind.waitsMs.map((ms) => ms / 2) }, attempt, now, (atLeastMs ?? 0) / 2),
  ),
  fault<typeof import('../../src/core/mail/send-mail.js')>('a mail that was taken is sent once more')(
    'core/mail/send-mail',
    'sendMail',
    (sendMail) => async (ctx, job) => {
      const sent = await sendMail(ctx, job);
      if (job.attempt === 1) throw new Error('who knows');
      return sent;
    },
  ),
  fault<typeof import('../../src/core/users/names.js')>('each mail is in the language of the settings')(
    'core/users/names',
    'localeOf',
    () => (config) => config.locale,
  ),
  fault<typeof import('../../src/db/open.js')>('commits do not wait for the disk')(
    'db/open',
    'openDb',
    (openDb) => (file, options) => {
      const db = openDb(file, options);
      db.raw.pragma('synchronous = OFF');
      return db;
    },
    { often: 'power' },
  ),
  fault<typeof import('../../src/core/installation/sync-directory.js')>(
    "a PDF's name is not synced before its row",
  )('core/installation/sync-directory', 'syncDirectory', () => () => Promise.resolve(), { often: 'power' }),
];

/** Who may see what, and who hears of what. */
const READER_FAULTS: readonly PlantedFault[] = [
  fault<typeof import('../../src/core/users/rights.js')>('whose a request is is not asked')(
    'core/users/rights',
    'maySee',
    () => () => true,
  ),
  fault<typeof import('../../src/core/calls/idempotency.js')>('an Idempotency-Key is shared by all users')(
    'core/calls/idempotency',
    'createOnce',
    (createOnce) => (ctx, call, creation) => createOnce(ctx, { ...call, userId: 1 }, creation),
  ),
  fault<typeof import('../../src/core/webhooks/signatures.js')>('a retried delivery has other bytes')(
    'core/webhooks/signatures',
    'signedBody',
    (signedBody) => (content, signature) =>
      signedBody(
        content.replace(/"timestamp":"[^"]*"/, `"timestamp":"${new Date().toISOString()}"`),
        signature,
      ),
  ),
  fault<typeof import('../../src/core/requests/due-date.js')>(
    'the date from which the office is needed does not follow the contract',
  )('core/requests/due-date', 'keepDueAt', () => () => undefined),
];

export const PLANTED_FAULTS: readonly PlantedFault[] = [
  ...SIGNATURE_FAULTS,
  ...PAYMENT_FAULTS,
  ...JOB_FAULTS,
  ...READER_FAULTS,
];
