import { expect, test } from 'vitest';
import { httpFault } from './faults.ts';

const date = 'Sun, 22 Nov 2026 12:00:00 GMT';

test.each<[object, object, number]>([
  [{ 'retry-after': '90' }, {}, 90_000],
  [{ 'retry-after': 'Sun, 22 Nov 2026 12:10:00 GMT', date }, {}, 600_000],
  [{ 'retry-after-ms': '1500', 'retry-after': '1' }, {}, 1500],
  [{ 'x-ratelimit-reset-requests': '1m30s', 'x-ratelimit-reset-tokens': '12ms' }, {}, 90_000],
  [{ 'anthropic-ratelimit-tokens-reset': '2026-11-22T12:00:42Z', date }, {}, 42_000],
  [{ 'x-ratelimit-reset': String(Date.parse(date) / 1000 + 7), date }, {}, 7000],
  [{}, { error: { details: [{ '@type': 'RetryInfo', retryDelay: '48s' }] } }, 48_000],
  [{ 'retry-after': '60' }, { error: { details: [{ retryDelay: '48.5s' }] } }, 60_000],
  // Google wraps an error in a list at some addresses.
  [{}, [{ error: { details: [{ retryDelay: '7s' }] } }], 7000],
  // In the past, or unreadable.
  [{ 'retry-after': 'Sun, 22 Nov 2026 11:00:00 GMT', date }, {}, 0],
  [{ 'retry-after': '-5' }, { error: 'slow down' }, 0],
])('the longest wait that headers %j and body %j ask for is kept', (headers, body, waitMs) => {
  const given = Object.fromEntries(
    Object.entries(headers).map(([name, each]) => [name, String(each)]),
  );
  expect(httpFault(429, given, JSON.stringify(body))).toMatchObject({ kind: 'wait', waitMs });
});

test.each<[number, unknown, string]>([
  [429, { error: { code: 'rate_limit_exceeded', type: 'tokens' } }, 'wait'],
  [429, { error: { code: 'insufficient_quota', type: 'insufficient_quota' } }, 'switch_off'],
  [529, { type: 'error', error: { type: 'overloaded_error' } }, 'wait'],
  [503, {}, 'wait'],
  [401, {}, 'switch_off'],
  [402, {}, 'switch_off'],
  [403, { type: 'error', error: { type: 'permission_error' } }, 'switch_off'],
  // OpenRouter's moderation flagged the prompt: the key is good.
  [403, { error: { code: 403, metadata: { reasons: ['harassment'] } } }, 'rejected'],
  [400, { error: { details: [{ reason: 'API_KEY_INVALID' }] } }, 'switch_off'],
  [400, [{ error: { code: 400, details: [{ reason: 'API_KEY_INVALID' }] } }], 'switch_off'],
  [400, { code: 'invalid-argument', error: 'Incorrect API key provided: [key]' }, 'switch_off'],
  [400, { code: 'invalid-argument', error: 'The model does not exist' }, 'rejected'],
  // The error code decides, not words such as quota in the message.
  [400, { error: { message: 'Your quota of patience', code: 'bad_request' } }, 'rejected'],
  [400, { error: { code: 'model_not_found' } }, 'rejected'],
  [404, '<html>', 'rejected'],
  [500, {}, 'unclear'],
  [502, '<html>', 'unclear'],
  [504, '', 'unclear'],
  [408, {}, 'unclear'],
])('a response with status %i and body %j is %s', (status, body, kind) => {
  expect(httpFault(status, {}, JSON.stringify(body)).kind).toBe(kind);
});

test('the code of a fault is a short word, and never the engine’s sentence', () => {
  const sentence = { error: { code: 'Your card was declined, call us', type: 'a\nb' } };
  expect(httpFault(400, {}, JSON.stringify(sentence)).code).toBe('http_400');
  const named = { error: { code: 429, type: 'rate_limit' } };
  expect(httpFault(429, {}, JSON.stringify(named)).code).toBe('429');
});
