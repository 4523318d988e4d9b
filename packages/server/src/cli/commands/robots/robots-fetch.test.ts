import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { RequestListener } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import {
  closed,
  counts,
  own,
  placeWith,
  report,
  site,
} from '../../../../test/logs/robots-place.ts';
import { eachDatabase } from '../../../../test/stores/stores.ts';

eachDatabase('fetched robots.txt', (create) => {
  test(
    'robots.txt is fetched by RFC 9309: redirects, statuses, and at most 500 KiB',
    { tags: ['long'] },
    async () => {
      const place = await placeWith(create, [{ day: 19, path: '/private' }]);
      const long = `${closed}${'#'.repeat(600_000)}\nUser-agent: *\nDisallow: /`;
      const origin = await serve((request, response) => {
        const [, status = '200', left = '0'] = request.url?.split('/') ?? [];
        if (status === 'to' && left !== '0') {
          response.writeHead(302, { location: `/to/${Number(left) - 1}` }).end();
        } else if (status === 'to') response.end('User-agent: a\nDisallow: /\0');
        else if (status === 'long') response.end(long);
        else if (status === 'data') response.writeHead(302, { location: 'data:,User-agent' }).end();
        else response.writeHead(Number(status)).end('User-agent: *\nDisallow: /');
      });
      const outcomes: unknown[] = [];
      for (const path of ['to/5', 'to/6', 'long/', '404/', '429/', '503/', '304/', 'data/']) {
        const at = Date.parse('2026-11-20T00:00:00Z') + 1000 * outcomes.length;
        const url = ['--url', `${origin}/${path}`, '--json'];
        const { stdout, code } = await place.runAt(at, 'robots', 'fetch', ...site, ...url);
        outcomes.push([path, JSON.parse(stdout).sites[0].outcome, code]);
      }
      expect(outcomes).toEqual([
        ['to/5', 'fetched', 0],
        ['to/6', 'none', 0],
        ['long/', 'fetched', 0],
        ['404/', 'none', 0],
        ['429/', 'failed', 1],
        ['503/', 'failed', 1],
        ['304/', 'failed', 1],
        ['data/', 'failed', 1],
      ]);
      const { files } = JSON.parse((await place.run('robots', 'list', ...site, '--json')).stdout);
      expect(
        files.map((file: { status: number; content: string }) => [
          file.status,
          file.content.length,
        ]),
      ).toEqual([
        [200, 26],
        [302, 0],
        [200, 500 * 1024],
        [404, 0],
      ]);
    },
  );

  test('a changed file leaves a bot in doubt since the file was last seen', async () => {
    const place = await placeWith(create, [
      { day: 18, path: '/private' },
      { day: 20, path: '/private' },
    ]);
    let text = closed;
    const origin = await serve((_request, response) => void response.end(text));
    for (const [at, found] of [
      ['2026-11-15', closed],
      ['2026-11-19', closed],
      ['2026-11-21', ''],
    ] as const) {
      text = found;
      const url = ['--url', `${origin}/robots.txt`];
      await place.runAt(Date.parse(at), 'robots', 'fetch', ...site, ...url);
    }
    expect((await report(place)).bots[0].verified).toEqual({
      ...counts,
      disallowed: 1,
      unclear: 1,
    });
  });

  test('an unreachable site is a failure, and nothing is stored', async () => {
    const place = await placeWith(create, []);
    const unreachable = ['--host', '127.0.0.1', '--url', 'http://127.0.0.1:1/robots.txt'];
    const { stdout, code } = await place.run('robots', 'fetch', ...own, '--json', ...unreachable);
    expect(code).toBe(1);
    expect(JSON.parse(stdout).sites).toEqual([
      { host: '127.0.0.1', outcome: 'failed', problem: 'It could not be reached.' },
    ]);
  });
});

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port }: AddressInfo = JSON.parse(JSON.stringify(server.address()));
  return `http://127.0.0.1:${port}`;
}
