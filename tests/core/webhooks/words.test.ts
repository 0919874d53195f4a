/** The words for what came of an attempt: of our own for a failure, and for people in both languages. */
import { expect, test } from 'vitest';
import { sayIn } from '../../../src/core/texts/index.js';
import { outcomeWords, troubleOf } from '../../../src/core/webhooks/words.js';

const coded = (code: string, more: object = {}) => Object.assign(new Error('no'), { code, ...more });

test.each<[unknown, string]>([
  ...(
    [
      ['EREFUSEDADDRESS', 'address_refused'],
      ['ENOTFOUND', 'host_not_found'],
      ['ECONNREFUSED', 'connection_refused'],
      ['ECONNRESET', 'connection_lost'],
      ['EHOSTUNREACH', 'unreachable'],
      ['ETIMEDOUT', 'timeout'],
      ['CERT_HAS_EXPIRED', 'tls_failed'],
      ['DEPTH_ZERO_SELF_SIGNED_CERT', 'tls_failed'],
      ['ERR_TLS_CERT_ALTNAME_INVALID', 'tls_failed'],
      ['ERR_SSL_WRONG_VERSION_NUMBER', 'tls_failed'],
      ['ERR_TLS_HANDSHAKE_TIMEOUT', 'tls_failed'],
      ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'tls_failed'],
      ['EPROTO', 'tls_failed'],
      ['HPE_HEADER_OVERFLOW', 'invalid_answer'],
      ['ANOTHER_ERR_TLS_THING', 'network_error'],
      ['EWHATEVER', 'network_error'],
    ] as const
  ).map(([code, word]): [unknown, string] => [coded(code), word]),
  [new DOMException('late', 'TimeoutError'), 'timeout'],
  [coded('HPE_INVALID_CONSTANT'), 'invalid_answer'],
  [new Error('no'), 'network_error'],
  ['a word', 'network_error'],
  [undefined, 'network_error'],
  [new TypeError('fetch failed', { cause: coded('ENOTFOUND') }), 'host_not_found'],
  [new Error('one', { cause: new Error('two', { cause: coded('EPROTO') }) }), 'tls_failed'],
  [coded('EWHATEVER', { cause: coded('ECONNREFUSED') }), 'connection_refused'],
  // What it calls itself counts before what caused it.
  [coded('ECONNRESET', { cause: coded('ENOTFOUND') }), 'connection_lost'],
  [coded('ECONNRESET', { cause: 'a word' }), 'connection_lost'],
  [new AggregateError([coded('ECONNREFUSED'), coded('ENETUNREACH')]), 'connection_refused'],
  [Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' }), 'connection_refused'],
])('%o is called %s', (error, word) => {
  expect(troubleOf(error)).toBe(word);
});

test.each([
  ['en', 'http_304', 'the receiver answered 304'],
  ['en', 'http_410', 'refused by the receiver (410)'],
  ['en', 'http_503', 'error at the receiver (503)'],
  ['en', 'http_504', 'error at the receiver (504)'],
  ['en', 'timeout', 'no answer within 10 s'],
  ['en', 'http_5030', 'http_5030'],
  ['en', 'was http_503', 'was http_503'],
  ['en', 'a new word', 'a new word'],
  ['fr', 'address_refused', 'son adresse n’est pas autorisée'],
  ['fr', 'payment provider answered 503', 'le prestataire de paiement a répondu 503'],
  [
    'fr',
    'the mail server mx.test:25 did not answer in time',
    'le serveur de messagerie mx.test:25 n’a pas répondu à temps',
  ],
  ['fr', 'there has never been one', 'il n’y en a jamais eu'],
  ['fr', 'somebody else answered 503', 'somebody else answered 503'],
] as const)('%s: %s is told as: %s', (language, outcome, words) => {
  expect(outcomeWords(sayIn(language), outcome)).toBe(words);
});
