/** The table of the moves, by what brings them about. */
import { CONTRACT_MOVES, REQUEST_MOVES, type Move } from '../../src/core/lifecycle.js';
import { keysOf } from '../../src/core/pick.js';
import { table, words } from './table.js';

const REQUEST: Readonly<Record<keyof typeof REQUEST_MOVES, string>> = {
  begun: 'an administrator writes the status',
  signatureStarted: 'the provider has sent the contract',
  signed: 'signed: webhook, check, or accepted late',
  paid: 'paid: webhook, check, or completed by hand',
  canceled: 'an administrator cancels it',
  reopened: 'an administrator reopens it',
};

const CONTRACT: Readonly<Record<keyof typeof CONTRACT_MOVES, string>> = {
  signed: 'signed in time',
  proved: 'signed in time, as is proved later, or accepted late by a person',
  ended: 'it ended at the provider; it was reset; a newer start replaced it',
  canceled: 'its request was canceled',
  expired: 'its last moment to sign, or its term, is over (daily expiry)',
};

export function movesTable(): string {
  return table(
    ['What', 'From', 'When', 'To'],
    [...rowsOf('request', REQUEST_MOVES, REQUEST), ...rowsOf('contract', CONTRACT_MOVES, CONTRACT)],
  );
}

function rowsOf<Name extends string>(
  what: string,
  moves: Readonly<Record<Name, Move<string>>>,
  when: Readonly<Record<Name, string>>,
): string[][] {
  return keysOf(moves).map((name) => {
    const { from, to } = moves[name];
    return [what, words(from), when[name], `\`${to}\``];
  });
}
