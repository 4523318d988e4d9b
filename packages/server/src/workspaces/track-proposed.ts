import { isRefusal } from '../refusals.ts';
import type { Store } from '../storage/store.ts';
import { parseDomain } from './words.ts';
import { listSubjects } from './subject.ts';
import { addSubject, setSubject } from './write-subject.ts';

/** A competitor, or another spelling of the brand. */
export type ProposedName =
  | { readonly spelling: string }
  | { readonly name: string; readonly domain: string };

/**
 * Tracks proposed names, which may be foreign text: leaves out a name that is taken or cannot be one, and a
 * domain that is none. Returns the competitors that were added.
 */
export async function trackProposed(
  store: Store,
  workspaceId: string,
  { names, clock }: { names: readonly ProposedName[]; clock: () => number },
): Promise<readonly string[]> {
  const added: string[] = [];
  for (const proposed of names) {
    try {
      if ('spelling' in proposed) await addSpelling(store, workspaceId, proposed.spelling);
      else {
        const domains = isDomain(proposed.domain) ? [proposed.domain] : [];
        await addSubject(store, workspaceId, { clock, words: { name: proposed.name, domains } });
        added.push(proposed.name);
      }
    } catch (error) {
      if (!isRefusal(error)) throw error;
    }
  }
  return added;
}

async function addSpelling(store: Store, workspaceId: string, spelling: string): Promise<void> {
  const subjects = await listSubjects(store.reader, workspaceId);
  const brand = subjects.find((subject) => subject.subject_type === 'brand');
  if (brand === undefined) return;
  const addAliases = [{ alias: spelling, match: 'default' }] as const;
  await setSubject(store, workspaceId, brand.id, { addAliases });
}

function isDomain(text: string): boolean {
  try {
    return parseDomain(text) !== '';
  } catch (error) {
    if (isRefusal(error)) return false;
    throw error;
  }
}
