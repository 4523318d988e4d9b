import type { Transaction } from 'kysely';
import { z } from 'zod';
import { shown } from '../../rows/fault.ts';
import type { Faults } from '../../rows/fault.ts';
import type { DataTables } from '../../storage/schema.ts';
import type { Answer } from '../answer.ts';
import { findDifference, toComparable } from './same-answer.ts';
import type { ComparableAnswer } from './same-answer.ts';
import type { SpooledAnswer } from './spool.ts';

const storedSources = z.array(z.object({ url: z.string(), title: z.string().exactOptional() }));

/**
 * The answers of a batch whose runs are not there yet. A run that is there with other content is
 * told to `faults`: what an engine said at a moment does not change.
 */
export async function findChanged(
  transaction: Transaction<DataTables>,
  workspaceId: string,
  { batch, faults }: { batch: readonly SpooledAnswer[]; faults: Faults },
): Promise<Answer[]> {
  const stored = await readRuns(
    transaction,
    workspaceId,
    batch.map(({ answer }) => answer.id),
  );
  const fresh: Answer[] = [];
  for (const { line, answer } of batch) {
    const before = stored.get(answer.id);
    if (before === undefined) {
      fresh.push(answer);
      continue;
    }
    if (before === 'imported') {
      const expected = 'another id: a run with this one was imported with its detections';
      faults.add({ line, field: 'id', expected, found: answer.id });
      continue;
    }
    const difference = findDifference(before, toComparable(answer));
    if (difference === undefined) continue;
    const expected = `${shown(difference.before)} as it is stored for the run ${answer.id}; give this answer an id of its own, or a finer run_at`;
    faults.add({ line, field: difference.field, expected, found: difference.now });
  }
  return fresh;
}

/** Stored runs by id; `imported` are those that came without their answers. */
async function readRuns(
  transaction: Transaction<DataTables>,
  workspaceId: string,
  ids: readonly string[],
): Promise<Map<string, ComparableAnswer | 'imported'>> {
  const rows = await transaction
    .selectFrom('runs')
    .leftJoin('answers', (join) =>
      join.on('answers.workspace_id', '=', workspaceId).onRef('answers.run_id', '=', 'runs.id'),
    )
    .select(['runs.id', 'prompt_id', 'engine', 'model', 'run_at', 'outcome'])
    .select(['asked', 'answer', 'sources'])
    .where('runs.workspace_id', '=', workspaceId)
    .where('runs.id', 'in', [...ids])
    .execute();
  return new Map(rows.map((row) => [row.id, toStoredAnswer(row)]));
}

interface AnswerRecord {
  readonly prompt_id: string | null;
  readonly engine: string;
  readonly model: string | null;
  readonly run_at: string;
  readonly outcome: Answer['outcome'] | null;
  readonly asked: string | null;
  readonly answer: string | null;
  readonly sources: string | null;
}

function toStoredAnswer(record: AnswerRecord): ComparableAnswer | 'imported' {
  const { prompt_id: promptId, engine, model, run_at: runAt, outcome, asked, ...texts } = record;
  const { answer, sources } = texts;
  if (outcome === null || asked === null || answer === null || sources === null) return 'imported';
  const list = storedSources.parse(JSON.parse(sources));
  return { promptId: promptId ?? '', asked, engine, model, runAt, outcome, answer, sources: list };
}
