import { endpoints } from '@overheard/contract';
import { createKey, listKeys, parseExpiry, revokeKey } from '../../../access/keys.ts';
import type { ListedKey } from '../../../access/keys.ts';
import { settings } from '../../../config.ts';
import { noteEvent } from '../../../people/events.ts';
import type { Store } from '../../../storage/store.ts';
import { isPostgresUrl, sqlitePath } from '../../../storage/open/database-url.ts';
import { databaseFiles } from '../../../storage/sqlite/files/files.ts';
import { withReserve } from '../../../storage/sqlite/files/reserve.ts';
import { cleanText, nameLengthMax } from '../../../workspaces/words.ts';
import { findWorkspace, listWorkspaces } from '../../../workspaces/workspaces.ts';
import {
  defineCommand,
  defineGroup,
  defineStoreCommand,
  defineWorkspaceCommand,
  word,
} from '../../define/define-command.ts';
import { serverAddress, text } from '../../define/options.ts';
import { tableOf } from '../../define/table-of.ts';
import { withStore } from '../../define/with-store.ts';
import { isTerminal } from '../../terminal/confirm.ts';
import { assistantSnippet } from '../../words/assistant-snippet.ts';

const { database, workspace } = settings;

const createCommand = defineWorkspaceCommand({
  name: 'create',
  summary: 'make a key',
  description:
    'Makes a key and prints it alone on stdout, this once: only its hash is stored. It works from the next request on, without a restart.',
  options: {
    name: text('<text>', 'what it is for'),
    expires: text('<when>', 'a time such as 90d (h, d, w, y), a date, or a moment with its zone'),
    publicUrl: serverAddress,
  },
  json: '{key, id, name, expires_at}',
  examples: [
    'overheard key create --workspace acme',
    'overheard key create --workspace acme --name dashboard --expires 90d',
    'KEY=$(overheard key create --workspace acme --expires 2027-12-31)',
  ],
  run: async ({ io, isJson, store, workspaceId, slug }, values) => {
    const { expires, publicUrl: url } = values;
    const wanted = {
      workspaceId,
      name:
        values.name === undefined
          ? ''
          : cleanText(values.name, { field: 'key_name', lengthMax: nameLengthMax }),
      expiresAt: expires === undefined ? null : parseExpiry(expires, io),
      clock: io.clock,
    };
    const { key, record } = await store.access.transaction().execute(async (access) => {
      const newKey = await createKey({ ...store, access }, wanted);
      await noteKeyEvent(access, io.clock, 'key_made', newKey.record);
      return newKey;
    });
    const { id, name, expires_at } = record;
    // If stdout is a file or a pipe, stderr may be a log, which must not contain the key.
    const isShown = isTerminal(io.stdout) && !isJson;
    return {
      json: { key, id, name, expires_at },
      text: key,
      words: [
        `Made a key of ${slug} (id ${id}). ${expires_at === null ? 'It does not expire.' : `It expires at ${expires_at}.`}`,
        'Keep it: it is shown this once, and only its hash is stored.',
        'With `overheard serve` running:',
        `  curl -H "Authorization: Bearer ${isShown ? key : '$KEY'}" ${url}${endpoints[0].path}`,
        'For an assistant, into the configuration of its host (docs/assistants.md shows each):',
        // No host expands a variable there.
        `  ${assistantSnippet({ key: isShown ? key : 'THE KEY FROM STDOUT', baseUrl: url })}`,
      ],
    };
  },
});

const listCommand = defineStoreCommand({
  name: 'list',
  summary: 'list the keys, never the keys themselves',
  description: 'Lists the keys of one workspace or of all, with their last four characters.',
  options: { workspace },
  json: '{"keys":[{id, workspace, name, last_four, state, created_at, expires_at, last_used_at, revoked_at}]}',
  examples: [
    'overheard key list',
    'overheard key list --workspace acme',
    `overheard key list --json | jq -r '.keys[] | select(.state == "live") | .id'`,
  ],
  run: async ({ io, store }, { workspace: slug }) => {
    const only = slug === undefined ? undefined : await findWorkspace(store.reader, slug);
    const workspaces = only === undefined ? await listWorkspaces(store.reader) : [only];
    const slugs = new Map(workspaces.map((each) => [each.id, each.slug]));
    const listed = await listKeys(store, only === undefined ? {} : { workspaceId: only.id });
    const keys = listed.map((key) => shownKey(key, slugs.get(key.workspace_id) ?? '', io.clock()));
    const none = 'There is no key yet: make one with `overheard key create --workspace SLUG`.';
    return {
      json: { keys },
      table: tableOf(keys, none, {
        ID: ({ id }) => id,
        WORKSPACE: (key) => key.workspace,
        NAME: ({ name }) => name || null,
        'ENDS WITH': (key) => key.last_four,
        STATE: ({ state }) => state,
        CREATED: (key) => key.created_at,
        EXPIRES: (key) => key.expires_at,
        'LAST USED': (key) => key.last_used_at,
      }),
    };
  },
});

function noteKeyEvent(
  access: Store['access'],
  clock: () => number,
  kind: 'key_made' | 'key_revoked',
  { workspace_id: workspaceId, name, last_four }: ListedKey,
): Promise<void> {
  return noteEvent(
    access,
    { userId: null, clock },
    { workspaceId, kind, facts: { name, last_four } },
  );
}

/** A key in a list, with its workspace's slug and whether it is valid now. */
function shownKey(key: ListedKey, slug: string, nowMs: number) {
  const isExpired = key.expires_at !== null && Date.parse(key.expires_at) <= nowMs;
  return {
    id: key.id,
    workspace: slug,
    name: key.name,
    last_four: key.last_four,
    state: key.revoked_at !== null ? 'revoked' : isExpired ? 'expired' : 'live',
    created_at: key.created_at,
    expires_at: key.expires_at,
    last_used_at: key.last_used_at,
    revoked_at: key.revoked_at,
  };
}

const revokeCommand = defineCommand({
  name: 'revoke',
  summary: 'revoke a key',
  description:
    'Revokes a key for good: every server refuses it from the next request on. It stays in the list.',
  arguments: {
    id: word('its id or the first 8 characters of it, its last four characters, or the key itself'),
  },
  options: { database },
  json: '{id, name, last_four, revoked_at, was_revoked}',
  examples: [
    'overheard key revoke 0193a1c2-7d1e-7c3b-8f2a-5b6c7d8e9f00',
    'overheard key revoke x7Qz',
  ],
  run: async ({ io }, { id: idText, database: url }) => {
    const { record, wasRevoked } = await urgently(url, () =>
      withStore(url, async (store) => {
        const revoked = await revokeKey(store, idText, io);
        if (!revoked.wasRevoked) {
          // The key is revoked already, so a full disk that cannot take the event must not hide
          // that.
          await noteKeyEvent(store.access, io.clock, 'key_revoked', revoked.record).catch(() => {});
        }
        return revoked;
      }),
    );
    const { id, name, last_four, revoked_at } = record;
    const what = `the key ${id}${name === '' ? '' : ` ("${name}")`} that ends with ${last_four}`;
    return {
      json: { id, name, last_four, revoked_at, wasRevoked },
      words: wasRevoked
        ? `Nothing changed: ${what} was revoked at ${revoked_at}.`
        : `Revoked ${what}.`,
    };
  },
});

/**
 * Does urgent work even on a full disk, because a key must be revocable. PostgreSQL reserves its
 * own disk space.
 */
async function urgently<Result>(url: string, work: () => Promise<Result>): Promise<Result> {
  if (await isPostgresUrl(url)) return work();
  return withReserve(databaseFiles(sqlitePath(url)), work);
}

export const keyCommand = defineGroup({
  name: 'key',
  summary: 'make, list and revoke API keys',
  description: 'Keys: each opens the API for one workspace, read-only.',
  commands: [createCommand, listCommand, revokeCommand],
});
