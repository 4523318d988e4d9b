import { expect, test } from 'vitest';
import { runCommand } from '../../../../test/commands/command-line.ts';
import { engineResponses } from '../../../../test/engines/engine-responses.ts';
import { startEngineServer } from '../../../../test/engines/engine-server.ts';
import { engines } from '../../../collect/engines/all-engines.ts';
import { cohortOf } from '../../../collect/ledger/claim.ts';

const able = [
  ['chatgpt_api', 'required', 'auto'],
  ['claude_api', { type: 'tool', name: 'web_search' }, undefined],
] as const;

function ask(engine: string, url: string, ...more: readonly string[]) {
  const { keyVariable = '' } = engines.find(({ slug }) => slug === engine)?.defaults ?? {};
  const args = ['engine', 'test', engine, '--prompt', 'Which CRM?', '--base-url', url, ...more];
  return runCommand([...args, '--database', 'file:/nowhere/overheard.db'], {
    environment: { [keyVariable]: 'sk-planted' },
    mayReachPrivate: true,
  });
}

test.each(able)(
  '%s is told to search before it answers, only if asked to be told so',
  async (engine, required, auto) => {
    const { url, sent } = await startEngineServer({ json: engineResponses[engine] });
    expect(await ask(engine, url, '--search', 'required')).toMatchObject({ code: 0 });
    await ask(engine, url, '--search', 'auto');
    await ask(engine, url);
    await ask(engine, url, '--no-search');
    const choices = sent.map(({ body }) => Object(body)['tool_choice']);
    expect(choices).toEqual([required, auto, auto, undefined]);
    expect(sent[3]?.body).not.toHaveProperty('tools');
  },
);

test('an engine whose API cannot be told to search is refused, and not asked', async () => {
  const { url, sent } = await startEngineServer({ json: engineResponses.gemini_api });
  expect(await ask('gemini_api', url, '--search', 'required')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('only chatgpt_api and claude_api can'),
  });
  expect(sent).toEqual([]);
});

test('answers for which an engine had to search are a cohort of their own', () => {
  for (const [name] of able) {
    const adapter = engines.find(({ slug }) => slug === name);
    if (adapter === undefined) throw new Error(name);
    const target = {
      baseUrl: 'https://example.com',
      model: 'm',
      hasSearch: true,
      requiresSearch: false,
      searchesMax: 3,
      outputTokensMax: 500,
    };
    const cohorts = [target, { ...target, requiresSearch: true }].map((each) =>
      cohortOf({ name, adapter, target: each }, { locale: 'en-US' }),
    );
    expect(new Set(cohorts).size).toBe(2);
  }
});
