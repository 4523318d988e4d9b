import { Refusal } from '../refusals.ts';
import type { EditPreview } from './preview-edit.ts';
import { runThread } from './run-thread.ts';
import type { Thread, ThreadMessage } from './run-thread.ts';
import type { SubjectEdit } from './work.ts';

const previewMs = 7000;
const previewsMax = 2;

/** Previews changes of subjects, each in its own thread. */
export interface Previews {
  /**
   * Makes a preview. Undefined if it takes too long, or if others are running. Throws the same
   * `Refusal` as the change.
   */
  preview(workspaceId: string, edit: SubjectEdit): Promise<EditPreview | undefined>;
  /** Ends running previews and starts no more. */
  stop(): void;
}

export function createPreviews(database: string): Previews {
  const threads = new Set<Thread>();
  let isStopping = false;
  return { preview, stop };

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
