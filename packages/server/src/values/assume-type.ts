import { z } from 'zod';

/**
 * Assumes, without a check, that a value has a type. Only for a value that this program wrote
 * itself: a message between its threads, or a packed column or published page that only one module writes. Everything
 * else is parsed.
 */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- It is a type assertion.
export function assumeType<T>(value: unknown): T {
  return z.custom<T>().parse(value);
}
