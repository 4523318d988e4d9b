import { isDeepStrictEqual } from 'node:util';
import type { Answer } from '../answer.ts';

const compared = [
  'promptId',
  'engine',
  'model',
  'runAt',
  'outcome',
  'answer',
  'sources',
] as const satisfies ReadonlyArray<keyof Answer>;

export type ComparedField = (typeof compared)[number];

/** The first field in which two answers of one run differ; undefined where they are the same. */
export function differingField(
  left: Pick<Answer, ComparedField>,
  right: Pick<Answer, ComparedField>,
): ComparedField | undefined {
  return compared.find((field) => !isDeepStrictEqual(left[field], right[field]));
}
