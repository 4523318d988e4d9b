import type { Worker } from 'node:worker_threads';
import { Refusal } from '../../refusals.ts';
import { createGate } from '../../storage/gate.ts';
import type { Gate } from '../../storage/gate.ts';

/** Who sends a request to a thread. */
export interface Sender {
  readonly workspaceId: string;
  /** Whether the request is the API's, not a page's. */
  readonly isApi: boolean;
}

/** Two threads that respond to requests. */
export interface ThreadPool {
  /**
   * Sends a request to a free thread, and resolves with its response. Throws a `Refusal` if too many
   * requests wait, or if the response takes too long.
   */
  ask(request: object, sender: Sender): Promise<unknown>;
  /** Starts the threads, and resolves when the first one is ready. Throws why none can start. */
  open(): Promise<void>;
  stop(): Promise<void>;
}

/** A page waits for at most 10 seconds. */
const readMs = 9000;
/** With two threads, a slow request leaves one for the others. Each takes about 50 MB. */
const threadsMax = 2;
/** Most waiting requests of one workspace, more than a thread can respond to while one waits. */
const waitingMaxOfOwner = 40;
/** All requests of the API together have one turn among the workspaces whose pages wait. */
const apiOwner = 'api';

/**
 * Makes the pool. Workspaces take turns. The API takes one thread at most, so that programs never
 * keep a page waiting. A thread's first message says that it is ready, every other one responds to a
 * request. A thread that dies or takes longer than `readMs` is replaced with the next request. Time
 * counts from the moment a ready thread gets the request, because a busy machine may take long to
 * start a thread.
 */
export function createThreadPool({ start }: { start: () => Worker }): ThreadPool {
  const gate = createGate({ max: threadsMax, maxOfOwner: threadsMax, waitingMaxOfOwner });
  const apiGate = createGate({ max: 1, maxOfOwner: 1, waitingMaxOfOwner });
  const threads = new Set<Worker>();
  const free: Worker[] = [];
  const waiting: Array<PromiseWithResolvers<Worker>> = [];
  return { ask, open, stop };

  function ask(request: object, { workspaceId, isApi }: Sender): Promise<unknown> {
    if (!isApi) return inside(gate, workspaceId, () => respond(request));
    return inside(apiGate, workspaceId, () => inside(gate, apiOwner, () => respond(request)));
  }

  async function respond(request: object): Promise<unknown> {
    const thread = await takeThread();
    try {
      return await send(thread, request);
    } finally {
      if (threads.has(thread)) giveThread(thread);
    }
  }

  function takeThread(): Promise<Worker> {
    while (threads.size < threadsMax) addThread();
    const thread = free.pop();
    if (thread !== undefined) return Promise.resolve(thread);
    const place = Promise.withResolvers<Worker>();
    waiting.push(place);
    return place.promise;
  }

  function giveThread(thread: Worker): void {
    const place = waiting.shift();
    if (place === undefined) free.push(thread);
    else place.resolve(thread);
  }

  function addThread(): void {
    const thread = start();
    threads.add(thread);
    let failure: unknown = new Refusal('database_slow', {});
    // Without a listener an error of an idle thread would end the process.
    thread.on('error', (error) => (failure = error));
    thread.once('message', () => {
      thread.unref();
      giveThread(thread);
    });
    thread.once('exit', () => {
      threads.delete(thread);
      if (free.includes(thread)) free.splice(free.indexOf(thread), 1);
      if (threads.size === 0) for (const { reject } of waiting.splice(0)) reject(failure);
    });
  }

  async function open(): Promise<void> {
    giveThread(await takeThread());
  }

  async function stop(): Promise<void> {
    await Promise.all([...threads].map((thread) => thread.terminate()));
  }
}

async function inside<Result>(
  gate: Gate,
  owner: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const leave = await gate.enter(owner);
  try {
    return await work();
  } finally {
    leave();
  }
}

/** Ends the thread if it does not respond in time, because a query on SQLite cannot be cancelled. */
function send(thread: Worker, request: object): Promise<unknown> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  let failure: unknown = new Refusal('database_slow', {});
  const onError = (error: unknown): void => void (failure = error);
  const onExit = (): void => reject(failure);
  thread.once('message', resolve).once('error', onError).once('exit', onExit);
  const timeout = setTimeout(() => {
    // A response that comes now must not make an ending thread free again.
    thread.off('message', resolve);
    void thread.terminate();
  }, readMs);
  thread.postMessage(request);
  return promise.finally(() => {
    clearTimeout(timeout);
    thread.off('message', resolve).off('error', onError).off('exit', onExit);
  });
}
