import { expect, test } from 'vitest';
import { runCommand } from '../../../../test/commands/command-line.ts';
import type { Outcome } from '../../../../test/commands/command-line.ts';
import { answerText, engineResponses } from '../../../../test/engines/engine-responses.ts';
import { eachDatabase } from '../../../../test/stores/stores.ts';

const clock = (): number => Date.parse('2026-11-22T12:00:00.000Z');
const { chatgpt_api: openai, claude_api: claude } = engineResponses;
const prompt = 'Which CRM suits a small agency?';
const asked = ['--prompt', prompt, '--at', '2026-11-21T12:00:00Z'];

eachDatabase('raw responses', (create) => {
  async function aWorkspace() {
    const url = await create();
    const run = (args: readonly string[], stdin = ''): Promise<Outcome> =>
      runCommand([...args, '--workspace', 'acme', '--database', url], { stdin, clock });
    const made = ['workspace', 'create', 'acme', '--name', 'Acme', '--brand', 'Acme'];
    await runCommand([...made, '--domain', 'acme.com', '--database', url], { clock });
    await run(['subject', 'add', 'Globex', '--domain', 'globex.com']);
    return {
      importRaw: (form: string, text: string, ...more: string[]) =>
        run(['answers', 'import', '-', '--as', form, ...more], text),
      exported: async (kind: string) => (await run(['export', kind])).stdout,
    };
  }

  test.each([
    ['openai-responses', 'chatgpt_api', 'chatgpt_api'],
    ['anthropic-messages', 'claude_api', 'claude_api'],
    ['gemini', 'gemini_api', 'gemini_api'],
    ['gemini', 'gemini_api, Interactions', 'gemini_api'],
    ['perplexity', 'perplexity_api', 'perplexity_api'],
    ['perplexity', 'perplexity_api, Sonar', 'perplexity_api'],
    ['grok', 'grok_api', 'grok_api'],
    ['mistral', 'mistral_api', 'mistral_api'],
    ['deepseek', 'deepseek_api', 'deepseek_api'],
  ] as const)(
    'a raw response as %s of %s becomes one run of %s, and importing it again changes nothing',
    async (form, shape, engine) => {
      const { importRaw, exported } = await aWorkspace();
      const text = JSON.stringify(engineResponses[shape], null, 2);
      const first = await importRaw(form, text, ...asked);
      expect(first.stderr).toContain('Imported 1 new run.');
      const detections = await exported('detections');
      // Named in the text: Globex, then Acme. Initech, named in the narration, is not a subject.
      expect(detections).toContain(`"engine":"${engine}"`);
      expect(detections).toContain('"run_at":"2026-11-21T12:00:00.000Z"');
      expect(detections.match(/"cited":true/g)).toHaveLength(2);
      const second = await importRaw(form, text, ...asked);
      expect(second.stderr).toContain('Imported no new run; 1 was there already.');
      expect(await exported('detections')).toBe(detections);
    },
  );

  test('responses are read from lines, an array, concatenated objects, and HTTP exchanges', async () => {
    const responses = [1, 2, 3].map((id) => ({ ...openai, id: `resp_${id}` }));
    const pairs = responses.map(
      (body, place) =>
        [
          { request: { model: 'gpt-6-luna', input: prompt }, response: body },
          {
            request: {
              url: '/v1/responses',
              body: JSON.stringify({ input: [{ role: 'user', content: prompt }] }),
            },
            response: { status: 200, headers: {}, body: JSON.stringify(body) },
          },
          { prompt, response: { status_code: 200, body } },
        ][place],
    );
    for (const text of [
      responses.map((each) => JSON.stringify(each)).join('\n'),
      JSON.stringify(responses),
      responses.map((each) => JSON.stringify(each, null, 2)).join('\n'),
      pairs.map((each) => JSON.stringify(each)).join('\n'),
    ]) {
      const { importRaw, exported } = await aWorkspace();
      const imported = await importRaw('openai-responses', text, '--prompt', prompt);
      expect(imported.stderr).toContain('Imported 3 new runs.\nNew prompts: 1.');
      expect((await exported('prompts')).trim().split('\n')).toHaveLength(1);
    }
  });

  test('values stored beside a response take precedence over an option', async () => {
    const { importRaw, exported } = await aWorkspace();
    const row = {
      prompt: 'Welches CRM?',
      locale: 'de-AT',
      run_at: '2026-11-20T08:00:00+01:00',
      engine: 'chatgpt',
      response: openai,
    };
    await importRaw('openai-responses', JSON.stringify(row), ...asked, '--locale', 'fr-FR');
    expect(JSON.parse(await exported('prompts'))).toMatchObject({
      text: 'Welches CRM?',
      language: 'de',
      locale: 'de-AT',
    });
    expect(await exported('detections')).toMatch(
      /"engine":"chatgpt","run_at":"2026-11-20T07:00:00.000Z"/,
    );
  });

  test('two answers to one prompt in the same second are two runs', async () => {
    const { importRaw } = await aWorkspace();
    const [first, second] = ['Acme.', 'Globex.'].map((text, place) => ({
      ...openai,
      id: `resp_${place}`,
      output: [{ type: 'message', content: [{ type: 'output_text', text }] }],
    }));
    const imported = await importRaw('openai-responses', JSON.stringify([first, second]), ...asked);
    expect(imported.stderr).toContain('Imported 2 new runs.');
  });

  test('a response that was refused, cut off or an error is kept and not counted', async () => {
    const { importRaw, exported } = await aWorkspace();
    const rows = [
      { response: { ...claude, stop_reason: 'refusal', content: [] } },
      { response: { ...claude, stop_reason: 'max_tokens' } },
      { response: { status: 529, body: '{"type":"error","error":{"type":"overloaded_error"}}' } },
    ];
    const imported = await importRaw('anthropic-messages', JSON.stringify(rows), ...asked);
    expect(imported.stderr).toContain('Kept, but not counted: 1 refused, 2 failed.');
    expect(await exported('scores')).toBe('');
  });

  test('a file with one response that is not of the format is refused with its line, and nothing is imported', async () => {
    const { importRaw, exported } = await aWorkspace();
    const lines = [openai, { prompt, response: 'Acme.' }, claude].map((each) =>
      JSON.stringify(each),
    );
    const refused = await importRaw('openai-responses', lines.join('\n'), ...asked);
    expect(refused.code).toBe(1);
    const expected =
      'expected a response in the format openai-responses (--as names another format)';
    expect(refused.stderr).toContain(`standard input:2: field "response": ${expected}`);
    expect(refused.stderr).toContain(`standard input:3: field "response": ${expected}`);
    expect(refused.stderr).toContain('Nothing was imported.');
    expect(await exported('prompts')).toBe('');
  });
});

eachDatabase('a response of DataForSEO', (create) => {
  test('a response of DataForSEO gives one run of Google AI Overviews for each of its tasks, empty without an overview', async () => {
    const url = await create();
    const run = (args: readonly string[], stdin = ''): Promise<Outcome> =>
      runCommand([...args, '--database', url], { stdin, clock });
    await run([
      'workspace',
      'create',
      'acme',
      '--name',
      'Acme',
      '--brand',
      'Acme',
      '--domain',
      'acme.com',
    ]);
    const tasks = [
      [
        { type: 'organic' },
        {
          type: 'ai_overview',
          markdown: answerText,
          references: [
            {
              type: 'ai_overview_reference',
              domain: 'acme.com',
              url: 'https://acme.com/agencies',
              title: 'Acme',
              text: 'Acme is',
            },
          ],
        },
      ],
      [{ type: 'organic' }],
    ].map((items, place) => ({
      id: `task-${place}`,
      status_code: 20_000,
      data: { keyword: `crm ${place}` },
      result: [
        {
          keyword: `crm ${place}`,
          language_code: 'en',
          datetime: '2026-11-21 12:00:00 +00:00',
          items,
        },
      ],
    }));
    const failed = { id: 'task-9', status_code: 40_501, data: { keyword: 'crm 9' }, result: null };
    const body = { version: '0.1', status_code: 20_000, tasks: [...tasks, failed] };
    const args = [
      'answers',
      'import',
      '-',
      '--as',
      'dataforseo-ai-overview',
      '--workspace',
      'acme',
    ];
    const imported = await run([...args, '--at', '2026-11-21T12:00:00Z'], JSON.stringify(body));
    expect(imported.stderr).toContain('Imported 3 new runs.');
    expect(imported.stderr).toContain('Kept, but not counted: 1 empty, 1 failed.');
    const scores = await run(['export', 'scores', '--workspace', 'acme']);
    expect(JSON.parse(scores.stdout)).toMatchObject({
      engine: 'google_ai_overview',
      total_runs: 1,
    });
  });
});
