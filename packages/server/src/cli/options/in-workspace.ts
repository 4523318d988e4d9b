import type { Store } from '../../storage/store.ts';
import type { Subject } from '../../workspaces/subject.ts';
import { findWorkspace } from '../../workspaces/workspaces.ts';
import { withStore } from './with-store.ts';

/** The options of a command that is about one workspace. */
export interface WorkspaceOptions {
  readonly database: string;
  readonly workspace: string;
}

/** Does something in the workspace that `--workspace` names. */
export async function inWorkspace<Result>(
  { database, workspace: slug }: WorkspaceOptions,
  work: (store: Store, workspaceId: string) => Promise<Result>,
): Promise<Result> {
  return withStore(database, async (store) => {
    const workspace = await findWorkspace(store.reader, slug);
    return work(store, workspace.id);
  });
}

/** A subject in words: name, id, aliases, domains, owned paths. */
export function describe(subject: Subject): string {
  const aliases = aliasWords(subject);
  return [
    `${subject.name} (${subject.id})`,
    ...(aliases === '' ? [] : [`aliases ${aliases}`]),
    ...(subject.domains.length === 0 ? [] : [`domains ${subject.domains.join(', ')}`]),
    ...(subject.paths.length === 0 ? [] : [`paths ${subject.paths.join(', ')}`]),
  ].join('; ');
}

/** The aliases of a subject in words, empty where it has none. */
export function aliasWords({ aliases }: Subject): string {
  return aliases
    .map(({ alias, match }) => (match === 'default' ? alias : `${alias} (${match})`))
    .join(', ');
}
