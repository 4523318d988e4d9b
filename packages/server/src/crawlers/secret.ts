import { CommandError } from '../problems.ts';
import type { Store } from '../storage/store.ts';
import { writeWorkspace } from '../storage/write.ts';
import { plural } from '../values/plural.ts';
import { keepAddressesDaysDefault, readCrawlerSettings } from './settings.ts';

/** A secret as it is moved: 32 bytes in hexadecimal digits. */
export async function exportSecret(store: Store, workspaceId: string): Promise<string> {
  const { secret } = await readCrawlerSettings(store, workspaceId);
  return secret.toString('hex');
}

/** Reads a moved secret; undefined where the text is none. */
export function parseSecret(text: string): string | undefined {
  const digits = text.trim().toLowerCase();
  return /^[0-9a-f]{64}$/.test(digits) ? digits : undefined;
}

/**
 * Gives a workspace the secret of another database, so that the same log lines make the same hits.
 * Returns false where it has that secret already. Throws a `CommandError` where hits were read under
 * its own secret: their logs, read again, would make them twice.
 */
export async function importSecret(
  store: Store,
  workspaceId: string,
  { secret, slug }: { secret: string; slug: string },
): Promise<boolean> {
  const { hasChanged } = await writeWorkspace(store, workspaceId, async (transaction) => {
    const own = await transaction
      .selectFrom('crawler_settings')
      .select('secret')
      .where('workspace_id', '=', workspaceId)
      .executeTakeFirst();
    if (own?.secret === secret) return { hasChanged: false };
    const read = await transaction
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
    if (read.count > 0 || referral !== undefined) throw new CommandError(refusal(read.count, slug));
    await transaction
      .insertInto('crawler_settings')
      .values({ workspace_id: workspaceId, secret, keep_addresses_days: keepAddressesDaysDefault })
      .onConflict((conflict) => conflict.column('workspace_id').doUpdateSet({ secret }))
      .execute();
    // It is keyed by the old secret: no log would be found again by it.
    await transaction.deleteFrom('log_files').where('workspace_id', '=', workspaceId).execute();
    return { hasChanged: true };
  });
  return hasChanged;
}

function refusal(count: number, slug: string): string {
  const what = `${plural(count, 'hit')}${count === 0 ? ', but referrals,' : ''}`;
  return `The workspace has ${what} that ${count === 1 ? 'was' : 'were'} read from logs under another secret. Remove what was read with \`overheard hits remove --read --workspace ${slug}\`, import the secret, then read the logs again. Nothing was changed.`;
}
