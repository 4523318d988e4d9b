import type { Selectable } from 'kysely';
import type { LedgerTables } from '../../storage/schema.ts';
import type { Ledger } from '../../storage/store.ts';
import { engineOfKind } from '../engine-settings.ts';
import { queriesOf, searchedOf } from '../engines/answer.ts';
import { joinAnswers } from '../engines/join-answers.ts';
import type { EngineAnswer } from '../engines/engine.ts';
import { runCohort } from './claim.ts';
import { unpackResponses } from './kept-bodies.ts';
import type { PackedBodies } from './kept-bodies.ts';

export type StoredBodies = Pick<Selectable<LedgerTables['readings']>, 'kind'> & PackedBodies;

/** Reads the stored responses of a reading as if they had arrived now. */
export function readStored(bodies: StoredBodies): EngineAnswer {
  const { read } = engineOfKind(bodies.kind ?? '');
  const answers = unpackResponses(bodies).map(({ status, response }) => read(status, {}, response));
  return answers.reduce(joinAnswers);
}

export type StoredReading = StoredBodies &
  Pick<
    Selectable<LedgerTables['readings']>,
    'id' | 'prompt_id' | 'engine' | 'asked' | 'locale' | 'cohort' | 'sent_at'
  >;

/** The columns of a `StoredReading`. */
const storedColumns = [
  ...(['id', 'prompt_id', 'engine', 'asked', 'locale', 'kind', 'cohort', 'sent_at'] as const),
  ...(['status', 'request', 'response', 'earlier'] as const),
] as const;

/** Selects the stored columns of a workspace's readings that are done. */
export function selectDone({ db }: Ledger, workspaceId: string) {
  return db
    .selectFrom('readings')
    .innerJoin('bodies', (join) =>
      join
        .on('bodies.workspace_id', '=', workspaceId)
        .onRef('bodies.reading_id', '=', 'readings.id'),
    )
    .select(storedColumns)
    .where('readings.workspace_id', '=', workspaceId)
    .where('state', '=', 'done');
}

/** Makes a row for the import of answers. The run gets the reading's id. */
export function toAnswerRow(reading: StoredReading): {
  readonly answer: EngineAnswer;
  readonly row: object;
} {
  const { id, prompt_id, engine, asked: prompt, locale, sent_at: run_at } = reading;
  const answer = readStored(reading);
  const { outcome, text, sources, model } = answer;
  const cohort = runCohort(reading.cohort ?? '', model, engineOfKind(reading.kind ?? ''));
  const search = { queries: queriesOf(answer), searched: searchedOf(answer) };
  const content = { model, cohort, run_at, outcome, answer: text, sources, ...search };
  return { answer, row: { id, prompt_id, prompt, locale, engine, ...content } };
}
