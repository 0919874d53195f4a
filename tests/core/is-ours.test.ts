/** When a record at the signature provider is our contract's (rules 2): name, signer and time of creation together. */
import { describe, expect, test } from 'vitest';
import { isOurs, proveOurs } from '../../src/core/signature/is-ours.js';
import type { SignatureState, SignerState } from '../../src/core/signature/provider.js';
import { CLOCK_TOLERANCE_MS } from '../../src/core/installation/identity.js';
import type { ContractRow } from '../../src/db/schema.js';
import { startApp } from '../support/app.js';

const NAME = 'esign-0123456789abcdef-fedcba9876543210';
const MADE = '2026-03-02T09:00:00.000Z';
const customer = { username: 'Alice@example.org' };

const contract = (changes: Partial<ContractRow> = {}) =>
  ({
    externalId: NAME,
    signId: 'ours',
    signerEmail: 'alice.before@example.org',
    createdAt: MADE,
    ...changes,
  }) as ContractRow;

const signer = (email: string | undefined): SignerState => ({ email }) as SignerState;

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

test.each<[string, Partial<SignatureState>]>([
  ['the customer signs', {}],
  ['the signer is the address it was sent to', { signers: [signer('alice.before@example.org')] }],
  ['the address is written in capitals, with spaces around it', { signers: [signer(' ALICE@Example.ORG ')] }],
  ['a second signer was added there', { signers: [signer('boss@example.org'), signer('alice@example.org')] }],
  ['its clock is as far behind ours as is tolerated', { createdAt: earlier(CLOCK_TOLERANCE_MS) }],
  ['it is the draft whose answer was lost, without signers', { status: 'draft', signers: [] }],
])('ours: %s', (_, changes) => {
  expect(isOurs(found(changes), contract(), customer)).toBe(true);
});

test.each<[string, Partial<SignatureState>]>([
  ['another name', { externalId: `${NAME.slice(0, -1)}1` }],
  ['another signer', { signers: [signer('mallory@example.org')] }],
  ['a signer whose address is not known', { signers: [signer(undefined)] }],
  ['older than our contract', { createdAt: earlier(CLOCK_TOLERANCE_MS + 1) }],
  ['no time of creation', { createdAt: null }],
  ['no signers, but it is no draft', { signers: [] }],
])('not ours: %s', (_, changes) => {
  expect(isOurs(found(changes), contract(), customer)).toBe(false);
});

test('the record that we know under a random name is ours whatever the clocks say', () => {
  const aged = found({ signId: 'ours', createdAt: earlier(365 * 86_400_000) });
  expect(isOurs(aged, contract(), customer)).toBe(true);
  expect(isOurs({ ...aged, createdAt: null }, contract(), customer)).toBe(true);
});

describe('a contract of an older version, named by its row id', () => {
  const old = contract({ externalId: '17', signerEmail: null });
  const named = found({ externalId: '17', signId: 'ours' });

  test('needs the time of creation even for the record that we know', () => {
    expect(isOurs(named, old, customer)).toBe(true);
    expect(isOurs({ ...named, createdAt: earlier(CLOCK_TOLERANCE_MS + 1) }, old, customer)).toBe(false);
    expect(isOurs({ ...named, createdAt: null }, old, customer)).toBe(false);
  });

  test('is never a draft without signers', () => {
    expect(isOurs({ ...named, status: 'draft', signers: [] }, old, customer)).toBe(false);
  });
});

test('of several signers, the customer comes first', async () => {
  const app = await startApp();
  const { owner, contract: ours, signId } = await app.waitingRequest();
  const signers = [signer('boss@example.org'), signer(owner.username)];
  const proved = await proveOurs(app.ctx, found({ signId, externalId: ours.externalId, signers }), ours);
  expect(proved?.signers.map(({ email }) => email)).toEqual([owner.username, 'boss@example.org']);
});
