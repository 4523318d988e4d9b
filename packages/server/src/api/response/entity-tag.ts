import type { Endpoint, EndpointName } from '@overheard/contract';
import type { Kysely } from 'kysely';
import type { DataTables } from '../../storage/schema.ts';
import type { PreparedQuery } from '../request/prepared-query.ts';

/** One query of one workspace to one endpoint, at one state of the data. */
export interface EndpointQuery {
  readonly endpoint: Endpoint<EndpointName>;
  readonly prepared: PreparedQuery;
  /** The query string of a report, which a thread prepares again. */
  readonly reportSearch?: string | undefined;
  readonly workspaceId: string;
  /** The UTC day, `2026-11-20`. */
  readonly today: string;
  readonly revision: string;
}

/**
 * The weak entity tag of the response. It changes with the contract (`contract` names the version
 * that is served), the data's revision, the query, and at midnight UTC if the response does. Every
 * part is our own text and has no quotes.
 */
export function entityTag(
  { endpoint, prepared, today, revision }: EndpointQuery,
  contract: string,
): string {
  const query = Object.entries(prepared.values).map(
    ([name, value]) => `${name}=${encodeURIComponent(String(value))}`,
  );
  const day = endpoint.dependsOnDate ? today : '';
  return `W/"${[contract, revision, day, ...query].join('.')}"`;
}

/** Whether an `If-None-Match` header names a tag, compared weakly (RFC 9110, 13.1.2). */
export function matchesTag(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === '*') return true;
  const opaque = tag.replace(/^W\//, '');
  const named: readonly string[] = ifNoneMatch.match(/"[^"]*"/g) ?? [];
  return named.includes(opaque);
}

/**
 * Reads the revision of a workspace's data, which tags cover and every write changes. Empty if the
 * workspace has been removed.
 */
export async function readRevision(db: Kysely<DataTables>, workspaceId: string): Promise<string> {
  const row = await db
    .selectFrom('revisions')
    .select('revision')
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirst();
  return row?.revision ?? '';
}
