import { expect, test } from 'vitest';
import { runCommand } from '../../../../test/command-line.ts';
import { eachDatabase } from '../../../../test/stores.ts';

const clock = (): number => Date.parse('2026-11-22T12:00:00.000Z');
const at = '2026-11-21T12:00:00.000Z';
const cited = { url: 'https://acme.com/agencies', title: 'Acme' };
const read = { url: 'https://read.example/', title: 'Read' };

/** Records as the vendors document them, written by hand. */
const brightData = {
  url: 'https://chatgpt.com/?q=crm',
  prompt: 'Which CRM?',
  answer_text: 'Globex is quick.',
  answer_text_markdown: 'Globex is **quick**.',
  model: 'gpt-5',
  web_search_triggered: true,
  web_search_query: 'crm',
  citations: [{ ...cited, position: 1 }],
  search_sources: [read],
  links_attached: [{ url: cited.url, text: 'Acme', position: 0 }],
  country: 'us',
  prompt_sent_at: at,
  index: null,
};
const { citations: _, search_sources: __, links_attached: ___, ...bare } = brightData;
const perplexity = { ...bare, url: 'https://www.perplexity.ai/', sources: [cited], timestamp: at };
const about = { id: 'a', status: 'Success', created_at: '2026-11-21 12:00:00 UTC' };
const asked = { engine: 'google', q: 'Which CRM?', hl: 'en' };
const blocks = {
  text_blocks: [
    { type: 'paragraph', snippet: 'Globex is quick.', reference_indexes: [] },
    { type: 'list', list: [{ title: 'Small:', snippet: 'agencies', reference_indexes: [1, 9] }] },
  ],
  references: [
    { title: read.title, link: read.url, index: 0 },
    { title: cited.title, link: cited.url, index: 1 },
  ],
};
const overview = { search_metadata: about, search_parameters: asked, ai_overview: blocks };
const aiMode = { search_metadata: about, search_parameters: asked, ...blocks };
const task = (result: object): object => ({
  status_code: 20_000,
  tasks: [{ id: 't', status_code: 20_000, result: [{ keyword: 'Which CRM?', ...result }] }],
});
const datetime = '2026-11-21 12:00:00 +00:00';
const scraped = {
  datetime,
  language_code: 'en',
  model: 'gpt-5',
  markdown: 'Globex is quick.',
  sources: [{ type: 'chat_gpt_source', ...cited }],
  search_results: [read],
};
const item = { type: 'ai_overview', markdown: 'Globex is quick.', references: [cited] };

eachDatabase('a record of a vendor that reads the apps', (create) => {
  async function importRecords(form: string, value: object) {
    const here = ['--workspace', 'acme', '--database', await create()];
    const run = (words: string, stdin = '') =>
      runCommand([...words.split(' '), ...here], { stdin, clock });
    await runCommand(
      [
        'workspace',
        'create',
        'acme',
        '--name',
        'Acme',
        '--brand',
        'Acme',
        '--domain',
        'acme.com',
        ...here.slice(2),
      ],
      { clock },
    );
    await run('subject add Globex --domain globex.com');
    const imported = await run(`answers import - --as ${form}`, JSON.stringify(value));
    const { answers } = JSON.parse((await run('answers list --json')).stdout);
    return { imported, answers };
  }

  test.each([
    ['brightdata', brightData, 'chatgpt'],
    ['brightdata', perplexity, 'perplexity'],
    ['brightdata', { ...brightData, url: 'https://gemini.google.com/' }, 'gemini'],
    ['brightdata', { ...brightData, url: 'https://copilot.microsoft.com/' }, 'copilot'],
    ['brightdata', { ...brightData, url: 'https://grok.com/' }, 'grok'],
    ['brightdata', { ...brightData, url: 'https://google.com/aimode/' }, 'google_ai_mode'],
    ['serpapi-ai-overview', overview, 'google_ai_overview'],
    ['serpapi-ai-mode', aiMode, 'google_ai_mode'],
    ['dataforseo-chatgpt', task(scraped), 'chatgpt'],
    ['dataforseo-ai-mode', task({ datetime, items: [item] }), 'google_ai_mode'],
  ] as const)('as %s becomes an answer: %j of %s', async (form, value, engine) => {
    const { imported, answers } = await importRecords(form, value);
    expect(imported.stderr).toContain('Imported 1 new run.');
    expect(answers).toMatchObject([{ prompt: 'Which CRM?', engine, run_at: at }]);
    expect(answers[0].sources).toMatchObject([{ url: cited.url }]);
    const by = answers[0].cited.map((each: { name: string; how: string }) => [each.name, each.how]);
    expect(by).toEqual([
      ['Globex', 'named'],
      ['Acme', 'linked'],
    ]);
  });

  test.each([
    [
      'brightdata',
      { error: 'Timed out', error_code: 'timeout', input: brightData, timestamp: at },
      'failed',
    ],
    ['serpapi-ai-overview', { ...overview, ai_overview: { page_token: 'x' } }, 'failed'],
    ['serpapi-ai-overview', { ...overview, ai_overview: undefined }, 'empty'],
    [
      'serpapi-ai-mode',
      { search_metadata: { ...about, status: 'Error' }, search_parameters: asked },
      'failed',
    ],
  ] as const)(
    'as %s without an answer is kept and not counted: %j is %s',
    async (form, value, outcome) => {
      const { imported } = await importRecords(form, value);
      expect(imported.stderr).toContain(`Kept, but not counted: 1 ${outcome}.`);
    },
  );

  test('that is not of the format is refused', async () => {
    for (const form of ['brightdata', 'serpapi-ai-mode', 'dataforseo-chatgpt']) {
      const { imported } = await importRecords(form, { hello: 'world' });
      expect(imported.stderr).toContain(`expected a response in the format ${form}`);
    }
  });
});
