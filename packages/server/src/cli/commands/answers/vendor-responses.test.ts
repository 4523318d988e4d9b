import { expect, test } from 'vitest';
import { runCommand } from '../../../../test/commands/command-line.ts';
import { eachDatabase } from '../../../../test/stores/stores.ts';

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
const peec = (model: string): object => ({
  id: 'ch_1',
  prompt: { id: 'pr_1' },
  model: { id: model },
  sources: [
    { url: read.url, citationCount: 0, citationPosition: null },
    { url: cited.url, domain: 'acme.com', citationCount: 2, citationPosition: 1 },
  ],
  brands_mentioned: [{ id: 'kw_1', name: 'Initech', position: 1 }],
  messages: [
    { role: 'user', content: 'Which CRM?' },
    { role: 'assistant', content: 'Globex is quick.' },
  ],
  queries: ['crm'],
});
const profound = (model: unknown): object => ({
  info: { total_results: 1 },
  data: [
    {
      run_id: 'r',
      created_at: at,
      model,
      prompt: 'Which CRM?',
      response: 'Globex is quick.',
      mentions: ['Initech'],
      citations: [cited.url],
      search_queries: ['crm'],
    },
  ],
});
const item = { type: 'ai_overview', markdown: 'Globex is quick.', references: [cited] };

eachDatabase('a record of a vendor or another tracker', (create) => {
  async function importRecords(form: string, value: object, zone = '') {
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
    const day = form === 'peec' ? ` --at ${at}` : '';
    const imported = await run(`answers import - --as ${form}${day}${zone}`, JSON.stringify(value));
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
    ['peec', peec('chatgpt-scraper'), 'chatgpt'],
    ['peec', peec('google-ai-overview-scraper'), 'google_ai_overview'],
    ['peec', peec('gpt-4o-search'), 'chatgpt_api'],
    ['peec', peec('llama-sonar'), 'perplexity_api'],
    ['profound', profound({ id: 'm', name: 'Google Gemini' }), 'gemini'],
    ['profound', profound('Google AI Overviews'), 'google_ai_overview'],
  ] as const)('a record as %s becomes an answer: %j of %s', async (form, value, engine) => {
    const { imported, answers } = await importRecords(form, value);
    expect(imported.stderr).toContain('Imported 1 new run.');
    expect(answers).toMatchObject([{ prompt: 'Which CRM?', engine, run_at: at }]);
    expect(answers[0].sources).toMatchObject([{ url: cited.url }]);
    const isNamed = form === 'peec' || form === 'profound';
    expect(isNamed ? answers[0].queries : ['crm']).toEqual(['crm']);
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
    ['brightdata', { ...brightData, answer_text: '', answer_text_markdown: null }, 'empty'],
    [
      'serpapi-ai-mode',
      { search_metadata: { ...about, status: 'Error' }, search_parameters: asked },
      'failed',
    ],
  ] as const)(
    'a record as %s without an answer is stored and not counted: %j is %s',
    async (form, value, outcome) => {
      const { imported } = await importRecords(form, value);
      expect(imported.stderr).toContain(`Kept, but not counted: 1 ${outcome}.`);
    },
  );

  test('many answers of one prompt and day become one run each, on a day without a time', async () => {
    const answer = { date: '2026-11-20', model: 'ChatGPT', prompt: 'Which CRM?', citations: [] };
    const data = ['a', 'b'].map((id) => ({ ...answer, run_id: id, response: `Globex, ${id}.` }));
    const { imported, answers } = await importRecords('profound', { data });
    expect(imported.stderr).toContain('Imported 2 new runs.');
    expect(answers).toMatchObject([
      { engine: 'chatgpt', run_at: '2026-11-20T00:00:00.000Z' },
      { engine: 'chatgpt', run_at: '2026-11-20T00:00:00.000Z' },
    ]);
  });

  test.each([
    ['brightdata', { ...brightData, prompt_sent_at: '2026-11-21 12:00:00' }],
    [
      'serpapi-ai-overview',
      { ...overview, search_metadata: { ...about, created_at: '2026-11-21T12:00:00' } },
    ],
    ['dataforseo-chatgpt', task({ ...scraped, datetime: '2026-11-21 12:00:00' })],
    [
      'profound',
      {
        data: [
          {
            prompt: 'Which CRM?',
            model: 'ChatGPT',
            response: 'Globex.',
            created_at: '2026-11-21T12:00:00.000',
          },
        ],
      },
    ],
  ] as const)(
    'a record as %s whose time has no zone is read in UTC, or in the zone of --timezone: %j',
    async (form, value) => {
      const inUtc = await importRecords(form, value);
      expect(inUtc.imported.stderr).toContain('1 row has a time without a zone');
      expect(inUtc.answers).toMatchObject([{ run_at: at }]);
      const { answers } = await importRecords(form, value, ' --timezone America/New_York');
      expect(answers).toMatchObject([{ run_at: '2026-11-21T17:00:00.000Z' }]);
    },
  );

  const part = (text: string, responseId: string, more = {}) => ({
    prompt: 'Which CRM?',
    run_at: at,
    response: { candidates: [{ content: { parts: [{ text }] }, ...more }], responseId },
  });
  const ended = { finishReason: 'STOP' };

  test('a stream of Google’s in an array is refused: its last part alone has an end', async () => {
    const parts = [part('Globex is ', 'a'), part('quick.', 'a'), part('', 'a', ended)];
    for (const given of [parts, parts.slice(0, 2), parts.slice(1)]) {
      const { imported } = await importRecords('gemini', given);
      expect(imported.stderr).toContain('this is a stream of events, so ask without "stream"');
    }
  });

  test('a row of Profound may cite pages as objects, and is empty without a response', async () => {
    const row = { run_id: 'a', created_at: at, model: 'ChatGPT', prompt: 'Which CRM?' };
    const data = [{ ...row, response: null }];
    const empty = await importRecords('profound', { data });
    expect(empty.imported.stderr).toContain('Kept, but not counted: 1 empty.');
    const objects = {
      data: [{ ...row, response: 'Acme.', citations: [cited, 'https://b.example/'] }],
    };
    const { answers } = await importRecords('profound', objects);
    expect(answers[0].sources).toMatchObject([{ url: cited.url }, { url: 'https://b.example/' }]);
  });

  test('a record of an unknown engine is refused, and --engine is for such records alone', async () => {
    const data = [
      { run_id: 'a', created_at: at, model: 'ChatGPT', prompt: 'A?', response: 'Acme.' },
      { run_id: 'b', created_at: at, model: 'Meta AI', prompt: 'B?', response: 'Acme.' },
    ];
    const refused = await importRecords('profound', { data });
    expect(refused.imported.stderr).toContain(
      'field "engine": expected the slug of the engine that answered. Overheard does not know the one that this response names, if any: give --engine',
    );
    const { answers } = await importRecords('profound', { data }, ' --engine meta_ai');
    const engines = answers.map(({ engine }: { engine: string }) => engine);
    expect(engines.toSorted()).toEqual(['chatgpt', 'meta_ai']);
  });
});
