import { z } from 'zod';
import { parseQuery } from '../../api/request/query.ts';
import { splitTarget } from '../../api/request/request-steps.ts';
import type { Visit } from './visit.ts';

const none = z.object({});

/** Refuses parameters on a page that has none. */
export function noParameters({ request }: Visit): void {
  parseQuery(splitTarget(request.originalUrl).search, none, 'page');
}
