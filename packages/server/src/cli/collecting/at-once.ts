import { number } from '../define/options.ts';

export const atOnce = number('questions open at the same time, for each engine', {
  min: 1,
  max: 64,
  initial: 4,
});

/** A sent question is paid for, so wait for its answer as long as an engine may take. */
export const lastAnswerMs = 610_000;
