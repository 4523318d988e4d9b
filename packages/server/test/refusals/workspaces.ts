import { writeWorkspace } from '../../src/storage/write.ts';
import type { Outcome } from '../commands/command-line.ts';
import { findWorkspace } from '../../src/workspaces/workspaces.ts';
import { setSubject } from '../../src/workspaces/write-subject.ts';
import { anyId, createAcme, inStore, runInAcme } from './case.ts';
import type { Place, RefusalCases } from './case.ts';

export const workspaceCases = {
  workspace_removed: {
    facts: () => ({}),
    // As it goes for a writer that found the workspace just before another command removed it.
    provoke: (place) =>
      inStore(place, async (store) => {
        await writeWorkspace(store, anyId, async () => ({ hasChanged: true }));
      }),
  },
  workspace_not_found: {
    facts: () => ({ slug: 'acne', nearest: 'acme', hasAny: true }),
    provoke: async (place) => {
      await createAcme(place);
      return place.run('subject', 'list', '--workspace', 'acne');
    },
  },
  subject_word_taken: {
    facts: () => ({
      list: 'domain',
      word: 'globex.com',
      owner: { type: 'competitor', name: 'Globex', id: anyId },
    }),
    provoke: async (place) => {
      await addSubject(place, 'Globex', '--domain', 'globex.com');
      const domain = ['--domain', 'globex.com'];
      return place.run('subject', 'add', 'Initech', ...domain, '--workspace', 'acme');
    },
  },
  subject_changed: {
    facts: () => ({ name: 'Acme' }),
    provoke: async (place) => {
      await createAcme(place);
      return inStore(place, async (store) => {
        const { id } = await findWorkspace(store.reader, 'acme');
        await setSubject(store, id, 'Acme', { name: 'Acme Ltd', version: 'an earlier one' });
      });
    },
  },
  brand_not_removable: {
    facts: () => ({ name: 'Acme' }),
    provoke: (place) => runInAcme(place, 'subject', 'remove', 'Acme'),
  },
  import_not_found: {
    facts: () => ({ id: 9 }),
    provoke: (place) => runInAcme(place, 'imports', 'revert', '9', '--yes'),
  },
} as const satisfies Partial<RefusalCases>;

function addSubject(place: Place, name: string, ...more: string[]): Promise<Outcome> {
  return runInAcme(place, 'subject', 'add', name, ...more);
}
