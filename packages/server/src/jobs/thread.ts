/**
 * The entry of the thread for one job or preview. It is a separate thread because a long query or
 * judgement would block the server's event loop.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { assumeType } from '../values/assume-type.ts';
import { isRefusal } from '../refusals.ts';
import { openStore } from '../storage/open/open-store.ts';
import type { Store } from '../storage/store.ts';
import { isUnavailable } from '../storage/unavailable.ts';
import { readRefused } from './do-import.ts';
import { doWork } from './do-work.ts';
import { beat, claimJob, endJob, recoverJob } from './jobs.ts';
import type { Job, JobOutcome, JobProgress } from './jobs.ts';
import { previewEdit } from './preview-edit.ts';
import type { ThreadMessage, ThreadOrder } from './run-thread.ts';
import { isRepeatable } from './work.ts';

const beatMs = 5000;
const progressMs = 1000;
/** One connection for reads, one for the import's transaction, and one for other writes. */
const connectionsMax = 3;

const order = assumeType<ThreadOrder>(workerData);
const stop = new AbortController();
const clock = Date.now;

parentPort?.once('message', () => stop.abort());
try {
  const store = await openStore(order.database, { connectionsMax });
  try {
    await ('job' in order ? runJob(store, order) : sendPreview(store, order));
  } finally {
    await store.close();
  }
} catch (error) {
  send(isRefusal(error) ? { refusal: { code: error.code, facts: error.facts } } : { error });
} finally {
  parentPort?.close();
}

async function sendPreview(
  store: Store,
  { preview }: Extract<ThreadOrder, { preview: unknown }>,
): Promise<void> {
  send({ preview: await previewEdit(store, { ...preview, signal: stop.signal }) });
}

async function runJob(
  store: Store,
  { job: key, owner, fd, asking }: Extract<ThreadOrder, { job: unknown }>,
): Promise<void> {
  const job = await claimJob(store, key, owner);
  if (job === undefined) return send({ hasEnded: true });
  const note = createNotes(async (progress) => {
    // A person may end a job; work that goes on after that is for nobody.
    if (!(await beat(store, key, { owner, progress }))) stop.abort();
  });
  let outcome: JobOutcome | undefined;
  try {
    const { onProgress } = note;
    const onFailure = (error: unknown) => send({ error: store.mapFailure(error) });
    const tools = { fd, asking, onProgress, onFailure, clock, signal: stop.signal };
    outcome = { result: await doWork(store, job, tools) };
  } catch (thrown) {
    const error = store.mapFailure(thrown);
    const isTemporary = isUnavailable(error) || stop.signal.aborted;
    if (!(isTemporary && isRepeatable(job.work))) outcome = failureOf(error);
  } finally {
    await note.end();
  }
  const sample = await sampleOf(outcome, { job, fd });
  if (outcome !== undefined && 'refusal' in outcome && sample !== undefined)
    outcome = { ...outcome, sample };
  if (outcome === undefined) await recoverJob(store, { ...key, owner }, { clock });
  else await endJob(store.access, key, { owner, clock, outcome });
  send({ hasEnded: true, keepsFile: sample !== undefined });
}

async function sampleOf(
  outcome: JobOutcome | undefined,
  { job: { work: todo }, fd }: { job: Job; fd: number | undefined },
) {
  if (outcome === undefined || !('refusal' in outcome)) return undefined;
  if (todo.kind !== 'import' || fd === undefined) return undefined;
  const { code } = outcome.refusal;
  return readRefused({ work: todo, fd }, { code, signal: stop.signal });
}

function failureOf(error: unknown): JobOutcome {
  if (isRefusal(error)) return { refusal: { code: error.code, facts: error.facts } };
  send({ error });
  return { failure: 'unexpected' };
}

/** Writes heartbeats, and the progress at most once a second, one write after the other. */
function createNotes(write: (progress: JobProgress | undefined) => Promise<void>) {
  let latest: JobProgress | undefined;
  let isWriting = false;
  let nextMs = 0;
  let last: Promise<void> = Promise.resolve();
  const timer = setInterval(() => note(beatMs), beatMs);
  return {
    onProgress: (progress: JobProgress) => {
      latest = progress;
      note(progressMs);
    },
    end: async () => {
      clearInterval(timer);
      await last;
    },
  };

  function note(pauseMs: number): void {
    if (isWriting || (pauseMs !== beatMs && clock() < nextMs)) return;
    nextMs = clock() + progressMs;
    isWriting = true;
    // Ignore failures, because a job must not fail if its progress cannot be written.
    last = write(latest)
      .catch(() => {})
      .finally(() => (isWriting = false));
  }
}

function send(message: ThreadMessage): void {
  parentPort?.postMessage(message);
}
