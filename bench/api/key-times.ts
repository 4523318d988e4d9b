import { authenticate } from '../../packages/server/src/access/authenticate.ts';
import { createKey, newKey, revokeKey } from '../../packages/server/src/access/keys.ts';
import { openStore } from '../../packages/server/src/storage/open/open-store.ts';
import { table, timed } from '../bench.ts';
import type { SeededDatabase } from '../seed.ts';

/** Whether a revoked and an unknown key are refused in different times. They are timed in turns. */
export async function measureKeyTimes(
  { database, workspaces }: SeededDatabase,
  rounds: number,
): Promise<string> {
  const store = await openStore(database);
  const clock = Date.now;
  const workspaceId = workspaces[0]?.id ?? '';
  const { key: revoked, record } = await createKey(store, { workspaceId, name: 'bench', clock });
  await revokeKey(store, record.id, { clock });
  const unknown = newKey();
  const refuse = async (key: string): Promise<number> => {
    const work = () => authenticate(`Bearer ${key}`, { store, clock }).catch(() => {});
    return (await timed(work)).ms * 1000;
  };
  for (let round = 0; round < 500; round++) await refuse(unknown);
  const times: { unknown: number[]; revoked: number[] } = { unknown: [], revoked: [] };
  for (let round = 0; round < rounds; round++) {
    times.unknown.push(await refuse(unknown));
    times.revoked.push(await refuse(revoked));
  }
  await store.close();
  const [one, other] = [spread(times.unknown), spread(times.revoked)];
  const difference = (other.mean - one.mean) / Math.hypot(one.error, other.error);
  return table(
    ['refusal of one key', 'value'],
    [
      ['unknown, us', one.mean],
      ['revoked, us', other.mean],
      ['difference in standard errors (past 3 it shows)', difference.toFixed(1)],
    ],
  );
}

/** Mean and standard error, without the slowest hundredth. */
function spread(times: readonly number[]): { mean: number; error: number } {
  const sorted = times.toSorted((left, right) => left - right);
  const kept = sorted.slice(0, Math.ceil(times.length * 0.99));
  const mean = kept.reduce((sum, each) => sum + each, 0) / kept.length;
  const squares = kept.reduce((sum, each) => sum + (each - mean) ** 2, 0);
  return { mean, error: Math.sqrt(squares / (kept.length - 1) / kept.length) };
}
