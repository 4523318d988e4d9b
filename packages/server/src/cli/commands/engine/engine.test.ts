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

  test('whether an engine searches stays as it is if only its key variable changes', async () => {
    const { run } = await anInstallation();
    const add = async (...more: string[]) => (await run('add', 'chatgpt_api', ...more)).stderr;
    expect(await add('--search', 'required')).toContain('It must search before each answer.');
    expect(await add('--key-variable', 'B_KEY')).toContain('It must search before each answer.');
    expect(await add('--no-search')).toContain('It does not search the web.');
    expect(await add('--key-variable', 'C_KEY')).toContain('It does not search the web.');
    expect(await add('--search', 'auto')).not.toContain('search');
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
});
