import { once } from 'node:events';
import { createServer } from 'node:http';
import type { RequestListener } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test, vi } from 'vitest';
import worker from '../../examples/receivers/cloudflare-worker.ts';
import { sendRequests } from '../../examples/receivers/express.ts';
import { proxy } from '../../examples/receivers/nextjs.ts';
import { createFormats } from '../../packages/server/src/crawlers/formats/file-formats.ts';

const agent = 'Mozilla/5.0 (compatible; GPTBot/1.3)';

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  onTestFinished(() => server.close().closeAllConnections());
  await once(server, 'listening');
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
}

/** A receiver that fails as often as it is told to, and what it then takes, as Overheard reads it. */
async function receive({ failures = 0 } = {}) {
  const bodies: string[] = [];
  let left = failures;
  const url = await serve((request, response) => {
    void text(request).then((body) => {
      const isFailure = left-- > 0;
      if (!isFailure) bodies.push(body);
      response.writeHead(isFailure ? 503 : 202).end();
    });
  });
  const lines = () => {
    const formats = createFormats('auto');
    return bodies.flatMap((body) => body.split('\n')).map((line) => formats.parse(line));
  };
  return { url, lines };
}

/** What a platform waits for after the response. */
function event() {
  const waiting: Array<Promise<unknown>> = [];
  return { waitUntil: (work: Promise<unknown>) => void waiting.push(work), waiting };
}

test('the middleware for Express sends each request, and again if it was refused', async () => {
  const { url: receiver, lines } = await receive({ failures: 1 });
  const middleware = sendRequests(receiver, { waitMs: 20 });
  const site = await serve((request, response) => {
    middleware(request, response, () => response.writeHead(404).end());
  });
  for (const path of ['/a?b=c', '/d']) {
    await fetch(`${site}${path}`, { headers: { 'user-agent': agent } });
  }
  await expect.poll(lines).toHaveLength(2);
  expect(lines()).toMatchObject([
    { address: '127.0.0.1', host: '127.0.0.1', target: '/a?b=c', status: 404, userAgent: agent },
    { target: '/d' },
  ]);
});

test('the proxy of Next.js sends each request', async () => {
  const { url: receiver, lines } = await receive();
  vi.stubEnv('OVERHEARD_RECEIVER', receiver);
  onTestFinished(() => void vi.unstubAllEnvs());
  const { waitUntil, waiting } = event();
  const headers = { 'user-agent': agent, 'x-real-ip': '192.0.2.7' };
  proxy(new Request('https://www.acme.com/a?b=c', { headers }), { waitUntil });
  await Promise.all(waiting);
  expect(lines()).toMatchObject([
    { address: '192.0.2.7', host: 'www.acme.com', target: '/a?b=c', method: 'GET', status: null },
  ]);
});

test('the Worker of Cloudflare sends each request with its status, and gives the response of the site', async () => {
  const { url: receiver, lines } = await receive();
  const site = await serve((_, response) => response.writeHead(403).end('no'));
  const { waitUntil, waiting } = event();
  const headers = { 'user-agent': agent, 'cf-connecting-ip': '192.0.2.7' };
  const request = new Request(`${site}/a`, { headers });
  const response = await worker.fetch(request, { OVERHEARD_RECEIVER: receiver }, { waitUntil });
  expect([response.status, await response.text()]).toEqual([403, 'no']);
  await Promise.all(waiting);
  expect(lines()).toMatchObject([
    { address: '192.0.2.7', target: '/a', status: 403, userAgent: agent },
  ]);
});
