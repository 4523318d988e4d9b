import type { report } from '@overheard/contract';
import type { z } from 'zod';
import type { Period } from '../../reports/shares/windows.ts';
import { periodOf } from './period.ts';
import { prepareCapped } from './prepared-query.ts';
import type { PreparedQuery } from './prepared-query.ts';
import { parseQuery } from './query.ts';
import type { ReadRequest } from './read-request.ts';

/**
 * Makes the `prepare` function of an endpoint that reports a period. `toQuery` turns the parsed
 * parameters into the query that `read` takes.
 */
export function ofPeriod<Schema extends z.ZodObject<typeof report.query.shape>, Query>(
  schema: Schema,
  toQuery: (values: z.infer<Schema>, period: Period) => Query,
  read: (request: ReadRequest, query: Query) => Promise<readonly unknown[]>,
) {
  return function prepare(search: string, today: string): PreparedQuery {
    const values = parseQuery(search, schema);
    const query = toQuery(values, periodOf(values, today));
    return prepareCapped(values, (request) => read(request, query));
  };
}
