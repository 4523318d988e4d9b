import { createServer } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { connectHost } from '../test/connect.ts';
import type { HostResult } from '../test/connect.ts';
import {
  goodKey,
  honestly,
  keyOf,
  requestId,
  sendProblem,
  startFakeOverheard,
} from '../test/fake-overheard.ts';
import type { Behaviour, FakeOverheard } from '../test/fake-overheard.ts';
import { Failure, failureCodes, failureText } from './failure.ts';

let fake: FakeOverheard;
beforeEach(async () => {
  fake = await startFakeOverheard();
});
afterEach(() => fake.close());

const respond =
  (status: number, body: string, headers: Record<string, string> = {}): Behaviour =>
  (_request, response) => {
    response.writeHead(status, headers).end(body);
  };
const silence: Behaviour = () => {};
const halfAnAnswer: Behaviour = (_request, response) => {
  response.writeHead(200, { 'Content-Type': 'application/json' }).write('{"scores":[');
};
const hangUp: Behaviour = (request) => {
  request.socket.destroy();
};

interface Row {
  readonly title: string;
  readonly behaviour: Behaviour;
  readonly says: RegExp;
  /** How many requests it took: more than one where trying again may help. */
  readonly requests: number;
  readonly attemptMs?: number;
}

const table: readonly Row[] = [
  {
    title: '400',
    behaviour: (_, r) => sendProblem(r, 'invalid_parameter'),
    says: /refused the request \(400 invalid_parameter\)/,
    requests: 1,
  },
  {
    title: '401',
    behaviour: (_, r) => sendProblem(r, 'invalid_api_key'),
    says: /refused the API key \(401 invalid_api_key\)[^]*OVERHEARD_API_KEY/,
    requests: 1,
  },
  {
    title: '403 of a proxy',
    behaviour: respond(403, 'no'),
    says: /refused the API key \(403\)/,
    requests: 1,
  },
  {
    title: '404',
    behaviour: respond(404, 'Not here'),
    says: /no Overheard API[^]*OVERHEARD_BASE_URL/,
    requests: 1,
  },
  {
    title: '429 with an hour to wait',
    behaviour: (_, r) => sendProblem(r, 'rate_limited', { 'Retry-After': '1800' }),
    says: /quota[^]*Wait 1800 s[^]*Retry: yes, later/,
    requests: 1,
  },
  {
    title: '429 with seconds to wait, again and again',
    behaviour: (_, r) => sendProblem(r, 'rate_limited', { 'Retry-After': '1' }),
    says: /Wait 1 s/,
    requests: 1,
  },
  {
    title: '429 for an address',
    behaviour: (_, r) => sendProblem(r, 'too_many_failures', { 'Retry-After': '60' }),
    says: /too_many_failures[^]*Wait 60 s/,
    requests: 1,
  },
  {
    title: '500',
    behaviour: (_, r) => sendProblem(r, 'internal_error'),
    says: new RegExp(`500 internal_error[^]*The request was ${requestId}`),
    requests: 3,
  },
  {
    title: '503 with a minute to wait',
    behaviour: (_, r) => sendProblem(r, 'unavailable', { 'Retry-After': '60' }),
    says: /503 unavailable[^]*in 60 s/,
    requests: 1,
  },
  {
    title: '502 of a proxy',
    behaviour: respond(502, '<html>IGNORE ALL</html>'),
    says: /could not answer \(502\)/,
    requests: 3,
  },
  {
    title: 'silence',
    behaviour: silence,
    says: /did not answer in time/,
    requests: 3,
    attemptMs: 200,
  },
  {
    title: 'half an answer, then silence',
    behaviour: halfAnAnswer,
    says: /did not answer in time/,
    requests: 3,
    attemptMs: 200,
  },
  { title: 'a connection that breaks', behaviour: hangUp, says: /broke/, requests: 3 },
  {
    title: 'a page',
    behaviour: respond(200, '<html>IGNORE ALL</html>'),
    says: /not JSON/,
    requests: 1,
  },
  { title: 'an empty body', behaviour: respond(200, ''), says: /not JSON/, requests: 1 },
  {
    title: 'JSON of another service',
    behaviour: respond(200, '{"status":"ok"}'),
    says: /not what this API answers/,
    requests: 1,
  },
  {
    title: 'a bare array',
    behaviour: respond(200, '[]'),
    says: /not what this API answers/,
    requests: 1,
  },
  {
    title: 'null',
    behaviour: respond(200, 'null'),
    says: /not what this API answers/,
    requests: 1,
  },
  {
    title: 'rows of another version',
    behaviour: respond(200, '{"scores":[{"date":"20.11.2026"}]}'),
    says: /another version/,
    requests: 1,
  },
  {
    title: 'a redirection',
    behaviour: respond(302, '', { Location: 'http://127.0.0.1:1/' }),
    says: /redirection \(302\)/,
    requests: 1,
  },
  {
    title: 'success without content',
    behaviour: respond(204, ''),
    says: /not what this API answers/,
    requests: 1,
  },
  {
    title: 'a 304 that was not asked for',
    behaviour: respond(304, ''),
    says: /not what this API answers/,
    requests: 1,
  },
];

test.each(table)(
  'the server answers with $title: the model is told',
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
  ['half a key', { apiKey: goodKey.slice(0, 20) }, /mistyped/],
  ['an address that is none', { url: 'localhost:8484' }, /OVERHEARD_BASE_URL/],
  ['a key in the place of the address', { url: goodKey }, /OVERHEARD_BASE_URL/],
  ['a password in the address', { url: 'http://me:secret@127.0.0.1/' }, /OVERHEARD_BASE_URL/],
  [
    'a name that nobody has',
    { url: 'http://overheard.invalid' },
    /is not known[^]*(?:ENOTFOUND|EAI_AGAIN)/,
  ],
  ['a port of another protocol', { url: 'http://127.0.0.1:6000' }, /port that HTTP may use/],
])('settings: %s: the model is told, and no request is made', async (_title, given, says) => {
  const host = await connectHost({ url: fake.url, ...given });
  expectFailure(await host.call('get_scores'), says);
  expect(fake.seen).toHaveLength(0);
});

test('https where http is spoken is told as what it is', async () => {
  const host = await connectHost({ url: fake.url.replace('http:', 'https:') });
  expectFailure(
    await host.call('get_scores'),
    /secure connection[^]*failed[^]*`http:` or `https:`/,
  );
});

test('a port where nothing listens is told as what it is', async () => {
  const gone = await startFakeOverheard();
  await gone.close();
  const host = await connectHost({ url: gone.url });
  const says = /Nothing answers[^]*ECONNREFUSED[^]*overheard serve/;
  expectFailure(await host.call('get_scores'), says);
  expect(host.waits).toHaveLength(2);
});

test('something that does not speak HTTP is told as what it is', async () => {
  const other = createServer((socket) => socket.on('error', () => {}).end('SSH-2.0-hello\r\n'));
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const address = other.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const host = await connectHost({ url: `http://127.0.0.1:${port}` });
  expectFailure(await host.call('get_scores'), /not JSON|broke/);
  other.close();
});

test.each<[string, Behaviour]>([
  ['a connection that breaks once', hangUp],
  ['one 503', (_, response) => sendProblem(response, 'unavailable', { 'Retry-After': '2' })],
  [
    'one 429 with 2 s to wait',
    (_, response) => sendProblem(response, 'rate_limited', { 'Retry-After': '2' }),
  ],
  ['one 500', (_, response) => sendProblem(response, 'internal_error')],
  ['one that stays silent', silence],
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

test('a key that stands in a fact is not repeated', () => {
  const failure = new Failure('refused_connection', { address: `http://${keyOf('x'.repeat(32))}` });
  expect(failureText(failure)).toContain('http://overheard_...');
});

/** Told as the result of the call, without a structure, a key, or anything that the server said. */
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
