import { describe, expect, test } from 'vitest';
import { crawlRows, idOf, promptRows, scoreRows, sourceRows } from '../../../mcp/test/rows.ts';
import { callTool } from './call-tool.ts';
import { getScores } from '../tools/get-scores.ts';
import { useFakeHost } from '../../../mcp/test/fake-host.ts';

const at = useFakeHost();

describe('arguments', () => {
  test.each([
    ['get_scores', { engine: 'ChatGPT' }, 60],
    ['get_scores', { since: '2026-11-18T23:00:00Z', until: '2026-11-19' }, 4],
    ['get_scores', { since: '2026-11-19T01:00:00+02:00', until: '2026-11-18' }, 2],
    ['get_prompts', { active: 'false', language: 'de' }, 10],
    ['get_prompts', { search: 'AGENTUR 1?' }, 1],
    ['get_actions', { status: 'open' }, 9],
    ['get_actions', { prompt_id: idOf('a', 3).toUpperCase() }, 1],
    ['get_agent_hits', { bot_company: 'Anthropic', verification: 'spoofed' }, 6],
    ['get_agent_hits', { path_prefix: '/blog/' }, 45],
    ['get_agent_hits', { since: '2026-11-20T05:55:00Z' }, 6],
    ['get_agent_hits', { until: '2026-11-20T05:55:00Z' }, 85],
    ['get_detections', { engine: 'perplexity', cited: 'true' }, 40],
    ['get_detections', { since: '2026-11-19', until: '2026-11-19' }, 72],
  ])('%s with %j narrows the rows', async (name, args, matched) => {
    const { page, text } = await at.host.call(name, args);
    expect(page['matched'], text).toBe(matched);
  });

  test('filters that the endpoint has are sent to the server, the others are not', async () => {
    await at.host.call('get_actions', { status: 'open', priority: 'high' });
    await at.host.call('get_detections', { prompt_id: idOf('a', 0), cited: true });
    const asked = at.fake.seen
      .map(({ url }) => url)
      .filter((url) => url.includes('?') && !url.includes('/prompts'));
    expect(asked).toEqual([
      '/api/v1/actions?status=open',
      `/api/v1/detections?prompt_id=${idOf('a', 0)}`,
    ]);
  });

  test('a prefix of paths asks for rows by page, and is refused with rows that have no path', async () => {
    const pages = crawlRows().map((row, index) => ({
      ...row,
      path: index === 0 ? '/pricing' : '/blog',
    }));
    at.fake.write('crawls', pages);
    for (const args of [{}, { by: 'page' }]) {
      const { page } = await at.host.call('get_crawls', { ...args, path_prefix: '/pricing' });
      expect(page['matched']).toBe(1);
    }
    expect(new Set(at.fake.seen.map(({ url }) => url))).toEqual(
      new Set(['/api/v1/crawls?by=page']),
    );
    const refused = await at.host.call('get_crawls', { by: 'bot', path_prefix: '/pricing' });
    expect(refused.isError).toBe(true);
    expect(refused.text).toContain('`path_prefix` needs `by` page: rows by bot have no path.');
  });

  test.each([
    [{ engin: 'chatgpt' }, /"engin" is not an argument of this tool; did you mean `engine`\?/],
    [{ since: '9999-12-31T23:59:59-10:00' }, /`since` must be in a year from 0000 to 9999/],
    [{ limit: 0 }, /`limit` must be a whole number from 1 to 500\./],
    [{ since: '2026-11-20', until: '2026-11-19' }, /`since` is later than `until`/],
    [{ since: '2026-02-30' }, /`since` must be/],
    [{ cursor: 'abc' }, /`cursor` does not belong to this call/],
    [{ engin: 'x', limit: 0 }, /engine[^]*limit/],
  ])('%j is refused by name', async (args, says) => {
    const { isError, text, structured } = await at.host.call('get_scores', args);
    expect(isError).toBe(true);
    expect(text).toMatch(says);
    expect(structured).toBeUndefined();
  });

  test.each([
    [
      'get_actions',
      { status: 'todo' },
      /`status` must be one of open, in_progress, done, dismissed/,
    ],
    ['get_detections', { prompt_id: 'CRM' }, /`prompt_id` must be a UUID/],
    ['get_detections', { cited: 'maybe' }, /`cited` must be true or false/],
  ])('%s with %j is refused before anything is asked', async (name, args, says) => {
    const { isError, text } = await at.host.call(name, args);
    expect(isError).toBe(true);
    expect(text).toMatch(says);
    expect(at.fake.seen).toEqual([]);
  });

  test('a filter finds text in any Unicode composition, and finds invisible characters', async () => {
    const titles = ['M\u00fcller CRM', 'a\u200bb'];
    at.fake.write(
      'sources',
      titles.map((title, index) => ({ ...sourceRows()[index], title })),
    );
    for (const search of ['mu\u0308ller', 'a\u200bb', 'a<U+200B>b']) {
      expect((await at.host.call('get_sources', { search })).rows, search).toHaveLength(1);
    }
  });

  test('null counts as left out, "5" as 5', async () => {
    const { rows } = await at.host.call('get_scores', { engine: null, limit: '5', cursor: null });
    expect(rows).toHaveLength(5);
  });
});

describe('pages', () => {
  test('the pages of a list, put together, are the list', async () => {
    const rows: unknown[] = [];
    let cursor: unknown;
    do {
      const result = await at.host.call('get_detections', {
        limit: 50,
        ...(cursor ? { cursor } : {}),
      });
      rows.push(...result.rows);
      cursor = result.page['next_cursor'];
    } while (cursor !== undefined);
    // Further pages are cut from the rows that the first page read. The second request reads the names.
    expect(at.fake.seen).toHaveLength(2);
    expect(rows).toEqual(at.fake.data.detections.map((row) => expect.objectContaining({ ...row })));
  });

  test('a cursor of other filters or of another tool is refused', async () => {
    const { page } = await at.host.call('get_scores', { engine: 'chatgpt', limit: 5 });
    const cursor = page['next_cursor'];
    for (const [name, args] of [
      ['get_scores', { engine: 'perplexity' }],
      ['get_scores', {}],
      ['get_detections', { engine: 'chatgpt' }],
    ] as const) {
      const { isError, text } = await at.host.call(name, { ...args, cursor });
      expect(isError).toBe(true);
      expect(text).toContain('`cursor` does not belong');
    }
  });

  test('a page is cut from the rows of the page before, or says that they have changed', async () => {
    const { page } = await at.host.call('get_scores', { limit: 5 });
    at.fake.write('scores', scoreRows(30));
    const cursor = page['next_cursor'];
    const next = await at.host.call('get_scores', { limit: 5, cursor });
    expect(next.notes.join(' ')).not.toContain('has changed');
    expect(next.rows).toEqual(scoreRows(60).slice(5, 10));
    // Newer rows replaced the cached ones that the cursor belongs to.
    await at.host.call('get_scores', { limit: 5 });
    const late = await at.host.call('get_scores', { limit: 5, cursor });
    expect(late.notes.join(' ')).toContain('has changed since the page before');
  });

  test('a repeated call sends If-None-Match, and a 304 gives the same rows', async () => {
    const first = await at.host.call('get_prompts');
    const again = await at.host.call('get_prompts');
    expect(again.rows).toEqual(first.rows);
    expect(at.fake.seen[0]?.headers['if-none-match']).toBeUndefined();
    expect(at.fake.seen[1]?.headers['if-none-match']).toBe('W/"1-?cursor=start"');
    expect(again.structured?.['quota']).toEqual({ left: 298, resets_in_s: 12 });
  });

  test('fields that a newer server adds are dropped', async () => {
    at.fake.write(
      'prompts',
      promptRows(3).map((row) => ({ ...row, colour: 'red' })),
    );
    expect((await at.host.call('get_prompts')).rows).toEqual(promptRows(3));
  });
});

test('a call that is cancelled ends its request at once', async () => {
  at.fake.behave(() => {});
  const cancel = new AbortController();
  const call = at.host.host.callTool(
    { name: 'get_scores', arguments: {} },
    { signal: cancel.signal },
  );
  await expect.poll(() => at.fake.seen.length).toBe(1);
  cancel.abort('enough');
  await expect(call).rejects.toThrow('enough');
  await at.fake.seen[0]?.abandoned;
});

test('a bug of ours is reported as a bug', async () => {
  const bug = new RangeError('of ours');
  const bugs: unknown[] = [];
  const { isError, content } = await callTool(
    getScores,
    {},
    {
      client: { read: () => Promise.reject(bug), readCached: () => undefined },
      signal: new AbortController().signal,
      onBug: (each) => bugs.push(each),
    },
  );
  expect(isError).toBe(true);
  expect(content[0]?.text).toContain('failed unexpectedly');
  expect(bugs).toEqual([bug]);
});

test('an unknown tool is an error of the protocol', async () => {
  await expect(at.host.host.callTool({ name: 'get_secrets', arguments: {} })).rejects.toMatchObject(
    {
      code: -32602,
    },
  );
});
