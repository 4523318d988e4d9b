/**
 * Imports in tests: one row of each kind that says no more than it must, what it is once it is
 * stored, and a workspace on a fresh database with the commands in it.
 */
import { runCommand } from '../commands/command-line.ts';
import type { Outcome } from '../commands/command-line.ts';
import type { Create } from '../stores/stores.ts';

export const at = Date.parse('2026-11-20T12:34:56.789Z');

export const run = 'a0000000-0000-4000-8000-000000000001';
export const subject = 'b0000000-0000-4000-8000-000000000002';
export const prompt = 'c0000000-0000-4000-8000-000000000003';

/** One row of each kind that says no more than it must. */
export const least = {
  prompts: { text: 'Which CRM?', locale: 'en-us' },
  actions: { recommendation: 'Publish a comparison.', priority: 'high' },
  scores: { date: '2026-11-20', engine: 'chatgpt', citations: 1, total_runs: 3, sov: 1 / 3 },
  detections: {
    run_id: run.toUpperCase(),
    subject_type: 'brand',
    cited: true,
    engine: 'chatgpt',
    run_at: '2026-11-20T13:34:56.7899+01:00',
  },
  hits: {
    bot_name: 'GPTBot',
    bot_company: 'OpenAI',
    category: 'crawler',
    path: '/',
    method: 'GET',
    verification: 'verified',
    hit_at: '2026-11-20 12:34:56Z',
  },
} as const;

export type Kind = keyof typeof least;

/** What the rows above are once they are stored. */
export const stored: Readonly<Record<Kind, object>> = {
  prompts: {
    text: 'Which CRM?',
    language: 'en',
    locale: 'en-US',
    active: true,
    created_at: '2026-11-20T12:34:56.789Z',
    tags: null,
    topic: null,
  },
  actions: {
    prompt_id: null,
    recommendation: 'Publish a comparison.',
    priority: 'high',
    status: 'open',
    impact_score: null,
    sov_baseline: null,
    sov_result: null,
    created_at: '2026-11-20T12:34:56.789Z',
  },
  scores: { ...least.scores, sov: 0.3333 },
  detections: {
    prompt_id: null,
    run_id: run,
    subject_type: 'brand',
    subject_id: null,
    cited: true,
    position: null,
    rank: null,
    sentiment: null,
    engine: 'chatgpt',
    run_at: '2026-11-20T12:34:56.789Z',
  },
  hits: { ...least.hits, status: null, hit_at: '2026-11-20T12:34:56.000Z' },
};

/** A workspace on a fresh database, and the commands in it. */
export async function setUp(create: Create, slugs: readonly string[] = ['acme']) {
  const url = await create();
  const command = (
    args: readonly string[],
    stdin: string | Uint8Array = '',
    nowMs = at,
  ): Promise<Outcome> => runCommand([...args, '--database', url], { stdin, clock: () => nowMs });
  for (const slug of slugs)
    await command(['workspace', 'create', slug, '--name', slug, '--brand', slug]);
  return { url, command, bring, listed };

  /** Imports rows, or the content of a file, from standard input. */
  function bring(
    kind: Kind,
    content: ReadonlyArray<Record<string, unknown>> | string | Uint8Array,
    {
      flags = [],
      slug = 'acme',
      nowMs,
    }: { flags?: readonly string[]; slug?: string; nowMs?: number } = {},
  ): Promise<Outcome> {
    const isFile = typeof content === 'string' || content instanceof Uint8Array;
    const bytes = isFile ? content : content.map((row) => JSON.stringify(row)).join('\n');
    return command(['import', kind, '-', '--workspace', slug, ...flags], bytes, nowMs);
  }

  async function listed(kind: Kind, slug = 'acme'): Promise<Array<Record<string, unknown>>> {
    const { stdout } = await command(['export', kind, '--workspace', slug, '--format', 'json']);
    const body: Record<string, Array<Record<string, unknown>>> = JSON.parse(stdout);
    return Object.values(body)[0] ?? [];
  }
}
