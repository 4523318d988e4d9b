/** The states of the page on which a person connects an assistant. */
import { asked, authorizePath, storeGrant } from '../servers/assistants.ts';
import type { Store } from '../../src/storage/store.ts';
import type { PageState } from './page-state.ts';
import type { Person } from './people.ts';

/** Connects an assistant of Ada's, and gives the states of connecting others. */
export async function connectStates(
  { store, clock, url }: { store: Store; clock: () => number; url: string },
  { workspaceId, ada, cleo }: { workspaceId: string; ada: Person; cleo: Person },
): Promise<PageState[]> {
  await storeGrant(store, { workspaceId, userId: ada.id, clock });
  const parameters = { ...asked, resource: `${url}/mcp` };
  const path = authorizePath(parameters);
  const faulty = authorizePath({ ...parameters, scope: 'write' });
  return [
    { name: 'connect', path, person: ada },
    { name: 'connect-none', path, person: cleo },
    { name: 'connect-faulty', path: faulty, person: ada, status: 400 },
    { name: 'connect-unknown', path: '/oauth/authorize', person: ada, status: 400 },
  ];
}
