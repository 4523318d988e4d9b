import { eachOnce } from './answer.ts';
import type { EngineAnswer } from './engine.ts';

/**
 * Faults that mean that nothing was billed. They cannot apply to an answer whose first half was
 * billed.
 */
const unbilled = new Set(['unreached', 'wait', 'switch_off', 'rejected']);

/**
 * Joins a paused answer and its continuation. The second half is the answer, and both halves were
 * billed.
 */
export function joinAnswers(first: EngineAnswer, second: EngineAnswer): EngineAnswer {
  const sum = (left: number | null, right: number | null): number | null =>
    left === null && right === null ? null : (left ?? 0) + (right ?? 0);
  const [left, right] = [first.tokens, second.tokens];
  const { fault } = second;
  return {
    ...second,
    ...(unbilled.has(fault?.kind ?? '') && { fault: { kind: 'unfinished', code: fault?.code } }),
    model: second.model ?? first.model,
    retrieved: eachOnce([...first.retrieved, ...second.retrieved]),
    queries:
      first.queries === null ? second.queries : [...first.queries, ...(second.queries ?? [])],
    searches: sum(first.searches, second.searches),
    reportedUsd: sum(first.reportedUsd, second.reportedUsd),
    tokens:
      left === null || right === null
        ? (left ?? right)
        : {
            input: left.input + right.input,
            cached: left.cached + right.cached,
            output: left.output + right.output,
          },
  };
}
