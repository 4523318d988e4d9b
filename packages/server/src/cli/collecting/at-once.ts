import { number } from '../define/options.ts';

export const atOnce = number('questions open at the same time, for each engine', {
  min: 1,
  max: 64,
  initial: 4,
});
