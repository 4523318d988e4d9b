import { hash } from 'node:crypto';
import { authenticate } from '../../packages/server/src/access/authenticate.ts';
import { createKey, revokeKey } from '../../packages/server/src/access/keys.ts';
import { newKey } from '../../packages/server/src/access/new-key.ts';
import { openStore } from '../../packages/server/src/storage/open/open-store.ts';
import type { SeededWorkspace } from './dataset.ts';

/** How far the refusal of a revoked key is from that of an unknown one. */
export interface KeyTimesResult {
  readonly unknown: number;
  readonly revoked: number;
  /** The difference in its standard errors: past 3 it shows in so many requests. */
  readonly z: number;
}

/** Times both in turns, in microseconds. The slowest hundredth of each is left out. */
export async function measureKeyTimes(
  database: string,
  workspaces: readonly SeededWorkspace[],
  rounds: number,
): Promise<KeyTimesResult> {
  const store = await openStore(database);
  const clock = Date.now;
  const hashed = hash('sha256', workspaces[0]?.key ?? '', 'hex');
  const workspaceId = (await store.findKey(hashed))?.workspace_id ?? '';
  const { key, record } = await createKey(store, { workspaceId, name: 'bench', clock });
  await revokeKey(store, record.id, { clock });
  const unknown = newKey();
  const time = async (tried: string): Promise<number> => {
    const beganMs = performance.now();
    await authenticate(`Bearer ${tried}`, { store, clock }).catch(() => {});
    return (performance.now() - beganMs) * 1000;
  };
  for (let round = 0; round < 500; round += 1) await time(unknown);
  const times: { unknown: number[]; revoked: number[] } = { unknown: [], revoked: [] };
  for (let round = 0; round < rounds; round += 1) {
    times.unknown.push(await time(unknown));
    times.revoked.push(await time(key));
  }
  await store.close();
  const [one, other] = [spread(times.unknown), spread(times.revoked)];
  const z = (other.mean - one.mean) / Math.sqrt(one.errorSquared + other.errorSquared);
  return { unknown: one.mean, revoked: other.mean, z };
}

function spread(times: readonly number[]): { mean: number; errorSquared: number } {
  const kept = times
    .toSorted((left, right) => left - right)
    .slice(0, Math.ceil(times.length * 0.99));
  const mean = kept.reduce((sum, each) => sum + each, 0) / kept.length;
  const squares = kept.reduce((sum, each) => sum + (each - mean) ** 2, 0);
  return { mean, errorSquared: squares / (kept.length - 1) / kept.length };
}
