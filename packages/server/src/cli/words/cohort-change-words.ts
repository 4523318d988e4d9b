import type { CohortChange } from '../../reports/cohort-changes.ts';

/** A change of an engine as one sentence. */
export function cohortChangeWords({
  engine,
  date,
  kind,
  models,
  modelsBefore,
}: CohortChange): string {
  const consequence = 'Answers before and after are not compared.';
  if (kind === 'asking') {
    return `From ${date} on, ${engine} was asked or read in another way (tool, options or reading rule). ${consequence}`;
  }
  return `On ${date}, ${engine} began to answer as ${modelWords(models)} (before: ${modelWords(modelsBefore)}). ${consequence}`;
}

function modelWords(models: readonly string[]): string {
  return models.length === 0 ? 'a model that it does not name' : models.join(', ');
}
