/** What a row of answers may say, in the order in which it is documented. */
export const answerFields = [
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

/** What a row of a reading says, which Overheard makes itself. */
export const readingFields = [...answerFields, 'cohort'] as const;

export type AnswerField = (typeof answerFields)[number];
