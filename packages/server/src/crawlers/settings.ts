import { randomBytes } from 'node:crypto';
import type { Store } from '../storage/store.ts';
import { writeWorkspace } from '../storage/write.ts';

/** What a workspace's hits are kept by. */
export interface CrawlerSettings {
  /** Keys the identity of hits. */
  readonly secret: Buffer;
  /** Days after which a client's address is dropped, counted from its request. */
  readonly keepAddressesDays: number;
}

/** Days that addresses are kept where nobody has said otherwise. */
export const keepAddressesDaysDefault = 30;

/** The settings of a workspace; makes its secret when it is first asked. */
export async function readCrawlerSettings(
  store: Store,
  workspaceId: string,
): Promise<CrawlerSettings> {
  const known = await select(store.writer, workspaceId);
  if (known !== undefined) return known;
  await writeWorkspace(store, workspaceId, async (transaction) => {
    await transaction
      .insertInto('crawler_settings')
      .values({
        workspace_id: workspaceId,
        secret: randomBytes(32).toString('hex'),
        keep_addresses_days: keepAddressesDaysDefault,
      })
      .onConflict((conflict) => conflict.column('workspace_id').doNothing())
      .execute();
    return { hasChanged: false };
  });
  const made = await select(store.writer, workspaceId);
  if (made === undefined) throw new Error('The settings that were made are not there');
  return made;
}

/** Says for how many days the workspace keeps clients' addresses. */
export async function keepAddresses(
  store: Store,
  workspaceId: string,
  { days }: { days: number },
): Promise<void> {
  await readCrawlerSettings(store, workspaceId);
  await writeWorkspace(store, workspaceId, async (transaction) => {
    await transaction
      .updateTable('crawler_settings')
      .set({ keep_addresses_days: days })
      .where('workspace_id', '=', workspaceId)
      .execute();
    return { hasChanged: false };
  });
}

async function select(
  db: Store['writer'],
  workspaceId: string,
): Promise<CrawlerSettings | undefined> {
  const row = await db
    .selectFrom('crawler_settings')
    .select(['secret', 'keep_addresses_days'])
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  return { secret: Buffer.from(row.secret, 'hex'), keepAddressesDays: row.keep_addresses_days };
}
