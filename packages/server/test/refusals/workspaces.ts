import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
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
  id_ambiguous: {
    facts: () => ({
      word: '0193',
      candidates: [
        { id: anyId, label: 'Write a page.' },
        { id: anyId, label: 'Write a page.' },
      ],
      hasMore: false,
    }),
    provoke: async (place) => {
      const file = join(place.folder, 'actions.ndjson');
      const lines = [1, 2].map((number) =>
        JSON.stringify({
          id: anyId.replace(/.$/, String(number)),
          recommendation: 'Write a page.',
          priority: 'low',
        }),
      );
      await writeFile(file, lines.join('\n'));
      await runInAcme(place, 'import', 'actions', file);
      return place.run('actions', 'set', '0193', '--status', 'done', '--workspace', 'acme');
    },
  },
  text_not_well_formed: {
    facts: () => ({ field: 'name' }),
    provoke: (place) => addSubject(place, 'Acm\u{FFFD}'),
  },
  text_has_control_characters: {
    facts: () => ({ field: 'name' }),
    provoke: (place) => addSubject(place, 'Globex\n'),
  },
  text_empty: {
    facts: () => ({ field: 'alias' }),
    provoke: (place) => addSubject(place, 'Globex', '--alias', ' '),
  },
  text_too_long: {
    facts: () => ({ field: 'alias', lengthMax: 200 }),
    provoke: (place) => addSubject(place, 'Globex', '--alias', 'a'.repeat(201)),
  },
  slug_malformed: {
    facts: () => ({ slug: 'Acme Ltd' }),
    provoke: ({ run }) =>
      run('workspace', 'create', 'Acme Ltd', '--name', 'Acme', '--brand', 'Acme'),
  },
  slug_taken: {
    facts: () => ({ slug: 'acme' }),
    provoke: async (place) => {
      await createAcme(place);
      return createAcme(place);
    },
  },
  workspace_not_found: {
    facts: () => ({ slug: 'acne', nearest: 'acme', hasAny: true }),
    provoke: async (place) => {
      await createAcme(place);
      return place.run('subject', 'list', '--workspace', 'acne');
    },
  },
  domain_malformed: {
    facts: () => ({ text: 'localhost', fault: 'has_no_dot' }),
    provoke: (place) => addSubject(place, 'Globex', '--domain', 'localhost'),
  },
  domain_is_shared_site: {
    facts: () => ({ text: 'github.com/globex' }),
    provoke: (place) => addSubject(place, 'Globex', '--domain', 'github.com/globex'),
  },
  path_malformed: {
    facts: () => ({ text: 'github.com:8443/globex', fault: 'has_port' }),
    provoke: (place) => addSubject(place, 'Globex', '--path', 'github.com:8443/globex'),
  },
  path_is_whole_site: {
    facts: () => ({ text: 'https://globex.com/', domain: 'globex.com' }),
    provoke: (place) => addSubject(place, 'Globex', '--path', 'https://globex.com/'),
  },
  alias_pattern_invalid: {
    facts: () => ({ pattern: 'Globex(?=!)' }),
    provoke: (place) => addSubject(place, 'Globex', '--alias-pattern', 'Globex(?=!)'),
  },
  alias_pattern_matches_nothing: {
    facts: () => ({ pattern: '(Globex)?' }),
    provoke: (place) => addSubject(place, 'Globex', '--alias-pattern', '(Globex)?'),
  },
  aliases_contradict: {
    facts: () => ({
      aliases: [
        { alias: 'Apex', match: 'default' },
        { alias: 'APEX', match: 'exact' },
      ],
    }),
    provoke: (place) => addSubject(place, 'Globex', '--alias', 'Apex', '--alias-exact', 'APEX'),
  },
  subject_words_too_many: {
    facts: () => ({ countMax: 200 }),
    provoke: (place) => {
      const aliases = Array.from({ length: 200 }, (_, index) => ['--alias', `a${index}`]);
      return addSubject(place, 'Globex', ...aliases.flat());
    },
  },
  subject_not_found: {
    facts: () => ({ subject: 'Globx', nearest: 'Globex' }),
    provoke: async (place) => {
      await addSubject(place, 'Globex');
      return place.run('subject', 'remove', 'Globx', '--workspace', 'acme');
    },
  },
  subject_removed: {
    facts: () => ({ name: 'Globex', id: anyId }),
    provoke: async (place) => {
      await addSubject(place, 'Globex');
      await place.run('subject', 'remove', 'Globex', '--workspace', 'acme');
      return place.run('subject', 'remove', 'Globex', '--workspace', 'acme');
    },
  },
  subject_word_not_found: {
    facts: () => ({ list: 'domain', word: 'acme.org' }),
    provoke: (place) =>
      runInAcme(place, 'subject', 'set', 'Acme', '--remove-domain', 'https://acme.org'),
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
