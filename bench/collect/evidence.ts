import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { openStore } from '../../packages/server/src/storage/open/open-store.ts';
import { runCommand } from '../../packages/server/test/commands/command-line.ts';
import type { Cells } from '../bench.ts';
import { serveHttp } from '../processes.ts';

/** The default engines of an estimate, and the recorded answers of each. */
const recorded = {
  chatgpt_api: [
    'openai--web-search-gpt-5.2',
    'openai--web-search-sources-non-ascii',
    'openai--web-search-many-searches',
    'openai--web-search-phase-final-answer',
  ],
  claude_api: ['anthropic--web-search-haiku-4.5', 'anthropic--web-search-sonnet-4'],
  gemini_api: ['gemini--web-search-3.5-flash', 'gemini--web-search-2.5-pro'],
  perplexity_api: ['perplexity--agent-web-search'],
  grok_api: ['xai--web-search-grok-4.3', 'xai--web-search-without-offsets'],
} as const;
const recording = z.object({ response: z.object({ body: z.string() }) });

/** One row for each engine and one for all: bytes of a request with its response, MB of a month. */
export async function measureEvidence(database: string): Promise<Cells[]> {
  const bodies = new Map(
    Object.entries(recorded).map(([engine, files]) => [engine, files.map(readBody)]),
  );
  let asked = 0;
  const { url, stop } = await serveHttp((request, response) => {
    const own = bodies.get(request.url?.split('/')[1] ?? '') ?? [];
    request.resume().on('end', () => response.end(own[asked++ % own.length]));
  });
  const run = async (line: string, stdin = ''): Promise<void> => {
    const { code, stderr } = await runCommand([...line.split(' '), '--database', database], {
      stdin,
      environment: { BENCH_KEY: 'bench' },
      mayReachPrivate: true,
    });
    if (code !== 0) throw new Error(stderr);
  };
  await run('workspace create acme --name Acme --brand Acme');
  await run('import prompts - --workspace acme', promptRows(12));
  await run('prompts collect on --all --workspace acme');
  for (const engine of bodies.keys()) {
    const terms = engine === 'gemini_api' ? ' --accept-grounding-terms Bench' : '';
    const key = `--key-variable BENCH_KEY --per-minute 60000${terms}`;
    await run(`engine add ${engine} --base-url ${url}/${engine} ${key}`);
  }
  await run('budget set --workspace acme --day 1000 --month 1000 --sweeps 1');
  await run('collect run --now --at-once 1 --workspace acme').finally(stop);
  return readSizes(database);
}

async function readSizes(database: string): Promise<Cells[]> {
  const store = await openStore(database);
  const ledger = await store.ledger();
  const rows = await ledger?.db
    .selectFrom('bodies')
    .innerJoin('readings', 'readings.id', 'bodies.reading_id')
    .select(['engine', 'response', 'earlier'])
    .where('state', '=', 'done')
    .execute();
  await store.close();
  const sizes = Object.keys(recorded).map((engine) => {
    const own = (rows ?? []).filter((row) => row.engine === engine);
    const bytes = own.reduce(
      (all, row) => all + row.response.length + (row.earlier?.length ?? 0),
      0,
    );
    return { engine, each: bytes / own.length, month: (bytes / own.length) * 0.0075 };
  });
  const all = sizes.reduce((sum, { month }) => sum + month, 0);
  return [...sizes.map(({ engine, each, month }) => [engine, each, month]), ['all', '', all]];
}

function readBody(name: string): string {
  const file = new URL(`../../../shared/recordings/${name}.json`, import.meta.url);
  return recording.parse(JSON.parse(readFileSync(file, 'utf8'))).response.body;
}

export function promptRows(count: number): string {
  return Array.from({ length: count }, (_, place) =>
    JSON.stringify({
      text: `What is the best CRM for a small agency with ${place} people?`,
      language: 'en',
      locale: 'en-US',
      active: true,
      created_at: '2026-11-01T00:00:00Z',
    }),
  ).join('\n');
}
