import { closeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AskingOrder } from './do-ask.ts';
import type { JobKey } from './jobs.ts';
import { runThread } from './run-thread.ts';
import type { Thread, ThreadMessage } from './run-thread.ts';
import { asksEngines } from './work.ts';

/** How long a thread may take to end after it was asked to. The server has 10 seconds in all. */
const leaveMs = 2500;

/** How many files of refused imports are kept, and for how long. */
const keptMax = 4;
const keepFileMs = 3_600_000;

export interface JobThreadsDependencies {
  readonly database: string;
  readonly owner: string;
  readonly asking: AskingOrder | undefined;
  /** Called before a thread asks engines. */
  readonly onAsk: () => void;
  readonly onFailure: (error: unknown) => void;
  /** Called when a thread has ended. */
  readonly onFree: () => Promise<void>;
}

interface HeldFile {
  readonly fd: number;
  readonly adding: Promise<unknown>;
}

/** The threads of a server's jobs, and the open files of its imports. */
export function createJobThreads({
  database,
  owner,
  asking,
  onAsk,
  onFailure,
  onFree,
}: JobThreadsDependencies) {
  const running = new Map<
    string,
    { readonly thread: Thread; readonly done: Promise<void>; readonly isAsking: boolean }
  >();
  const files = new Map<string, number>();
  const kept = new Map<string, NodeJS.Timeout>();
  /** Jobs whose thread died before it could report how they ended. */
  const goneJobs = new Map<string, JobKey>();
  const allDone = () => Promise.all([...running.values()].map(({ done }) => done));
  return { files, hold, closeFiles, gone: goneJobs, running, start, stop, allDone };

  /** Holds the file of an import that is being added, and closes it if adding fails. */
  async function hold(id: string, { fd, adding }: HeldFile): Promise<void> {
    let hasAdded = false;
    try {
      hasAdded = (await adding) === 'added';
    } finally {
      if (hasAdded) files.set(id, fd);
      else closeSync(fd);
    }
  }

  function closeFiles(): void {
    for (const timer of kept.values()) clearTimeout(timer);
    for (const fd of files.values()) closeSync(fd);
  }

  function start(key: JobKey, kind: string): void {
    clearTimeout(kept.get(key.id));
    kept.delete(key.id);
    const isAsking = asksEngines(kind);
    if (isAsking) onAsk();
    const order = { database, job: key, owner, fd: files.get(key.id) };
    const thread = runThread({ ...order, asking: isAsking ? asking : undefined });
    const done = thread.messages.then((messages) => finish(key, messages)).catch(onFailure);
    running.set(key.id, { thread, done, isAsking });
  }

  async function finish(key: JobKey, messages: readonly ThreadMessage[]): Promise<void> {
    for (const failure of failuresOf(messages)) onFailure(failure);
    if (!messages.some((message) => 'hasEnded' in message)) goneJobs.set(key.id, key);
    if (messages.some((message) => 'hasEnded' in message && message.keepsFile === true)) {
      keep(key.id);
    } else {
      dropFile(key.id);
    }
    running.delete(key.id);
    await onFree();
  }

  /** Keeps the file of a refused import for an hour, in case a person explains its columns. */
  function keep(id: string): void {
    kept.set(id, setTimeout(() => dropFile(id), keepFileMs).unref());
    const [oldest] = kept.keys();
    if (kept.size > keptMax && oldest !== undefined) dropFile(oldest);
  }

  function dropFile(id: string): void {
    clearTimeout(kept.get(id));
    kept.delete(id);
    const fd = files.get(id);
    if (fd !== undefined) closeSync(fd);
    files.delete(id);
  }

  /**
   * Gives threads `graceMs` to end, then asks them to, then ends them. A thread that asks engines is
   * asked at once and never ended, because its open questions are paid for.
   */
  async function stop(graceMs: number): Promise<void> {
    const all = [...running.values()];
    const others = all.filter(({ isAsking }) => !isAsking);
    const othersDone = Promise.all(others.map(({ done }) => done));
    const asked = all.filter(({ isAsking }) => isAsking);
    for (const { thread } of asked) thread.stop();
    await atMost(graceMs, othersDone);
    for (const { thread } of others) thread.stop();
    await atMost(leaveMs, othersDone);
    for (const { thread } of others) thread.terminate();
    await Promise.all(asked.map(({ done }) => done));
  }
}

function failuresOf(messages: readonly ThreadMessage[]): unknown[] {
  return messages.flatMap((message) => {
    if ('refusal' in message) return new Error(`A job could not begin: ${message.refusal.code}`);
    return 'error' in message ? [message.error] : [];
  });
}

/** Waits for some work, but at most `ms`. */
export async function atMost(ms: number, work: Promise<unknown>): Promise<void> {
  const patience = new AbortController();
  const end = sleep(ms, undefined, { signal: patience.signal }).catch(() => {});
  await Promise.race([work, end]);
  patience.abort();
}
