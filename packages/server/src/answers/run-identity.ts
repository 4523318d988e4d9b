import { contentId } from '../values/uuid.ts';

/** The id of a run whose row has none. */
export function contentRunId({
  promptId,
  engine,
  model,
  runAt,
  answer,
}: {
  readonly promptId: string;
  readonly engine: string;
  readonly model: string | null;
  readonly runAt: string;
  readonly answer: string;
}): string {
  return contentId('run', [promptId, engine, model, runAt, answer]);
}

/**
 * The cohort of an imported run. Only figures of the same cohort are compared. It uses every
 * imported fact that could explain a difference between answers.
 */
export function importedCohort({
  engine,
  model,
  locale,
}: {
  readonly engine: string;
  readonly model: string | null;
  readonly locale: string;
}): string {
  return contentId('cohort', [engine, model, locale]);
}
