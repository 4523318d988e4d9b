import { describe, expect, test } from 'vitest';
import { call } from '../../test/servers/api.ts';
import { exchange, lastRequest } from '../../test/servers/raw-socket.ts';
import { onTheWire, outcomes } from '../../test/servers/wire.ts';

const { key, listen, bytesOf, answersTo } = onTheWire();

describe('several requests on one connection', () => {
  test('several requests on one connection are answered in their order, also when they arrive at once', async () => {
    const requests = ['open', 'done', 'dismissed'].map((status) =>
      bytesOf({ target: `/api/v1/actions?status=${status}` }),
    );
    const answers = await answersTo(requests.join('') + lastRequest);
    expect(outcomes(answers)).toEqual([200, 200, 200, 200]);
    expect(answers[0]?.body).toContain('"status":"open"');
    expect(answers[1]?.body).toContain('"status":"done"');
    expect(answers[2]?.body).toBe('{"actions":[]}');
  });

  test('requests before an unreadable one get whole responses; the unreadable one gets its problem', async () => {
    const answers = await answersTo(`${bytesOf({})}${bytesOf({})}\0\0\r\n\r\n${lastRequest}`);
    expect(outcomes(answers)).toEqual([200, 200, 'invalid_request']);
  });

  test('a request of a client that has ended its side is answered', async () => {
    const answers = await answersTo(bytesOf({}), { isHalfClosed: true });
    expect(outcomes(answers)).toEqual([200]);
  });

  test('half a request of a client that has ended its side is refused', async () => {
    const answers = await answersTo('GET /healthz HTTP/1.1\r\nHo', { isHalfClosed: true });
    expect(outcomes(answers)).toEqual(['invalid_request']);
  });

  test('bytes after a refused request are not read as a request: they cost no quota', async () => {
    const { api, port } = await listen({ quota: 300 });
    for (const refused of [bytesOf({ headers: ['Host: y'] }), bytesOf({ method: 'POST' })]) {
      expect(await exchange(port, refused + bytesOf({}))).toHaveLength(1);
    }
    const { headers } = await call(api, '/api/v1/actions', { key: key() });
    expect(headers['ratelimit']).toMatch(/^"actions";r=299;/);
  });
});

describe('the log', () => {
  test('the log has one escaped line for a path that would forge another, or steer a terminal', async () => {
    const { api, port } = await listen();
    const forged = '%0a{"level":"error"}%1b[31m"\\';
    const target = `/api/v1/scores${forged}`;
    const headers = [
      'User-Agent: \x9b31m{"a":1}',
      'X-Request-Id: forged',
      'X-Forwarded-For: 6.6.6.6',
    ];
    const bytes = bytesOf({ target, headers: [...headers, 'Connection: close'] });
    await exchange(port, Buffer.from(bytes, 'latin1'));
    await expect.poll(() => api.lines()).toHaveLength(1);
    expect(api.lines()[0]).toMatchObject({ status: 404, address: '127.0.0.1' });
    expect(api.text()).toMatch(/^[\x20-\x7e]+\n$/);
    expect(api.text()).not.toContain('forged');
  });

  test('the log has no key, whether it came in the path, the query or a header', async () => {
    const { api, port } = await listen();
    const target = `/api/v1/${key()}?key=${key()}`;
    await exchange(
      port,
      bytesOf({ target, headers: [`X-Api-Key: ${key()}`, 'Connection: close'] }),
    );
    await expect.poll(() => api.lines()).toHaveLength(1);
    expect(api.text()).not.toContain(key().slice(10));
    expect(api.lines()[0]).toMatchObject({ path: '/api/v1/overheard_[redacted]' });
  });
  const beginning = () => key().slice(0, 36);
  const encoded = () =>
    [...key()].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join('');
  test.each<[string, () => string]>([
    ['at the place where long paths are cut', () => `/${'x'.repeat(470)}${key()}`],
    ['without its end', () => `/${beginning()}`],
    ['percent-encoded whole', () => `/${encoded()}`],
    ['with one encoded character', () => `/${key().replace('o', '%6f')}`],
  ])('the log has no key from the path of a request: %s', async (_how, path) => {
    const { api, port } = await listen();
    await exchange(port, bytesOf({ target: path(), headers: ['Connection: close'] }));
    await expect.poll(() => api.lines()).toHaveLength(1);
    const text = api.text();
    expect(text).not.toContain(key().slice(10, 26));
    expect(text).not.toContain(encoded().slice(30, 60));
    expect(api.lines()[0]?.['path']).toContain('overheard_[redacted]');
    expect(text.length).toBeLessThan(900);
  });

  test('the log contains only real client addresses, even from a trusted proxy', async () => {
    const { api, port } = await listen({ trustProxy: ['127.0.0.1'] });
    const headers = [`X-Forwarded-For: ${key()}`, 'Connection: close'];
    await exchange(port, bytesOf({ headers }));
    await expect.poll(() => api.lines()).toHaveLength(1);
    expect(api.lines()[0]).toMatchObject({ status: 200, address: 'not an address' });
    expect(api.text()).not.toContain(key().slice(10));
  });
});
