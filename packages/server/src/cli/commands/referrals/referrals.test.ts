import { appendFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { commandPlace } from '../../../../test/logs/crawler-commands.ts';
import type { CommandPlace } from '../../../../test/logs/crawler-commands.ts';
import { eachDatabase } from '../../../../test/stores/stores.ts';

const own = ['--workspace', 'acme'];
const chrome = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/142.0.0.0 Safari/537.36';

interface Visit {
  readonly path?: string;
  readonly referer?: string;
  readonly method?: string;
  readonly status?: number;
  readonly agent?: string;
  readonly second?: number;
  readonly address?: string;
}

function line({
  path = '/pricing',
  referer = '-',
  method = 'GET',
  status = 200,
  agent = chrome,
  second = 0,
  address = '203.0.113.9',
}: Visit): string {
  const time = `20/Nov/2026:12:00:${String(second).padStart(2, '0')} +0000`;
  return `www.acme.com ${address} - - [${time}] "${method} ${path} HTTP/1.1" ${status} 5 "${referer}" "${agent}"\n`;
}

async function ingest({ run, write }: CommandPlace, text: string, ...options: string[]) {
  return run('hits', 'ingest', await write('a.log', text), ...own, '--no-dns', ...options);
}

async function counted({ run }: CommandPlace): Promise<string[]> {
  const { stdout } = await run('referrals', ...own, '--csv');
  return stdout.trim().split('\n').slice(1);
}

eachDatabase({ title: 'referrals', onBoth: true }, (create) => {
  test.each([
    ['https://chatgpt.com/', 'chatgpt'],
    ['android-app://com.openai.chatgpt/', 'chatgpt'],
    ['https://www.perplexity.ai/search?q=acme', 'perplexity'],
    ['https%3A%2F%2Fclaude.ai%2F', 'claude'],
  ])('a Referer of %s is a visit from %s', { tags: ['once'] }, async (referer, engine) => {
    const place = await commandPlace(await create());
    const { stderr } = await ingest(place, line({ referer }));
    expect(stderr).toContain('People who came from an answer: 1 new.');
    expect(await counted(place)).toEqual([`2026-11-20,www.acme.com,/pricing,${engine},1`]);
  });

  test(
    'the source that an engine writes into its links counts without a Referer alone',
    { tags: ['once'] },
    async () => {
      const place = await commandPlace(await create());
      const tagged = '/a?x=1&utm_source=chatgpt.com';
      const visits = [
        { path: tagged },
        { path: '/b?utm_source=openai', second: 1 },
        { path: tagged, referer: 'https://www.reddit.com/', second: 2 },
        { path: tagged, referer: 'https://www.acme.com/a?utm_source=chatgpt.com', second: 3 },
        { path: '/a?utm_source=newsletter', second: 4 },
      ];
      await ingest(place, visits.map(line).join(''));
      const { stderr } = await place.run('referrals', ...own);
      expect(stderr).toBe('chatgpt: 1 referral\nchatgpt_api: 1 referral\n');
      expect(await counted(place)).toEqual([
        '2026-11-20,www.acme.com,/a,chatgpt,1',
        '2026-11-20,www.acme.com,/b,chatgpt_api,1',
      ]);
    },
  );

  test('only pages that people were shown count', { tags: ['once'] }, async () => {
    const place = await commandPlace(await create());
    const referer = 'https://chatgpt.com/';
    const visits: Visit[] = [
      { status: 304, path: '/guide.pdf' },
      { status: 301 },
      { status: 404 },
      { method: 'POST' },
      { method: 'HEAD' },
      { path: '/logo.PNG?v=2' },
      { path: '/app.js' },
      { agent: 'Mozilla/5.0 (compatible; GPTBot/1.3)' },
      { agent: 'Mozilla/5.0 (compatible; AhrefsBot/7.0; +http://ahrefs.com/robot/)' },
      { referer: 'https://chatgpt.com.evil.example/' },
      { referer: 'https://chatgpt.com@evil.example/' },
      { referer: 'https://evil.example/chatgpt.com' },
      { referer: 'chatgpt.com' },
    ];
    const lines = visits.map((visit, second) => line({ referer, second, ...visit }));
    const { stderr } = await ingest(place, lines.join(''));
    expect(stderr).toContain('13 lines = 1 hit new + 0 hits known + 12 other traffic');
    expect(await counted(place)).toEqual(['2026-11-20,www.acme.com,/guide.pdf,chatgpt,1']);
  });

  test(
    'lines that are read again, in any order, in files that overlap, count once',
    { tags: ['once'] },
    async () => {
      const place = await commandPlace(await create());
      const lines = Array.from({ length: 30 }, (_, second) =>
        line({ referer: 'https://chatgpt.com/', second, path: second % 3 === 0 ? '/a' : '/b' }),
      );
      await ingest(place, lines.slice(0, 20).join(''));
      await ingest(place, lines.toReversed().join(''));
      await ingest(
        place,
        lines.slice(10).join(''),
        '--from-start',
        '--trust-forwarded',
        '10.0.0.0/8',
      );
      const path = await place.write('b.log', lines.join(''));
      await place.run('hits', 'ingest', path, ...own, '--no-dns');
      await appendFile(path, line({ referer: 'https://claude.ai/', path: '/c' }));
      await place.run('hits', 'ingest', path, ...own, '--no-dns');
      expect(await counted(place)).toEqual([
        '2026-11-20,www.acme.com,/b,chatgpt,20',
        '2026-11-20,www.acme.com,/a,chatgpt,10',
        '2026-11-20,www.acme.com,/c,claude,1',
      ]);
    },
  );

  test('two people in one second are two, and nothing of either is kept', async () => {
    const url = await create();
    const place = await commandPlace(url);
    const referer = 'https://chatgpt.com/c/secret';
    const path = '/pricing?mail=a@b.example';
    const visit = { referer, path };
    await ingest(place, line(visit) + line({ ...visit, address: '198.51.100.7' }));
    const { stdout } = await place.run('referrals', ...own, '--json');
    expect(JSON.parse(stdout)).toEqual({
      referrals: [
        {
          date: '2026-11-20',
          host: 'www.acme.com',
          path: '/pricing',
          engine: 'chatgpt',
          referrals: 2,
        },
      ],
    });
    expect(await place.storedText('referrals')).not.toMatch(/203\.0|198\.51|Chrome|secret|mail/);
  });

  test('a time and a site limit which referrals count, and removing hits from logs removes referrals, too', async () => {
    const place = await commandPlace(await create());
    await ingest(place, line({ referer: 'https://chatgpt.com/' }), '--since', '2026-11-21');
    expect(await counted(place)).toEqual([]);
    const bare = line({ referer: 'https://chatgpt.com/' }).replace('www.acme.com ', '');
    await ingest(place, bare, '--from-start');
    expect(await counted(place)).toEqual(['2026-11-20,,/pricing,chatgpt,1']);
    await place.run('hits', 'remove', '--without-host', '--yes', ...own);
    await ingest(place, bare, '--from-start', '--host', 'www.acme.com');
    expect(await counted(place)).toEqual(['2026-11-20,www.acme.com,/pricing,chatgpt,1']);
    const none = await place.run('referrals', ...own, '--host', 'shop.acme.com');
    expect(none.stderr).toContain('No visit from an answer is known');
    await place.run('workspace', 'create', 'other', '--name', 'Other', '--brand', 'Other');
    expect((await place.run('referrals', '--workspace', 'other', '--csv')).stdout).toBe(
      'date,host,path,engine,referrals\n',
    );
    await place.run('hits', 'remove', '--imported', '--yes', ...own);
    expect(await counted(place)).toHaveLength(1);
    const removed = await place.run('hits', 'remove', '--read', '--yes', ...own);
    expect(removed.stderr).toBe('Removed 1 referral.\n');
    expect(await counted(place)).toEqual([]);
  });
});
