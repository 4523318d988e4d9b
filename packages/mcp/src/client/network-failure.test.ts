import { expect, test } from 'vitest';
import { networkFailure } from './network-failure.ts';

/** An error as `fetch` throws it. */
function fetchError(code: string): Error {
  return new TypeError('fetch failed', { cause: Object.assign(new Error(code), { code }) });
}

test.each([
  ['ENOTFOUND', 'unresolved'],
  ['EAI_AGAIN', 'unresolved'],
  ['ECONNREFUSED', 'refused_connection'],
  ['EHOSTUNREACH', 'refused_connection'],
  ['ETIMEDOUT', 'timed_out'],
  ['UND_ERR_CONNECT_TIMEOUT', 'timed_out'],
  ['UND_ERR_HEADERS_TIMEOUT', 'timed_out'],
  ['CERT_HAS_EXPIRED', 'tls_failed'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'tls_failed'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'tls_failed'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'tls_failed'],
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'tls_failed'],
  ['EPROTO', 'tls_failed'],
  ['HPE_INVALID_CONSTANT', 'not_json'],
  ['UND_ERR_HEADERS_OVERFLOW', 'not_json'],
  ['Z_DATA_ERROR', 'not_json'],
  ['ECONNRESET', 'broken_connection'],
  ['UND_ERR_SOCKET', 'broken_connection'],
])('the network error %s is reported as %s', (code, meaning) => {
  const failure = networkFailure(fetchError(code), 'http://127.0.0.1:8484');
  expect(failure.code).toBe(meaning);
});

test('a proxy that wants a password is reported as such', () => {
  const cause = new Error('Proxy Authentication Required (407)');
  const failure = networkFailure(new TypeError('fetch failed', { cause }), 'http://a');
  expect(failure.code).toBe('refused_by_proxy');
});

test("if several addresses were tried, the first one's error is reported", () => {
  const both = new AggregateError([fetchError('ECONNREFUSED'), fetchError('ENETUNREACH')]);
  const failure = networkFailure(new TypeError('fetch failed', { cause: both }), 'http://a');
  expect(failure.facts.system).toBe('ECONNREFUSED');
});
