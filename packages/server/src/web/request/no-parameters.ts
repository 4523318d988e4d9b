import { z } from 'zod';
import { parseQuery } from '../../api/request/query.ts';
import { splitTarget } from '../../api/request/split-target.ts';
import type { PageContext } from './page-context.ts';

const none = z.object({});

/** Refuses parameters on a page that has none. */
export function noParameters({ request }: PageContext): void {
  parseQuery(splitTarget(request.originalUrl).search, none, 'page');
}
