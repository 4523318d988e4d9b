import { settings } from '../../../config.ts';
import { endGrants, isLiveGrant, listGrants } from '../../../people/connectors/grants.ts';
import type { Grant } from '../../../people/connectors/grants.ts';
import { listUsers } from '../../../people/users/find-users.ts';
import { Refusal } from '../../../refusals.ts';
import { printable } from '../../../values/printable.ts';
import { findWorkspace, listWorkspaces } from '../../../workspaces/workspaces.ts';
import { defineGroup, defineStoreCommand, word } from '../../define/define-command.ts';
import { tableOf } from '../../define/table-of.ts';

const { workspace } = settings;

const listCommand = defineStoreCommand({
  name: 'list',
  summary: 'list the assistants that people have connected',
  description:
    'Lists the connections of assistants to one workspace or to all. Each reads what a viewer reads, for the person who connected it.',
  options: { workspace },
  json: '{"connectors":[{id, workspace, name, host, user, state, created_at, used_at, expires_at, revoked_at}]}',
  examples: ['overheard connector list', 'overheard connector list --workspace acme'],
  run: async ({ io, store }, { workspace: slug }) => {
    const only = slug === undefined ? undefined : await findWorkspace(store.reader, slug);
    const workspaces = only === undefined ? await listWorkspaces(store.reader) : [only];
    const slugs = new Map(workspaces.map((each) => [each.id, each.slug]));
    const emails = new Map((await listUsers(store.access)).map(({ id, email }) => [id, email]));
    const grants = await listGrants(store.access, { workspaceId: only?.id });
    const connectors = grants.map(({ id, client_name: name, host, ...grant }) => ({
      id,
      workspace: slugs.get(grant.workspace_id) ?? '',
      name,
      host,
      user: emails.get(grant.user_id) ?? '',
      state: stateOf(grant, io.clock()),
      created_at: grant.created_at,
      used_at: grant.used_at,
      expires_at: grant.expires_at,
      revoked_at: grant.revoked_at,
    }));
    return {
      json: { connectors },
      table: tableOf(
        connectors,
        {
          ID: ({ id }) => id,
          WORKSPACE: (each) => each.workspace,
          ASSISTANT: ({ name }) => printable(name),
          HOST: ({ host }) => host,
          PERSON: ({ user }) => user,
          STATE: ({ state }) => state,
          CONNECTED: (each) => each.created_at,
          'LAST TOKEN': (each) => each.used_at,
        },
        'No assistant is connected. People connect one by its address: see docs/assistants.md.',
      ),
    };
  },
});

function stateOf(grant: Pick<Grant, 'revoked_at' | 'expires_at'>, nowMs: number): string {
  if (isLiveGrant(grant, nowMs)) return 'live';
  return grant.revoked_at === null ? 'expired' : 'ended';
}

const endCommand = defineStoreCommand({
  name: 'end',
  summary: 'end the connection of an assistant',
  description:
    'Ends a connection for good: every server refuses its tokens from the next request on. It stays in the list.',
  arguments: { id: word('its id, from `overheard connector list`') },
  json: '{id, name, host, revoked_at}',
  examples: ['overheard connector end 0193a1c2-7d1e-7c3b-8f2a-5b6c7d8e9f00'],
  run: async ({ io, store }, { id: typed }) => {
    const [ended] = await store.access
      .transaction()
      .execute((db) =>
        endGrants(db, { id: typed.toLowerCase() }, { userId: null, clock: io.clock }),
      );
    if (ended === undefined) throw new Refusal('connector_not_found', { id: typed });
    const { id, client_name: name, host, revoked_at } = ended;
    return {
      json: { id, name, host, revoked_at },
      words: `Ended the connection of ${printable(name)} (${host}).`,
    };
  },
});

export const connectorCommand = defineGroup({
  name: 'connector',
  summary: 'list and end connections of assistants',
  description:
    'Connections: a person has let an assistant read a workspace, by signing in on its page.',
  commands: [listCommand, endCommand],
});
