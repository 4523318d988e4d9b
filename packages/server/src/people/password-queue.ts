/** The person whose password is being hashed. */
export interface PasswordOwner {
  readonly network: string;
  /** Whether the browser has proved itself: by a device cookie, a session or a valid link. */
  readonly isKnown: boolean;
}

/** Runs work that hashes a password; undefined if the queue is full. */
export type PasswordQueue = <Result>(
  owner: PasswordOwner,
  work: () => Promise<Result>,
) => Promise<Result | undefined>;

interface Entry extends PasswordOwner {
  readonly start: () => void;
}

/**
 * Limits the memory and threads for passwords: `runningMax` at a time, then a queue of
 * `waitingMax`. Known browsers go first and have a separate queue, which strangers can't fill. One
 * network of strangers has at most `networkMax` places.
 */
export function createPasswordQueue({
  runningMax = 2,
  waitingMax = 20,
  networkMax = 2,
}: { runningMax?: number; waitingMax?: number; networkMax?: number } = {}): PasswordQueue {
  const running = new Set<Entry>();
  const memory: Entry[] = [];
  const strangers: Entry[] = [];

  return async function enqueue(owner, work) {
    const entry = await enter(owner);
    if (entry === undefined) return undefined;
    try {
      return await work();
    } finally {
      running.delete(entry);
      (memory.shift() ?? strangers.shift())?.start();
    }
  };

  async function enter(owner: PasswordOwner): Promise<Entry | undefined> {
    const queue = owner.isKnown ? memory : strangers;
    if (!owner.isKnown && placesOf(owner.network) >= networkMax) return undefined;
    const isFree = running.size < runningMax;
    if (!isFree && queue.length >= waitingMax) return undefined;
    const { promise, resolve } = Promise.withResolvers<void>();
    const entry: Entry = {
      ...owner,
      start: () => {
        running.add(entry);
        resolve();
      },
    };
    if (isFree) entry.start();
    else queue.push(entry);
    await promise;
    return entry;
  }

  function placesOf(network: string): number {
    return [...running, ...strangers].filter((entry) => !entry.isKnown && entry.network === network)
      .length;
  }
}
