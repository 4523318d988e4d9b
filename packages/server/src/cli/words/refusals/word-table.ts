import type { RefusalCode, RefusalFacts } from '../../../refusals.ts';

/** What happened, and what to do. An advice that begins with a line feed stays on lines of its own. */
export type Words = readonly [happened: string, advice?: string];

/** The words of each refusal, made from its facts. */
export type WordTable = {
  readonly [Code in RefusalCode]: (facts: RefusalFacts[Code]) => Words;
};
