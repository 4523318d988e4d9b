import { hash } from 'node:crypto';
import { openStore } from '../../packages/server/src/storage/open/open-store.ts';
import type { SeededWorkspace } from './dataset.ts';

/** What admitting one request costs, in microseconds. */
export interface AdmissionResult {
  readonly alone: number;
  /** This and the others with as many at once as the load has connections. */
  readonly withoutQuota: number;
  readonly withQuota: number;
  /** With the log at its 300 entries: the dearest. */
  readonly refused: number;
}

const connections = 20;

/** Key, quota and revision alone, in this process. */
export async function measureAdmission(
  database: string,
  workspaces: readonly SeededWorkspace[],
  rounds: number,
): Promise<AdmissionResult> {
  const store = await openStore(database);
  const hashes = workspaces.map(({ key }) => hash('sha256', key, 'hex'));
  const admitOne = async (index: number, quota: number, endpoint: string): Promise<void> => {
    const record = await store.findKey(hashes[index % hashes.length] ?? '');
    const workspaceId = record?.workspace_id ?? '';
    await store.admit({ workspaceId, endpoint, quota, windowSeconds: 3600 });
  };
  const measure = async (
    quota: number,
    count: number,
    endpoint: string,
    atOnce: number = connections,
  ): Promise<number> => {
    const startedMs = performance.now();
    for (let index = 0; index < count; index += atOnce) {
      await Promise.all(
        Array.from({ length: atOnce }, (_, place) => admitOne(index + place, quota, endpoint)),
      );
    }
    return ((performance.now() - startedMs) * 1000) / count;
  };
  const result = {
    alone: await measure(0, rounds, 'scores', 1),
    withoutQuota: await measure(0, rounds, 'scores'),
    withQuota: await measure(300, Math.min(rounds, hashes.length * 150), 'bench'),
    refused: await measure(1, Math.min(rounds, hashes.length * 150), 'bench'),
  };
  await store.close();
  return result;
}
