import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { assumeType } from '../values/assume-type.ts';
import type { AskingOrder } from './do-ask.ts';
import type { JobKey, StoredRefusal } from './jobs.ts';
import type { EditPreview } from './preview-edit.ts';
import type { SubjectEdit } from './work.ts';

/** The work of a thread. */
export type ThreadOrder = { readonly database: string } & (
  | {
      readonly job: JobKey;
      readonly owner: string;
      /** The file of an import: threads share it with their process. */
      readonly fd: number | undefined;
      readonly asking: AskingOrder | undefined;
    }
  | { readonly preview: { readonly workspaceId: string; readonly edit: SubjectEdit } }
);

/** A message from a thread. */
export type ThreadMessage =
  | { readonly hasEnded: true; readonly keepsFile?: boolean }
  | { readonly preview: EditPreview }
  | { readonly refusal: StoredRefusal }
  | { readonly error: unknown };

/** A running thread. */
export interface Thread {
  /** Resolves with all its messages when the thread has ended. */
  readonly messages: Promise<readonly ThreadMessage[]>;
  /** Asks the thread to roll back and end. */
  stop(): void;
  terminate(): void;
}

/** Published packages have the built file. */
const entry = new URL(`./thread${extname(import.meta.filename)}`, import.meta.url);

/** Starts a thread. */
export function runThread(order: ThreadOrder): Thread {
  const worker = new Worker(entry, { workerData: order });
  const messages: ThreadMessage[] = [];
  const { promise, resolve } = Promise.withResolvers<readonly ThreadMessage[]>();
  worker.on('message', (message) => messages.push(assumeType<ThreadMessage>(message)));
  worker.on('error', (error) => messages.push({ error }));
  worker.on('exit', () => resolve(messages));
  return {
    messages: promise,
    stop: () => worker.postMessage('stop'),
    terminate: () => void worker.terminate(),
  };
}
