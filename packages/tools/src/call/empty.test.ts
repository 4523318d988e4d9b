import { describe, expect, test } from 'vitest';
import { endpoints } from '@overheard/contract';
import { idOf } from '../../../mcp/test/rows.ts';
import { tools } from '../tools/all-tools.ts';
import { useFakeHost } from '../../../mcp/test/fake-host.ts';

const at = useFakeHost();

describe('empty results', () => {
  test.each([
    [
      'get_scores',
      { engine: 'bing' },
      'The API gave 120 scores, but no row passes engine "bing" (there are "chatgpt", "perplexity").',
    ],
    [
      'get_scores',
      { since: '2027-01-01' },
      'The API gave 120 scores, but no row passes since "2027-01-01" (they run from 2026-09-22 to 2026-11-20).',
    ],
    [
      'get_prompts',
      { language: 'fr' },
      'The API gave 40 prompts, but no row passes language "fr" (there are "en", "de").',
    ],
    [
      'get_prompts',
      { locale: 'de-DE', language: 'en' },
      'The API gave 40 prompts; each of `locale`, `language` passes some, together they match none: leave one out.',
    ],
  ])('%s with %j says which filter emptied it', async (name, args, note) => {
    const { notes, isError } = await at.host.call(name, args);
    expect(isError).toBe(false);
    expect(notes).toEqual([
      note,
      expect.stringMatching(/^Before narrowing, the API's rows \(\d+\) go from /),
    ]);
  });

  test.each(tools.filter(({ endpoint }) => !endpoint.isObject).map(({ name }) => name))(
    '%s of a new workspace says why there is nothing yet',
    async (name) => {
      for (const { name: each } of endpoints) at.fake.write(each, []);
      const { notes, rows } = await at.host.call(name);
      expect(rows).toEqual([]);
      expect(notes).toHaveLength(1);
      expect(notes[0]).toMatch(/^The API gave no \w+: .+\.$/);
    },
  );

  test('an empty result says that its prompt_id may be unknown', async () => {
    at.fake.write('detections', []);
    const { notes } = await at.host.call('get_detections', { prompt_id: idOf('f', 1) });
    expect(notes[0]).toContain(
      'no detections for this `prompt_id`: nothing matches, or it is unknown',
    );
  });

  test('an empty report names the known values of its filters, or the days that have data', async () => {
    const bots = at.fake.data.crawls;
    at.fake.behave((request, response) => {
      const isNarrow = request.url?.includes('bot_name') === true;
      if (request.url?.includes('/scores') === true) {
        response.end(JSON.stringify({ scores: at.fake.data.scores }));
      } else {
        const isCrawls = request.url?.includes('/crawls') === true;
        const rows = isCrawls ? { crawls: isNarrow ? [] : bots } : { shares: [] };
        response.end(JSON.stringify(rows));
      }
    });
    const { notes } = await at.host.call('get_crawls', { bot_name: 'ChatGPT' });
    expect(notes).toContain('Known bot_name in these days: ClaudeBot, GPTBot, PerplexityBot.');
    const july = { engine: 'ChatGPT', from: '2026-07-01', to: '2026-07-31' };
    const none = await at.host.call('get_shares', july);
    expect(none.notes).toContain('There is data from 2026-09-22 to 2026-11-20.');
  });
});
