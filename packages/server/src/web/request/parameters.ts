import { z } from 'zod';
import { parseQuery } from '../../api/request/query.ts';
import { splitTarget } from '../../api/request/split-target.ts';
import { pageTarget } from './page-context.ts';

type Target = Parameters<typeof pageTarget>[0];

/**
 * The parameters of a page, which a form may send empty if `mayBeEmpty`. Throws `invalid_parameter`
 * for any other parameter, a repeated one, and one whose value is invalid.
 */
export function readParameters<Query extends z.ZodObject>(
  context: Target,
  schema: Query,
  { mayBeEmpty = false } = {},
): z.infer<Query> {
  const { search } = splitTarget(pageTarget(context));
  return parseQuery(mayBeEmpty ? withoutEmpty(search, schema) : search, schema, 'page');
}

const none = z.object({});

/** Refuses parameters on a page that has none. */
export function noParameters(context: Target): void {
  readParameters(context, none);
}

/** Removes empty parameters, because a form also sends selects without a choice. */
function withoutEmpty(search: string, { shape }: z.ZodObject): string {
  const isEmpty = (part: string) => part.endsWith('=') && part.slice(0, -1) in shape;
  return search
    .split('&')
    .filter((part) => !isEmpty(part))
    .join('&');
}
