import { z } from 'zod';
import { parseQuery } from '../../api/request/query.ts';
import { splitTarget } from '../../api/request/request-steps.ts';
import type { Visit } from './visit.ts';

const none = z.object({});

/** Refuses what follows `?` on a page that takes nothing there. */
export function noParameters({ request }: Visit): void {
  parseQuery(splitTarget(request.originalUrl).search, none, 'page');
}
