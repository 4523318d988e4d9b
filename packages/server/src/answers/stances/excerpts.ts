import type { Kysely } from 'kysely';
import { pad } from '../../storage/chunks.ts';
import type { DataTables } from '../../storage/schema.ts';
import { readRunsById } from '../read-stored-runs.ts';
import { readSubjectNames, readSubjects } from '../subjects.ts';
import { createItemFinder } from './items.ts';

/** A subject of an answer, for a person to judge. */
export interface StanceExcerpt {
  readonly run_id: string;
  readonly subject_id: string;
  readonly subject: string;
  readonly prompt: string;
  readonly language: string;
  readonly answer: string;
  /** The parts of the answer that name the subject, as the judge sees them. */
  readonly excerpts: readonly string[];
}

const runsAtOnce = 100;

/** Reads what a person needs to judge subjects of answers, in their order. Leaves out what is gone. */
export async function readExcerpts(
  db: Kysely<DataTables>,
  workspaceId: string,
  items: ReadonlyArray<{ readonly run_id: string; readonly subject_id: string }>,
): Promise<StanceExcerpt[]> {
  const findItems = createItemFinder(await readSubjects(db, workspaceId));
  const names = await readSubjectNames(db, workspaceId);
  const read: StanceExcerpt[] = [];
  for (let from = 0; from < items.length; from += runsAtOnce) {
    const slice = items.slice(from, from + runsAtOnce);
    const ids = slice.map(({ run_id: run }) => run);
    const runs = new Map((await readRunsById(db, workspaceId, ids)).map((run) => [run.id, run]));
    const sentences = await readSentences(db, workspaceId, ids);
    for (const { run_id: runId, subject_id: id } of slice) {
      const run = runs.get(runId);
      if (run === undefined) continue;
      const { asked: prompt, language = 'und', answer } = run;
      const parts = findItems(run).get(id)?.items ?? [];
      const excerpts = parts.map((pieces) =>
        pieces.map(({ start, end }) => answer.slice(start, end).trim()).join(' [...] '),
      );
      const sentence = sentences.get(`${runId} ${id}`);
      if (excerpts.length === 0 && sentence !== undefined) excerpts.push(sentence);
      const subject = names.get(id) ?? '';
      read.push({ run_id: runId, subject_id: id, subject, prompt, language, answer, excerpts });
    }
  }
  return read;
}

/** The sentences that cite subjects: a subject that is only linked has no other part. */
async function readSentences(
  db: Kysely<DataTables>,
  workspaceId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await db
    .selectFrom('detections')
    .select(['run_id', 'subject_id', 'sentence'])
    .where('workspace_id', '=', workspaceId)
    .where('run_id', 'in', pad(ids))
    .where('cited', '=', true)
    .execute();
  return new Map(
    rows.map(({ run_id: run, subject_id: id, sentence }) => [`${run} ${id}`, sentence ?? '']),
  );
}
