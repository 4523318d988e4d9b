import type { Store } from '../storage/store.ts';
import { newId } from '../values/uuid.ts';
import type { AskingOrder } from './do-ask.ts';
import { atMost, createJobThreads } from './job-threads.ts';
import { addJob, beat, endJob, listActive, recoverJob, retryJob } from './jobs.ts';
import type { JobKey } from './jobs.ts';
import type { SubjectEdit, Work } from './work.ts';
import { Refusal } from '../refusals.ts';
import type { EditPreview } from './preview-edit.ts';
import { runThread } from './run-thread.ts';
import type { Thread, ThreadMessage } from './run-thread.ts';

const previewMs = 7000;
const previewsMax = 2;

/** Previews changes of subjects, each in its own thread. */
function createPreviews(database: string) {
  const threads = new Set<Thread>();
  let isStopping = false;
  return { preview, stop };

  /**
   * Makes a preview. Undefined if it takes too long, or if others are running. Throws the same
   * `Refusal` as the change.
   */
  async function preview(workspaceId: string, edit: SubjectEdit): Promise<EditPreview | undefined> {
    if (threads.size >= previewsMax || isStopping) return undefined;
    const thread = runThread({ database, preview: { workspaceId, edit } });
    threads.add(thread);
    const timeout = setTimeout(() => thread.terminate(), previewMs);
    const messages = await thread.messages;
    clearTimeout(timeout);
    threads.delete(thread);
    return resultOf(messages);
  }

  /** Ends running previews and starts no more. */
  function stop(): void {
    isStopping = true;
    for (const thread of threads) thread.terminate();
  }
}

function resultOf(messages: readonly ThreadMessage[]): EditPreview | undefined {
  for (const message of messages) {
    if ('preview' in message) return message.preview;
    if ('refusal' in message) throw new Refusal(message.refusal.code, message.refusal.facts);
    if ('error' in message) throw message.error;
  }
  return undefined;
}

const graceMsMax = 5500;
/** How long the database may take to store how jobs ended. */
const noteMs = 1000;

export interface JobRunnerDependencies {
  readonly store: Store;
  /** The address of the database, which each thread opens itself. */
  readonly database: string;
  /** How this server asks engines; undefined if it asks none. */
  readonly asking?: AskingOrder | undefined;
  /** Called before a job asks engines: its open questions are paid for, so a stop waits for them. */
  readonly onAsk?: () => void;
  readonly clock: () => number;
  readonly onFailure: (error: unknown) => void;
  /** Jobs at once, in this process. */
  readonly threadsMax?: number;
  readonly lookEveryMs?: number;
}

/** Does the long work of a server in threads, and recovers jobs whose server has died. */
export interface JobRunner {
  /**
   * Adds a job, and starts it when its turn comes. The job of an import comes with an open file,
   * which the runner closes.
   */
  add(
    job: JobKey & { work: Work; userId: string | null; fd?: number },
  ): Promise<'added' | 'known' | 'busy'>;
  /** Repeats a refused import with other work, on the server that still has its file. */
  retry(job: JobKey & { work: Work }): Promise<'added' | 'known' | 'busy'>;
  /** Previews a change of a subject. */
  readonly preview: ReturnType<typeof createPreviews>['preview'];
  /**
   * Accepts no more jobs, gives running ones `graceMs` to end, then stops them, which rolls back
   * their transactions.
   */
  stop(options: { graceMs: number }): Promise<void>;
}

/** Starts a runner; it looks for waiting jobs until it is stopped. */
export function createJobRunner({
  store,
  database,
  asking,
  onAsk = () => {},
  clock,
  onFailure,
  threadsMax = 2,
  lookEveryMs = 5000,
}: JobRunnerDependencies): JobRunner {
  const owner = newId(clock);
  const threads = createJobThreads({ database, owner, asking, onAsk, onFailure, onFree: look });
  const previews = createPreviews(database);
  let stopping: Promise<void> | undefined;
  let looking: Promise<void> = Promise.resolve();
  const timer = setInterval(() => void look(), lookEveryMs);
  timer.unref();
  void look();
  return {
    add,
    retry,
    preview: previews.preview,
    stop: ({ graceMs }) => (stopping ??= stopOnce(Math.min(graceMs, graceMsMax))),
  };

  async function add({ fd, ...job }: Parameters<JobRunner['add']>[0]) {
    const adding = addJob(store, { ...job, owner: fd === undefined ? null : owner, clock });
    await (fd === undefined ? adding : threads.hold(job.id, { fd, adding }));
    await look();
    return adding;
  }

  async function retry(job: Parameters<JobRunner['retry']>[0]) {
    const retrying = await retryJob(store, job);
    await look();
    return retrying;
  }

  /** Starts waiting jobs while threads are free. Calls run one after the other. */
  async function look(): Promise<void> {
    looking = looking
      .then(() => startWaiting())
      .catch((error: unknown) => onFailure(store.mapFailure(error)));
    await looking;
  }

  async function stopOnce(graceMs: number): Promise<void> {
    clearInterval(timer);
    previews.stop();
    await threads.stop(graceMs);
    // If the database is unavailable, another server finds these jobs by their last heartbeat.
    await atMost(noteMs, looking.then(() => endStopped()).catch(onFailure));
    threads.closeFiles();
  }

  /**
   * Stores how the last jobs ended, including imports that never began, because their files disappear
   * with this process.
   */
  async function endStopped(): Promise<void> {
    await threads.allDone();
    if (threads.files.size === 0) return;
    const outcome = { refusal: { code: 'stopped', facts: {} } } as const;
    for (const { workspace_id: workspaceId, id, ...row } of await listActive(store)) {
      if (row.owner !== owner) continue;
      await endJob(store.access, { workspaceId, id }, { owner, clock, outcome });
    }
  }

  /** Recovers jobs whose thread or server has died, and starts waiting ones. */
  async function startWaiting(): Promise<void> {
    const { files, gone, running } = threads;
    // Leave recovered jobs to a later call, so that a database that refuses threads is not retried
    // without a pause.
    const recovered = new Set(gone.keys());
    for (const key of gone.values()) {
      await recoverJob(store, { ...key, owner }, { clock });
      gone.delete(key.id);
    }
    if (isStopping()) return;
    for (const row of await listRecovered()) {
      const key = { workspaceId: row.workspace_id, id: row.id };
      const isOurs = row.owner === owner;
      if (running.has(row.id) || gone.has(row.id) || recovered.has(row.id)) continue;
      if (row.state !== 'waiting' || (row.owner !== null && !isOurs)) continue;
      if (isOurs && !files.has(row.id)) {
        // Before its first attempt `add` is still running. Later the file was kept for too long.
        if (row.attempts > 0) await recoverJob(store, { ...key, owner }, { clock });
        continue;
      }
      if (isStopping()) return;
      if (running.size < threadsMax) threads.start(key, row.kind);
      else if (isOurs) await beat(store, key, { owner });
    }
  }

  /** Recovers the jobs of dead servers, and lists all unfinished jobs. */
  async function listRecovered(): ReturnType<typeof listActive> {
    const rows = await listActive(store);
    let hasRecovered = false;
    for (const { workspace_id: workspaceId, id, ...row } of rows) {
      if (row.owner === null || row.owner === owner || !row.is_silent) continue;
      await recoverJob(store, { workspaceId, id, owner: row.owner }, { clock });
      hasRecovered = true;
    }
    return hasRecovered ? listActive(store) : rows;
  }

  /** Whether a stop has begun, perhaps while this waited. */
  function isStopping(): boolean {
    return stopping !== undefined;
  }
}
