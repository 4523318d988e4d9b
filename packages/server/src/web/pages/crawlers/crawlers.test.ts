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

  test('the page of crawlers lists the counts that are stored', async () => {
    const { get } = await aVisitor(open);
    for (const [by, words] of [
      ['engines', 'ClaudeBot Claude training or a corpus 1 of 1 never GPTBot ChatGPT'],
      ['bot', 'GPTBot OpenAI training or a corpus 3 0 1 2 0 1 1'],
      ['bot', 'Site Verified by address Proven All other hosts no day'],
      ['page', 'www.acme.com/pricing 2 0 0 0 0 2 0'],
      ['cited', 'No engine with answers of this period read a page of your own.'],
      ['day', '18 Nov 5 0 1 3 0 2 1'],
      ['robots', 'GPTBot www.acme.com ignored first /private, 18 Nov, 12:34 never 2 1'],
      ['people', 'www.acme.com/ ChatGPT 2 17 Nov'],
      ['request', `GPTBot www.acme.com/down 503 unverified ${reasons.no_list}`],
      ['request', `www.acme.com/pricing 403 verified ${reasons.in_list} (openai/gptbot)`],
      ['request', 'imported, without evidence'],
    ] as const) {
      expect(text(await get(`?by=${by}`)), by).toContain(words.replaceAll("'", '&#39;'));
    }
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

  test('the page of crawlers is refused where a parameter is unknown, repeated or malformed', async () => {
    const { status } = await aVisitor(open);
    for (const query of ['by=nothing', 'by=bot&by=page', 'status=403', 'bot_name=%ff']) {
      expect(await status(`?${query}`), query).toBe(400);
    }
  });

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

  test(
    'a log whose addresses visitors share gets a banner with the cause and the lines that cure it',
    { tags: ['once'] },
    async () => {
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
    },
  );

  test(
    'the page of crawlers has rules to copy that refuse forgeries and let a refused bot in',
    { tags: ['once'] },
    async () => {
      const { get, write } = await aVisitor(open);
      const searchBot = { bot_name: 'Claude-SearchBot', bot_company: 'Anthropic' } as const;
      await write([
        ...Array.from({ length: 60 }, (_, second) =>
          hit(200, '/', {
            bot_name: 'OAI-SearchBot',
            verification: 'spoofed',
            hit_at: `2026-11-20T01:00:${String(second).padStart(2, '0')}.000Z`,
          }),
        ),
        ...['18T01', '19T01', '20T01', '20T02'].map((hour, place) => {
          const hit_at = `2026-11-${hour}:00:00.000Z`;
          return hit(place === 0 ? 200 : 403, '/', { ...searchBot, category: 'search', hit_at });
        }),
      ]);
      const page = text(await get(''))
        .replaceAll('&quot;', '"')
        .replaceAll('&amp;', '&');
      for (const rule of [
        'Since 20 November 60 of 60 requests that name OAI-SearchBot are forged.',
        '(http.user_agent contains "OAI-SearchBot" and not cf.client.bot)',
        '# Behind a proxy or CDN, set real_ip first',
        'map $oai_searchbot_networks:$http_user_agent $forged_oai_searchbot_networks { default 0; "~*^0:.*OAI-SearchBot" 1; }',
        'Fastly, in vcl_recv if (fastly.ff.visits_this_service == 0 && req.http.User-Agent ~ "OAI-SearchBot" && client.ip !~ oai_searchbot_networks) { error 403; }',
        '(http.user_agent contains "Claude-SearchBot" and cf.client.bot)',
        'allow &lt;network&gt;; Allow works against deny only.',
        'if (fastly.ff.visits_this_service == 0 && (&lt;your condition&gt;) && client.ip !~ claude_searchbot_networks)',
      ]) {
        expect(page).toContain(rule);
      }
    },
  );

  test(
    'the page of crawlers names the engines that read the site if nothing keeps them out',
    { tags: ['once'] },
    async () => {
      const { get, write } = await aVisitor(open);
      expect(text(await get(''))).not.toContain('your site.');
      const search = { category: 'search', path: '/docs' } as const;
      await write([
        hit(200, '/docs', { ...search, bot_name: 'OAI-SearchBot' }),
        hit(200, '/docs', { ...search, bot_name: 'PerplexityBot', bot_company: 'Perplexity' }),
        hit(403, '/docs', { ...search, bot_name: 'Applebot', bot_company: 'Apple' }),
        hit(200, '/docs', {
          ...search,
          bot_name: 'Claude-SearchBot',
          bot_company: 'Anthropic',
          verification: 'spoofed',
        }),
      ]);
      const [, headline = ''] = /<h1[^>]*>(.*?)<\/h1>/s.exec(await get('')) ?? [];
      expect(text(headline).trim()).toBe('ChatGPT and Perplexity read your site.');
    },
  );
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
