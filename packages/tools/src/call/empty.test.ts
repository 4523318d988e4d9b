import { describe, expect, test } from 'vitest';
import { endpoints } from '@overheard/contract';
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
});
