/** A person's check of a signature (rules 4): what it answers, what it changes, and that whoever is faster changes it once. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { failureOf } from '../../../src/core/http/refusal.js';
import { checkSignature } from '../../../src/core/signature/check-signature.js';
import { reconcile } from '../../../src/core/signature/reconcile.js';
import { rejection, startApp, TESTER, type TestApp } from '../../support/app.js';
import { DAY } from '../../support/clock.js';
import { patienceWith } from '../../support/patience.js';
import { BY, story, type Story } from '../../support/story.js';
import { table, type Words } from '../../support/table.js';
import { deliver } from '../../support/webhooks.js';

const info = (key: string) => ({ type: 'info', key: `check_signature_info.${key}` });
const error = (key: string) => ({ type: 'error', key });

const check = ({ ctx }: TestApp, id: number) => checkSignature(ctx, id, BY);
const hasPdf = (app: TestApp, id: number) =>
  existsSync(join(app.dataDir, 'contracts', `${app.contract(id).id}.pdf`));

const ends = (reason: string) => ({ mail: 'contract-ended', reason });
const status = (word: string) => ({ ...info('status'), params: { status: word } });
const LATE = '2026-04-02T00:00:00.000Z';

type Says = [
  there: string,
  answer: object,
  mail?: Record<string, unknown>,
  happen?: Parameters<Story['there']>[0],
];
const SAYS: Says[] = [
  ['ongoing', info('ongoing')],
  ...['draft', 'approval', 'paused', 'a word of next year'].map((word): Says => [word, status(word)]),
  ['expired', { ...info('expired'), changed: true }],
  ...['canceled', 'rejected', 'deleted'].map((word): Says => [
    word,
    { ...status(word), changed: true },
    ends(word),
  ]),
  [
    'declined, with words that go to the office',
    { ...status('declined'), changed: true },
    { ...ends('declined'), declineReason: 'Too dear' },
    (sandbox, id) => sandbox.decline(id, { reason: 'Too dear' }),
  ],
  ['unknown there', { ...error('signature_not_found'), changed: true }, ends('not_found'), 'gone'],
  [
    'signed after the last moment',
    { ...error('contract_expired'), words: 'check_signature_late' },
    { mail: 'signed-late', signedAt: LATE },
    (sandbox, id) => sandbox.sign(id, { completedAt: LATE }),
  ],
];

test.each(SAYS)(
  '%s: a dry run says so and writes nothing; a check changes what follows, once, and the request keeps waiting',
  async (there, answer, mail, happen = there) => {
    const isEnd = 'changed' in answer;
    const ordered = mail ? [mail] : [];
    await story()
      .sent()
      .there(happen)
      .waits(mail && !isEnd ? 31 * DAY : 0)
      .unchanged((s) => s.checksSignature(answer, { dryRun: true }))
      .checksSignature(answer)
      .is({ status: 'WAITING_SIGNATURE', contract: { status: isEnd ? 'EXPIRED' : 'PENDING' }, ordered })
      .unchanged((s) => s.checksSignature({}))
      .end();
  },
);

test.each([
  ['400', 'provider_rejects'],
  ['401', 'provider_refuses_key'],
  ['403', 'provider_forbids'],
  ['404_html', 'provider_unrecognised'],
  ['429', 'provider_busy'],
  ['500', 'provider_answered'],
  ['reset', 'provider_unavailable'],
  ['timeout', 'provider_unavailable'],
])('%s is trouble of the provider, told as %s: nothing changes', async (kind, words) => {
  const { app, id } = await story(patienceWith(kind)).sent().fault(`signature.get:${kind}`).end();
  expect(await check(app, id)).toMatchObject({ ...error('provider_unavailable'), words });
  await story
    .on(app, id)
    .is({ status: 'WAITING_SIGNATURE', contracts: ['PENDING'], ordered: [] })
    .end();
});

test.each<[number, string, boolean?]>([
  [404, 'not_found'],
  [404, 'unavailable', false],
  [401, 'unauthorized'],
  [403, 'unauthorized'],
  [429, 'rate_limited'],
  [400, 'rejected'],
  [422, 'rejected'],
  [400, 'unavailable', false],
  [302, 'unavailable'],
  [408, 'unavailable'],
  [409, 'unavailable'],
  [500, 'unavailable'],
  [503, 'unavailable'],
])('of the answers only its own 404 means gone: %d is %s', (answered, failure, isOwnError = true) => {
  expect(failureOf({ status: answered, type: isOwnError ? 'a.word' : undefined })).toBe(failure);
});

const words: Words = {
  requestIs: (s, status) => s.sql(`UPDATE requests SET status = '${status}'`),
  forgetsSignId: (s) => s.sql('UPDATE contracts SET signUrl = NULL, signId = NULL'),
  providerIsGone: (s) => s.does((app) => app.sandbox.close()),
  hasPdf: (s) => s.does((app, id) => expect(hasPdf(app, id)).toBe(true)),
  hasNoPdf: (s) => s.does((app, id) => expect(hasPdf(app, id)).toBe(false)),
  isSignedBy: (s, actor) =>
    s.does(({ ctx }) => {
      const who = ctx.db.raw.prepare("SELECT actor FROM history WHERE what = 'contract.signed'");
      expect(who.pluck().get()).toBe(actor);
    }),
  /** Although the office brings it back there. */
  oldIsSigned: (s) =>
    s.does(({ sandbox }) => {
      const [{ id } = { id: '' }] = sandbox.state().signatureRequests;
      sandbox.setStatus(id, 'ongoing');
      sandbox.sign(id);
    }),
};
const SUCCESS = 'type=success key=check_signature_success changed=true';
const UNAVAILABLE = 'type=error key=provider_unavailable';
const UNTOUCHED = 'WAITING_SIGNATURE; contract PENDING; work send-mail none';

table(
  `
  a request that is new waits for no signature, and the provider is not asked
    sent; requestIs new; checksSignature type=error key=not_waiting_signature → calls signature.get 0
  neither does one that is signed
    sent; requestIs WAITING_PAYMENT; checksSignature type=error key=not_waiting_signature → calls signature.get 0
  a contract without signId gives no_sign_id
    sent; forgetsSignId; checksSignature type=error key=no_sign_id → ${UNTOUCHED}
  a provider that is not there at all changes nothing
    sent; providerIsGone; checksSignature ${UNAVAILABLE} words=provider_unavailable → ${UNTOUCHED}
  one short trouble is got over by asking again
    sent; fault signature.get:500:1; checksSignature type=info key=check_signature_info.ongoing → ${UNTOUCHED}
  done: a dry run says so; a check brings everything into line and makes the page to pay at once
    sent; waits 1m; there signed; dry checksSignature ${SUCCESS} → ${UNTOUCHED}; sessions none
    checksSignature ${SUCCESS}; hasPdf; isSignedBy user:tester@example.org; drained
    → WAITING_PAYMENT; names older; shown; contract SIGNED signedAt=2026-03-02T09:15:07.000Z;
    mails contract-signed 1 admin-signed 1 payment-link 1
  a page that cannot be made: the signature counts, and the payment job goes through its retries
    sent; there signed; fault payment.create:500:1;
    checksSignature type=error key=payment_creation_failed changed=true
    → WAITING_PAYMENT; not shown; jobs available
    waits 1s; drained → link payment_page older; jobs completed
  a document of which the end does not come is trouble of the provider: nothing changes
    sent; there signed; fault pdf:truncated; checksSignature ${UNAVAILABLE} words=provider_unavailable; hasNoPdf → ${UNTOUCHED}
  neither does it when the document is not found: the contract does not end
    sent; there signed; fault signature.download:404; checksSignature ${UNAVAILABLE} words=provider_answered; hasNoPdf → ${UNTOUCHED}
  signed in the last second and checked days later: completed, although the contract is over here
    sent; waits 29d; signs 2026-04-01T23:59:59Z; waits 5d; over; checksSignature ${SUCCESS}
    → contract SIGNED signedAt=2026-04-01T23:59:59.000Z
  a completion that a webhook left waiting is done by the check, and its job then finds nothing to do
    sent; there signed; fault signature.download:404:1; delivers 202; checksSignature ${SUCCESS}; waits 1m; drained
    → work complete-signature completed; mails contract-signed 1; events done: completed
  the list is read only for a second document, on data that are held, too, unless it is gone
    sent; held; checksSignature key=check_signature_info.ongoing → ${UNTOUCHED}; calls signature.list 1
  only the newest contract is checked
    sent; reset; oldIsSigned; checksSignature type=info key=check_signature_info.ongoing → ${UNTOUCHED}`,
  { words },
);

test('a request that does not exist is not found, nor a contract that is not there', async () => {
  const app = await startApp();
  expect(await rejection(check(app, 4711))).toMatchObject({ kind: 'not_found', code: 'request_not_found' });
  const { id } = await app.addRequest(undefined, { status: 'WAITING_SIGNATURE' });
  expect(await check(app, id)).toMatchObject(error('contract_not_found'));
});

test('an error of our own is not taken for the provider’s', async () => {
  const message = 'the disk is full';
  const full = `CREATE TRIGGER full BEFORE UPDATE ON contracts BEGIN SELECT RAISE(ABORT, '${message}'); END`;
  await story().sent().there('declined').sql(full).refuses(checkSignature, { message }).end();
});

describe('whoever is faster completes it once:', () => {
  test('a check and a webhook', async () => {
    const { app, id } = await story().sent().there('signed').end();
    const signId = app.contract(id).signId as string;
    const [checked, answered] = await Promise.all([check(app, id), deliver(app, signId)]);
    expect([checked.type === 'success', answered === 200].filter(Boolean)).toHaveLength(1);
    await story
      .on(app, id)
      .drained()
      .is({ told: { 'contract.signed': 1 }, sessions: ['open'] })
      .end();
  });

  test('five checks', async () => {
    const { app, id } = await story().sent().there('signed').end();
    const keys = (await Promise.all([1, 2, 3, 4, 5].map(() => check(app, id)))).map(({ key }) => key);
    expect(keys.sort()).toEqual(['check_signature_success', ...Array(4).fill('not_waiting_signature')]);
    expect(app.sandbox.state().counters.calls['payment.create']).toBe(1);
  });
});

test('a check with a reason is in the history, with its answer, although nothing changed', async () => {
  const { app, id } = await story().sent().end();
  await checkSignature(app.ctx, id, { ...BY, reason: 'the customer called' });
  const told = app.ctx.db.raw.prepare("SELECT detail FROM history WHERE what = 'signature.checked'");
  const detail = { answer: 'check_signature_info.ongoing', reason: 'the customer called' };
  expect(JSON.parse(told.pluck().get() as string)).toEqual(detail);
});

test.each([
  [
    'has another name',
    "UPDATE contracts SET externalId = 'other', signId = NULL, signUrl = NULL, sending = 'unsent'",
  ],
  ['has another document', "UPDATE contracts SET signId = 'other'"],
  ['is deleted', 'DELETE FROM history; DELETE FROM contracts'],
])(
  'a contract that %s since the provider was asked is not given the document of before',
  async (_, happen) => {
    const { app, id } = await story().sent().end();
    app.ctx.db.raw.exec('UPDATE contracts SET signerEmail = NULL');
    const asked = app.contract(id);
    const state = await app.ctx.provider.getSignatureStatus({ ...asked, signId: asked.signId as string });
    app.ctx.db.raw.exec(happen);
    const contracts = () => app.ctx.db.raw.prepare('SELECT * FROM contracts').all();
    const before = contracts();
    await reconcile(app.ctx, asked.id, { actor: TESTER, listed: state, isOwnWork: true });
    expect(contracts()).toEqual(before);
  },
);
