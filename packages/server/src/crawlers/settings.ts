import { randomBytes } from 'node:crypto';
import { Refusal } from '../refusals.ts';
import type { Store } from '../storage/store.ts';
import { writeWorkspace } from '../storage/write.ts';

const keepAddressesDaysDefault = 30;

/** Reads the settings of a workspace. Creates them, with a new secret, if there are none. */
export async function readCrawlerSettings(store: Store, workspaceId: string) {
  const stored = await select(store.writer, workspaceId);
  if (stored !== undefined) return stored;
  const created = await writeWorkspace(store, workspaceId, async (transaction) => {
    await transaction
      .insertInto('crawler_settings')
      .values({
        workspace_id: workspaceId,
        secret: randomBytes(32).toString('hex'),
        keep_addresses_days: keepAddressesDaysDefault,
      })
      .onConflict((conflict) => conflict.column('workspace_id').doNothing())
      .execute();
    return { hasChanged: false, settings: await select(transaction, workspaceId) };
  });
  if (created.settings === undefined) throw new Error('The new settings were not stored');
  return created.settings;
}

/** For how many days the workspace keeps clients' addresses; writes nothing. */
export async function readKeptDays(db: Store['reader'], workspaceId: string): Promise<number> {
  return (await select(db, workspaceId))?.keepAddressesDays ?? keepAddressesDaysDefault;
}

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

/** Parses a secret: 64 hexadecimal digits. Undefined for anything else. */
export function parseSecret(text: string): Buffer | undefined {
  const digits = text.trim();
  return /^[0-9a-f]{64}$/i.test(digits) ? Buffer.from(digits, 'hex') : undefined;
}

/**
 * Gives a workspace the secret of another database, so that the same log lines make the same hits.
 * Returns false if it has that secret already. Throws a `Refusal` if hits were read under its own
 * secret, because their logs would make them a second time.
 */
export async function importSecret(
  store: Store,
  workspaceId: string,
  { secret, slug }: { secret: Buffer; slug: string },
): Promise<boolean> {
  const settings = await readCrawlerSettings(store, workspaceId);
  if (settings.secret.equals(secret)) return false;
  await writeWorkspace(store, workspaceId, async (transaction) => {
    const { count } = await transaction
      .selectFrom('hits')
      .select((query) => query.fn.countAll<number>().as('count'))
      .where('workspace_id', '=', workspaceId)
      .where('evidence', 'is not', null)
      .executeTakeFirstOrThrow();
    const referral = await transaction
      .selectFrom('referrals')
      .select('id')
      .where('workspace_id', '=', workspaceId)
      .limit(1)
      .executeTakeFirst();
    if (count > 0 || referral !== undefined) throw new Refusal('secret_has_hits', { count, slug });
    await transaction
      .updateTable('crawler_settings')
      .set({ secret: secret.toString('hex') })
      .where('workspace_id', '=', workspaceId)
      .execute();
    // The old secret keys the fingerprints of logs and the bits of visitors and paths.
    for (const table of ['log_files', 'visitor_bits', 'path_bits'] as const) {
      await transaction.deleteFrom(table).where('workspace_id', '=', workspaceId).execute();
    }
    return { hasChanged: true };
  });
  return true;
}

/** The secret that keys the identity of hits, and the days after which clients' addresses are dropped. */
async function select(db: Store['writer'], workspaceId: string) {
  const row = await db
    .selectFrom('crawler_settings')
    .select(['secret', 'keep_addresses_days'])
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  return { secret: Buffer.from(row.secret, 'hex'), keepAddressesDays: row.keep_addresses_days };
}
