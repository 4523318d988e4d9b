// @module-tag slow

import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { cases } from '../cases.ts';
import { connectAddress, connectHost } from '../../packages/mcp/test/connect.ts';
import type { HostResult } from '../../packages/mcp/test/connect.ts';
import { countTokens } from '../../packages/mcp/test/count-tokens.ts';
import { createKey } from '../../packages/server/src/access/keys.ts';
import { hits as hitRows } from '../../packages/server/src/transfer/resources/hits.ts';
import { prompts as promptRows } from '../../packages/server/src/transfer/resources/prompts.ts';
import { scores as scoreRows } from '../../packages/server/src/transfer/resources/scores.ts';
import { addSubject, removeSubject } from '../../packages/server/src/workspaces/write-subject.ts';
import { aWorkspace, importRows } from '../../packages/server/test/answers/answers.ts';
import { importText } from '../../packages/server/test/answers/transferring.ts';
import { startApi } from '../../packages/server/test/servers/api.ts';
import { eachStore } from '../../packages/server/test/stores/stores.ts';
import type { Store } from '../../packages/server/src/storage/store.ts';
import { isRight } from './expected.ts';
import type { Plan } from './counted.ts';
import { changeDay, idlePrompts, planHits, planRuns, rowOf, today } from './workspace.ts';

const ways = ['literal', 'other_case', 'bare_days'] as const;
/** 16,000 answers and all three ways of asking; else 2,000, each question once. */
const isWhole = cases(ways.length) === ways.length;
const answersCount = isWhole ? 16_000 : 2000;
const hitsCount = isWhole ? 5000 : 900;
const nowMs = Date.parse(`${today}T12:00:00Z`);
const clock = () => nowMs;

const calls = z.array(z.tuple([z.string(), z.record(z.string(), z.unknown())]));
const asked = z
  .object({
    questions: z.array(
      z.object({
        id: z.int(),
        question: z.string(),
        literal: calls,
        other_case: calls,
        bare_days: calls,
      }),
    ),
  })
  .parse(JSON.parse(await readFile(new URL('asked.json', import.meta.url), 'utf8')));

eachStore('the bench of truth', (open, dialect) => {
  test.runIf(dialect === 'sqlite')(
    'the usual questions, as a reader of the tools alone asks them, get planned answers',
    async () => {
      const { store } = await open({ clock });
      const plan: Plan = { runs: planRuns(answersCount), hits: planHits(hitsCount) };
      const key = await fill(store, plan);
      const { app } = await startApi(store, { clock, quota: 0 });
      const url = await app.listen({ port: 0, host: '127.0.0.1' });
      const host = await connectHost({ url, apiKey: key });
      const address = await connectAddress({ url, apiKey: key });
      const wrong: string[] = [];
      const tokens: number[] = [];
      const ask = async (tool: string, args: Record<string, unknown>) => {
        const result = await host.call(tool, args);
        // The tools at an address give the same.
        expect((await address.call(tool, args)).structured).toEqual(result.structured);
        expect(result.text.length).toBeLessThan(11_500);
        if (!('limit' in args)) tokens.push(countTokens(result.text));
        return result;
      };
      for (const { question, way } of asked.questions.flatMap(waysOf)) {
        const results: HostResult[] = [];
        for (const [tool, args] of question[way]) {
          results.push(await ask(tool, filled(args, results)));
        }
        if (!isRight(question.id, results, plan)) {
          wrong.push(`${question.id} ${way}: ${question.question}`);
        }
      }
      await host.close();
      await address.close();
      expect(wrong).toEqual([]);
      expect(Math.max(...tokens)).toBeLessThanOrEqual(1900);
    },
  );

  test('get_shares has figures of APIs only where no app has any, and says so', async () => {
    const { store } = await open({ clock });
    const runs = planRuns(400).filter(({ engine }) => engine.endsWith('_api'));
    const key = await fill(store, { runs, hits: [] });
    const { app } = await startApi(store, { clock, quota: 0 });
    const url = await app.listen({ port: 0, host: '127.0.0.1' });
    const host = await connectHost({ url, apiKey: key });
    const head = await host.call('get_shares', {});
    const ofApis = await host.call('get_shares', { surface: 'api' });
    expect(ofApis.rows.length).toBeGreaterThan(0);
    expect(head.rows).toEqual(ofApis.rows);
    expect(head.text).toContain('No app has figures here');
    expect((await host.call('get_shares', { surface: 'app' })).rows).toEqual([]);
    await host.close();
  });
});

/** The ways in which a question is asked. */
function waysOf(question: (typeof asked.questions)[number]) {
  const one = [ways[question.id % ways.length] ?? 'literal'];
  return (isWhole ? ways : one).map((way) => ({ question, way }));
}

/** Arguments with ids of the first row of the call before: `{prompts.0.id}`. */
function filled(args: Record<string, unknown>, results: readonly HostResult[]) {
  const id = results.at(-1)?.rows[0]?.['id'];
  return Object.fromEntries(
    Object.entries(args).map(([name, value]) => [name, value === '{prompts.0.id}' ? id : value]),
  );
}

/** Writes what was planned, in its order: half way Initech goes and Zorin comes. */
async function fill(store: Store, { runs, hits }: Plan): Promise<string> {
  const subjects = ['Acme', 'Globex', 'Initech', 'Umbra'].map((name) => ({
    name,
    domain: `${name.toLowerCase()}.com`,
  }));
  const workspaceId = await aWorkspace(store, { subjects });
  await importRows(store, workspaceId, runs.filter(({ day }) => day < changeDay).map(rowOf), {
    acceptsNearDuplicates: true,
  });
  const midway = () => Date.parse(`${changeDay}T00:00:00Z`);
  await removeSubject(store, workspaceId, 'Initech', { clock: midway });
  const words = { name: 'Zorin', aliases: [], domains: ['zorin.com'] };
  await addSubject(store, workspaceId, { words, clock: midway });
  await importRows(store, workspaceId, runs.filter(({ day }) => day >= changeDay).map(rowOf), {
    acceptsNearDuplicates: true,
  });
  const lines = (rows: readonly object[]) => rows.map((row) => JSON.stringify(row)).join('\n');
  await importText(store, { workspaceId, resource: promptRows }, lines(idlePrompts));
  await importText(
    store,
    { workspaceId, resource: scoreRows },
    lines([{ date: today, engine: 'copilot', citations: 3, total_runs: 10, sov: 0.3 }]),
  );
  await importText(
    store,
    { workspaceId, resource: hitRows },
    lines(
      hits.map(({ bot, path, at, verification, status }) => ({
        bot_name: bot,
        bot_company: 'A company',
        category: 'crawler',
        path,
        method: 'GET',
        status,
        verification,
        hit_at: at,
      })),
    ),
  );
  return (await createKey(store, { workspaceId, name: 'bench', clock })).key;
}
