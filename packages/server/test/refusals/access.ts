import type { Outcome } from '../commands/command-line.ts';
import { anyId, runInAcme } from './case.ts';
import type { Place, RefusalCases } from './case.ts';

export const accessCases = {
  key_expiry_past: {
    facts: () => ({ text: '2020-01-01' }),
    provoke: (place) => createKey(place, '--expires', '2020-01-01'),
  },
  key_not_found: {
    facts: () => ({}),
    provoke: async (place) => {
      await createKey(place);
      return place.run('key', 'revoke', 'zzzz');
    },
  },
  key_ambiguous: {
    facts: () => ({
      keys: [
        { id: anyId, name: 'ci' },
        { id: anyId, name: 'staging' },
      ],
    }),
    provoke: async (place) => {
      await createKey(place, '--name', 'ci');
      const second = await place.run('key', 'create', '--workspace', 'acme', '--name', 'staging');
      const beginning = /[0-9a-f]{8}-[0-9a-f]{4}-7/.exec(second.stderr)?.[0] ?? '';
      return place.run('key', 'revoke', beginning.slice(0, 8));
    },
  },
} as const satisfies Partial<RefusalCases>;

function createKey(place: Place, ...more: string[]): Promise<Outcome> {
  return runInAcme(place, 'key', 'create', ...more);
}
