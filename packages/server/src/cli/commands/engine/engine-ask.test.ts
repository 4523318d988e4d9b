import { describe, expect, test } from 'vitest';
import { runCommand } from '../../../../test/commands/command-line.ts';
import type { Outcome } from '../../../../test/commands/command-line.ts';
import {
  answerText,
  citedPages,
  engineResponses,
} from '../../../../test/engines/engine-responses.ts';
import { startEngineServer } from '../../../../test/engines/engine-server.ts';
import type { Reply } from '../../../../test/engines/engine-server.ts';
import { engines } from '../../../collect/engines/all-engines.ts';

/** Engines can be asked before there is a database. */
const nowhere = 'file:/nowhere/overheard.db';
const key = 'sk-planted-0123456789abcdef';
const prompt = 'Welches CRM passt zu einer kleinen Agentur? 🎈';

function ask(engine: string, url: string, ...more: readonly string[]): Promise<Outcome> {
  return askAs({ mayReachPrivate: true }, engine, url, ...more);
}

function askAs(
  { mayReachPrivate, signal }: { mayReachPrivate: boolean; signal?: AbortSignal },
  engine: string,
  url: string,
  ...more: readonly string[]
): Promise<Outcome> {
  const { keyVariable } = engines.find(({ slug }) => slug === engine)?.defaults ?? {};
  const model = engine === 'openai_compatible' ? ['--model', 'llama3.2'] : [];
  const args = ['engine', 'test', engine, '--prompt', prompt, '--base-url', url, ...model, ...more];
  return runCommand([...args, '--database', nowhere], {
    environment: { [keyVariable ?? '']: key },
    mayReachPrivate,
    ...(signal && { signal }),
  });
}

const place = { user_location: { type: 'approximate', country: 'DE' } };
const bearer = { authorization: `Bearer ${key}` };
const asUser = [{ role: 'user', content: prompt }];

const searching = { max_output_tokens: 8000, store: false, tools: [{ type: 'web_search' }] };

/** What each engine's documentation asks for. */
const wire: ReadonlyArray<readonly [keyof typeof engineResponses, string, object, object]> = [
  [
    'chatgpt_api',
    '/responses',
    bearer,
    {
      model: 'gpt-6-luna',
      input: prompt,
      max_output_tokens: 8000,
      store: false,
      tools: [{ type: 'web_search', ...place }],
      tool_choice: 'auto',
      include: ['web_search_call.action.sources'],
      max_tool_calls: 3,
    },
  ],
  [
    'claude_api',
    '/messages',
    { 'x-api-key': key, 'anthropic-version': '2023-06-01' },
    {
      model: 'claude-haiku-4-5',
      max_tokens: 8000,
      messages: asUser,
      tools: [{ type: 'web_search_20250305', name: 'web_search', max_uses: 3, ...place }],
    },
  ],
  [
    'perplexity_api',
    '/agent',
    bearer,
    {
      model: 'perplexity/sonar',
      input: prompt,
      max_output_tokens: 8000,
      store: false,
      tools: [{ type: 'web_search', user_location: { country: 'DE' } }],
    },
  ],
  [
    'gemini_api',
    '/models/gemini-3.5-flash-lite:generateContent',
    { 'x-goog-api-key': key },
    {
      contents: [{ role: 'user', parts: [{ text: prompt }] }],
      generationConfig: { maxOutputTokens: 8000 },
    },
  ],
  ['grok_api', '/responses', bearer, { model: 'grok-4.3', input: asUser, ...searching }],
  [
    'mistral_api',
    '/conversations',
    bearer,
    {
      model: 'mistral-medium-latest',
      inputs: prompt,
      completion_args: { max_tokens: 8000 },
      store: false,
      tools: [{ type: 'web_search' }],
    },
  ],
  [
    'deepseek_api',
    '/responses',
    bearer,
    { model: 'deepseek-v4-flash', input: asUser, ...searching },
  ],
  [
    'openai_compatible',
    '/chat/completions',
    bearer,
    { model: 'llama3.2', messages: asUser, max_tokens: 8000, stream: false },
  ],
];

describe.each(wire)('%s', (engine, path, headers, body) => {
  test('an engine is sent the prompt as it is, in its own format, and its answer is shown', async () => {
    const { url, sent } = await startEngineServer({ json: engineResponses[engine] });
    const shown = await ask(engine, `${url}/v1/`, '--locale', 'de-DE');
    expect(shown).toMatchObject({ code: 0, stdout: `${answerText}\n` });
    for (const page of citedPages) expect(shown.stderr).toContain(page.url);
    expect(shown.stderr).toContain('Searches: 1');
    expect(shown.stderr).toMatch(/Cost: (?:\$0\.\d{6}|unknown)/);
    expect(sent).toHaveLength(1);
    expect(sent[0]).toMatchObject({ path: `/v1${path}`, headers });
    expect(sent[0]?.body).toEqual(body);
  });

  test('an engine shows its key nowhere, even if the engine repeats it', async () => {
    for (const reply of [
      { json: engineResponses[engine] },
      {
        json: { error: { code: key, type: key, message: `Incorrect API key: ${key}` } },
        status: 401,
      },
      { json: { error: key, code: key }, status: 400 },
      { json: { [key]: [key] }, status: 200, headers: { 'x-key': key } },
    ]) {
      const { url } = await startEngineServer(reply);
      const shown = [await ask(engine, url), await ask(engine, url, '--json')];
      expect(JSON.stringify(shown)).not.toContain('planted');
    }
  });

  test('a redirect of an engine is refused, and nothing is sent to its target', async () => {
    const elsewhere = await startEngineServer({ json: engineResponses[engine] });
    const redirect = { status: 307, headers: { location: elsewhere.url }, json: {} };
    const { url, sent } = await startEngineServer(redirect);
    const refused = await ask(engine, url);
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toContain(`${engine} rejects the request (http_307)`);
    expect([sent.length, elsewhere.sent.length]).toEqual([1, 0]);
  });

  test('an engine is reached only at a public address, unless it is the operator’s own', async () => {
    const { url, sent } = await startEngineServer({ json: engineResponses[engine] });
    const { port } = new URL(url);
    const isOwn = engine === 'openai_compatible';
    for (const host of ['127.0.0.1', 'localhost', '[::ffff:127.0.0.1]']) {
      const base = `${isOwn ? 'http' : 'https'}://${host}:${port}`;
      const shown = await askAs({ mayReachPrivate: false }, engine, base);
      const refused = { code: 1, stderr: expect.stringContaining('(address_not_public)') };
      expect(shown).toMatchObject(isOwn ? { code: 0 } : refused);
    }
    expect(sent).toHaveLength(isOwn ? 3 : 0);
  });
});

describe('a question to an engine', () => {
  const { chatgpt_api: openai, claude_api: claude } = engineResponses;

  test('a question to an engine is sent once, whatever becomes of it', async () => {
    for (const [reply, words] of [
      [{ status: 500, json: {} }, 'gave no complete response (http_500)'],
      [{ status: 504, json: {} }, 'gave no complete response (http_504)'],
      [(response) => response.destroy(), 'gave no complete response (broken_off)'],
      [
        (response) => {
          response.writeHead(200, { 'content-length': 1000 });
          response.write('{"output":');
          setTimeout(() => response.destroy(), 20);
        },
        'gave no complete response (broken_off)',
      ],
      [{ status: 429, headers: { 'retry-after': '90' }, json: {} }, 'Try again in 90 seconds.'],
      [{ status: 503, json: {} }, 'Try again later.'],
      [{ json: 'text' }, 'a response in a form that this version of Overheard cannot read'],
    ] satisfies ReadonlyArray<[Reply, string]>) {
      const { url, sent } = await startEngineServer(reply);
      expect(await ask('chatgpt_api', url)).toMatchObject({
        code: 1,
        stderr: expect.stringContaining(words),
      });
      expect(sent).toHaveLength(1);
    }
  });

  test('a question to an engine is abandoned if a person stops the command while the engine is silent', async () => {
    const stop = new AbortController();
    const { url, sent } = await startEngineServer(() => stop.abort());
    const left = await askAs({ mayReachPrivate: true, signal: stop.signal }, 'grok_api', url);
    expect(left).toMatchObject({ code: 130, stderr: expect.stringContaining('(not_waited_for)') });
    expect(sent).toHaveLength(1);
  });

  test('if the engine refuses the connection, the command says that nothing was sent', async () => {
    const { url, stop } = await startEngineServer({ json: {} });
    await stop();
    const refused = await ask('chatgpt_api', url);
    expect(refused.stderr).toMatch(/There is no connection to 127.0.0.1:\d+ \(ECONNREFUSED\)\./);
    expect(refused.stderr).toContain('Nothing was sent.');
  });

  test('a question to an engine shows no control character that an engine puts into its answer', async () => {
    const output = [
      { type: 'message', content: [{ type: 'output_text', text: 'A\u001b[2JB\nC' }] },
    ];
    const { url } = await startEngineServer({ json: { ...openai, output } });
    expect((await ask('chatgpt_api', url)).stdout).toBe('A\u{fffd}[2JB\nC\n');
  });

  test('a question to an engine continues once if the engine pauses, and both halves are counted', async () => {
    const paused = { ...claude, stop_reason: 'pause_turn' };
    const { url, sent } = await startEngineServer({ json: paused }, { json: claude });
    const shown = await ask('claude_api', url, '--json', '--search', 'required');
    expect(sent.map(({ body }) => Object.hasOwn(Object(body), 'tool_choice'))).toEqual([
      true,
      false,
    ]);
    expect(sent[1]?.body).toMatchObject({
      messages: [...asUser, { role: 'assistant', content: claude.content }],
    });
    expect(JSON.parse(shown.stdout)).toMatchObject({
      response_id: 'msg_1',
      fault: null,
      outcome: 'answered',
      searches: 2,
      tokens: { input: 18_000, output: 240 },
      cost: { usd: 0.0392, basis: 'computed' },
    });
    const twice = await startEngineServer({ json: paused });
    expect((await ask('claude_api', twice.url)).stderr).toContain(
      'then gave no answer (pause_turn)',
    );
    expect(twice.sent).toHaveLength(2);
    // The first half was billed, so the whole is not a question that can be asked again.
    const limited = await startEngineServer({ json: paused }, { status: 429, json: {} });
    expect(JSON.parse((await ask('claude_api', limited.url, '--json')).stdout)).toMatchObject({
      outcome: 'failed',
      fault: { kind: 'unfinished', code: 'http_429' },
      tokens: { input: 9000 },
    });
  });

  test('an answer that was cut off, or failed with status 200, fails the command and shows its cost', async () => {
    const cut = { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } };
    const { url } = await startEngineServer({ json: { ...openai, ...cut } });
    const shown = await ask('chatgpt_api', url);
    expect(shown).toMatchObject({ code: 1, stdout: `${answerText}\n` });
    expect(shown.stderr).toContain('Raise --output-tokens.');
    expect(shown.stderr).toContain('Cost: $0.0');
  });

  test('a question to an engine needs an https address for a vendor’s key, and a model for a server of one’s own', async () => {
    const args = [
      'engine',
      'test',
      'chatgpt_api',
      '--prompt',
      'A?',
      '--base-url',
      'http://example.com',
    ];
    const plain = await runCommand(args, { environment: { OPENAI_API_KEY: key } });
    expect(plain).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--base-url must be an https address'),
    });
    const own = await runCommand(['engine', 'test', 'openai_compatible', '--prompt', 'A?']);
    expect(own).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('give --model and --base-url'),
    });
  });
});
