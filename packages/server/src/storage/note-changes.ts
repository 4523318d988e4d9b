import { randomBytes } from 'node:crypto';
import type { ChangeKind } from '@overheard/contract';
import type { Transaction } from 'kysely';
import { inChunks } from './chunks.ts';
import type { DataTables } from './schema.ts';

/** The moments or UTC days of the rows that change, by their kind. */
export type ChangedDays = Partial<Readonly<Record<ChangeKind, readonly string[]>>>;

/** Numbers that are remembered. A cursor of an older one is too old. */
const numbersMax = 100_000;
/** Old numbers are forgotten each time that so many were drawn. */
const forgetEvery = 256;
const rowsAtOnce = 1024;

/**
 * Notes the days whose rows as the API serves them change, in the transaction that changes them, for
 * clients that follow `changes`. A day may be noted although its rows stay the same. The transaction
 * must hold the workspace's lock, so that numbers are in the order of commits.
 */
export async function noteChanges(
  transaction: Transaction<DataTables>,
  workspaceId: string,
  days: ChangedDays,
): Promise<void> {
  const pairs = (['answers', 'detections', 'scores', 'hits'] as const).flatMap((kind) =>
    [...new Set(days[kind]?.map((moment) => moment.slice(0, 10)))].map((date) => ({
      workspace_id: workspaceId,
      kind,
      date,
    })),
  );
  if (pairs.length === 0) return;
  const number = await drawNumber(transaction, workspaceId);
  for (const chunk of inChunks(pairs, rowsAtOnce)) {
    await transaction
      .insertInto('change_days')
      .values(chunk.map((pair) => ({ ...pair, number })))
      .onConflict((conflict) =>
        conflict.columns(['workspace_id', 'kind', 'date']).doUpdateSet({ number }),
      )
      .execute();
  }
}

/** Notes every day of answers: their rows have the names, domains and paths of subjects. */
export async function noteAllAnswers(
  transaction: Transaction<DataTables>,
  workspaceId: string,
): Promise<void> {
  const number = await drawNumber(transaction, workspaceId);
  await transaction
    .updateTable('change_days')
    .set({ number })
    .where('workspace_id', '=', workspaceId)
    .where('kind', '=', 'answers')
    .execute();
}

async function drawNumber(
  transaction: Transaction<DataTables>,
  workspaceId: string,
): Promise<number> {
  const { last } = await transaction
    .selectFrom('change_numbers')
    .select(({ fn }) => fn.max<number | null>('number').as('last'))
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirstOrThrow();
  const number = (last ?? 0) + 1;
  await transaction
    .insertInto('change_numbers')
    .values({ workspace_id: workspaceId, number, token: randomBytes(12).toString('base64url') })
    .execute();
  if (number % forgetEvery === 0) {
    await transaction
      .deleteFrom('change_numbers')
      .where('workspace_id', '=', workspaceId)
      .where('number', '<=', number - numbersMax)
      .execute();
  }
  return number;
}
