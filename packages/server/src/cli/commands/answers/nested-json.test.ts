import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runCommand } from '../../../../test/commands/command-line.ts';
import { eachDatabase } from '../../../../test/stores/stores.ts';

const clock = (): number => Date.parse('2026-11-22T12:00:00.000Z');
const at = '2026-11-21T12:00:00.000Z';
const cited = { url: 'https://acme.com/agencies', title: 'Acme' };

/** Responses as the vendors document them, written by hand. */
const oxylabs = (url: string, content: object) => ({
  results: [{ content, created_at: '2026-11-21 12:00:00', url, job_id: '7', status_code: 200 }],
});
const chatgpt = oxylabs('https://chatgpt.com/', {
  prompt: 'Which CRM?',
  llm_model: 'gpt-5',
  response_text: 'Globex is quick.',
  markdown_text: 'Globex is **quick**.',
  citations: [cited],
  parse_status_code: 12_000,
});
const perplexity = oxylabs('https://www.perplexity.ai/search/which-crm', {
  prompt_query: 'Which CRM?',
  model: 'turbo',
  answer_results_md: ['Globex is quick.'],
  additional_results: { sources_results: [cited] },
});
const llmResponses = (se: string) => ({
  tasks: [
    {
      id: 't',
      status_code: 20_000,
      path: ['v3', 'ai_optimization', se, 'llm_responses', 'live'],
      data: { function: 'llm_responses', user_prompt: 'Which CRM?' },
      result: [
        {
          model_name: 'm-1',
          web_search: true,
          datetime: '2026-11-21 12:00:00 +00:00',
          items: [
            { type: 'reasoning', sections: [{ type: 'summary_text', text: 'Initech first?' }] },
            {
              type: 'message',
              sections: [{ type: 'text', text: 'Globex is quick.', annotations: [cited] }],
            },
          ],
        },
      ],
    },
  ],
});

/** A scraper's file: rows in an object, and parts of a row in arrays. */
const scraped = {
  question: { text: 'Which CRM?' },
  runs: [
    {
      at,
      bot: 'ChatGPT',
      parts: [{ text: 'Globex is quick.' }, { text: 'So it is.' }, { image: 'x' }],
      links: [{ href: cited.url }, { other: 1 }, null],
    },
    { at, bot: 'Perplexity', parts: [], links: null },
  ],
};
const mapping = {
  rows: 'runs[*]',
  prompt: '$.question.text',
  run_at: 'at',
  engine: { column: 'bot', values: { ChatGPT: 'chatgpt', Perplexity: 'perplexity' } },
  answer: 'parts[*].text',
  sources: 'links[*].href',
};

eachDatabase('answers in nested JSON', (create) => {
  async function place() {
    const here = ['--workspace', 'acme', '--database', await create()];
    const run = (words: string, value: unknown = '') =>
      runCommand([...words.split(' '), ...here], { stdin: JSON.stringify(value), clock });
    const database = here.slice(2);
    const brand = ['--name', 'Acme', '--brand', 'Acme', '--domain', 'acme.com'];
    await runCommand(['workspace', 'create', 'acme', ...brand, ...database], { clock });
    await run('subject add Globex --domain globex.com');
    const answers = async () => JSON.parse((await run('answers list --json')).stdout).answers;
    return { run, answers };
  }

  async function mapFile(content: object): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), 'overheard-map-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    await writeFile(join(folder, 'map.json'), JSON.stringify(content));
    return join(folder, 'map.json');
  }

  test.each([
    ['oxylabs', chatgpt, 'chatgpt'],
    ['oxylabs', perplexity, 'perplexity'],
    ['dataforseo-llm-responses', llmResponses('claude'), 'claude_api'],
  ] as const)('a response as %s becomes an answer: %j of %s', async (form, value, engine) => {
    const { run, answers } = await place();
    expect((await run(`answers import - --as ${form}`, value)).stderr).toContain('1 new run.');
    const [answer] = await answers();
    expect(answer).toMatchObject({ prompt: 'Which CRM?', engine, run_at: at, sources: [cited] });
    const by = answer.cited.map((each: { name: string; how: string }) => [each.name, each.how]);
    expect(by).toEqual([
      ['Globex', 'named'],
      ['Acme', 'linked'],
    ]);
  });

  test('a task that failed is kept and not counted', async () => {
    const { run } = await place();
    const [task] = llmResponses('gemini').tasks;
    const failed = { ...task, status_code: 40_501, result: null };
    const form = 'answers import - --as dataforseo-llm-responses --at 2026-11-21T12:00:00Z';
    expect((await run(form, { tasks: [failed] })).stderr).toContain('1 failed.');
  });

  test('a mapping with paths finds rows, texts around them and lists within them', async () => {
    const { run, answers } = await place();
    const imported = await run(`answers import - --map ${await mapFile(mapping)}`, scraped);
    expect(imported.stderr).toContain('Imported 2 new runs.');
    const rows = await answers();
    const ofChatgpt = rows.find(({ engine }: { engine: string }) => engine === 'chatgpt');
    expect(ofChatgpt).toMatchObject({
      prompt: 'Which CRM?',
      run_at: at,
      text: 'Globex is quick.\n\nSo it is.',
      sources: [{ url: cited.url }],
    });
    const again = await run(`answers import - --map ${await mapFile(mapping)}`, scraped);
    expect(again.stderr).toContain('Imported no new run; 2 were there already.');
  });

  test('a mapping whose path has no rows imports nothing, and names the path', async () => {
    const { run, answers } = await place();
    const wrong = await mapFile({ ...mapping, rows: 'results[*]' });
    const refused = await run(`answers import - --map ${wrong}`, [scraped, scraped]);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('objects at the path "results[*]" of the mapping');
    expect(await answers()).toEqual([]);
  });

  test("a path through the lists around a row means the row's own part of them", async () => {
    const { run, answers } = await place();
    const asked = (query: string, texts: readonly string[]) => ({
      query,
      answers: texts.map((text, index) => ({ text, at: `2026-11-21T0${index}:00:00Z` })),
    });
    const file = { runs: [asked('A?', ['Acme.', 'Globex.']), asked('B?', ['Acme, too.'])] };
    const nested = {
      rows: 'runs[*].answers[*]',
      prompt: '$.runs[*].query',
      answer: 'text',
      run_at: 'at',
      engine: { value: 'chatgpt' },
      queries: 'search.queries[*]',
    };
    const imported = await run(`answers import - --map ${await mapFile(nested)}`, file);
    expect(imported.stderr).toContain('Imported 3 new runs.');
    const rows: Array<{ prompt: string; text: string; queries: unknown }> = await answers();
    expect(rows.map(({ prompt, text }) => `${prompt} ${text}`).toSorted()).toEqual([
      'A? Acme.',
      'A? Globex.',
      'B? Acme, too.',
    ]);
    // A row without searches does not say that its engine did not search.
    expect(new Set(rows.map(({ queries }) => queries))).toEqual(new Set([null]));
    const typo = await mapFile({ ...nested, answer: 'txet' });
    const refused = await run(`answers import - --map ${typo}`, file);
    expect(refused.stderr).toContain('a text at "txet" of the mapping, which no row has');
    const several = await mapFile({
      ...nested,
      prompt: '$.runs[*].answers[*].at',
      rows: 'runs[*]',
    });
    expect((await run(`answers import - --map ${several}`, file)).code).toBe(1);
  });
});
