import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { runCommand } from '../../test/command-line.ts';
import { startServer } from '../../test/server-process.ts';
import { eachDatabase } from '../../test/stores.ts';

test.each([
  [['--port', '65536']],
  [['--port', 'http']],
  [['--quota', '-1']],
  [['--trust-proxy', 'banana']],
  [['--trust-proxy', '10.0.0.0/33']],
  [['--trust-proxy', '10.0.0.0/8,2001:db8::/129']],
  [['--public-url', 'ftp://example.com']],
  [['--database', 'mysql://example.com/x']],
  [['--databse', 'x']],
])('%j is wrong usage: a sentence, and 2', async (options) => {
  const { code, stderr } = await runCommand(['serve', '--port', '0', ...options]);
  expect(code, stderr).toBe(2);
  expect(stderr).toMatch(/^\S.*/);
  expect(stderr).not.toContain('bug');
});

eachDatabase('overheard serve', (create) => {
  test('says on stderr where it listens and what to do next, and stops with 0', async () => {
    const server = await startServer(await create(), [
      '--trust-proxy',
      '10.0.0.0/8, ::1',
      '--log-level',
      'silent',
    ]);
    const response = await fetch(`${server.url}/readyz`);
    expect(await response.json()).toEqual({ status: 'ready' });
    const { code, stdout, stderr } = await server.stop();
    expect(code).toBe(0);
    expect(stdout).toBe('');
    expect(stderr).toContain(`Overheard listens on ${server.url}\n`);
    expect(stderr).toContain('overheard workspace create');
    expect(stderr).toContain('overheard key create');
    expect(stderr).toContain(`${server.url}/api/v1/scores`);
  });

  test('says what to do where its port is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void other.close());
    await once(other, 'listening');
    const address = other.address();
    const port = address === null || typeof address === 'string' ? 0 : address.port;
    const { code, stderr } = await runCommand([
      'serve',
      '--port',
      String(port),
      '--database',
      await create(),
    ]);
    expect(code).toBe(1);
    expect(stderr).toBe(
      `Port ${port} of 127.0.0.1 is taken. Choose another with --port, or --port 0.\n`,
    );
  });

  test('names its own pages under --public-url, whatever Host says', async () => {
    const server = await startServer(await create(), [
      '--public-url',
      'https://api.example.com/x/',
    ]);
    const response = await fetch(`${server.url}/api/v1/scores`, {
      headers: { 'x-forwarded-host': 'evil.example' },
    });
    expect(await response.json()).toMatchObject({
      type: 'https://api.example.com/x/errors/missing_api_key',
    });
    const { stderr } = await server.stop();
    expect(stderr).toContain('curl -H "Authorization: Bearer $KEY" https://api.example.com/x/api/');
  });
});
