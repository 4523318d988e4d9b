import { describe, expect, test } from 'vitest';
import { nowMs } from '../../test/servers/api.ts';
import { exchange, lastRequest } from '../../test/servers/raw-socket.ts';
import { onTheWire, outcomes } from '../../test/servers/wire.ts';
import type { SentParts } from '../../test/servers/wire.ts';

const { key, listen, bytesOf, answersTo } = onTheWire();

describe('what two readers could understand differently is refused, and ends the connection', () => {
  test.each<[string, SentParts | string]>([
    [
      'a length and a transfer encoding',
      { headers: ['Content-Length: 5', 'Transfer-Encoding: chunked'], body: '0\r\n\r\n' },
    ],
    ['two lengths', { headers: ['Content-Length: 5', 'Content-Length: 6'], body: 'hello' }],
    ['a negative length', { headers: ['Content-Length: -1'] }],
    ['a transfer encoding on GET', { headers: ['Transfer-Encoding: chunked'], body: '0\r\n\r\n' }],
    [
      'an unknown transfer encoding',
      { headers: ['Transfer-Encoding: xchunked'], body: '0\r\n\r\n' },
    ],
    ['a folded header', { headers: ['X-A: a', ' b'] }],
    ['a space before the colon', { headers: ['X-A : a'] }],
    ['a NUL in a header', { headers: ['X-A: \0'] }],
    ['a bare carriage return in a header', { headers: ['X-A: a\rX-B: b'] }],
    ['two Host lines', { headers: ['Host: y'] }],
    ['two Authorization lines', { headers: ['authorization: Bearer x'] }],
    ['a body on GET', { headers: ['Content-Length: 5'], body: 'hello' }],
    [
      'a chunked body on OPTIONS',
      { method: 'OPTIONS', headers: ['Transfer-Encoding: chunked'], body: '0\r\n\r\n' },
    ],
    [
      'a body that waits for 100 Continue',
      { headers: ['Expect: 100-continue', 'Content-Length: 5'], body: 'hello' },
    ],
    ['userinfo in the target', { target: 'http://user@x/api/v1/actions' }],
    ['an unknown method', { method: 'FOO' }],
    ['a tunnel', { method: 'CONNECT', target: 'example.com:443' }],
    ['a NUL in the target', { target: '/api/v1/actions\0' }],
    ['bare line feeds', 'GET /healthz HTTP/1.1\nHost: x\n\n'],
    ['no Host line', 'GET /healthz HTTP/1.1\r\n\r\n'],
    ['bytes of TLS', '\x16\x03\x01\x02\x00\x01'],
  ])('%s', async (_name, sent) => {
    const bytes = typeof sent === 'string' ? sent : bytesOf(sent);
    // The second request must get no response, because its beginning is ambiguous.
    const answers = await answersTo(Buffer.from(bytes + lastRequest, 'latin1'));
    expect(answers[0]).toMatchObject({ status: 400, headers: { connection: 'close' } });
    expect(outcomes(answers)).toEqual(['invalid_request']);
  });
});

describe('a request with a body to a path that is not served gets one response, and ends the connection', () => {
  test.each<[string, SentParts]>([
    ['a length', { headers: ['Content-Length: 5'], body: 'hello' }],
    ['a body that never comes', { headers: ['Content-Length: 500000'] }],
    ['chunks', { headers: ['Transfer-Encoding: chunked'], body: '5\r\nhello\r\n0\r\n\r\n' }],
    [
      'trailers of 20 KB',
      { headers: ['Transfer-Encoding: chunked'], body: `0\r\nX: ${'y'.repeat(20_000)}\r\n\r\n` },
    ],
  ])('%s', async (_name, sent) => {
    const answers = await answersTo(bytesOf({ target: '/nowhere', ...sent }) + lastRequest);
    expect(outcomes(answers)).toEqual(['not_found']);
    expect(answers[0]).toMatchObject({ headers: { connection: 'close' } });
  });
});

describe('a Host line that is not a host is refused, and ends the connection', () => {
  test.each([
    'a b',
    'x/api',
    'user@x',
    'x:port',
    'x:65536',
    '[::1]x',
    '[fe80::1%25eth0]',
    '<script>',
    'caf\u00e9',
  ])('a Host line that is not a host is refused, and ends the connection: %s', async (host) => {
    const bytes = `GET /healthz HTTP/1.1\r\nHost: ${host}\r\n\r\n${lastRequest}`;
    const answers = await answersTo(Buffer.from(bytes, 'latin1'));
    expect(outcomes(answers)).toEqual(['invalid_request']);
    expect(answers[0]?.headers).toMatchObject({ connection: 'close' });
  });
});

test.each(['', 'x', 'x:8484', '127.0.0.1:80', '[::1]'])(
  'the Host line %j is accepted',
  async (host) => {
    const bytes = `GET /healthz HTTP/1.1\r\nHost: ${host}\r\n\r\n${lastRequest}`;
    expect(outcomes(await answersTo(bytes))).toEqual([200, 200]);
  },
);

describe('an expectation', () => {
  test.each(['the-unexpected', '100-continue, the-unexpected'])(
    'an unknown expectation is refused: %j',
    async (expectation) => {
      const headers = [`Expect: ${expectation}`];
      const answers = await answersTo(bytesOf({ headers }) + lastRequest);
      expect(outcomes(answers)).toEqual(['expectation_failed']);
      expect(answers[0]).toMatchObject({ status: 417, headers: { connection: 'close' } });
    },
  );

  test.each(['100-continue', '100-Continue', ', 100-continue,'])(
    'the expectation %j is met, and the connection stays open',
    async (expectation) => {
      const { port } = await listen();
      const bytes = bytesOf({ headers: [`Expect: ${expectation}`] }) + lastRequest;
      expect(outcomes(await exchange(port, bytes))).toEqual([100, 200, 200]);
    },
  );
});

test('every response carries a Date, also one to a request that cannot be parsed', async () => {
  const moment = new Date(nowMs).toUTCString();
  const headers = [`X-A: ${'a'.repeat(17_000)}`];
  for (const bytes of ['\x16\x03\x01', bytesOf({ headers }), bytesOf({ method: 'FOO' })]) {
    const [answer] = await answersTo(bytes);
    expect(answer?.headers['date']).toBe(moment);
    expect(answer?.headers['x-content-type-options']).toBe('nosniff');
  }
  const [healthy] = await answersTo(lastRequest);
  expect(Date.parse(healthy?.headers['date'] ?? '')).not.toBeNaN();
});

describe('what is clear is answered, whatever it looks like', () => {
  test.each<[string, SentParts | string, string | number]>([
    ['HTTP/1.0 without Host', 'GET /healthz HTTP/1.0\r\n\r\n', 200],
    ['the absolute form', { target: 'http://elsewhere.example/api/v1/actions' }, 200],
    ['an upgrade', { headers: ['Connection: Upgrade, close', 'Upgrade: websocket'] }, 200],
    ['an empty length', { headers: ['Content-Length: 0'] }, 200],
    [
      'a lower-case scheme',
      'GET /api/v1/actions HTTP/1.1\r\nhost: x\r\nauthorization: bearer KEY\r\n\r\n',
      200,
    ],
    [
      'a body on POST',
      { method: 'POST', headers: ['Content-Length: 2'], body: '{}' },
      'method_not_allowed',
    ],
    ['two slashes', { target: '//x/api/v1/actions' }, 'not_found'],
    ['dot segments', { target: '/api/v1/../v1/actions' }, 'not_found'],
    ['an encoded slash', { target: '/api%2Fv1/actions' }, 'not_found'],
    ['bad percent-encoding in the path', { target: '/api/v1/%zz%c0%af' }, 'not_found'],
    ['an array of a parameter', { target: '/api/v1/actions?status[]=open' }, 'invalid_parameter'],
    ['a prototype', { target: '/api/v1/actions?__proto__=1&constructor=1' }, 'invalid_parameter'],
    [
      'bad percent-encoding in the query',
      { target: '/api/v1/actions?status=%zz' },
      'invalid_parameter',
    ],
    ['a NUL in the query', { target: '/api/v1/actions?status=open%00' }, 'invalid_parameter'],
    ['3,000 parameters', { target: `/api/v1/actions?${'a=1&'.repeat(3000)}` }, 'invalid_parameter'],
    ['900 headers', { headers: Array.from({ length: 900 }, (_, index) => `x-${index}: 1`) }, 200],
  ])(
    'a Host line that is not a host is refused, and ends the connection: %s',
    async (_name, sent, outcome) => {
      const bytes = typeof sent === 'string' ? sent.replace('KEY', key()) : bytesOf(sent);
      const answers = await answersTo(Buffer.from(bytes + lastRequest, 'latin1'));
      expect(outcomes(answers)[0]).toBe(outcome);
      expect(answers.length).toBe(answers[0]?.headers['connection'] === 'close' ? 1 : 2);
    },
  );

  test.each([
    ['one header of 17 KB', [`X-A: ${'a'.repeat(17_000)}`]],
    ['a target of 17 KB', [`X-A: a`]],
    ['3,000 headers', Array.from({ length: 3000 }, () => 'a: b')],
  ])('%s is too large', async (name, headers) => {
    const target = name.startsWith('a target') ? `/${'a'.repeat(17_000)}` : '/healthz';
    const answers = await answersTo(bytesOf({ target, headers }));
    expect(outcomes(answers)).toEqual(['headers_too_large']);
  });
});
