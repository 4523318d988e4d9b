import type { Kysely, Transaction } from 'kysely';
import type { DataTables } from '../../storage/schema.ts';
import { unverified } from '../verify/verdict.ts';
import { readEvidence } from './hit.ts';
import type { Identity } from './identity.ts';
import { updateVerdicts } from './judge-neighbours.ts';
import type { ChangedVerdict } from './judge-neighbours.ts';

/** The keys of the addresses from which most of a log of the workspace came. */
export async function readProxyKeys(
  db: Kysely<DataTables>,
  workspaceId: string,
): Promise<Set<string>> {
  const rows = await db
    .selectFrom('proxy_addresses')
    .select('address_key')
    .where('workspace_id', '=', workspaceId)
    .execute();
  return new Set(rows.map(({ address_key: key }) => key));
}

/**
 * Keeps that an address is a proxy's, and takes back what was called forged because of it. Returns the
 * verdicts that changed.
 */
export async function keepProxyAddress(
  transaction: Transaction<DataTables>,
  workspaceId: string,
  { address, identity, nowMs }: { address: string; identity: Identity; nowMs: number },
): Promise<ChangedVerdict[]> {
  await transaction
    .insertInto('proxy_addresses')
    .values({
      workspace_id: workspaceId,
      address_key: identity.addressKey(address),
      seen_at: new Date(nowMs).toISOString(),
    })
    .onConflict((conflict) => conflict.columns(['workspace_id', 'address_key']).doNothing())
    .execute();
  const rows = await transaction
    .selectFrom('hits')
    .select(['id', 'bot_name', 'bot_company', 'category', 'verification', 'evidence'])
    .where('workspace_id', '=', workspaceId)
    .where('address', '=', address)
    .where('verification', '=', 'spoofed')
    .execute();
  const verdict = unverified({ reason: 'proxy_ip' });
  // A token that is never sent is forged whoever passes it on.
  const lifted = rows.filter((row) => readEvidence(row.evidence)?.reason !== 'never_sent');
  const changed = await updateVerdicts(
    transaction,
    workspaceId,
    lifted.map((row) => ({ row, verdict })),
  );
  return changed.map(({ row }) => ({ row, verification: verdict.verification }));
}
