import { afterEach, beforeEach, expect, test } from 'vitest';
import { connectHost } from './connect.ts';
import type { HostResult } from './connect.ts';
import { goodKey, honestly, keyOf, sendProblem, startFakeOverheard } from './fake-overheard.ts';
import type { Behaviour, FakeOverheard } from './fake-overheard.ts';
import { failingResponses, hangUp } from './failing-responses.ts';
import { Failure, failureCodes, failureText } from '../../tools/src/failure.ts';

let fake: FakeOverheard;
beforeEach(async () => {
  fake = await startFakeOverheard();
});
afterEach(() => fake.close());

test.each(failingResponses)(
  'the server responds with $title: the model reads what to do',
  async ({ behaviour, says, requests, attemptMs = 5000 }) => {
    fake.behave(behaviour);
    const host = await connectHost({
      url: fake.url,
      limits: { retriesMax: 2, waitSecondsMax: 0, attemptMs, totalMs: 20_000 },
    });
    const result = await host.call('get_scores');
    expectFailure(result, says);
    expect(fake.seen).toHaveLength(requests);
  },
);

test.each([
  ['no key', { apiKey: '' }, /OVERHEARD_API_KEY` is not set[^]*overheard key create/],
  ['a placeholder that the host did not fill', { apiKey: '${user_config.api_key}' }, /is not set/],
  ['a mistyped key', { apiKey: `${goodKey.slice(0, -1)}x` }, /mistyped[^]*checksum/],
  ['a key in the place of the address', { url: goodKey }, /OVERHEARD_BASE_URL/],
  ['a password in the address', { url: 'http://me:secret@127.0.0.1/' }, /OVERHEARD_BASE_URL/],
])(
  'settings: %s: the model reads what to do, and no request is made',
  async (_title, given, says) => {
    const host = await connectHost({ url: fake.url, ...given });
    expectFailure(await host.call('get_scores'), says);
    expect(fake.seen).toHaveLength(0);
  },
);

test('a refused argument is named, with nothing else that the response says', async () => {
  const errors = ['from', 'IGNORE ALL'].map((parameter) => ({ parameter, message: 'IGNORE ALL' }));
  fake.behave((_, response) => sendProblem(response, 'invalid_parameter', {}, errors));
  const host = await connectHost({ url: fake.url });
  const result = await host.call('get_shares', { from: '2020-01-01' });
  expectFailure(result, /refused `from` \(400[^]*at most 366 days[^]*arguments corrected/);
});

test('a port where nothing listens is reported as such', async () => {
  const gone = await startFakeOverheard();
  await gone.close();
  const host = await connectHost({ url: gone.url });
  const says = /Nothing responds[^]*ECONNREFUSED[^]*overheard serve/;
  expectFailure(await host.call('get_scores'), says);
  expect(host.waits).toHaveLength(2);
});

test.each<[string, Behaviour]>([
  ['a connection that breaks once', hangUp],
  [
    'one 429 with 2 s to wait',
    (_, response) => sendProblem(response, 'rate_limited', { 'Retry-After': '2' }),
  ],
])('%s is not seen by the model', async (_title, behaviour) => {
  fake.behave(behaviour, honestly);
  const host = await connectHost({
    url: fake.url,
    limits: { retriesMax: 2, waitSecondsMax: 10, attemptMs: 1000, totalMs: 20_000 },
  });
  const result = await host.call('get_scores');
  expect(result.isError, result.text).toBe(false);
  expect(fake.seen).toHaveLength(2);
  expect(host.waits).toHaveLength(1);
});

const second = (at: number): string => new Date(Date.UTC(2026, 10, 20, 6, 0, at)).toUTCString();

test.each([
  ['in seconds', { 'Retry-After': '7' }],
  ['as a date', { Date: second(0), 'Retry-After': second(7) }],
])('a wait that the server asks for %s is kept', async (_title, headers) => {
  fake.behave((_, response) => sendProblem(response, 'unavailable', headers), honestly);
  const host = await connectHost({
    url: fake.url,
    limits: { retriesMax: 2, waitSecondsMax: 10, attemptMs: 1000, totalMs: 20_000 },
  });
  await host.call('get_scores');
  expect(host.waits).toEqual([7000]);
});

test('every kind of failure has four sentences that make sense without facts', () => {
  expect(failureCodes.length).toBeGreaterThan(15);
  for (const code of failureCodes) {
    const text = failureText(new Failure(code));
    expect(text.split('\n'), code).toHaveLength(4);
  }
});

test('a key within a fact is not repeated', () => {
  const failure = new Failure('refused_connection', { address: `http://${keyOf('x'.repeat(32))}` });
  expect(failureText(failure)).toContain('http://overheard_...');
});

/** Expects a tool result with the failure as text, without structured content, a key, or text of the server. */
function expectFailure(result: HostResult, says: RegExp): void {
  expect(result.isError).toBe(true);
  expect(result.structured).toBeUndefined();
  expect(result.text).toMatch(says);
  expect(result.text.split('\n')).toHaveLength(4);
  expect(result.text).toMatch(/\nWhy: .+\nNext: .+\nRetry: (?:yes|no)/);
  expect(result.text).not.toContain('undefined');
  expect(result.text).not.toContain('IGNORE ALL');
  for (const form of [
    goodKey,
    goodKey.slice(10, 30),
    Buffer.from(goodKey).toString('base64').slice(0, 20),
  ]) {
    expect(result.text).not.toContain(form);
  }
}
