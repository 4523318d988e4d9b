import { expect, test } from 'vitest';
import { runCommand } from '../../../../test/commands/command-line.ts';
import type { Outcome } from '../../../../test/commands/command-line.ts';
import { engineResponses } from '../../../../test/engines/engine-responses.ts';
import { startEngineServer } from '../../../../test/engines/engine-server.ts';
import { eachDatabase } from '../../../../test/stores/stores.ts';

const clock = (): number => Date.parse('2026-11-22T12:00:00.000Z');
const key = 'sk-planted-0123456789abcdef';

eachDatabase('engines of the operator', (create) => {
  async function anInstallation() {
    const url = await create();
    const run = (...args: readonly string[]): Promise<Outcome> =>
      runCommand(['engine', ...args, '--database', url], {
        clock,
        environment: { A_KEY: key, GEMINI_API_KEY: key },
        mayReachPrivate: true,
      });
    const made = ['workspace', 'create', 'acme', '--name', 'Acme', '--brand', 'Acme'];
    await runCommand([...made, '--database', url], { clock });
    const list = async (): Promise<unknown> => JSON.parse((await run('list', '--json')).stdout);
    return { run, list };
  }

  test('an engine that was added is asked as it was set up, and its key is stored nowhere', async () => {
    const { url, sent } = await startEngineServer({ json: engineResponses.openai_compatible });
    const { run, list } = await anInstallation();
    const options = ['--base-url', `${url}/v1`, '--model', 'llama3.2', '--output-tokens', '500'];
    const added = await run('add', 'llama_api', ...options, '--key-variable', 'A_KEY');
    expect(added.stderr).toContain(`Added llama_api: llama3.2 at ${url}/v1.`);
    expect(added.stderr).toContain('It does not search the web.');
    expect(await run('test', 'llama_api', '--prompt', 'Which CRM?')).toMatchObject({ code: 0 });
    expect(sent[0]).toMatchObject({
      path: '/v1/chat/completions',
      headers: { authorization: `Bearer ${key}` },
      body: { model: 'llama3.2', max_tokens: 500 },
    });
    expect(await list()).toMatchObject({
      engines: [{ name: 'llama_api', kind: 'openai_compatible', key_variable: 'A_KEY' }],
    });
    const shown = [added, await run('list'), await run('list', '--json')];
    expect(JSON.stringify(shown)).not.toContain('planted');
  });

  test('an engine that is added again is changed, and enabled if it was disabled', async () => {
    const { run, list } = await anInstallation();
    await run('add', 'chatgpt_api', '--model', 'gpt-6.1-sol', '--searches', '5');
    expect(await run('disable', 'chatgpt_api')).toMatchObject({ code: 0 });
    // 60,000 tokens in, 8,000 out and 5 searches.
    expect((await run('list')).stdout).toMatch(/ yes +\$0\.25 +\S+ +- +\$0\.00 today.* disabled/);
    const disabled = {
      bound_usd: 0.25,
      disabled_at: '2026-11-22T12:00:00.000Z',
      model: 'gpt-6.1-sol',
    };
    expect(await list()).toMatchObject({ engines: [disabled] });
    expect((await run('list')).stdout).toMatch(
      /OPENAI_API_KEY \(not set\) +yes +\$0\.25 +\S+ +- +\$0\.00 today.* disabled/,
    );
    await run('add', 'chatgpt_api');
    const changed = { disabled_at: null, model: 'gpt-6-luna', searches_max: 3 };
    expect(await list()).toMatchObject({ engines: [changed] });
  });

  test('the person who accepted Google’s terms is stored with the time, and stays if the model changes', async () => {
    const { url, sent } = await startEngineServer({ json: engineResponses.gemini_api });
    const { run, list } = await anInstallation();
    const at = ['--base-url', url];
    expect((await run('add', 'gemini_api', ...at)).stderr).toContain('It does not search the web.');
    await run('test', 'gemini_api', '--prompt', 'Which CRM?');
    await run('add', 'gemini_api', ...at, '--accept-grounding-terms', 'Ada');
    await run('add', 'gemini_api', ...at, '--model', 'gemini-3.8-flash');
    await run('test', 'gemini_api', '--prompt', 'Which CRM?');
    const accepted = {
      terms_accepted_by: 'Ada',
      terms_accepted_at: '2026-11-22T12:00:00.000Z',
      model: 'gemini-3.8-flash',
    };
    expect(await list()).toMatchObject({ engines: [accepted] });
    expect(sent.map(({ body }) => JSON.stringify(body).includes('google_search'))).toEqual([
      false,
      true,
    ]);
  });

  test('OpenRouter searches with a tool of its own, and a model of one’s own does not search', async () => {
    const { run } = await anInstallation();
    const model = ['--model', 'openai/gpt-5.2'];
    await run('add', 'openrouter_api', '--base-url', 'https://openrouter.ai/api/v1', ...model);
    await run('add', 'vllm_api', '--base-url', 'http://10.0.0.7:8000/v1', ...model);
    const { stdout } = await run('list');
    expect(stdout).toMatch(/^openrouter_api .* yes +- +- +- +\$0\.00 today.* enabled$/m);
    expect(stdout).toMatch(/^vllm_api .* no +- +- +- +\$0\.00 today.* enabled$/m);
  });

  test('an app’s slug, a name with capitals and an address without https are refused', async () => {
    const { run, list } = await anInstallation();
    for (const args of [
      ['chatgpt'],
      ['openai_compatible', '--base-url', 'http://localhost', '--model', 'm'],
      ['Llama_api', '--base-url', 'http://localhost', '--model', 'm'],
      ['chatgpt_api', '--base-url', 'ftp://example.com'],
      ['chatgpt_api', '--base-url', 'https://name:word@example.com'],
      ['llama_api'],
    ]) {
      expect(await run('add', ...args), args.join(' ')).toMatchObject({ code: 2 });
    }
    expect((await run('add', 'llama_api')).stderr).toContain('There is no engine "llama_api".');
    expect(await list()).toEqual({ engines: [] });
  });

  test('a bound of 0 is refused for a vendor’s engine, and a model of one’s own needs one to be asked', async () => {
    const { run, list } = await anInstallation();
    const refused = await run('add', 'chatgpt_api', '--bound', '0');
    expect(refused).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('no cap could stop it'),
    });
    expect(await list()).toEqual({ engines: [] });
    const own = ['llama_api', '--base-url', 'http://localhost', '--model', 'm'];
    expect((await run('add', ...own)).stderr).toContain(
      'It is not asked until you give it a --bound, which is 0 for a model on a machine of your own.',
    );
    expect((await run('add', ...own, '--bound', '0')).stderr).toContain('answers count as free');
  });
});
