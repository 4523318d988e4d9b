import { Refusal } from '../refusals.ts';

/**
 * A semaphore that admits a limited number of callers at once, and a smaller number of each owner.
 * The others wait.
 */
export interface Gate {
  /**
   * Waits for a place and resolves with a function that frees it, to be called once. Throws a
   * `Refusal` after `waitMs`, or if too many callers of the owner wait.
   */
  enter(owner: string): Promise<() => void>;
}

interface QueueEntry {
  readonly owner: string;
  readonly admit: () => void;
}

/**
 * Makes a gate. It admits callers in order, with two exceptions. An owner with `maxOfOwner`
 * admitted callers waits until one of them leaves. Waiting owners take turns: after one call of an
 * owner is admitted, its other calls wait behind those of all other owners.
 */
export function createGate({
  max,
  maxOfOwner,
  waitingMaxOfOwner = Number.POSITIVE_INFINITY,
  waitMs = 5000,
}: {
  max: number;
  maxOfOwner: number;
  waitingMaxOfOwner?: number;
  waitMs?: number;
}): Gate {
  const waiting: QueueEntry[] = [];
  const insideOf = new Map<string, number>();
  let inside = 0;

  return { enter };

  async function enter(owner: string): Promise<() => void> {
    if (hasPlace(owner)) take(owner);
    else await turn(owner);
    let isInside = true;
    return () => {
      if (!isInside) return;
      isInside = false;
      leave(owner);
    };
  }

  function hasPlace(owner: string): boolean {
    return inside < max && (insideOf.get(owner) ?? 0) < maxOfOwner;
  }

  function take(owner: string): void {
    inside += 1;
    insideOf.set(owner, (insideOf.get(owner) ?? 0) + 1);
  }

  function leave(owner: string): void {
    inside -= 1;
    const left = (insideOf.get(owner) ?? 1) - 1;
    if (left === 0) insideOf.delete(owner);
    else insideOf.set(owner, left);
    const next = waiting.findIndex((one) => hasPlace(one.owner));
    if (next === -1) return;
    for (const { owner: nextOwner, admit } of waiting.splice(next, 1)) {
      // Take the place here, so that no other caller can take it first.
      take(nextOwner);
      admit();
      waiting.sort(
        (one, other) => Number(one.owner === nextOwner) - Number(other.owner === nextOwner),
      );
    }
  }

  function turn(owner: string): Promise<void> {
    if (waiting.filter((one) => one.owner === owner).length >= waitingMaxOfOwner) {
      return Promise.reject(new Refusal('long_reads_too_many', {}));
    }
    return new Promise((resolve, reject) => {
      const entry = {
        owner,
        admit: () => {
          clearTimeout(timer);
          resolve();
        },
      };
      const timer = setTimeout(() => {
        waiting.splice(waiting.indexOf(entry), 1);
        reject(new Refusal('long_reads_too_many', {}));
      }, waitMs);
      waiting.push(entry);
    });
  }
}
