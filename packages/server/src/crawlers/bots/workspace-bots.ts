import type { Bot } from './catalogue.ts';
import { createRecogniser } from './recognise.ts';
import type { Kysely } from 'kysely';
import { Refusal } from '../../refusals.ts';
import type { DataTables } from '../../storage/schema.ts';
import type { Store } from '../../storage/store.ts';
import { writeWorkspace } from '../../storage/write.ts';
import { bot as botSchema, bots } from './catalogue.ts';

/** The bots of a workspace: its own, and those of the catalogue that it does not replace. */
export async function readWorkspaceBots(
  db: Kysely<DataTables>,
  workspaceId: string,
): Promise<readonly Bot[]> {
  const rows = await db
    .selectFrom('workspace_bots')
    .select(['folded', 'bot'])
    .where('workspace_id', '=', workspaceId)
    .orderBy('folded')
    .execute();
  const own = new Map(rows.map(({ folded, bot }) => [folded, botSchema.parse(JSON.parse(bot))]));
  return [...bots.filter(({ token }) => !own.has(token.toLowerCase())), ...own.values()];
}

/** Every workspace's own bots. */
export async function readOwnBots(db: Kysely<DataTables>): Promise<readonly Bot[]> {
  const rows = await db.selectFrom('workspace_bots').select('bot').execute();
  return rows.map(({ bot }) => botSchema.parse(JSON.parse(bot)));
}

/**
 * Adds a bot to a workspace, or replaces the one with the same token. It is recognised in logs that are
 * read from now on. Throws a `Refusal` for an invalid row, and for a token that browsers send.
 */
export async function addWorkspaceBot(
  store: Store,
  workspaceId: string,
  row: unknown,
): Promise<Bot> {
  const { data, error } = botSchema.safeParse(row);
  if (data === undefined) {
    const [issue] = error?.issues ?? [];
    const field = issue?.path.join('.') ?? 'row';
    throw new Refusal('bot_malformed', { field, expected: issue?.message ?? '' });
  }
  const { token } = data;
  const person = findPerson(data);
  if (person !== undefined) throw new Refusal('bot_token_of_browser', { token, browser: person });
  const bot = JSON.stringify(data);
  await writeWorkspace(store, workspaceId, async (transaction) => {
    await transaction
      .insertInto('workspace_bots')
      .values({ workspace_id: workspaceId, folded: token.toLowerCase(), bot })
      .onConflict((conflict) => conflict.columns(['workspace_id', 'folded']).doUpdateSet({ bot }))
      .execute();
    return { hasChanged: false };
  });
  return data;
}

/** Removes a workspace's own bot. Throws a `Refusal` if it has none with that token. */
export async function removeWorkspaceBot(
  store: Store,
  workspaceId: string,
  token: string,
): Promise<void> {
  await writeWorkspace(store, workspaceId, async (transaction) => {
    const { numDeletedRows } = await transaction
      .deleteFrom('workspace_bots')
      .where('workspace_id', '=', workspaceId)
      .where('folded', '=', token.toLowerCase())
      .executeTakeFirst();
    if (numDeletedRows === 0n) throw new Refusal('bot_not_found', { token });
    return { hasChanged: false };
  });
}

/** Browsers, with a user agent of each. */
export const people: Readonly<Record<string, string>> = {
  'Chrome on Windows':
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
  'Edge on Windows':
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0',
  'Opera on Windows':
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36 OPR/124.0.0.0',
  'Firefox on Linux':
    'Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0',
  'Safari on a Mac':
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Safari/605.1.15',
  'Safari on an iPhone':
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1',
  'Chrome on an iPad':
    'Mozilla/5.0 (iPad; CPU OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/142.0.0.0 Mobile/15E148 Safari/604.1',
  'Chrome on Android':
    'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36',
  'Samsung Internet':
    'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/29.0 Chrome/136.0.0.0 Mobile Safari/537.36',
};

/** A browser whose user agent has the bot's token. Undefined if none has. */
export function findPerson(bot: Bot): string | undefined {
  const recognise = createRecogniser([bot]);
  return Object.keys(people).find((name) => recognise(people[name] ?? '') !== undefined);
}
