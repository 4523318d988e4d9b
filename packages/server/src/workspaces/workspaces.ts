import { nearest } from '@overheard/contract';
import type { Kysely } from 'kysely';
import { Refusal } from '../refusals.ts';
import { isDuplicate } from '../storage/duplicate.ts';
import { newId } from '../values/uuid.ts';
import { countsVersion } from '../storage/counts/counts-version.ts';
import type { DataTables } from '../storage/schema.ts';
import type { Store } from '../storage/store.ts';
import { newRevision, writeWorkspace } from '../storage/write.ts';
import { cleanText, nameLengthMax, parseSubjectWords } from './words.ts';
import { insertSubject } from './write-subject.ts';
import type { SubjectWords } from './words.ts';

/** A tenant. */
export interface Workspace {
  readonly id: string;
  /** The workspace's name on the command line. */
  readonly slug: string;
  readonly name: string;
  readonly created_at: string;
  /** Language and market of its prompts, such as `en-US`; null if nobody said. */
  readonly locale: string | null;
  readonly archived_at: string | null;
}

const columns = ['id', 'slug', 'name', 'created_at', 'locale', 'archived_at'] as const;

/**
 * Creates a workspace with its brand and its first revision, in one transaction. Throws a `Refusal`
 * if the slug is taken, or one of its words cannot be stored.
 */
export async function createWorkspace(
  store: Store,
  {
    slug,
    name,
    brand,
    locale = null,
    clock,
  }: {
    slug: string;
    name: string;
    brand: SubjectWords;
    locale?: string | null;
    clock: () => number;
  },
): Promise<Workspace> {
  const workspace: Workspace = {
    id: newId(clock),
    slug: parseSlug(slug),
    name: cleanName(name),
    created_at: new Date(clock()).toISOString(),
    locale,
    archived_at: null,
  };
  await store.write(async (transaction) => {
    const inserted = await transaction
      .insertInto('workspaces')
      .values(workspace)
      .onConflict((conflict) => conflict.column('slug').doNothing())
      .executeTakeFirst();
    if (inserted.numInsertedOrUpdatedRows !== 1n) throw new Refusal('slug_taken', { slug });
    await transaction
      .insertInto('revisions')
      .values({ workspace_id: workspace.id, revision: newRevision() })
      .execute();
    await transaction
      .insertInto('rollup_states')
      .values({ workspace_id: workspace.id, version: countsVersion })
      .execute();
    await insertSubject(transaction, workspace.id, { type: 'brand', words: brand, clock });
  });
  return workspace;
}

/** Every workspace, by slug. */
export async function listWorkspaces(db: Kysely<DataTables>): Promise<Workspace[]> {
  return db.selectFrom('workspaces').select(columns).orderBy('slug').execute();
}

/** The workspace of a slug. Throws a `Refusal` that names the nearest one if there is none. */
export async function findWorkspace(db: Kysely<DataTables>, slug: string): Promise<Workspace> {
  const workspace = await findWorkspaceBySlug(db, slug);
  if (workspace !== undefined) return workspace;
  const slugs = (await listWorkspaces(db)).map((other) => other.slug);
  throw new Refusal('workspace_not_found', {
    slug,
    nearest: nearest(slug, slugs),
    hasAny: slugs.length > 0,
  });
}

/** The workspace of a slug, if there is one. */
export async function findWorkspaceBySlug(
  db: Kysely<DataTables>,
  slug: string,
): Promise<Workspace | undefined> {
  return db.selectFrom('workspaces').select(columns).where('slug', '=', slug).executeTakeFirst();
}

/** The workspace of an id, if it has not been removed. */
export async function findWorkspaceById(
  db: Kysely<DataTables>,
  id: string,
): Promise<Workspace | undefined> {
  return db.selectFrom('workspaces').select(columns).where('id', '=', id).executeTakeFirst();
}

/**
 * Archives a workspace: it is listed apart, and its prompts are not asked. Or brings it back.
 */
export async function archiveWorkspace(
  store: Store,
  workspaceId: string,
  { archivedAt }: { archivedAt: string | null },
): Promise<void> {
  await writeWorkspace(store, workspaceId, async (transaction) => {
    const { numUpdatedRows } = await transaction
      .updateTable('workspaces')
      .set({ archived_at: archivedAt })
      .where('id', '=', workspaceId)
      .where('archived_at', archivedAt === null ? 'is not' : 'is', null)
      .executeTakeFirst();
    return { hasChanged: numUpdatedRows > 0n };
  });
}

/** A slug for a name in Latin letters; empty for other names. */
export function proposeSlug(name: string): string {
  return name
    .normalize('NFD')
    .toLowerCase()
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 63)
    .replace(/-+$/, '');
}

/** Changes a workspace's name, slug or locale. Says whether anything changed. */
export async function setWorkspace(
  store: Store,
  workspace: Workspace,
  {
    slug = workspace.slug,
    name = workspace.name,
    locale = workspace.locale,
  }: { slug?: string; name?: string; locale?: string | null },
): Promise<{ hasChanged: boolean; workspace: Workspace }> {
  const changed: Workspace = { ...workspace, slug: parseSlug(slug), name: cleanName(name), locale };
  return writeWorkspace(store, workspace.id, async (transaction) => {
    const isSame = (['slug', 'name', 'locale'] as const).every(
      (field) => changed[field] === workspace[field],
    );
    if (isSame) {
      return { hasChanged: false, workspace };
    }
    const other = await transaction
      .selectFrom('workspaces')
      .select('id')
      .where('slug', '=', changed.slug)
      .where('id', '!=', workspace.id)
      .executeTakeFirst();
    if (other !== undefined) throw new Refusal('slug_taken', { slug });
    await transaction
      .updateTable('workspaces')
      .set({ slug: changed.slug, name: changed.name, locale })
      .where('id', '=', workspace.id)
      .execute()
      .catch((error: unknown) => {
        // Another process may have taken the slug since the check.
        throw isDuplicate(error) ? new Refusal('slug_taken', { slug }) : error;
      });
    return { hasChanged: true, workspace: changed };
  });
}

function cleanName(name: string): string {
  return cleanText(name, { field: 'workspace_name', lengthMax: nameLengthMax });
}

/** Checks a new workspace's words without the database. Throws a `Refusal` for invalid ones. */
export function checkWorkspace(workspace: {
  slug: string;
  name: string;
  brand: SubjectWords;
}): void {
  parseSlug(workspace.slug);
  cleanName(workspace.name);
  parseSubjectWords(workspace.brand);
}

/** Checks the name of a workspace on the command line. Throws a `Refusal` for another form. */
export function parseSlug(slug: string): string {
  if (/^[a-z0-9][a-z0-9-]{0,62}$/.test(slug)) return slug;
  throw new Refusal('slug_malformed', { slug });
}
