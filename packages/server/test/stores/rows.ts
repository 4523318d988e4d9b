/**
 * Rows for tests: `aScore()`, `aPrompt()` ... give one that is valid as it is, `writeRows` puts them
 * into a workspace as an import would, in one transaction with a new revision; hits are counted.
 */
import type { Insertable } from 'kysely';
import { rebuildHitCounts } from '../../src/storage/counts/hit-counts.ts';
import type { DataTables, LedgerTables } from '../../src/storage/schema.ts';
import type { Store } from '../../src/storage/store.ts';
import { writeWorkspace } from '../../src/storage/write.ts';

type Row<Table extends keyof DataTables> = Omit<Insertable<DataTables[Table]>, 'workspace_id'>;

export type Score = Row<'scores'>;
export type Prompt = Row<'prompts'>;
export type Action = Row<'actions'>;
export type Hit = Row<'hits'>;
export type Run = Row<'runs'>;
export type Detection = Row<'detections'>;

/** Rows by table, without the workspace. */
export interface Rows {
  readonly scores?: readonly Score[];
  readonly prompts?: readonly Prompt[];
  readonly actions?: readonly Action[];
  readonly hits?: readonly Hit[];
  readonly runs?: readonly Run[];
  readonly detections?: readonly Detection[];
}

/** Values of one statement: SQLite takes 32,766 parameters. */
const rowsPerStatement = 1000;

const tables = ['scores', 'prompts', 'actions', 'hits', 'runs', 'detections'] as const;

/**
 * Writes rows into a workspace, in one transaction; readers see a new revision. `replace` takes the
 * old ones away first.
 */
export async function writeRows(
  store: Store,
  workspaceId: string,
  rows: Rows,
  { replace = false }: { replace?: boolean } = {},
): Promise<void> {
  const owned = <R extends object>(row: R) => ({ workspace_id: workspaceId, ...row });
  await writeWorkspace(store, workspaceId, async (transaction) => {
    for (const table of replace ? tables : []) {
      await transaction.deleteFrom(table).where('workspace_id', '=', workspaceId).execute();
    }
    for (const part of parts(rows.scores)) {
      await transaction.insertInto('scores').values(part.map(owned)).execute();
    }
    for (const part of parts(rows.prompts)) {
      await transaction.insertInto('prompts').values(part.map(owned)).execute();
    }
    for (const part of parts(rows.actions)) {
      await transaction.insertInto('actions').values(part.map(owned)).execute();
    }
    for (const part of parts(rows.hits)) {
      await transaction.insertInto('hits').values(part.map(owned)).execute();
    }
    if (rows.hits !== undefined) await rebuildHitCounts(store, transaction, workspaceId);
    for (const part of parts(rows.runs)) {
      await transaction.insertInto('runs').values(part.map(owned)).execute();
    }
    for (const part of parts(rows.detections)) {
      await transaction.insertInto('detections').values(part.map(owned)).execute();
    }
    return { hasChanged: true };
  });
}

function parts<R>(rows: readonly R[] = []): R[][] {
  const made: R[][] = [];
  for (let from = 0; from < rows.length; from += rowsPerStatement) {
    made.push(rows.slice(from, from + rowsPerStatement));
  }
  return made;
}

/** A UUID that sorts as its number does. */
export function idOf(number: number): string {
  return `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
}

let made = 0;

/** An id that no other row of this process has. */
function freshId(): string {
  made += 1;
  return idOf(900_000_000 + made);
}

/** One row of everything; the run's detection is of this subject. */
export function oneOfEach({ subjectId }: { subjectId: string | null }): Rows {
  return {
    scores: [aScore()],
    prompts: [aPrompt({ id: idOf(1) })],
    actions: [anAction({ id: idOf(2) })],
    hits: [aHit()],
    runs: [aRun({ id: idOf(3) })],
    detections: [aDetection({ run_id: idOf(3), subject_id: subjectId })],
  };
}

export function aScore(score: Partial<Score> = {}): Score {
  return {
    id: freshId(),
    date: '2026-11-20',
    engine: 'chatgpt',
    citations: 18,
    total_runs: 40,
    sov: 0.3214,
    origin: 'imported',
    ...score,
  };
}

export function aPrompt(prompt: Partial<Prompt> = {}): Prompt {
  return {
    id: freshId(),
    text: 'Which CRM suits a small agency?',
    language: 'en',
    locale: 'en-US',
    active: true,
    created_at: '2026-06-01T08:00:00.000Z',
    ...prompt,
  };
}

export function anAction(action: Partial<Action> = {}): Action {
  return {
    id: freshId(),
    prompt_id: null,
    recommendation: 'Publish a comparison page.',
    priority: 'high',
    status: 'open',
    impact_score: 72.5,
    sov_baseline: 0.1,
    sov_result: null,
    created_at: '2026-11-18T06:00:00.000Z',
    ...action,
  };
}

export function aHit(hit: Partial<Hit> = {}): Hit {
  return {
    id: freshId(),
    bot_name: 'GPTBot',
    bot_company: 'OpenAI',
    category: 'crawler',
    path: '/pricing',
    method: 'GET',
    status: 200,
    verification: 'verified',
    hit_at: '2026-11-20T11:00:00.000Z',
    ...hit,
  };
}

export function aRun(run: Partial<Run> = {}): Run {
  return {
    id: freshId(),
    prompt_id: null,
    engine: 'chatgpt',
    run_at: '2026-11-20T06:00:00.000Z',
    ...run,
  };
}

export function aDetection(detection: Partial<Detection> & { run_id: string }): Detection {
  return {
    id: freshId(),
    subject_type: 'brand',
    subject_id: freshId(),
    cited: true,
    position: 118,
    rank: 1,
    sentiment: 'positive',
    ...detection,
  };
}

/** Writes a reading to the ledger: one that failed at noon, unless the row says something else. */
export async function writeReading(
  store: Store,
  workspaceId: string,
  row: Partial<Insertable<LedgerTables['readings']>> = {},
): Promise<void> {
  const { day = '2026-11-20' } = row;
  const ledger = await store.ledger({ mayCreate: true });
  const values = {
    workspace_id: workspaceId,
    id: freshId(),
    prompt_id: idOf(1),
    engine: 'openai_api',
    day,
    due_at: `${day}T12:00:00.000Z`,
    state: 'failed',
    sweep: 0,
    attempts: 1,
    ...row,
  } as const;
  await ledger?.write((db) => db.insertInto('readings').values(values).execute());
}
