import { closeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Refusal } from '../refusals.ts';
import type { Store } from '../storage/store.ts';
import { newId } from '../values/uuid.ts';
import { addJob, beat, endJob, listActive, recoverJob } from './jobs.ts';
import type { JobKey } from './jobs.ts';
import type { EditPreview } from './preview-edit.ts';
import { runThread } from './run-thread.ts';
import type { Thread, ThreadMessage } from './run-thread.ts';
import type { SubjectEdit, Work } from './work.ts';

/** How long a thread may take to end after it was asked to: the server has 10 seconds in all. */
const leaveMs = 2500;
const graceMsMax = 5500;
/** How long the database may take to note the ends. */
const noteMs = 1000;
const previewMs = 7000;
const previewsMax = 2;

export interface JobRunnerDependencies {
  readonly store: Store;
  /** The address of the same database: each thread opens it for itself. */
  readonly database: string;
  readonly clock: () => number;
  readonly onFailure: (error: unknown) => void;
  /** Jobs at once, in this process. */
  readonly threadsMax?: number;
  readonly lookEveryMs?: number;
}

/** Does the long work of a server in threads, and looks after jobs whose server has gone. */
export interface JobRunner {
  /** Adds a job and starts it when it is its turn. An import brings its open file, which the runner closes. */
  add(
    job: JobKey & { work: Work; userId: string; fd?: number },
  ): Promise<'added' | 'known' | 'busy'>;
  /** What a change of a subject would do; undefined if it takes too long. Throws a `Refusal` as the change would. */
  preview(workspaceId: string, edit: SubjectEdit): Promise<EditPreview | undefined>;
  /**
   * Takes no more jobs, gives running ones `graceMs` to end, then stops them: their transactions are
   * rolled back.
   */
  stop(options: { graceMs: number }): Promise<void>;
}

/** Starts a runner; it looks for waiting jobs until it is stopped. */
export function createJobRunner({
  store,
  database,
  clock,
  onFailure,
  threadsMax = 2,
  lookEveryMs = 5000,
}: JobRunnerDependencies): JobRunner {
  const owner = newId(clock);
  const running = new Map<string, { readonly thread: Thread; readonly done: Promise<void> }>();
  const files = new Map<string, number>();
  /** Jobs whose thread died before it could say how they ended. */
  const gone = new Map<string, JobKey>();
  const previews = new Set<Thread>();
  let stopping: Promise<void> | undefined;
  let looking: Promise<void> | undefined;
  const timer = setInterval(() => void look(), lookEveryMs);
  timer.unref();
  void look();
  return { add, preview, stop };

  async function add({
    fd,
    ...job
  }: JobKey & { work: Work; userId: string; fd?: number }): Promise<'added' | 'known' | 'busy'> {
    let added: 'added' | 'known' | 'busy' | undefined;
    try {
      added = await addJob(store, { ...job, owner: fd === undefined ? null : owner, clock });
    } finally {
      if (fd !== undefined && added === 'added') files.set(job.id, fd);
      else if (fd !== undefined) closeSync(fd);
    }
    await look();
    return added;
  }

  /** Starts waiting jobs while threads are free. Calls run one after the other. */
  async function look(): Promise<void> {
    looking = (looking ?? Promise.resolve())
      .then(lookOnce)
      .catch((error: unknown) => onFailure(store.mapFailure(error)));
    await looking;
  }

  async function lookOnce(): Promise<void> {
    // Started again by a later look: a database that refuses threads must not be asked without a pause.
    const recovered = new Set(gone.keys());
    for (const key of gone.values()) {
      await recoverJob(store, { ...key, owner }, { clock });
      gone.delete(key.id);
    }
    if (stopping !== undefined) return;
    for (const row of await listActive(store)) {
      const key = { workspaceId: row.workspace_id, id: row.id };
      const isOurs = row.owner === owner;
      if (running.has(row.id) || gone.has(row.id) || recovered.has(row.id)) continue;
      if (row.owner !== null && !isOurs) {
        if (!row.is_silent) continue;
        await recoverJob(store, { ...key, owner: row.owner }, { clock });
      }
      if (row.state !== 'waiting' || (row.owner !== null && !isOurs)) continue;
      // Its file is not here yet, because `add` is still running.
      if (isOurs && !files.has(row.id)) continue;
      if (stopping !== undefined) return;
      if (running.size < threadsMax) start(key);
      else if (isOurs) await beat(store, key, { owner });
    }
  }

  function start(key: JobKey): void {
    const thread = runThread({ database, job: key, owner, fd: files.get(key.id) });
    const done = thread.messages.then((messages) => finish(key, messages)).catch(onFailure);
    running.set(key.id, { thread, done });
  }

  async function finish(key: JobKey, messages: readonly ThreadMessage[]): Promise<void> {
    for (const message of messages) {
      if ('error' in message) onFailure(message.error);
      if ('refusal' in message)
        onFailure(new Error(`A job could not begin: ${message.refusal.code}`));
    }
    if (!messages.some((message) => 'hasEnded' in message)) gone.set(key.id, key);
    const fd = files.get(key.id);
    if (fd !== undefined) closeSync(fd);
    files.delete(key.id);
    running.delete(key.id);
    await look();
  }

  async function preview(workspaceId: string, edit: SubjectEdit): Promise<EditPreview | undefined> {
    if (previews.size >= previewsMax || stopping !== undefined) return undefined;
    const thread = runThread({ database, preview: { workspaceId, edit } });
    previews.add(thread);
    const timeout = setTimeout(() => thread.terminate(), previewMs);
    const messages = await thread.messages;
    clearTimeout(timeout);
    previews.delete(thread);
    for (const message of messages) {
      if ('preview' in message) return message.preview;
      if ('refusal' in message) throw new Refusal(message.refusal.code, message.refusal.facts);
      if ('error' in message) throw message.error;
    }
    return undefined;
  }

  function stop({ graceMs }: { graceMs: number }): Promise<void> {
    return (stopping ??= stopOnce(Math.min(graceMs, graceMsMax)));
  }

  async function stopOnce(graceMs: number): Promise<void> {
    clearInterval(timer);
    for (const thread of previews) thread.terminate();
    await atMost(graceMs, allDone());
    for (const { thread } of running.values()) thread.stop();
    await atMost(leaveMs, allDone());
    for (const { thread } of running.values()) thread.terminate();
    // If the database is away, another server finds these jobs by their last heartbeat.
    await atMost(noteMs, noteEnds().catch(onFailure));
    for (const fd of files.values()) closeSync(fd);
  }

  /** Notes how the last jobs ended, also imports that never began: their files go with this process. */
  async function noteEnds(): Promise<void> {
    await looking;
    await allDone();
    if (files.size === 0) return;
    for (const row of await listActive(store)) {
      const key = { workspaceId: row.workspace_id, id: row.id };
      const outcome = { refusal: { code: 'stopped', facts: {} } } as const;
      if (row.owner === owner) await endJob(store.access, key, { owner, clock, outcome });
    }
  }

  function allDone(): Promise<unknown> {
    return Promise.all([...running.values()].map(({ done }) => done));
  }
}

async function atMost(ms: number, work: Promise<unknown>): Promise<void> {
  const patience = new AbortController();
  const end = sleep(ms, undefined, { signal: patience.signal }).catch(() => {});
  await Promise.race([work, end]);
  patience.abort();
}
