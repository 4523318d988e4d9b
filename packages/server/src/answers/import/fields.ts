/** The fields of an export, in the documented order. */
export const exportedFields = [
  'id',
  'prompt_id',
  'prompt',
  'language',
  'locale',
  'engine',
  'model',
  'run_at',
  'outcome',
  'answer',
  'sources',
] as const;

/**
 * The fields that a row of answers may have. One of them switches paid asking of its prompt on or
 * off.
 */
export const answerFields = [...exportedFields, 'collect'] as const;

/** The fields of a reading's row, which Overheard itself writes. */
export const readingFields = [...exportedFields, 'cohort'] as const;

export type AnswerField = (typeof answerFields)[number];
