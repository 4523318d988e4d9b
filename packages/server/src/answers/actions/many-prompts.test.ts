// @module-tag slow
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { aWorkspace, now } from '../../../test/answers/answers.ts';
import { eachStore } from '../../../test/stores/stores.ts';
import { deriveActions } from './derive.ts';

/** More than the arguments of one call, and more than the parameters of one PostgreSQL statement. */
const promptsOf = { sqlite: 130_000, postgres: 66_000 } as const;

eachStore('deriving', (open, dialect) => {
  const prompts = promptsOf[dialect];
  test('deriving actions accepts any number of prompts', { tags: ['long'] }, async () => {
    const { store } = await open();
    const workspaceId = await aWorkspace(store);
    const numbers = sql`with recursive numbers(i) as (select 1 union all select i + 1 from numbers where i < ${sql.lit(prompts)})`;
    await sql`
      insert into prompts (workspace_id, id, text, language, locale, active, created_at) ${numbers}
      select ${sql.lit(workspaceId)}, 'prompt ' || i, 'Which?', 'en', 'en-US', true, '2026-11-19' from numbers
    `.execute(store.writer);
    await sql`
      insert into runs (workspace_id, id, prompt_id, engine, run_at, outcome, branded) ${numbers}
      select ${sql.lit(workspaceId)}, 'run ' || i, 'prompt ' || i, 'chatgpt', '2026-11-19T08:00', 'answered', false from numbers
    `.execute(store.writer);
    const derived = await deriveActions(store, { workspaceId, windowDays: 28, clock: () => now });
    expect(derived).toMatchObject({ prompts, opened: [], scarce: { length: prompts } });
  });
});
