/**
 * What the five endpoints answer for some rows of one workspace, worked out from the contract's
 * words with nothing but arrays: no SQL, no index, no slices.
 */
import type { Action, Detection, Hit, Prompt, Run, Score } from '../stores/rows.ts';

/** All rows of one workspace. */
export interface WorkspaceRows {
  readonly scores: readonly Score[];
  readonly prompts: readonly Prompt[];
  readonly actions: readonly Action[];
  readonly hits: readonly Hit[];
  readonly runs: readonly Run[];
  readonly detections: readonly Detection[];
}

type Order<Row> = (left: Row, right: Row) => number;

const dayMs = 86_400_000;

/** The answer's bytes for a path with its query; `today` is a UTC day. */
export function expectedBody(target: string, rows: WorkspaceRows, today: string): string {
  const [path = '', query = ''] = target.split('?');
  const value = query.split('=')[1];
  const name = path.slice('/api/v1/'.length);
  if (name === 'scores') return JSON.stringify({ scores: scores(rows, today) });
  if (name === 'prompts') return JSON.stringify({ prompts: prompts(rows) });
  if (name === 'actions') return JSON.stringify({ actions: actions(rows, value) });
  if (name === 'agent-hits') return JSON.stringify({ hits: hits(rows) });
  return JSON.stringify({ detections: detections(rows, value) });
}

function scores({ scores: all }: WorkspaceRows, today: string): object[] {
  const since = new Date(Date.parse(today) - 179 * dayMs).toISOString().slice(0, 10);
  return all
    .filter(({ date }) => date >= since && date <= today)
    .toSorted(
      by(
        descending((row) => row.date),
        ascending((row) => row.engine),
      ),
    )
    .map(({ date, engine, citations, total_runs, sov }) => ({
      date,
      engine,
      citations,
      total_runs,
      sov,
    }));
}

function prompts({ prompts: all }: WorkspaceRows): object[] {
  return all
    .toSorted(
      by(
        descending((row) => row.created_at),
        ascending((row) => row.id),
      ),
    )
    .slice(0, 500)
    .map(({ id, text, language, locale, active, created_at }) => ({
      id,
      text,
      language,
      locale,
      active,
      created_at,
    }));
}

function actions({ actions: all }: WorkspaceRows, status: string | undefined): object[] {
  return all
    .filter((row) => status === undefined || row.status === status)
    .toSorted(
      by(
        (left, right) => (right.impact_score ?? -1) - (left.impact_score ?? -1),
        descending((row) => row.created_at),
        ascending((row) => row.id),
      ),
    )
    .map((row) => ({
      id: row.id,
      prompt_id: row.prompt_id,
      recommendation: row.recommendation,
      priority: row.priority,
      status: row.status,
      impact_score: row.impact_score,
      sov_baseline: row.sov_baseline,
      sov_result: row.sov_result,
      created_at: row.created_at,
    }));
}

function hits({ hits: all }: WorkspaceRows): object[] {
  return all
    .toSorted(
      by(
        descending((row) => row.hit_at),
        ascending((row) => row.id),
      ),
    )
    .slice(0, 500)
    .map((row) => ({
      bot_name: row.bot_name,
      bot_company: row.bot_company,
      category: row.category,
      path: row.path,
      method: row.method,
      status: row.status,
      verification: row.verification,
      hit_at: row.hit_at,
    }));
}

function detections(rows: WorkspaceRows, promptId: string | undefined): object[] {
  const withAny = rows.runs
    .filter((run) => promptId === undefined || run.prompt_id === promptId)
    .filter((run) => rows.detections.some(({ run_id }) => run_id === run.id))
    .toSorted(
      by(
        descending((run) => run.run_at),
        ascending((run) => run.id),
      ),
    );
  const covered = promptId === undefined ? withAny.slice(0, 200) : withAny;
  return covered.flatMap((run) => detectionsOf(run, rows.detections));
}

function detectionsOf(run: Run, all: readonly Detection[]): object[] {
  const served = (row: Detection) =>
    run.run_at < '2026-09-26T00:00:00.000Z' ? null : (row.rank ?? null);
  return all
    .filter(({ run_id }) => run_id === run.id)
    .toSorted(
      by(
        (left, right) => place(left.subject_type) - place(right.subject_type),
        (left, right) => (served(left) ?? 1e9) - (served(right) ?? 1e9),
        ascending((row) => row.id),
      ),
    )
    .map((row) => ({
      run_id: run.id,
      subject_type: row.subject_type,
      subject_id: row.subject_id,
      cited: row.cited,
      position: row.position,
      rank: served(row),
      sentiment: row.sentiment,
      engine: run.engine,
      run_at: run.run_at,
    }));
}

function place(subjectType: Detection['subject_type']): number {
  return subjectType === 'brand' ? 0 : 1;
}

/** The first order in which two rows differ. */
function by<Row>(...orders: ReadonlyArray<Order<Row>>): Order<Row> {
  return (left, right) => {
    for (const order of orders) {
      const difference = order(left, right);
      if (difference !== 0) return difference;
    }
    return 0;
  };
}

function ascending<Row>(text: (row: Row) => string): Order<Row> {
  return (left, right) => compareCodePoints(text(left), text(right));
}

function descending<Row>(text: (row: Row) => string): Order<Row> {
  return (left, right) => compareCodePoints(text(right), text(left));
}

/** JavaScript's own comparison is by UTF-16 units, and differs past U+FFFF. */
function compareCodePoints(left: string, right: string): number {
  const others = Array.from(right, (character) => character.codePointAt(0) ?? 0);
  const points = Array.from(left, (character) => character.codePointAt(0) ?? 0);
  for (const [index, point] of points.entries()) {
    const other = others[index];
    if (other === undefined) return 1;
    if (point !== other) return point - other;
  }
  return points.length - others.length;
}
