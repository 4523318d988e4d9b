import type { Bot } from './catalogue.ts';
import type { Kysely } from 'kysely';
import { Refusal } from '../../refusals.ts';
import type { DataTables } from '../../storage/schema.ts';
import type { Store } from '../../storage/store.ts';
import { writeWorkspace } from '../../storage/write.ts';
import browserAgents from './browsers.json' with { type: 'json' };
import { bot as botSchema, bots } from './catalogue.ts';
import { createRecogniser } from './recognise.ts';

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
  const botsByToken = new Map(
    rows.map(({ folded, bot }) => [folded, botSchema.parse(JSON.parse(bot))]),
  );
  return [
    ...bots.filter(({ token }) => !botsByToken.has(token.toLowerCase())),
    ...botsByToken.values(),
  ];
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
export async function addWorkspaceBot(store: Store, workspaceId: string, row: unknown) {
  const { data, error } = botSchema.safeParse(row);
  if (data === undefined) {
    const [issue] = error?.issues ?? [];
    const field = issue?.path.join('.') ?? 'row';
    throw new Refusal('bot_malformed', { field, expected: issue?.message ?? '' });
  }
  const { token } = data;
  const browser = findMatchingBrowser(data);
  if (browser !== undefined) throw new Refusal('bot_token_of_browser', { token, browser });
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

/** A browser whose user agent has the bot's token. Undefined if none has. */
export function findMatchingBrowser(bot: Bot): string | undefined {
  const recognise = createRecogniser([bot]);
  const browsers = Object.entries(browserAgents);
  return browsers.find(([, userAgent]) => recognise(userAgent) !== undefined)?.[0];
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
