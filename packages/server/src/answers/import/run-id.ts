import { contentId } from '../../values/uuid.ts';
import type { Answer } from './answer.ts';

/** The id of a run that brings none. */
export function contentRunId({
  promptId,
  engine,
  model,
  runAt,
  answer,
}: Pick<Answer, 'promptId' | 'engine' | 'model' | 'runAt' | 'answer'>): string {
  return contentId('run', [promptId, engine, model, runAt, answer]);
}
