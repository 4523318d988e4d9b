import type { Kysely } from 'kysely';
import { Refusal } from '../refusals.ts';
import { readOwnSites } from '../storage/queries/read-own-sites.ts';
import { unsettleDays } from '../storage/queries/unsettle-days.ts';
import type { DataTables } from '../storage/schema.ts';
import type { Store } from '../storage/store.ts';
import { writeWorkspace } from '../storage/write.ts';
import { parseDomain } from './words.ts';

/** An own site, and whether it was added; the others are domains of the brand. */
export type OwnSite = Awaited<ReturnType<typeof listOwnSites>>[number];

/** Lists the own sites of a workspace by domain. */
export async function listOwnSites(db: Kysely<DataTables>, workspaceId: string) {
  const rows = await db
    .selectFrom('own_sites')
    .select('domain')
    .where('workspace_id', '=', workspaceId)
    .execute();
  const added = new Set(rows.map(({ domain }) => domain));
  const domains = await readOwnSites(db, workspaceId);
  return domains.map((domain) => ({ domain, isAdded: added.has(domain) }));
}

/**
 * Adds an own site, by its domain, to the workspace's. Throws a `Refusal` for a malformed domain. Call
 * `settleDays` afterwards, as for each change of own sites.
 */
export async function addOwnSite(store: Store, workspaceId: string, text: string): Promise<string> {
  const domain = parseDomain(text);
  await writeWorkspace(store, workspaceId, async (transaction) => {
    await transaction
      .insertInto('own_sites')
      .values({ workspace_id: workspaceId, domain })
      .onConflict((conflict) => conflict.columns(['workspace_id', 'domain']).doNothing())
      .execute();
    await unsettleDays(transaction, workspaceId);
    return { hasChanged: false };
  });
  return domain;
}

/** Removes a site that was added. Throws a `Refusal` if it was not added. */
export async function removeOwnSite(
  store: Store,
  workspaceId: string,
  text: string,
): Promise<string> {
  const domain = parseDomain(text);
  await writeWorkspace(store, workspaceId, async (transaction) => {
    const { numDeletedRows } = await transaction
      .deleteFrom('own_sites')
      .where('workspace_id', '=', workspaceId)
      .where('domain', '=', domain)
      .executeTakeFirst();
    if (numDeletedRows === 0n) {
      const isBrands = (await readOwnSites(transaction, workspaceId)).includes(domain);
      throw new Refusal('site_not_added', { domain, isBrands });
    }
    await unsettleDays(transaction, workspaceId);
    return { hasChanged: false };
  });
  return domain;
}
