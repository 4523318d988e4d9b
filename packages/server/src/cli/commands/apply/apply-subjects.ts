import type { Store } from '../../../storage/store.ts';
import { aliasKey, fold } from '../../../workspaces/words.ts';
import type { SubjectWords } from '../../../workspaces/words.ts';
import { addSubject, removeSubject, setSubject } from '../../../workspaces/write-subject.ts';
import { listSubjects } from '../../../workspaces/subject.ts';
import type { Subject } from '../../../workspaces/subject.ts';
import {
  createWorkspace,
  findWorkspaceBySlug,
  setWorkspace,
} from '../../../workspaces/workspaces.ts';
import { aliasesOf } from '../../define/options.ts';
import type { DescribedSubject } from './workspace-file.ts';
import type { Place } from './place.ts';

/** Makes or changes the workspace and its brand. Returns its id. */
export async function applyWorkspace(
  store: Store,
  { described, change, prunes, clock, file, path }: Omit<Place, 'workspaceId' | 'store'>,
): Promise<string> {
  const { slug, name, locale = null, brand } = described;
  const found = await findWorkspaceBySlug(store.reader, slug);
  if (found === undefined) {
    const made = await createWorkspace(store, { slug, name, brand: wordsOf(brand), locale, clock });
    change('workspace', 'added', [name]);
    return made.id;
  }
  const { hasChanged } = await setWorkspace(store, found, {
    name,
    ...(described.locale !== undefined && { locale }),
  });
  if (hasChanged) change('workspace', 'changed', [name]);
  const [stored] = await listSubjects(store.reader, found.id);
  if (stored === undefined) return found.id;
  const changed = await file.at([...path, 'brand'], () =>
    setSubject(store, found.id, stored.id, changeOf(stored, brand, prunes)),
  );
  if (changed.hasChanged) change('brand', 'changed', [brand.name]);
  return found.id;
}

export async function applyCompetitors(place: Place): Promise<void> {
  const { store, workspaceId, described, prunes, clock, file, path, change } = place;
  const competitors = described.competitors ?? [];
  if (described.competitors === undefined) return;
  const stored = (await listSubjects(store.reader, workspaceId)).filter(
    ({ subject_type: type }) => type === 'competitor',
  );
  const named = new Set(competitors.map(({ name }) => fold(name)));
  // First, because their words become free.
  for (const { id, name } of prunes ? stored : []) {
    if (named.has(fold(name))) continue;
    await removeSubject(store, workspaceId, id, { clock });
    change('competitor', 'archived', [name]);
  }
  for (const [index, subject] of competitors.entries()) {
    const before = stored.find(({ name }) => fold(name) === fold(subject.name));
    await file.at([...path, 'competitors', index], async () => {
      if (before === undefined) {
        await addSubject(store, workspaceId, { words: wordsOf(subject), clock });
        change('competitor', 'added', [subject.name]);
        return;
      }
      const words = changeOf(before, subject, prunes);
      const { hasChanged } = await setSubject(store, workspaceId, before.id, words);
      if (hasChanged) change('competitor', 'changed', [subject.name]);
    });
  }
}

function wordsOf({ name, domains = [], paths = [], ...subject }: DescribedSubject): SubjectWords {
  return { name, aliases: givenAliases(subject), domains, paths };
}

function givenAliases(subject: Omit<DescribedSubject, 'name'>) {
  const { aliases = [], aliases_exact: exact = [], aliases_pattern: pattern = [] } = subject;
  return aliasesOf({ alias: aliases, aliasExact: exact, aliasPattern: pattern });
}

/** The described words beside the stored ones. The lists of the file replace the stored ones if it `prunes`. */
function changeOf(stored: Subject, subject: DescribedSubject, prunes: boolean): SubjectWords {
  const given = givenAliases(subject);
  const keys = new Set(given.map(aliasKey));
  const hasAliases = [subject.aliases, subject.aliases_exact, subject.aliases_pattern].some(
    Boolean,
  );
  const both = (list: readonly string[] | undefined, before: readonly string[]) =>
    prunes && list !== undefined ? list : [...before, ...(list ?? [])];
  return {
    name: subject.name,
    aliases: [
      ...(prunes && hasAliases ? [] : stored.aliases.filter((each) => !keys.has(aliasKey(each)))),
      ...given,
    ],
    domains: both(subject.domains, stored.domains),
    paths: both(subject.paths, stored.paths),
  };
}
