import { hash } from 'node:crypto';
import { matchesTag, readRevision } from '../../api/response/entity-tag.ts';
import { utcDay } from '../../values/time/utc-day.ts';
import { version } from '../../version.ts';
import type { Route, Visit } from '../request/visit.ts';

/**
 * The weak entity tag of a page that shows reports, undefined for any other. It changes with the data, the
 * UTC day, the address, the person who looks, and the code that draws the page.
 */
export async function pageTag(visit: Visit, { dependsOn }: Route): Promise<string | undefined> {
  if (dependsOn === undefined) return undefined;
  const { workspace, session, role, assets, request, clock } = visit;
  const revision = await readRevision(visit.store.reader, workspace?.id ?? '');
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
    await dependsOn(visit),
  ];
  return `W/"${hash('sha256', JSON.stringify(parts), 'base64url').slice(0, 22)}"`;
}

/** Whether the browser already has the current page. */
export function isUnchanged({ request }: Visit, tag: string | undefined): boolean {
  return tag !== undefined && matchesTag(request.headers['if-none-match'], tag);
}
