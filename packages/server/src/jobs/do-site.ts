import { settleDays } from '../crawlers/hits/settle-days.ts';
import { noteEvent } from '../people/events.ts';
import type { Store } from '../storage/store.ts';
import { addOwnSite, listOwnSites, removeOwnSite } from '../workspaces/own-sites.ts';
import type { JobTools } from './job-tools.ts';
import type { SiteWork } from './work.ts';

/** Adds or removes an own site, then settles the days of hits. Doing it twice changes nothing more. */
export async function doSite(
  store: Store,
  { action, domain }: SiteWork,
  { workspaceId, userId, clock }: JobTools,
): Promise<Record<string, never>> {
  const sites = await listOwnSites(store.writer, workspaceId);
  const isAdded = sites.some((site) => site.domain === domain && site.isAdded);
  if (isAdded !== (action === 'add')) {
    await (action === 'add' ? addOwnSite : removeOwnSite)(store, workspaceId, domain);
    const kind = action === 'add' ? 'site_added' : 'site_removed';
    await noteEvent(
      store.access,
      { userId, clock },
      { workspaceId, kind, facts: { name: domain } },
    );
  }
  await settleDays(store, workspaceId);
  return {};
}
