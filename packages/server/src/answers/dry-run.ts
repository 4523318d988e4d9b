import type { Transaction } from 'kysely';
import type { DataTables } from '../storage/schema.ts';
import type { Store } from '../storage/store.ts';
import { writeWorkspace } from '../storage/write.ts';

/** Ends the transaction of a dry run by failing it. */
class DryRunEnd<Result> extends Error {
  readonly result: Result;

  constructor(result: Result) {
    super('A dry run ends here');
    this.result = result;
  }
}

/**
 * As `writeWorkspace`; a dry run does everything, and takes it back: what it tells is exactly what
 * would happen.
 */
export async function writeOrTry<Result extends { hasChanged: boolean }>(
  store: Store,
  workspaceId: string,
  {
    isDryRun,
    write,
  }: { isDryRun: boolean; write: (transaction: Transaction<DataTables>) => Promise<Result> },
): Promise<Result> {
  let tried: Result | undefined;
  try {
    return await writeWorkspace(store, workspaceId, async (transaction) => {
      const result = await write(transaction);
      if (!isDryRun) return result;
      tried = result;
      throw new DryRunEnd(result);
    });
  } catch (error) {
    if (error instanceof DryRunEnd && tried !== undefined) return tried;
    throw error;
  }
}
