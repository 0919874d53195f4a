/** When a record at the signature provider is our contract's (rules 2): name, signer and time of creation together. */
import { expect, test } from 'vitest';
import { proveOurs } from '../../../src/core/signature/is-ours.js';
import type { SignatureState, SignerState } from '../../../src/core/signature/provider-answers.js';
import { CLOCK_TOLERANCE_MS } from '../../../src/core/installation/identity.js';
import type { ContractRow } from '../../../src/db/schema.js';
import { startApp } from '../../support/app.js';

const NAME = 'esign-0123456789abcdef-fedcba9876543210';
const MADE = '2026-03-02T09:00:00.000Z';

/** The contract of alice@example.org, and the signers of a record at the provider if it is proved to be this contract's. */
async function ours() {
  const app = await startApp();
  const request = await app.addRequest(await app.addUser({ username: 'alice@example.org' }));
  const contract = {
    id: 1,
    requestId: request.id,
    externalId: NAME,
    signId: 'ours',
    signerEmail: 'alice.before@example.org',
    createdAt: MADE,
  } as ContractRow;
  return async (there: SignatureState) => {
    const proved = await proveOurs(app.ctx, there, contract);
    return proved?.signers.map(({ email }) => email);
  };
}

const signer = (email: string): SignerState => ({ email }) as SignerState;

const found = (changes: Partial<SignatureState> = {}) =>
  ({
    signId: 'another',
    externalId: NAME,
    status: 'ongoing',
    createdAt: MADE,
    signers: [signer('alice@example.org')],
    ...changes,
  }) as SignatureState;

const earlier = (ms: number) => new Date(new Date(MADE).getTime() - ms).toISOString();

test.each<[verdict: boolean, what: string, changes: Partial<SignatureState>]>([
  [true, 'the customer signs', {}],
  [true, 'the signer is the address it was sent to', { signers: [signer('alice.before@example.org')] }],
  [true, 'the address is in capitals, with spaces around it', { signers: [signer(' ALICE@Example.ORG ')] }],
  [true, 'a second signer was added there', { signers: [signer('b@c.org'), signer('alice@example.org')] }],
  [true, 'its clock is behind ours as far as tolerated', { createdAt: earlier(CLOCK_TOLERANCE_MS) }],
  [true, 'it is the draft whose answer was lost, without signers', { status: 'draft', signers: [] }],
  [false, 'another name', { externalId: `${NAME.slice(0, -1)}1` }],
  [false, 'another signer', { signers: [signer('mallory@example.org')] }],
  [false, 'older than our contract', { createdAt: earlier(CLOCK_TOLERANCE_MS + 1) }],
  [false, 'no time of creation', { createdAt: null }],
  [false, 'no signers, but it is no draft', { signers: [] }],
])('ours is %s: %s', async (verdict, _, changes) => {
  const proved = await ours();
  expect((await proved(found(changes))) !== undefined).toBe(verdict);
});

test('the record that we know under a random name is ours whatever the clocks say', async () => {
  const proved = await ours();
  const aged = found({ signId: 'ours', createdAt: earlier(365 * 86_400_000) });
  expect(await proved(aged)).toHaveLength(1);
  expect(await proved({ ...aged, createdAt: null })).toHaveLength(1);
});

test('of several signers, the customer comes first', async () => {
  const proved = await ours();
  const signers = [signer('boss@example.org'), signer('alice@example.org')];
  expect(await proved(found({ signers }))).toEqual(['alice@example.org', 'boss@example.org']);
});

test('of a record with another name the provider is not asked who signs it', async () => {
  const proved = await ours();
  const signers = [{ id: 'whose address would be asked for', status: 'notified' }];
  expect(await proved(found({ externalId: 'theirs', signers }))).toBeUndefined();
});
