import { sources } from '@overheard/contract';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { importRows, now } from '../../../../test/answers/answers.ts';
import { newPerson } from '../../../../test/browsers/people.ts';
import { filled } from '../../../../test/answers/reporting.ts';
import { eachStore } from '../../../../test/stores/stores.ts';
import type { Open } from '../../../../test/stores/stores.ts';
import { Visitor, startWeb } from '../../../../test/browsers/web.ts';

const clock = () => now;
const row = { prompt: 'Which tool?', engine: 'chatgpt' };

async function aVisitor(open: Open) {
  const here = await filled(open);
  const { store, workspaceId, slug } = here;
  await importRows(store, workspaceId, [
    {
      ...row,
      run_at: '2026-11-18T01:00:00Z',
      answer: 'Globex.',
      sources: [
        { url: 'https://g2.com/a', title: '<script>alert(1)</script>' },
        { url: 'https://www.g2.com/b' },
        { url: 'https://wiki.example/x' },
      ],
    },
    {
      ...row,
      run_at: '2026-11-18T02:00:00Z',
      answer: 'Acme, Globex.',
      sources: ['https://g2.com/a', 'javascript:alert(1)'],
    },
    {
      ...row,
      prompt: 'Is Globex right?',
      run_at: '2026-11-18T03:00:00Z',
      answer: 'Globex.',
      sources: ['https://g2.com/c'],
    },
  ]);
  const web = await startWeb(store, { clock });
  const visitor = new Visitor(web, await newPerson(store, { workspaceId, clock }));
  const get = (path: string) => visitor.get(`/w/${slug}/${path}`);
  const page = async (path: string) => (await get(path)).body.replaceAll(/\s+/g, ' ');
  /** The cells of the first table of a page. */
  const cells = async (path: string) => {
    const [, body = ''] = /<tbody>(.*?)<\/tbody>/.exec(await page(path)) ?? [];
    return body
      .split('</tr>')
      .slice(0, -1)
      .map((line) =>
        line.split('</td>').map((cell) =>
          cell
            .replaceAll(/<[^>]*>/g, '')
            .replaceAll(/\s+/g, ' ')
            .trim(),
        ),
      );
  };
  return { ...here, get, page, cells };
}

eachStore('the page of sources', (open) => {
  test.each(['', 'by=page', 'engine=chatgpt', 'locale=en-US&by=page'])(
    'the page of sources shows the rows of the API, and gives them as a file: %s',
    async (query) => {
      const { cells, get, page, read } = await aVisitor(open);
      const listed = z.object({ sources: sources.row.array() });
      const { sources: rows } = listed.parse(await read(`sources?${query}`));
      const shown = await cells(`sources?${query}`);
      expect(await page('sources?from=2020-01-01&to=2020-01-02')).not.toContain('Of 0 counted');
      expect(shown.map(([, cited, ...rest]) => [cited, ...rest.slice(0, 3)])).toEqual(
        rows
          .slice(0, 100)
          .map((one) => [
            String(one.runs),
            String(one.brand_runs),
            String(one.competitor_runs),
            String(one.gap_runs),
          ]),
      );
      const file = (await get(`sources?format=csv${query === '' ? '' : `&${query}`}`)).body
        .trim()
        .split('\n');
      expect(file[0]?.trim()).toBe(sources.fields.join(','));
      expect(file).toHaveLength(1 + rows.length);
    },
  );

  test('the page of sources can be limited to sources of answers that cite a competitor and not the brand, the most first', async () => {
    const { cells } = await aVisitor(open);
    const gaps = (await cells('sources?sort=gap&owner=other')).map((line) => [line[0], line[4]]);
    expect(gaps).toEqual([
      ['g2.com review', '2'],
      ['wiki.example reference', '1'],
    ]);
  });

  test('an editor sets the kind of a site, and the list, the filter and the API follow', async () => {
    const { store, workspaceId, slug, cells, get, page, read } = await aVisitor(open);
    const web = await startWeb(store, { clock });
    const person = await newPerson(store, { workspaceId, role: 'editor', clock });
    const editor = new Visitor(web, person);
    const path = `/w/${slug}/sources/wiki.example`;
    expect((await get('sources/wiki.example')).body).not.toContain('Kind of site');
    expect((await editor.get(path)).body).toContain('Kind of site');
    expect((await editor.post(`${path}/kind`, { kind: 'forum' })).statusCode).toBe(303);
    expect(await cells('sources?kind=forum')).toEqual([
      expect.arrayContaining(['wiki.example forum']),
    ]);
    const listed = z.object({ sources: sources.row.array() });
    const kindOf = async (query: string) =>
      listed
        .parse(await read(`sources?${query}`))
        .sources.find(({ site }) => site === 'wiki.example')?.kind;
    expect([await kindOf(''), await kindOf('by=page')]).toEqual(['forum', 'forum']);
    expect(await page('settings/history')).toContain('wiki.example: forum');
    for (const kind of ['own', 'nonsense']) {
      expect((await editor.post(`${path}/kind`, { kind })).statusCode).toBe(400);
    }
    expect(await kindOf('')).toBe('forum');
    await editor.post(`${path}/kind`, { kind: '' });
    expect(await kindOf('')).toBe('reference');
    expect((await editor.post(`/w/${slug}/sources/a%2Fb/kind`, { kind: 'forum' })).statusCode).toBe(
      404,
    );
  });

  test('one site shows its pages alone, however rarely they are cited', async () => {
    const { cells, page, get } = await aVisitor(open);
    const lines = await cells('sources/g2.com');
    expect(lines.map(([name, cited]) => [name, cited])).toEqual([
      [
        expect.stringMatching(
          /^&lt;script&gt;alert\(1\)&lt;\/script&gt; ?https:\/\/g2.com\/a review$/,
        ),
        '2',
      ],
      ['https://g2.com/c review', '1'],
      ['https://www.g2.com/b review', '1'],
    ]);
    expect(await page('sources/g2.com')).not.toContain('<script>alert');
    expect(await page('sources/nothing.example')).toContain('No source fits.');
    expect((await get('sources/%22%3E%3Cb%3E')).body).not.toContain('"><b>');
  });

  test('the page of sources leaves out prompts that name a competitor if the view says so', async () => {
    const { cells } = await aVisitor(open);
    const lines = await cells('sources/g2.com?competitor_prompts=exclude');
    expect(lines.map(([name]) => name)).not.toContain('https://g2.com/c');
  });

  test('the page of sources leads to own pages that bots read but no answer cites', async () => {
    const { page, run } = await aVisitor(open);
    const lines = Array.from(
      { length: 3 },
      (_, second) =>
        `192.0.2.7 - - [12/Nov/2026:12:00:0${second} +0000] "GET /unseen HTTP/1.1" 200 1 "-" "GPTBot/1.3"\n`,
    );
    await run('hits ingest - --host acme.com --no-dns --update-lists never', {
      stdin: lines.join(''),
    });
    const { stdout } = await run('crawls --beside-sources --json');
    const chain = z.object({ read_not_cited: z.array(z.object({ page: z.string() })) });
    const { read_not_cited: uncited } = chain.parse(JSON.parse(stdout));
    expect(await page('sources')).toContain('crawlers?by=cited#never-cited');
    const shown = await page('crawlers?by=cited');
    expect(shown).toContain('Read by bots, never linked');
    for (const one of uncited) expect(shown).toContain(one.page);
    expect(uncited.length > 0 || shown.includes('There is no such page on these days.')).toBe(true);
  });

  test.each(['by=sites', 'owner=me', 'sort=runs', 'page=0', 'page=1&page=2', 'q=x'])(
    'an unknown, repeated or malformed parameter is refused: %s',
    async (query) => {
      const { get } = await aVisitor(open);
      expect((await get(`sources?${query}`)).statusCode).toBe(400);
    },
  );
});
