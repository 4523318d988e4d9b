/** How a run ended. Only `answered` runs are counted. */
export const outcomes = ['answered', 'refused', 'empty', 'failed'] as const;
export type Outcome = (typeof outcomes)[number];
