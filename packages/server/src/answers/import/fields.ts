/** What an export writes, in the order in which it is documented. */
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

/** What a row of answers may say: also whether its prompt is to be put to engines, for money. */
export const answerFields = [...exportedFields, 'collect'] as const;

/** What a row of a reading says, which Overheard makes itself. */
export const readingFields = [...exportedFields, 'cohort'] as const;

export type AnswerField = (typeof answerFields)[number];
