/** Which statuses are which: pure questions that every use-case asks. */
import { expect, test } from 'vitest';
import { endAfter, isBeforeSending, isOver, REQUEST_STATUSES, statusOf } from '../../src/core/lifecycle.js';

test.for([
  ['new', { isBeforeSending: true, isOver: false }],
  ['in_progress', { isBeforeSending: true, isOver: false }],
  ['WAITING_SIGNATURE', { isBeforeSending: false, isOver: false }],
  ['WAITING_PAYMENT', { isBeforeSending: false, isOver: false }],
  ['COMPLETE', { isBeforeSending: false, isOver: true }],
  ['CANCELED', { isBeforeSending: false, isOver: true }],
] as const)('a request that is %s', ([status, expected]) => {
  expect({ isBeforeSending: isBeforeSending({ status }), isOver: isOver({ status }) }).toEqual(expected);
});

test.for([
  ['canceled', true, 'signer_error'],
  ['canceled', false, 'canceled'],
  ['declined', true, 'declined'],
  ['expired', false, 'expired'],
] as const)(
  'a document that is %s, an error at signing having been told: %s, has ended as %s',
  ([is, hasFailed, reason]) => {
    expect(endAfter(is, hasFailed)).toBe(reason);
  },
);

test.for([
  ['waiting_signature', 'WAITING_SIGNATURE'],
  ['NEW', 'new'],
  ['waiting', undefined],
  ['', undefined],
] as const)('the word "%s" names the status %s', ([word, status]) => {
  expect(statusOf(REQUEST_STATUSES, word)).toBe(status);
});
