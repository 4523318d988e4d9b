import { settings } from '../../../config.ts';
import { endGrants, listGrants } from '../../../people/connectors/grants.ts';
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
  json: '{"connectors":[{id, workspace, name, host, user, created_at, used_at, expires_at}]}',
  examples: ['overheard connector list', 'overheard connector list --workspace acme'],
  run: async ({ io, store }, { workspace: slug }) => {
    const only = slug === undefined ? undefined : await findWorkspace(store.reader, slug);
    const workspaces = only === undefined ? await listWorkspaces(store.reader) : [only];
    const slugs = new Map(workspaces.map((each) => [each.id, each.slug]));
    const grants = await listGrants(store.access, { workspaceId: only?.id, clock: io.clock });
    const connectors = grants.map((grant) => ({
      id: grant.id,
      workspace: slugs.get(grant.workspace_id) ?? '',
      name: grant.client_name,
      host: grant.host,
      user: grant.email,
      created_at: grant.created_at,
      used_at: grant.used_at,
      expires_at: grant.expires_at,
    }));
    const none =
      'No assistant is connected. People connect one by its address: see docs/assistants.md.';
    return {
      json: { connectors },
      table: tableOf(connectors, none, {
        ID: ({ id }) => id,
        WORKSPACE: (each) => each.workspace,
        ASSISTANT: ({ name }) => printable(name),
        HOST: ({ host }) => host,
        PERSON: ({ user }) => user,
        CONNECTED: (each) => each.created_at,
        'LAST TOKEN': (each) => each.used_at,
        ENDS: (each) => each.expires_at,
      }),
    };
  },
});

const endCommand = defineStoreCommand({
  name: 'end',
  summary: 'end the connection of an assistant',
  description:
    'Ends a connection for good: every server refuses its tokens from the next request on.',
  arguments: { id: word('its id, from `overheard connector list`') },
  json: '{id, name, host}',
  examples: ['overheard connector end 0193a1c2-7d1e-7c3b-8f2a-5b6c7d8e9f00'],
  run: async ({ io, store }, { id: typed }) => {
    const [ended] = await store.access
      .transaction()
      .execute((db) =>
        endGrants(db, { id: typed.toLowerCase() }, { userId: null, clock: io.clock }),
      );
    if (ended === undefined) throw new Refusal('connector_not_found', { id: typed });
    const { id, client_name: name, host } = ended;
    return {
      json: { id, name, host },
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
