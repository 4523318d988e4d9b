import type { AnswerRow } from '@overheard/contract';
import { selectBrandDomains } from '../storage/queries/read-own-sites.ts';
import { createMemo } from '../values/memo.ts';
import { createPageOwners } from '../values/sites/page-owners.ts';
import { siteOf } from '../values/sites/site.ts';
import { domainHost, hostOf } from '../values/sites/web-host.ts';
import type { ReportSource } from './report-source.ts';

/** A page's site and its owner. */
export interface OwnedPage {
  /** The registrable domain; empty if the address has none. */
  readonly site: string;
  readonly owner: AnswerRow['sources'][number]['owner'];
  readonly ownerId: string | null;
}

const pagesMax = 20_000;

/** Reads the domains and paths of the current subjects, which decide who owns a page. */
export async function readOwners({
  db,
  workspaceId,
}: ReportSource): Promise<(url: string) => OwnedPage> {
  const subjects = await db
    .selectFrom('subjects')
    .select(['id', 'subject_type'])
    .where('workspace_id', '=', workspaceId)
    .where('archived_at', 'is', null)
    .execute();
  const domains = await db
    .selectFrom('subject_domains')
    .select(['subject_id', 'domain'])
    .where('workspace_id', '=', workspaceId)
    .execute();
  const paths = await db
    .selectFrom('subject_paths')
    .select(['subject_id', 'path'])
    .where('workspace_id', '=', workspaceId)
    .execute();
  const domainsOf = Map.groupBy(domains, (row) => row.subject_id);
  const pathsOf = Map.groupBy(paths, (row) => row.subject_id);
  const ownerOf = createPageOwners(
    subjects.map(({ id }) => ({
      domains: (domainsOf.get(id) ?? []).map(({ domain }) => domain),
      paths: (pathsOf.get(id) ?? []).map(({ path }) => path),
    })),
  );
  return createMemo(pageOf, { entriesMax: pagesMax });

  function pageOf(url: string): OwnedPage {
    const host = hostOf(url);
    if (host === undefined) return { site: '', owner: 'other', ownerId: null };
    const subject = subjects[ownerOf(url, host) ?? -1];
    return {
      site: siteOf(host),
      owner: subject?.subject_type ?? 'other',
      ownerId: subject?.id ?? null,
    };
  }
}

/** The host to assume for requests whose log names none: the brand's domain, if it has only one. */
export async function readHostUnnamed({
  db,
  workspaceId,
}: ReportSource): Promise<string | undefined> {
  const [domain, ...others] = await selectBrandDomains(db, workspaceId).execute();
  return domain === undefined || others.length > 0 ? undefined : domainHost(domain.domain);
}

/** Which addresses are the brand's, and the host to assume for requests whose log names none. */
export async function readOwn(source: ReportSource) {
  const ownerOf = await readOwners(source);
  return {
    isOwn: (address: string) => ownerOf(address).owner === 'brand',
    hostUnnamed: await readHostUnnamed(source),
  };
}
