import { hash } from 'node:crypto';
import { matchesTag, readRevision } from '../../api/response/entity-tag.ts';
import { utcDay } from '../../values/time/utc-day.ts';
import { version } from '../../version.ts';
import type { Route, PageContext } from '../request/page-context.ts';

/**
 * The weak entity tag of a page that shows reports, undefined for any other. It changes with the data, the
 * UTC day, the address, the person who looks, and the code that draws the page.
 */
export async function pageTag(
  context: PageContext,
  { dependsOn }: Route,
): Promise<string | undefined> {
  if (dependsOn === undefined) return undefined;
  const { workspace, session, role, assets, request, clock } = context;
  const revision = await readRevision(context.store.reader, workspace?.id ?? '');
  const parts = [
    version,
    assets.style.path,
    assets.script.path,
    revision,
    utcDay(clock()),
    request.originalUrl,
    workspace,
    session?.user,
    role,
    await dependsOn(context),
  ];
  return `W/"${hash('sha256', JSON.stringify(parts), 'base64url').slice(0, 22)}"`;
}

/** Whether the browser already has the current page. */
export function isUnchanged({ request }: PageContext, tag: string | undefined): boolean {
  return tag !== undefined && matchesTag(request.headers['if-none-match'], tag);
}
