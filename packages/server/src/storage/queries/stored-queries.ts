import { z } from 'zod';
import { parseJson } from '../../values/json.ts';

const list = z.array(z.string()).readonly();

/** Reads `answers.queries`: what an engine searched for; null if that is unknown. */
export function parseStoredQueries(queries: string | null): readonly string[] | null {
  return queries === null ? null : list.parse(parseJson(queries));
}
