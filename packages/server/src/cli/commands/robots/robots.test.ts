import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { RequestListener } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { commandPlace, listOf } from '../../../../test/logs/crawler-commands.ts';
import type { CommandPlace } from '../../../../test/logs/crawler-commands.ts';
import { eachDatabase } from '../../../../test/stores/stores.ts';

const own = ['--workspace', 'acme'];
const site = ['--host', 'www.acme.com', ...own];
const verified = '20.171.207.5';
const forged = '45.9.148.3';
const closed = 'User-agent: GPTBot\nDisallow: /private\n';

interface Line {
  readonly day: number;
  readonly path: string;
  readonly time?: string;
  readonly bot?: string;
  readonly address?: string;
}

function line({ day, path, time = '12:00:00', bot = 'GPTBot/1.3', address = verified }: Line) {
  return `www.acme.com ${address} - - [${day}/Nov/2026:${time} +0000] "GET ${path} HTTP/1.1" 200 5 "-" "Mozilla/5.0 (compatible; ${bot})"\n`;
}

/** A workspace whose log has these lines; only `verified` is an address of OpenAI's. */
async function placeWith(database: string, lines: readonly Line[]) {
  const place = await commandPlace(database);
  const { run, write } = place;
  for (const day of [1, 10, 20]) {
    const at = `2026-11-${String(day).padStart(2, '0')}`;
    const path = await write('list.json', listOf(`${at}T00:00:00Z`, '20.171.207.0/24'));
    for (const list of ['openai/gptbot', 'openai/searchbot', 'openai/chatgpt-user']) {
      await run('ranges', 'import', path, '--list', list, '--fetched-at', at);
    }
  }
  await place.prove('2026-11-08');
  const log = await write('a.log', lines.map(line).join(''));
  await run('hits', 'ingest', log, ...own, '--no-dns');
  return { ...place, importFile: (text: string, at: string) => importFile(place, text, at) };
}

async function importFile({ run, write }: CommandPlace, text: string, at: string) {
  return run('robots', 'import', await write('robots.txt', text), ...site, '--at', at);
}

const counts = { allowed: 0, disallowed: 0, unclear: 0, unknown: 0, robots_txt: 0 };

async function report({ run }: CommandPlace) {
  const { stdout } = await run('robots', 'report', ...own, '--json');
  return JSON.parse(stdout);
}

eachDatabase({ title: 'robots.txt', onBoth: true }, (create) => {
  test('robots.txt judges each hit by the file of its day, whatever the order in which files came', async () => {
    const lines = [
      { day: 4, path: '/private' },
      { day: 8, path: '/private/a' },
      { day: 8, path: '/robots.txt' },
      { day: 8, path: '/open' },
      { day: 14, path: '/private' },
      { day: 19, path: '/private' },
    ];
    const files = [
      ['User-agent: *\nDisallow:\n', '2026-11-12'],
      [closed, '2026-11-18'],
      [closed, '2026-11-05'],
    ] as const;
    const reports = [];
    for (const order of [files, files.toReversed()]) {
      const place = await placeWith(await create(), lines);
      for (const [text, at] of order) expect((await place.importFile(text, at)).code).toBe(0);
      reports.push(await report(place));
    }
    expect(reports[0]).toEqual(reports[1]);
    expect(reports[0]).toEqual({
      bots: [
        {
          host: 'www.acme.com',
          bot_name: 'GPTBot',
          bot_company: 'OpenAI',
          category: 'crawler',
          conclusion: 'ignored',
          asked: true,
          ignores_by_policy: false,
          first_ignored: { hit_at: '2026-11-08T12:00:00.000Z', path: '/private/a' },
          verified: { allowed: 2, disallowed: 2, unclear: 0, unknown: 1, robots_txt: 1 },
          unverified: counts,
          spoofed: counts,
        },
      ],
      without_file: 0,
    });
  });

  test('robots.txt leaves a bot unjudged while it may use a copy of up to 24 hours', async () => {
    const place = await placeWith(await create(), [
      { day: 10, path: '/private', time: '23:59:59' },
      { day: 11, path: '/private', time: '00:00:00' },
      { day: 11, path: '/private', time: '00:00:01' },
    ]);
    await place.importFile('', '2026-11-05');
    await place.importFile(closed, '2026-11-10');
    const [bot] = (await report(place)).bots;
    expect(bot.verified).toEqual({ ...counts, unclear: 1, disallowed: 2 });
    expect(bot.first_ignored.hit_at).toBe('2026-11-11T00:00:00.000Z');
  });

  test('robots.txt takes only verified hits for what an operator did', async () => {
    const place = await placeWith(await create(), [
      { day: 8, path: '/private', address: forged },
      { day: 8, path: '/open' },
      { day: 8, path: '/private', bot: 'OAI-SearchBot/1.3', address: forged },
    ]);
    await place.importFile('User-agent: *\nDisallow: /private', '2026-11-01');
    const { bots } = await report(place);
    expect(bots).toMatchObject([
      { bot_name: 'GPTBot', conclusion: 'obeyed', asked: false, spoofed: { disallowed: 1 } },
      { bot_name: 'OAI-SearchBot', conclusion: 'unknown', asked: null, first_ignored: null },
    ]);
    const { stdout, stderr } = await place.run('robots', 'report', ...own);
    expect(stdout).toMatch(/www\.acme\.com +GPTBot +obeyed +never +1 +0 +0 +0\n/);
    expect(stdout).not.toContain('OAI-SearchBot');
    expect(stderr).toContain('1 spoofed hit in the name of GPTBot on www.acme.com was disallowed.');
  });

  test('robots.txt without a verified hit is not reported missing', async () => {
    const place = await placeWith(await create(), [{ day: 8, path: '/a', address: forged }]);
    await place.importFile('User-agent: *\nDisallow: /private', '2026-11-01');
    const { stderr } = await place.run('robots', 'report', ...own);
    expect(stderr).toBe(
      'There is no verified hit to compare with a robots.txt of its site and time.\n',
    );
  });

  test('robots.txt reports that the operator of a person’s agent does not promise to obey', async () => {
    const user = { bot: 'ChatGPT-User/1.0', path: '/private' };
    const place = await placeWith(await create(), [{ day: 12, ...user }]);
    await place.importFile('User-agent: *\nDisallow: /', '2026-11-01');
    expect((await report(place)).bots).toMatchObject([
      { bot_name: 'ChatGPT-User', conclusion: 'ignored', ignores_by_policy: true },
    ]);
    const { stderr } = await place.run('robots', 'report', ...own);
    expect(stderr).toContain('robots.txt may not apply to it, because a person sends it');
  });

  test('a bot is not called obedient if nothing was forbidden', async () => {
    const place = await placeWith(await create(), [{ day: 8, path: '/open' }]);
    await place.importFile('User-agent: CCBot\nDisallow: /', '2026-11-01');
    expect((await report(place)).bots).toMatchObject([{ conclusion: 'not_restricted' }]);
  });

  test.each(['/*?', '/search?q=', '/*sort='])(
    'a bot is not called obedient if "Disallow: %s" may have forbidden its requests',
    async (rule) => {
      const forbidden = Array.from({ length: 12 }, (_, index) => ({
        day: 8,
        path: `/search?q=${index}&sort=up`,
      }));
      const place = await placeWith(await create(), [
        ...forbidden,
        { day: 8, path: '/robots.txt' },
      ]);
      await place.importFile(`User-agent: *\nDisallow: ${rule}\nDisallow: /private`, '2026-11-01');
      expect((await report(place)).bots).toMatchObject([
        { conclusion: 'unknown', verified: { unclear: 12, robots_txt: 1 } },
      ]);
    },
  );

  test('a bot is not called obedient while one of its requests is in doubt', async () => {
    const place = await placeWith(await create(), [
      { day: 8, path: '/open' },
      { day: 8, path: '/search?q=1' },
    ]);
    await place.importFile('User-agent: *\nDisallow: /search?', '2026-11-01');
    expect((await report(place)).bots).toMatchObject([
      { conclusion: 'unknown', verified: { allowed: 1, unclear: 1 } },
    ]);
  });

  test('robots.txt is listed, removed and imported again, the same file of one moment once', async () => {
    const place = await placeWith(await create(), [{ day: 8, path: '/private' }]);
    await place.importFile(closed, '2026-11-01');
    const again = await place.importFile(closed, '2026-11-01');
    expect(again.stderr).toContain('from 2026-11-01T00:00:00.000Z on: 1 bot (known).');
    const other = await place.importFile('', '2026-11-01');
    expect({ code: other.code, stderr: other.stderr }).toEqual({
      code: 1,
      stderr: expect.stringContaining('There is another robots.txt of www.acme.com'),
    });
    const { stdout } = await place.run('robots', 'list', ...own, '--json');
    expect(JSON.parse(stdout)).toEqual({
      files: [
        { host: 'www.acme.com', at: '2026-11-01T00:00:00.000Z', status: null, content: closed },
      ],
    });
    expect((await place.run('robots', 'remove', ...site)).code).toBe(2);
    expect((await place.run('robots', 'remove', ...site, '--at', '2026-11-01')).code).toBe(0);
    expect((await place.run('robots', 'remove', ...site, '--all')).code).toBe(1);
    expect((await report(place)).without_file).toBe(1);
  });

  test('the robots.txt of a workspace belongs to no other workspace', async () => {
    const place = await placeWith(await create(), [{ day: 8, path: '/private' }]);
    await place.run('workspace', 'create', 'other', '--name', 'Other', '--brand', 'Other');
    await place.importFile(closed, '2026-11-01');
    const { stdout } = await place.run('robots', 'list', '--workspace', 'other', '--json');
    expect(JSON.parse(stdout)).toEqual({ files: [] });
    await place.run('workspace', 'remove', 'acme', '--yes');
    const left = await place.run('robots', 'report', '--workspace', 'other', '--json');
    expect(JSON.parse(left.stdout)).toEqual({ bots: [], without_file: 0 });
  });

  test('robots.txt is fetched by RFC 9309: redirects, statuses, and at most 500 KiB', async () => {
    const place = await placeWith(await create(), [{ day: 19, path: '/private' }]);
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
      files.map((file: { status: number; content: string }) => [file.status, file.content.length]),
    ).toEqual([
      [200, 26],
      [302, 0],
      [200, 500 * 1024],
      [404, 0],
    ]);
  });

  test('a changed file leaves a bot in doubt since the file was last seen', async () => {
    const place = await placeWith(await create(), [
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
    const place = await placeWith(await create(), []);
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
