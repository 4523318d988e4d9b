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
  test('the page of sources shows the filtered rows of the API, and gives them as a file', async () => {
    const { cells, get, read } = await aVisitor(open);
    const query = 'engine=chatgpt&locale=en-US&by=page';
    const listed = z.object({ sources: sources.row.array() });
    const { sources: rows } = listed.parse(await read(`sources?${query}`));
    const shown = await cells(`sources?${query}`);
    expect(rows.length).toBeGreaterThan(3);
    expect(shown.map((line) => line.slice(1, 5))).toEqual(
      rows
        .slice(0, 100)
        .map((one) => [one.runs, one.brand_runs, one.competitor_runs, one.gap_runs].map(String)),
    );
    const file = (await get(`sources?format=csv&${query}`)).body.trim().split('\n');
    expect(file[0]?.trim()).toBe(sources.fields.join(','));
    expect(file).toHaveLength(1 + rows.length);
  });

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

  test('a list of one kind counts no source of another kind among those left out', async () => {
    const { store, workspaceId, page } = await aVisitor(open);
    const links = Array.from({ length: 101 }, (_, number) => `https://site-${number}.example/`);
    const run = { prompt: 'Which tool?', engine: 'chatgpt', run_at: '2026-11-18T04:00:00Z' };
    await importRows(store, workspaceId, [{ ...run, answer: 'Globex.', sources: links }]);
    expect(await page('sources')).toMatch(/\d more sources?</);
    expect(await page('sources?kind=review')).not.toMatch(/\d more sources?</);
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
});
