/** What tests of `overheard actions` share. */
import { z } from 'zod';
import { runCommand } from '../commands/command-line.ts';
import type { Outcome } from '../commands/command-line.ts';
import type { Create } from '../stores/stores.ts';
import { openStore } from '../../src/storage/open/open-store.ts';
import { importRows } from './answers.ts';

export const day = (back: number, hour = 6): string =>
  new Date(Date.UTC(2026, 10, 20 - back, hour)).toISOString();

/** A day's runs of a prompt, one an hour. */
export function runsOf(
  prompt: string,
  back: number,
  answers: readonly string[],
  engine = 'chatgpt',
) {
  return answers.map((answer, hour) => ({ prompt, engine, run_at: day(back, hour), answer }));
}

const list = z.object({
  actions: z.array(
    z.object({
      id: z.string(),
      kind: z.string().nullable(),
      recommendation: z.string(),
      priority: z.string(),
      status: z.string(),
      impact_score: z.number().nullable(),
      sov_baseline: z.number().nullable(),
      sov_result: z.number().nullable(),
      created_at: z.string(),
    }),
  ),
});

/** A workspace with a brand and a competitor, and the commands for its actions. */
export async function prepareActions(create: Create) {
  const url = await create();
  let nowMs = Date.parse(day(0, 12));
  const run = (args: readonly string[], stdin = ''): Promise<Outcome> =>
    runCommand([...args, '--database', url], { stdin, clock: () => nowMs });
  const brand = ['--name', 'Acme', '--brand', 'Acme', '--domain', 'acme.com'];
  await run(['workspace', 'create', 'acme', ...brand]);
  await run(['subject', 'add', 'Globex', '--workspace', 'acme', '--domain', 'globex.com']);
  return {
    url,
    actions: (...args: string[]) => run(['actions', ...args, '--workspace', 'acme']),
    /** Imports answers without looking for gaps, which the command does. */
    importAnswers: async (rows: readonly object[]) => {
      const store = await openStore(url);
      const { id } = await store.reader
        .selectFrom('workspaces')
        .select('id')
        .executeTakeFirstOrThrow();
      await importRows(store, id, rows, { clock: () => nowMs });
      await store.close();
    },
    importActions: (rows: readonly object[]) =>
      run(['import', 'actions', '-', '--workspace', 'acme'], JSON.stringify(rows)),
    listed: async () => {
      const { stdout } = await run(['actions', 'list', '--json', '--workspace', 'acme']);
      return list.parse(JSON.parse(stdout)).actions;
    },
    passDays: (days: number) => (nowMs += days * 86_400_000),
  };
}
