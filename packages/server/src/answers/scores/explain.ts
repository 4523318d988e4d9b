import type { Kysely } from 'kysely';
import type { DataTables } from '../../storage/schema.ts';
import { shareOfVoice, wilsonInterval } from './share.ts';
import type { Counts } from './share.ts';
import type { EngineDay, Figures } from './recompute.ts';

/** One cited subject of a run, and the ground. */
export interface ExplainedCitation {
  readonly subject: string;
  readonly subject_type: 'brand' | 'competitor';
  readonly rank: number | null;
  readonly position: number | null;
  readonly alias: string | null;
  readonly sentence: string | null;
  readonly url: string | null;
}

/** A counted run. */
export interface ExplainedRun {
  readonly run_id: string;
  readonly prompt_id: string | null;
  readonly asked: string;
  readonly run_at: string;
  readonly cited: readonly ExplainedCitation[];
}

/** Where a score comes from. */
export interface Explanation extends EngineDay {
  /** The stored score; undefined where there is none. */
  readonly stored: (Figures & { readonly origin: 'derived' | 'imported' }) | undefined;
  readonly counts: Counts;
  /** Counted runs that name the brand. */
  readonly named: number;
  /** Counted runs that link to the brand: a run may name and link it. */
  readonly linked: number;
  /** What the counts give. */
  readonly sov: number;
  /** Cited runs of each competitor that was cited, most first. */
  readonly competitors: ReadonlyArray<{ readonly subject: string; readonly runs: number }>;
  /** 95 % Wilson interval of citations / total_runs. */
  readonly interval: { readonly low: number; readonly high: number } | undefined;
  readonly runs: readonly ExplainedRun[];
  /** Prompts left out because they name the brand, with their answered runs. */
  readonly branded: ReadonlyArray<{ readonly asked: string; readonly runs: number }>;
  /** Runs that were not answered, by outcome. */
  readonly uncounted: Readonly<Record<'refused' | 'empty' | 'failed', number>>;
  /** Runs that were imported with their detections: nothing is derived from them. */
  readonly imported: number;
}

/** Takes one engine's UTC day apart, down to the sentences. */
export async function explainScore(
  db: Kysely<DataTables>,
  workspaceId: string,
  day: EngineDay,
): Promise<Explanation> {
  const all = await readRuns(db, workspaceId, day);
  const answered = all.filter(({ outcome }) => outcome === 'answered');
  const counted = answered.filter(({ isBranded }) => !isBranded);
  const runs = counted.map(({ outcome: _, isBranded: __, ...run }) => run);
  const citations = runs.flatMap(({ cited }) => cited);
  const competitors = tally(
    citations.filter((one) => one.subject_type === 'competitor').map(({ subject }) => subject),
  );
  const ofBrand = citations.filter((one) => one.subject_type === 'brand');
  const brand = ofBrand.length;
  const counts = {
    runs: runs.length,
    brand,
    competitors: competitors.reduce((sum, [, count]) => sum + count, 0),
  };
  const stored = await db
    .selectFrom('scores')
    .select(['citations', 'total_runs', 'sov', 'origin'])
    .where('workspace_id', '=', workspaceId)
    .where('date', '=', day.date)
    .where('engine', '=', day.engine)
    .executeTakeFirst();
  const ended = new Map(tally(all.map(({ outcome }) => outcome ?? 'imported')));
  return {
    date: day.date,
    engine: day.engine,
    stored,
    counts,
    named: ofBrand.filter(({ position }) => position !== null).length,
    linked: ofBrand.filter(({ url }) => url !== null).length,
    sov: shareOfVoice(counts),
    competitors: competitors.map(([subject, count]) => ({ subject, runs: count })),
    interval: wilsonInterval(brand, runs.length),
    runs,
    branded: tally(answered.filter(({ isBranded }) => isBranded).map(({ asked }) => asked)).map(
      ([asked, count]) => ({ asked, runs: count }),
    ),
    uncounted: {
      refused: ended.get('refused') ?? 0,
      empty: ended.get('empty') ?? 0,
      failed: ended.get('failed') ?? 0,
    },
    imported: ended.get('imported') ?? 0,
  };
}

type AnyRun = ExplainedRun & { readonly outcome: string | null; readonly isBranded: boolean };

async function readRuns(
  db: Kysely<DataTables>,
  workspaceId: string,
  { date, engine }: EngineDay,
): Promise<AnyRun[]> {
  const ofDay = db
    .selectFrom('runs')
    .where('runs.workspace_id', '=', workspaceId)
    .where('runs.run_at', '>=', `${date}T`)
    .where('runs.run_at', '<', `${date}U`)
    .where('engine', '=', engine);
  const runs = await ofDay
    .leftJoin('answers', (join) =>
      join.on('answers.workspace_id', '=', workspaceId).onRef('answers.run_id', '=', 'runs.id'),
    )
    .select(['runs.id', 'prompt_id', 'asked', 'run_at', 'outcome', 'branded'])
    .orderBy('run_at')
    .orderBy('runs.id')
    .execute();
  const cited = await ofDay
    .innerJoin('detections', (join) =>
      join
        .on('detections.workspace_id', '=', workspaceId)
        .onRef('detections.run_id', '=', 'runs.id'),
    )
    .leftJoin('subjects', (join) =>
      join
        .on('subjects.workspace_id', '=', workspaceId)
        .onRef('subjects.id', '=', 'detections.subject_id'),
    )
    .select(['run_id', 'subject_id', 'name', 'detections.subject_type', 'rank', 'position'])
    .select(['alias', 'sentence', 'url'])
    .where('cited', '=', true)
    .orderBy('rank')
    .execute();
  const byRun = Map.groupBy(cited, ({ run_id: runId }) => runId);
  return runs.map(({ id, prompt_id: promptId, asked, run_at: runAt, outcome, branded }) => ({
    run_id: id,
    prompt_id: promptId,
    asked: asked ?? '',
    run_at: runAt,
    outcome,
    isBranded: branded === true || branded === 1,
    cited: (byRun.get(id) ?? []).map(({ run_id: _, subject_id: subjectId, name, ...citation }) => ({
      subject: name ?? subjectId ?? '',
      ...citation,
    })),
  }));
}

/** How often each text occurs: most first, then by code points. */
function tally(texts: readonly string[]): Array<[text: string, count: number]> {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts].toSorted(
    ([left, most], [right, more]) => more - most || (left < right ? -1 : 1),
  );
}
