import { crawls } from '@overheard/contract';
import { expect, test } from 'vitest';
import { newTenant, nowMs } from '../../../../test/servers/api.ts';
import { newPerson } from '../../../../test/browsers/people.ts';
import { aHit, writeRows } from '../../../../test/stores/rows.ts';
import type { Hit } from '../../../../test/stores/rows.ts';
import { eachStore } from '../../../../test/stores/stores.ts';
import type { Open } from '../../../../test/stores/stores.ts';
import { Visitor, startWeb } from '../../../../test/browsers/web.ts';
import { writeReferrals } from '../../../crawlers/referrals/referrals.ts';
import { reasons } from '../../../crawlers/verify/verdict.ts';
import { writeWorkspace } from '../../../storage/write.ts';

const www = 'www.acme.com';

function hit(status: number, path: string, more: Partial<Hit> = {}): Hit {
  return aHit({
    host: www,
    path,
    status,
    bot_name: 'GPTBot',
    bot_company: 'OpenAI',
    category: 'crawler',
    verification: 'verified',
    hit_at: '2026-11-18T12:34:56.000Z',
    evidence: '{"reason":"in_list","list":"openai/gptbot"}',
    ...more,
  });
}

const hits: readonly Hit[] = [
  hit(200, '/'),
  hit(200, '/private'),
  hit(403, '/pricing'),
  hit(403, '/pricing', { bot_name: 'ClaudeBot', bot_company: 'Anthropic' }),
  hit(503, '/down', { verification: 'unverified', evidence: '{"reason":"no_list"}' }),
  hit(200, '/<b>', { bot_name: '<i>Own</i>', bot_company: '=cmd()', evidence: null }),
];

eachStore({ title: 'the page of crawlers', onBoth: true }, (open) => {
  test('the page of crawlers lists which pages bots cannot read, of how many requests', async () => {
    const { get } = await aVisitor(open);
    const page = await get('?by=refused');
    expect(text(page)).toMatch(/6 requests of 3 bots : 5 verified, 1 unverified, no spoofed/);
    expect(text(page)).toContain('www.acme.com/pricing 2 of 2 0 2 403 ClaudeBot, GPTBot');
    expect(text(page)).toContain('www.acme.com/down 0 of 1 1 1 503 GPTBot');
    expect(page.indexOf('/pricing')).toBeLessThan(page.indexOf('/down'));
  });

  test.each([
    ['engines', 'ClaudeBot Claude training or a corpus 1 of 1 never GPTBot ChatGPT'],
    ['bot', 'GPTBot OpenAI training or a corpus 3 0 1 2 0 1 1'],
    ['bot', 'Site Verified by address Proven All other hosts no day'],
    ['page', 'www.acme.com/pricing 2 0 0 0 0 2 0'],
    ['cited', 'No engine with answers of this period read a page of your own.'],
    ['cited', 'There is no such page on these days.'],
    ['day', '18 Nov 5 0 1 3 0 2 1'],
    ['robots', 'GPTBot www.acme.com ignored first /private, 18 Nov, 12:34 never 2 1'],
    ['people', 'www.acme.com/ ChatGPT 2 17 Nov'],
    ['request', `GPTBot www.acme.com/down 503 unverified ${reasons.no_list}`],
    ['request', `www.acme.com/pricing 403 verified ${reasons.in_list} (openai/gptbot)`],
    ['request', 'imported, without evidence'],
  ])('the page of crawlers lists %s, with the counts that are stored: %s', async (by, words) => {
    const { get } = await aVisitor(open);
    expect(text(await get(`?by=${by}`))).toContain(words.replaceAll("'", '&#39;'));
  });

  test.each(['bot', 'page', 'day'])(
    'the page of crawlers explains what the columns of a list by %s count',
    async (by) => {
      const { get } = await aVisitor(open);
      const page = text(await get(`?by=${by}`));
      expect(page).toContain('Spoofed: proven not to be');
      expect(page).toContain('Failed: another 4xx, or 5xx.');
    },
  );

  test('the filters of the page of crawlers select a site and a bot, and its links keep them', async () => {
    const { get, slug } = await aVisitor(open);
    const page = await get('?by=page&bot_name=ClaudeBot&host=www.acme.com&weeks=12');
    expect(text(page)).toContain('1 request of 1 bot');
    expect(page).toContain(
      `href="/w/${slug}/crawlers?weeks=12&amp;by=day&amp;host=www.acme.com&amp;bot_name=ClaudeBot"`,
    );
    expect(text(await get('?host=elsewhere.com'))).toContain('No request of a bot in this time');
  });

  test('one bot has a page with what it is; an unknown one has none', async () => {
    const { get, status } = await aVisitor(open);
    const page = await get('/GPTBot?by=request');
    expect(text(page)).toMatch(/Operator OpenAI Reads for training or a corpus Verified by openai/);
    expect(page).not.toContain('ClaudeBot');
    expect(text(await get(`/${encodeURIComponent('<i>Own</i>')}`))).toContain('1 request of 1 bot');
    expect(await get(`/${encodeURIComponent('<i>Own</i>')}`)).not.toContain('<i>Own');
    expect(await status('/Nothing')).toBe(404);
    expect(await status('/CCBot')).toBe(200);
  });

  test.each(['by=nothing', 'by=bot&by=page', 'host=', 'status=403', 'bot_name=%ff'])(
    'the page of crawlers is refused where a parameter is unknown, repeated or malformed: %s',
    async (query) => {
      const { status } = await aVisitor(open);
      expect(await status(`?${query}`)).toBe(query === 'host=' ? 200 : 400);
    },
  );

  test('each table is a file for spreadsheets, in which nothing runs', async () => {
    const { response } = await aVisitor(open);
    for (const by of ['engines', 'refused', 'bot', 'page', 'day', 'robots', 'people', 'request']) {
      const file = await response(`?by=${by}&format=csv`);
      expect(file.headers['content-type']).toBe('text/csv; charset=utf-8');
      expect(file.body.split('\n').length).toBeGreaterThan(2);
      expect(file.body).not.toMatch(/(?:^|,)=/m);
      const isOfContract = ['bot', 'page', 'day'].includes(by);
      expect(file.body.startsWith(`${crawls.fields.join(',')}\n`)).toBe(isOfContract);
    }
  });

  test('a log whose addresses visitors share gets a banner with the cause and the lines that cure it', async () => {
    const { get, store, workspaceId } = await aVisitor(open);
    expect(await get('')).not.toContain('ordinary visitors share');
    await store.writer
      .insertInto('hit_votes')
      .values({
        workspace_id: workspaceId,
        day: Math.floor(nowMs / 86_400_000) - 1,
        verdict: 'shared',
        site: '',
        operator: 'OpenAI',
        network: 'n',
        hits: 40,
      })
      .execute();
    const page = text(await get(''));
    expect(page).toContain('0 of 40 verified: ordinary visitors share the refuted addresses');
    expect(page).toContain('real_ip_header');
  });

  test(
    'the page of crawlers names first the bot that an engine reads with and that is refused',
    { tags: ['once'] },
    async () => {
      const { get, write } = await aVisitor(open);
      expect(await get('')).not.toContain('What to do');
      const bot = { bot_name: 'OAI-SearchBot', category: 'search' } as const;
      await write(
        ['2026-11-18', '2026-11-19', '2026-11-20'].map((date) =>
          hit(date === '2026-11-18' ? 200 : 403, '/', { ...bot, hit_at: `${date}T01:00:00.000Z` }),
        ),
      );
      expect(text(await get(''))).not.toContain('What to do');
      await write([hit(403, '/', { ...bot, hit_at: '2026-11-20T02:00:00.000Z' })]);
      const page = await get('');
      expect(/<h1[^>]*>(.*?)<\/h1>/s.exec(page)?.[1]?.replaceAll(/<[^>]*>/g, '')).toBe(
        'OAI-SearchBot, which ChatGPT&#39;s search reads with, has been refused since 19 November: 3 of 3 requests.',
      );
      expect(text(page)).toContain('What to do Let OAI-SearchBot through the firewall');
      expect(page).toContain(
        '(http.user_agent contains &quot;OAI-SearchBot&quot; and cf.client.bot)',
      );
      expect(text(page)).toContain(
        'Fastly, outside of subroutines (an init snippet) acl oai_searchbot_networks { &quot;&lt;address&gt;&quot;/&lt;bits&gt;; } ',
      );
      expect(text(page)).toContain(
        'if (fastly.ff.visits_this_service == 0 &amp;&amp; (&lt;your condition&gt;) &amp;&amp; client.ip !~ oai_searchbot_networks)',
      );
      expect(text(page)).toContain('allow &lt;network&gt;; Allow works against deny only.');
    },
  );

  test('the page of crawlers has the lines of robots.txt to copy that let a bot in', async () => {
    const { get, store, workspaceId, write } = await aVisitor(open);
    const file = { host: www, status: null, content: 'User-agent: *\nDisallow: /\n' };
    await store.writer
      .insertInto('robots_files')
      .values({ workspace_id: workspaceId, from_at: '2026-11-18T00:00:00.000Z', ...file })
      .execute();
    await write([hit(200, '/robots.txt', { bot_name: 'OAI-SearchBot', category: 'search' })]);
    const page = await get('');
    expect(page).toContain('User-agent: OAI-SearchBot\nAllow: /<');
  });

  test('the page of crawlers says which stored requests a robots.txt would have kept away, and stores nothing', async () => {
    const { get, post, store } = await aVisitor(open);
    expect(await get('?by=robots')).toContain('What would another robots.txt have kept away?');
    const stored = () => store.reader.selectFrom('robots_files').selectAll().execute();
    const before = await stored();
    const ask = async (robots: string) => text((await post({ host: www, robots })).body);
    expect(await ask('User-agent: GPTBot\nDisallow: /p')).toMatch(
      /Of 6 requests to www.acme.com in 28 days it would have kept away 2\. .*GPTBot \/pricing 1 18 Nov/,
    );
    expect(await ask('')).toContain('it would have kept away none.');
    const unknown = await post({ host: 'www.example.com', robots: '' });
    expect(unknown.statusCode).toBe(400);
    expect(text(unknown.body)).toContain('No request to this site is stored.');
    expect(await stored()).toEqual(before);
  });

  test('the page of crawlers has rules to copy that refuse forgeries', async () => {
    const { get, write } = await aVisitor(open);
    const forged = { bot_name: 'OAI-SearchBot', verification: 'spoofed' } as const;
    await write(
      Array.from({ length: 60 }, (_, minute) =>
        hit(200, '/', {
          ...forged,
          hit_at: `2026-11-20T01:00:${String(minute).padStart(2, '0')}.000Z`,
        }),
      ),
    );
    const page = text(await get(''));
    expect(page).toContain(
      'Since 20 November 60 of 60 requests that name OAI-SearchBot are forged.',
    );
    expect(page).toContain('OAI-SearchBot&quot; and not cf.client.bot');
    expect(page).toContain('# Behind a proxy or CDN, set real_ip first');
    expect(page).toContain('map $oai_searchbot_networks:$http_user_agent');
    expect(page).toContain(
      'Fastly, in vcl_recv if (fastly.ff.visits_this_service == 0 &amp;&amp; req.http.User-Agent ~ &quot;OAI-SearchBot&quot; &amp;&amp; client.ip !~ oai_searchbot_networks) { error 403; }',
    );
  });

  test('the page of crawlers names the engines that read the site if nothing keeps them out', async () => {
    const { get, write } = await aVisitor(open);
    expect(text(await get(''))).not.toContain('your site.');
    const search = { category: 'search', path: '/docs' } as const;
    await write([
      hit(200, '/docs', { ...search, bot_name: 'OAI-SearchBot' }),
      hit(200, '/docs', { ...search, bot_name: 'PerplexityBot', bot_company: 'Perplexity' }),
      hit(200, '/docs', {
        ...search,
        bot_name: 'Claude-SearchBot',
        bot_company: 'Anthropic',
        verification: 'spoofed',
      }),
    ]);
    const page = await get('');
    expect(text(page)).toContain('ChatGPT and Perplexity read your site.');
    expect(page).toContain('<title>18 November 2026: 5 answered</title>');
    expect(page).toContain('<title>18 November 2026: 2 refused</title>');
  });
});

function text(page: string): string {
  return page
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(' ,', ',');
}

async function aVisitor(open: Open) {
  const { store } = await open();
  const { workspaceId, slug } = await newTenant(store);
  const write = (some: readonly Hit[]) => writeRows(store, workspaceId, { hits: some });
  await write(hits);
  await fillOthers();
  const clock = () => nowMs;
  const web = await startWeb(store, { clock });
  const visitor = new Visitor(web, await newPerson(store, { workspaceId, clock }));
  const response = (path: string) => visitor.get(`/w/${slug}/crawlers${path}`);
  return {
    slug,
    store,
    workspaceId,
    write,
    response,
    get: async (path: string) => (await response(path)).body,
    post: (form: Record<string, string>) => visitor.post(`/w/${slug}/crawlers/what-if`, form),
    status: async (path: string) => (await response(path)).statusCode,
  };

  async function fillOthers(): Promise<void> {
    const visits = [
      ['a', '2026-11-16'],
      ['b', '2026-11-17'],
    ] as const;
    await writeWorkspace(store, workspaceId, async (transaction) => {
      const rows = visits.map(([id, date]) => ({
        id,
        date,
        host: www,
        path: '/',
        engine: 'chatgpt',
      }));
      await writeReferrals(store, transaction, workspaceId, rows);
      await transaction
        .insertInto('robots_files')
        .values({
          workspace_id: workspaceId,
          host: www,
          from_at: '2026-11-01T00:00:00.000Z',
          status: null,
          content: 'User-agent: GPTBot\nDisallow: /private\n',
        })
        .execute();
      return { hasChanged: true };
    });
  }
}
