import { changeMember } from '../../src/people/members.ts';
import { newPerson } from '../browsers/people.ts';
import { createAcme, inStore } from './case.ts';
import type { Place, RefusalCases } from './case.ts';

const email = 'ada@example.com';

export const peopleCases = {
  user_disabled: {
    facts: () => ({ email }),
    provoke: async (place) => {
      await addAda(place);
      await place.run('user', 'disable', email);
      return place.run('user', 'link', email);
    },
  },
  last_admin: {
    facts: () => ({}),
    provoke: (place) =>
      inStore(place, async (store) => {
        const workspaceId = 'a workspace';
        const { id: userId } = await newPerson(store, { workspaceId, role: 'admin' });
        const doing = { userId, clock: Date.now };
        await changeMember(store, { workspaceId, userId, role: null }, doing);
      }),
  },
} as const satisfies Partial<RefusalCases>;

async function addAda(place: Place): Promise<void> {
  await createAcme(place);
  await place.run('user', 'add', email);
}
