import type { Kysely } from 'kysely';
import { CommandError } from '../../problems.ts';
import type { DataTables } from '../../storage/schema.ts';
import type { Store } from '../../storage/store.ts';
import { writeWorkspace } from '../../storage/write.ts';
import { bot as botSchema, bots } from './catalogue.ts';
import type { Bot } from './catalogue.ts';
import { findPerson } from './people.ts';

/** The bots that a workspace's logs are read for: the catalogue, and rows of its own in place of or beside it. */
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

/**
 * Adds a bot to a workspace, or replaces the one of the same token; logs that are read from then on are
 * read for it. Throws a `CommandError` for a row that is none, and for a token that people send.
 */
export async function addWorkspaceBot(
  store: Store,
  workspaceId: string,
  row: unknown,
): Promise<Bot> {
  const parsed = botSchema.safeParse(row);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new CommandError(
      `The bot's ${issue?.path.join('.') ?? 'row'} is not valid: ${issue?.message ?? ''}.`,
      { exitCode: 2 },
    );
  }
  const person = findPerson(parsed.data);
  if (person !== undefined) {
    throw new CommandError(
      `"${parsed.data.token}" is in the user agent of ${person}, and people would be stored as this bot. Take what only the bot sends.`,
      { exitCode: 2 },
    );
  }
  const folded = parsed.data.token.toLowerCase();
  await writeWorkspace(store, workspaceId, async (transaction) => {
    const bot = JSON.stringify(parsed.data);
    await transaction
      .insertInto('workspace_bots')
      .values({ workspace_id: workspaceId, folded, bot })
      .onConflict((conflict) => conflict.columns(['workspace_id', 'folded']).doUpdateSet({ bot }))
      .execute();
    return { hasChanged: false };
  });
  return parsed.data;
}

/** Every workspace's own bots. */
export async function readOwnBots(db: Kysely<DataTables>): Promise<readonly Bot[]> {
  const rows = await db.selectFrom('workspace_bots').select('bot').execute();
  return rows.map(({ bot }) => botSchema.parse(JSON.parse(bot)));
}

/** Removes a workspace's own row. Throws a `CommandError` where there is none of that token. */
export async function removeWorkspaceBot(
  store: Store,
  workspaceId: string,
  token: string,
): Promise<void> {
  const { removed } = await writeWorkspace(store, workspaceId, async (transaction) => {
    const result = await transaction
      .deleteFrom('workspace_bots')
      .where('workspace_id', '=', workspaceId)
      .where('folded', '=', token.toLowerCase())
      .executeTakeFirst();
    return { hasChanged: false, removed: Number(result.numDeletedRows) };
  });
  if (removed === 0) {
    throw new CommandError(`The workspace has no bot "${token}" of its own.`);
  }
}
