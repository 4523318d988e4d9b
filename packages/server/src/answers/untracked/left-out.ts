import type { Kysely } from 'kysely';
import type { DataTables } from '../../storage/schema.ts';
import { siteOf } from '../../values/sites/site.ts';
import { domainHost } from '../../values/sites/web-host.ts';
import type { TrackedSubject } from '../subjects.ts';
import { bareName } from './find-names.ts';
import { foldWord } from './words.ts';

/**
 * Names and sites that are not suggested, because they are tracked or a person has dismissed them.
 */
export interface LeftOut {
  /** Whether a folded name is a subject's name, a word of it, or the name in its domain. */
  readonly isTracked: (key: string) => boolean;
  /** Whether a site, or a page of it, belongs to a subject. */
  readonly isOwned: (site: string) => boolean;
  readonly isDismissed: (key: string) => boolean;
  /** Whether the site, or a name that matches it, was dismissed. */
  readonly isSiteDismissed: (site: string) => boolean;
}

/** Reads the names and sites that a workspace does not want suggested. */
export async function readLeftOut(
  db: Kysely<DataTables>,
  workspaceId: string,
  subjects: readonly TrackedSubject[],
): Promise<LeftOut> {
  const rows = await db
    .selectFrom('dismissed_names')
    .select('name')
    .where('workspace_id', '=', workspaceId)
    .execute();
  const dismissed = new Set(rows.map(({ name }) => foldWord(name)));
  const bare = new Set(rows.map(({ name }) => bareName(name)));
  return {
    isTracked: createTrackedTest(subjects),
    isOwned: createOwnedTest(subjects),
    isDismissed: (key) => dismissed.has(key),
    isSiteDismissed: (site) => dismissed.has(site) || bare.has(bareName(site.split('.')[0] ?? '')),
  };
}

function createOwnedTest(subjects: readonly TrackedSubject[]): LeftOut['isOwned'] {
  const hosts = subjects.flatMap(({ domains, paths = [] }) => [
    ...domains.map(domainHost),
    ...paths.map((path) => domainHost(path)),
  ]);
  const owned = new Set(hosts.flatMap((host) => (host === undefined ? [] : [siteOf(host)])));
  return (site) => owned.has(site);
}

function createTrackedTest(subjects: readonly TrackedSubject[]): LeftOut['isTracked'] {
  const names = subjects.flatMap(({ aliases, domains }) => [
    ...aliases.filter(({ match }) => match !== 'pattern').map(({ alias }) => alias),
    ...domains.map((domain) => (domainHost(domain) ?? '').split('.')[0] ?? ''),
  ]);
  const words = names.flatMap((name) => [foldWord(name), ...foldWord(name).split(/[\s.-]+/)]);
  const tracked = new Set(words);
  return (key) => tracked.has(key) || tracked.has(key.split(' ')[0] ?? '');
}
