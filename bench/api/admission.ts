import { hash } from 'node:crypto';
import { openStore } from '../../packages/server/src/storage/open.ts';
import type { SeededWorkspace } from './dataset.ts';

/** What admitting one request costs, in microseconds. */
export interface AdmissionResult {
  readonly withoutQuota: number;
  readonly withQuota: number;
  /** With the log at its 300 entries: the dearest. */
  readonly refused: number;
}

/** Key, quota and revision alone, in this process. */
export async function measureAdmission(
  database: string,
  workspaces: readonly SeededWorkspace[],
  rounds: number,
): Promise<AdmissionResult> {
  const store = await openStore(database);
  const hashes = workspaces.map(({ key }) => hash('sha256', key, 'hex'));
  const measure = async (quota: number, count: number, endpoint: string): Promise<number> => {
    const startedMs = performance.now();
    for (let index = 0; index < count; index++) {
      const record = await store.findKey(hashes[index % hashes.length] ?? '');
      await store.admit({
        workspaceId: record?.workspace_id ?? '',
        endpoint,
        quota,
        windowSeconds: 3600,
      });
    }
    return ((performance.now() - startedMs) * 1000) / count;
  };
  const result = {
    withoutQuota: await measure(0, rounds, 'scores'),
    withQuota: await measure(300, Math.min(rounds, hashes.length * 150), 'bench'),
    refused: await measure(1, Math.min(rounds, hashes.length * 150), 'bench'),
  };
  await store.close();
  return result;
}
