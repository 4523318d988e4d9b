import { endpoints } from '@overheard/contract';
import { Command } from 'commander';
import { parseExpiry } from '../../access/expiry.ts';
import { createKey, listKeys, revokeKey } from '../../access/keys.ts';
import type { ListedKey } from '../../access/keys.ts';
import { option, settings } from '../../config.ts';
import { nameLengthMax } from '../../workspaces/alias.ts';
import { isPostgresUrl, sqlitePath } from '../../storage/open/database-url.ts';
import { databaseFiles } from '../../storage/sqlite/files/files.ts';
import { withReserve } from '../../storage/sqlite/files/reserve.ts';
import { cleanText } from '../../workspaces/text.ts';
import { findWorkspace, listWorkspaces } from '../../workspaces/workspaces.ts';
import { assistantSnippet } from '../words/assistant-snippet.ts';
import type { Io } from '../terminal/io.ts';
import { printJson, printTable, printWords } from '../terminal/print.ts';
import { isTerminal } from '../terminal/confirm.ts';
import { withStore } from '../options/with-store.ts';

/** `overheard key create|list|revoke` */
export function keyCommand(io: Io): Command {
  return new Command('key')
    .summary('make, list and revoke API keys')
    .description('Keys: each opens the API for one workspace, read-only.')
    .addCommand(createCommand(io))
    .addCommand(listCommand(io))
    .addCommand(revokeCommand(io))
    .addHelpText('after', '\nHelp with examples: overheard key COMMAND --help');
}

interface CreateOptions {
  readonly database: string;
  readonly workspace: string;
  readonly name?: string;
  readonly expires?: string;
  readonly publicUrl?: string;
}

function createCommand(io: Io): Command {
  return new Command('create')
    .summary('make a key')
    .description(
      'Makes a key and prints it alone on stdout, this once: only its hash is stored. It works from the next request on, without a restart.',
    )
    .option('--name <text>', 'what it is for')
    .option(
      '--expires <when>',
      'a time such as 90d (h, d, w, y), a date, or a moment with its zone',
    )
    .addOption(option(settings.workspace).makeOptionMandatory())
    .addOption(option(settings.publicUrl))
    .addOption(option(settings.database))
    .addHelpText('after', createExamples)
    .action(
      async ({
        database,
        workspace: slug,
        name,
        expires,
        publicUrl = defaultUrl,
      }: CreateOptions) => {
        const expiresAt = expires === undefined ? null : parseExpiry(expires, io);
        const cleanName =
          name === undefined
            ? ''
            : cleanText(name, { field: 'key_name', lengthMax: nameLengthMax });
        const { key, record } = await withStore(database, async (store) => {
          const workspace = await findWorkspace(store.reader, slug);
          const { clock } = io;
          return createKey(store, { workspaceId: workspace.id, name: cleanName, expiresAt, clock });
        });
        io.stdout.write(`${key}\n`);
        // Where stdout is a file or a pipe, the key must not be in a log of stderr as well.
        const shown = isTerminal(io.stdout) ? key : '$KEY';
        const expiry =
          record.expires_at === null
            ? 'It does not expire.'
            : `It expires at ${record.expires_at}.`;
        printWords(
          io,
          [
            `Made a key of ${slug} (id ${record.id}). ${expiry}`,
            'Keep it: it is shown this once, and only its hash is stored.',
            'With `overheard serve` running:',
            `  curl -H "Authorization: Bearer ${shown}" ${publicUrl}${endpoints[0].path}`,
            'For an assistant, into the configuration of its host (docs/assistants.md shows each):',
            `  ${assistantSnippet({ key: shown, baseUrl: publicUrl })}`,
          ].join('\n'),
        );
      },
    );
}

const defaultUrl = `http://${settings.host.default}:${settings.port.default}`;

function listCommand(io: Io): Command {
  return new Command('list')
    .summary('list the keys, never the keys themselves')
    .description('Lists the keys of one workspace or of all, with their last four characters.')
    .option(
      '--json',
      'print JSON: {"keys":[{id, workspace, name, last_four, state, created_at, expires_at, last_used_at, revoked_at}]}',
    )
    .addOption(option(settings.workspace))
    .addOption(option(settings.database))
    .addHelpText('after', listExamples)
    .action(async ({ database, workspace: slug, json = false }: ListOptions) => {
      const keys = await withStore(database, async (store) => {
        const workspaces =
          slug === undefined
            ? await listWorkspaces(store.reader)
            : [await findWorkspace(store.reader, slug)];
        const slugs = new Map(workspaces.map(({ id, slug: known }) => [id, known]));
        const [only] = slug === undefined ? [] : workspaces;
        const listed = await listKeys(store, only === undefined ? {} : { workspaceId: only.id });
        return listed.map((key) => shownKey(key, slugs.get(key.workspace_id) ?? '', io.clock()));
      });
      if (json) return printJson(io, { keys });
      return printTable(io, {
        headings: [
          'ID',
          'WORKSPACE',
          'NAME',
          'ENDS WITH',
          'STATE',
          'CREATED',
          'EXPIRES',
          'LAST USED',
        ],
        rows: keys.map((key) => [
          key.id,
          key.workspace,
          key.name || null,
          key.last_four,
          key.state,
          key.created_at,
          key.expires_at,
          key.last_used_at,
        ]),
        none: 'There is no key yet: make one with `overheard key create --workspace SLUG`.',
      });
    });
}

interface ListOptions {
  readonly database: string;
  readonly workspace?: string;
  readonly json?: boolean;
}

/** A key as it is listed: with its workspace's slug, and whether it opens anything now. */
function shownKey(key: ListedKey, workspace: string, nowMs: number) {
  const isExpired = key.expires_at !== null && Date.parse(key.expires_at) <= nowMs;
  return {
    id: key.id,
    workspace,
    name: key.name,
    last_four: key.last_four,
    state: stateOf({ isRevoked: key.revoked_at !== null, isExpired }),
    created_at: key.created_at,
    expires_at: key.expires_at,
    last_used_at: key.last_used_at,
    revoked_at: key.revoked_at,
  };
}

function stateOf({ isRevoked, isExpired }: { isRevoked: boolean; isExpired: boolean }): string {
  if (isRevoked) return 'revoked';
  return isExpired ? 'expired' : 'live';
}

function revokeCommand(io: Io): Command {
  return new Command('revoke')
    .summary('revoke a key')
    .description(
      'Revokes a key for good: it opens nothing from the next request on, in every server. It is kept in the list.',
    )
    .argument('<id>', 'its id or the beginning of it, its last four characters, or the key itself')
    .addOption(option(settings.database))
    .addHelpText('after', revokeExamples)
    .action(async (word: string, { database }: { database: string }) => {
      const { record, wasRevoked } = await urgently(database, () =>
        withStore(database, (store) => revokeKey(store, word, io)),
      );
      const what = `the key ${record.id}${record.name === '' ? '' : ` ("${record.name}")`} that ends with ${record.last_four}`;
      printWords(
        io,
        wasRevoked
          ? `Nothing changed: ${what} was revoked at ${record.revoked_at}.`
          : `Revoked ${what}.`,
      );
    });
}

/** A full disk must not keep a key open. PostgreSQL keeps room of its own. */
async function urgently<Result>(database: string, work: () => Promise<Result>): Promise<Result> {
  if (await isPostgresUrl(database)) return work();
  return withReserve(databaseFiles(sqlitePath(database)), work);
}

const createExamples = `
Examples:
  overheard key create --workspace acme
  overheard key create --workspace acme --name dashboard --expires 90d
  KEY=$(overheard key create --workspace acme --expires 2027-12-31)`;

const listExamples = `
Examples:
  overheard key list
  overheard key list --workspace acme
  overheard key list --json | jq -r '.keys[] | select(.state == "live") | .id'`;

const revokeExamples = `
Examples:
  overheard key revoke 0193a1c2-7d1e-7c3b-8f2a-5b6c7d8e9f00
  overheard key revoke x7Qz`;
