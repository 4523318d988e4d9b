import { UnavailableError } from '../problems.ts';

/** Lets a bounded number in at once; the others wait their turn. */
export interface Gate {
  /** Resolves with the way out, to be called once. Throws `UnavailableError` after `waitMs`. */
  enter(): Promise<() => void>;
}

/** Makes a gate. First come, first served. */
export function createGate({ max, waitMs = 5000 }: { max: number; waitMs?: number }): Gate {
  const waiting: Array<() => void> = [];
  let inside = 0;

  return { enter };

  async function enter(): Promise<() => void> {
    if (inside >= max) await turn();
    else inside += 1;
    let isInside = true;
    return () => {
      if (!isInside) return;
      isInside = false;
      const next = waiting.shift();
      // The place goes straight to the next one.
      if (next === undefined) inside -= 1;
      else next();
    };
  }

  function turn(): Promise<void> {
    return new Promise((resolve, reject) => {
      const admit = (): void => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        waiting.splice(waiting.indexOf(admit), 1);
        reject(new UnavailableError('Too many long reads are under way.'));
      }, waitMs);
      waiting.push(admit);
    });
  }
}
