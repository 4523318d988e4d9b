import type { Updateable } from 'kysely';
import { zstdCompressSync } from 'node:zlib';
import type { LedgerTables } from '../../storage/ledger-tables.ts';
import type { Ledger } from '../../storage/store.ts';
import { book } from './budgets.ts';
import type { ReadingClaim } from './claim.ts';

/** What is kept of an exchange: the request without headers, the response as it came. */
export interface KeptExchange {
  readonly status: number;
  readonly request: string;
  readonly response: string;
}

/** The last exchange, and in their order those of a paused answer before it. */
export interface ReadingEvidence extends KeptExchange {
  readonly earlier: readonly KeptExchange[];
}

/** How a reading that was sent ended. */
export interface Settlement {
  readonly state: 'done' | 'failed' | 'unknown';
  readonly costMicros: number;
  readonly facts: Pick<
    Updateable<LedgerTables['readings']>,
    'cost_basis' | 'fault' | 'request_id' | 'model' | 'searches' | 'outcome'
  >;
  readonly evidence?: ReadingEvidence | undefined;
}

/**
 * Ends a reading in one transaction: its state, the evidence, and the held money becomes spent. A
 * reading that was given up for unknown meanwhile gets its true end. Returns false if the reading is
 * no longer there.
 */
export async function settle(
  ledger: Ledger,
  { reading, token, boundMicros }: ReadingClaim,
  { state, costMicros, facts, evidence }: Settlement,
): Promise<boolean> {
  const { workspace_id: workspaceId, id, engine, day } = reading;
  const packed = evidence && {
    workspace_id: workspaceId,
    reading_id: id,
    status: evidence.status,
    request: pack(evidence.request),
    response: pack(withoutCiphertext(evidence.response)),
    earlier:
      evidence.earlier.length === 0
        ? null
        : pack(JSON.stringify(evidence.earlier.map(withoutCiphertextIn))),
  };
  return ledger.write(async (transaction) => {
    for (const from of ['sent', 'unknown'] as const) {
      const { numUpdatedRows } = await transaction
        .updateTable('readings')
        .set({ ...facts, state, cost_micros: costMicros })
        .where('workspace_id', '=', workspaceId)
        .where('id', '=', id)
        .where('state', '=', from)
        .where('claim', '=', token)
        .executeTakeFirst();
      if (numUpdatedRows === 0n) continue;
      const isHeld = from === 'sent';
      await book(
        transaction,
        { workspaceId, engine, day, token },
        {
          releasedMicros: isHeld ? boundMicros : 0,
          spentMicros: isHeld ? costMicros : costMicros - boundMicros,
        },
      );
      if (packed !== undefined) {
        await transaction
          .insertInto('bodies')
          .values(packed)
          .onConflict((conflict) => conflict.doNothing())
          .execute();
      }
      return true;
    }
    return false;
  });
}

/** Gives back a reading that was surely not billed: it may be sent again. */
export async function release(
  ledger: Ledger,
  { reading, token, boundMicros }: ReadingClaim,
  fault: string,
): Promise<void> {
  const { workspace_id: workspaceId, id, engine, day } = reading;
  await ledger.write(async (transaction) => {
    const { numUpdatedRows } = await transaction
      .updateTable('readings')
      .set({ state: 'planned', claim: null, lease_until: null, fault })
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', id)
      .where('state', '=', 'sent')
      .where('claim', '=', token)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return;
    await book(
      transaction,
      { workspaceId, engine, day, token },
      { releasedMicros: boundMicros, spentMicros: 0 },
    );
  });
}

function withoutCiphertextIn({ response, ...exchange }: KeptExchange): KeptExchange {
  return { ...exchange, response: withoutCiphertext(response) };
}

/** Engines hand their ciphertext back only to themselves: it is most of a body, and nobody can read it. */
export function withoutCiphertext(body: string): string {
  const opening = /"(?:encrypted_\w+|thoughtSignature|signature)"\s*:\s*"/g;
  let kept = '';
  let from = 0;
  while (opening.exec(body) !== null) {
    const end = endOfString(body, opening.lastIndex);
    kept += body.slice(from, opening.lastIndex);
    from = end;
    opening.lastIndex = end;
  }
  return kept + body.slice(from);
}

/** Where a JSON string ends. A pattern for all of it would overflow the stack at some megabytes. */
function endOfString(json: string, start: number): number {
  const next = /\\.|"/gs;
  next.lastIndex = start;
  for (let found = next.exec(json); found !== null; found = next.exec(json)) {
    if (found[0] === '"') return found.index;
  }
  return json.length;
}

/** At once, because a thread of its own costs more; knowing the size spares it megabytes of tables. */
function pack(text: string): Buffer {
  const bytes = Buffer.from(text);
  const chunkSize = Math.max(256, Math.min(bytes.length, 65_536));
  return zstdCompressSync(bytes, { pledgedSrcSize: bytes.length, chunkSize });
}
