import type { Kysely } from 'kysely';
import type { AccessTables } from '../storage/schema.ts';

/**
 * Removes a person's address from the recipients of messages, with what waits to be sent to it: of
 * one workspace, or of all.
 */
export async function endMailTo(
  db: Kysely<AccessTables>,
  { workspaceId, email }: { workspaceId?: string; email: string },
): Promise<void> {
  const recipients = await db
    .deleteFrom('recipients')
    .where(({ fn }) => fn('lower', ['address']), '=', `mailto:${email.toLowerCase()}`)
    .$if(workspaceId !== undefined, (query) => query.where('workspace_id', '=', workspaceId ?? ''))
    .returning(['workspace_id', 'id'])
    .execute();
  for (const { workspace_id: of, id } of recipients) {
    await db
      .deleteFrom('deliveries')
      .where('workspace_id', '=', of)
      .where('recipient_id', '=', id)
      .execute();
  }
}
