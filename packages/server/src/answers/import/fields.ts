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

export type AnswerField = (typeof answerFields)[number];
