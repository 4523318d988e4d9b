import { isRefusal } from '../../refusals.ts';
import type { Refusal } from '../../refusals.ts';
import type { Store } from '../../storage/store.ts';
import { listEngines } from '../engine-settings.ts';
import { readEngineKey } from './engine-key.ts';
import type { Environment } from './secret-variable.ts';

/** Why pasted keys of engines do not open in this process, one each: most likely it has another secret. */
export async function findClosedKeys(
  store: Store,
  environment: Environment,
): Promise<readonly Refusal[]> {
  const refused: Refusal[] = [];
  for (const engine of await listEngines(store.access)) {
    if (engine.keyTail === null) continue;
    try {
      await readEngineKey(store, environment, { ...engine, isOwn: false });
    } catch (error) {
      if (!isRefusal(error)) throw error;
      refused.push(error);
    }
  }
  return refused;
}
