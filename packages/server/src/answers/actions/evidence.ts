import type { Kysely } from 'kysely';
import { z } from 'zod';
import type { DataTables } from '../../storage/schema.ts';

/** A subject that a run cites. */
export interface CitedSubject {
  readonly subjectId: string;
  readonly rank: number;
  readonly isNamed: boolean;
  readonly isLinked: boolean;
}

/** What one counted run says about the subjects. */
export interface RunEvidence {
  readonly engine: string;
  /** Undefined where the brand is not cited. */
  readonly brand: CitedSubject | undefined;
  readonly competitors: readonly CitedSubject[];
  /** Sites that the answer links or gives as sources, each once. */
  readonly sites: readonly string[];
}

/** Moments, as text in normal form: the first is included, the last is not. */
export interface Span {
  readonly from: string;
  readonly before: string;
}

const siteList = z.array(z.string());

/** The counted runs of one prompt in a span: answered, the prompt not naming the brand. By time. */
export async function readEvidence(
  db: Kysely<DataTables>,
  workspaceId: string,
  { promptId, span }: { promptId: string; span: Span },
): Promise<RunEvidence[]> {
  const counted = db
    .selectFrom('runs')
    .where('runs.workspace_id', '=', workspaceId)
    .where('prompt_id', '=', promptId)
    .where('run_at', '>=', span.from)
    .where('run_at', '<', span.before)
    .where('outcome', '=', 'answered')
    .where('branded', '=', false);
  const runs = await counted
    .innerJoin('answers', (join) =>
      join.on('answers.workspace_id', '=', workspaceId).onRef('answers.run_id', '=', 'runs.id'),
    )
    .select(['runs.id', 'engine', 'sites'])
    .orderBy('run_at')
    .orderBy('runs.id')
    .execute();
  const cited = await counted
    .innerJoin('detections', (join) =>
      join
        .on('detections.workspace_id', '=', workspaceId)
        .onRef('detections.run_id', '=', 'runs.id'),
    )
    .select(['run_id', 'subject_type', 'subject_id', 'rank', 'position', 'url'])
    .where('cited', '=', true)
    .orderBy('run_id')
    .orderBy('rank')
    .execute();
  const citedIn = Map.groupBy(cited, ({ run_id: runId }) => runId);
  return runs.map(({ id, engine, sites }) => {
    const all = citedIn.get(id) ?? [];
    return {
      engine,
      brand: all.filter((one) => one.subject_type === 'brand').map(toCited)[0],
      competitors: all.filter((one) => one.subject_type === 'competitor').map(toCited),
      sites: siteList.parse(JSON.parse(sites)),
    };
  });
}

function toCited(row: {
  readonly subject_id: string | null;
  readonly rank: number | null;
  readonly position: number | null;
  readonly url: string | null;
}): CitedSubject {
  return {
    subjectId: row.subject_id ?? '',
    rank: row.rank ?? 0,
    isNamed: row.position !== null,
    isLinked: row.url !== null,
  };
}

/** Counted runs of each prompt in a span that is still asked, by prompt id. */
export async function countPrompts(
  db: Kysely<DataTables>,
  workspaceId: string,
  span: Span,
): Promise<Array<{ readonly id: string; readonly text: string; readonly runs: number }>> {
  return db
    .selectFrom('runs')
    .innerJoin('prompts', (join) =>
      join.on('prompts.workspace_id', '=', workspaceId).onRef('prompts.id', '=', 'runs.prompt_id'),
    )
    .where('runs.workspace_id', '=', workspaceId)
    .where('run_at', '>=', span.from)
    .where('run_at', '<', span.before)
    .where('outcome', '=', 'answered')
    .where('branded', '=', false)
    .where('prompts.active', '=', true)
    .select(['prompts.id', 'prompts.text', (query) => query.fn.countAll<number>().as('runs')])
    .groupBy(['prompts.id', 'prompts.text'])
    .orderBy('prompts.id')
    .execute();
}
