import { hash } from 'node:crypto';
import { nearest } from '@overheard/contract';
import type { SubjectType } from '@overheard/contract';
import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import { Refusal } from '../refusals.ts';
import { chooseId, isIdPrefix } from '../storage/queries/find-id.ts';
import type { DataTables } from '../storage/schema.ts';
import { readAliases, readDomains, readPaths } from '../storage/queries/read-subject-words.ts';
import type { Alias } from '../values/alias.ts';
import { fold, givenAliases } from './words.ts';

/** A tracked name as it is stored. An archived subject has only its name. */
export interface Subject {
  readonly id: string;
  readonly subject_type: SubjectType;
  readonly name: string;
  /** Aliases without the name itself, unless the name is matched in another way than by default. */
  readonly aliases: readonly Alias[];
  readonly domains: readonly string[];
  /** Paths that the subject owns on third-party sites: `github.com/acme`. */
  readonly paths: readonly string[];
  readonly created_at: string;
  readonly archived_at: string | null;
}

/** A short text that differs if the words of a subject differ. */
export function versionOf({ name, aliases, domains, paths, archived_at }: Subject): string {
  const words = [name, aliases.map(({ alias, match }) => [alias, match]), domains, paths];
  return hash('sha256', JSON.stringify([words, archived_at]), 'base64url').slice(0, 16);
}

/**
 * The subjects of a workspace: the brand, then competitors by name. Includes archived ones only on
 * request.
 */
export async function listSubjects(
  db: Kysely<DataTables>,
  workspaceId: string,
  { includesArchived = false }: { includesArchived?: boolean } = {},
): Promise<Subject[]> {
  const subjects = await db
    .selectFrom('subjects')
    .select(['id', 'subject_type', 'name', 'created_at', 'archived_at'])
    .where('workspace_id', '=', workspaceId)
    .$if(!includesArchived, (query) => query.where('archived_at', 'is', null))
    .orderBy('subject_type')
    .orderBy('name')
    .orderBy('id')
    .execute();
  const aliasesOf = await readAliases(db, workspaceId);
  const domainsOf = await readDomains(db, workspaceId);
  const pathsOf = await readPaths(db, workspaceId);
  return subjects.map((subject) => ({
    ...subject,
    aliases: givenAliases(subject.name, aliasesOf(subject.id)),
    domains: domainsOf(subject.id),
    paths: pathsOf(subject.id),
  }));
}

/**
 * Finds a subject by an id, a name, an alias or the beginning of an id. Finds an archived one only
 * by its id. Throws a `Refusal` that names the nearest one if there is none.
 */
export async function findSubject(
  db: Kysely<DataTables>,
  workspaceId: string,
  idOrName: string,
): Promise<Subject> {
  const subjects = await listSubjects(db, workspaceId, { includesArchived: true });
  const byId = subjects.find((subject) => subject.id === idOrName.toLowerCase());
  if (byId !== undefined) return byId;
  const named = subjects.filter((subject) => fold(subject.name) === fold(idOrName));
  const id = await idOfAlias(db, workspaceId, fold(idOrName));
  const live =
    named.find((subject) => subject.archived_at === null) ??
    subjects.find((subject) => subject.id === id);
  if (live !== undefined) return live;
  const archived = named[0];
  if (archived !== undefined) {
    throw new Refusal('subject_removed', { name: archived.name, id: archived.id });
  }
  const begun = isIdPrefix(idOrName)
    ? subjects.filter((subject) => subject.id.startsWith(idOrName.toLowerCase()))
    : [];
  const chosenId = chooseId(
    begun.map(({ id: each, name }) => ({ id: each, label: name })),
    idOrName,
  );
  const meant = begun.find((subject) => subject.id === chosenId);
  if (meant !== undefined) return meant;
  const names = subjects.filter(({ archived_at }) => archived_at === null).map(({ name }) => name);
  throw new Refusal('subject_not_found', {
    subject: idOrName,
    nearest: nearest(idOrName, names),
  });
}

async function idOfAlias(
  db: Kysely<DataTables>,
  workspaceId: string,
  folded: string,
): Promise<string | undefined> {
  const owner = await db
    .selectFrom('subject_aliases')
    .select('subject_id')
    .where('workspace_id', '=', workspaceId)
    .where('folded', '=', folded)
    .where('match', '!=', sql.lit('pattern'))
    .executeTakeFirst();
  return owner?.subject_id;
}
