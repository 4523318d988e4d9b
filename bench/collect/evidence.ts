/** What evidence of recorded responses takes, if a month has 7,500 readings of each of five engines. */
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { openStore } from '../../packages/server/src/storage/open/open-store.ts';
import { runCommand } from '../../packages/server/test/command-line.ts';
import { promptRows, startEngine } from './collecting.ts';

const monthReadings = 7500;
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

/** One row an engine and one for all: bytes of a request with its response as stored, MB of a month. */
export async function measureEvidence(database: string): Promise<Array<Array<string | number>>> {
  const bodies = new Map<string, string[]>();
  for (const [engine, files] of Object.entries(recorded)) {
    bodies.set(engine, files.map(readBody));
  }
  const { url, stop } = await startEngine((asked, path) => {
    const own = bodies.get(path.split('/')[1] ?? '') ?? [];
    return own[asked % own.length] ?? '';
  });
  const run = async (line: string, stdin = ''): Promise<void> => {
    const { code, stderr } = await runCommand([...line.split(' '), '--database', database], {
      stdin,
      environment: { BENCH_KEY: 'bench' },
      mayReachPrivate: true,
    });
    if (code !== 0) throw new Error(stderr);
  };
  try {
    await run('workspace create acme --name Acme --brand Acme');
    await run('import prompts - --workspace acme', promptRows(12));
    await run('prompts collect on --all --workspace acme');
    for (const engine of bodies.keys()) {
      const terms = engine === 'gemini_api' ? ' --accept-grounding-terms Bench' : '';
      await run(
        `engine add ${engine} --base-url ${url}/${engine} --key-variable BENCH_KEY --per-minute 60000${terms}`,
      );
    }
    await run('budget set --workspace acme --day 1000 --month 1000 --sweeps 1');
    await run('collect run --now --at-once 1 --workspace acme');
    return await readSizes(database);
  } finally {
    await stop();
  }
}

async function readSizes(database: string): Promise<Array<Array<string | number>>> {
  const store = await openStore(database);
  try {
    const ledger = await store.ledger();
    const rows = await ledger?.db
      .selectFrom('bodies')
      .innerJoin('readings', 'readings.id', 'bodies.reading_id')
      .select(['engine', 'response', 'earlier'])
      .where('state', '=', 'done')
      .execute();
    const sizes = Object.keys(recorded).map((engine) => {
      const own = (rows ?? []).filter((row) => row.engine === engine);
      const bytes = own.reduce(
        (all, row) => all + row.response.length + (row.earlier?.length ?? 0),
        0,
      );
      const each = bytes / own.length;
      return { engine, each, month: (each * monthReadings) / 1e6 };
    });
    const all = sizes.reduce((sum, { month }) => sum + month, 0);
    return [...sizes.map(({ engine, each, month }) => [engine, each, month]), ['all', '', all]];
  } finally {
    await store.close();
  }
}

function readBody(name: string): string {
  const file = new URL(`../../../shared/recordings/${name}.json`, import.meta.url);
  return recording.parse(JSON.parse(readFileSync(file, 'utf8'))).response.body;
}
