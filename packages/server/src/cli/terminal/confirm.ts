import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';
import type { Readable, Writable } from 'node:stream';
import type { Io } from './io.ts';
import { CommandError, UsageError } from './command-error.ts';

/** Whether a stream is a terminal. */
export function isTerminal(stream: Readable | Writable): boolean {
  return 'isTTY' in stream && stream.isTTY === true;
}

/**
 * Asks a person to type a word before something is lost. Without a terminal, throws a `UsageError`
 * that names the option to confirm in advance.
 */
export async function confirm(
  io: Io,
  { question, word }: { question: string; word: string },
): Promise<void> {
  if (!io.isTerminal || !isTerminal(io.stdin)) {
    throw new UsageError(
      'Nothing was removed, because there is no terminal to confirm on. Add --yes.',
    );
  }
  const lines = createInterface({ input: io.stdin, output: io.stderr });
  // Ctrl-C and the end of the input close the interface, and a question would then wait for ever.
  let isInterrupted = false;
  lines.on('SIGINT', () => {
    isInterrupted = true;
    lines.close();
  });
  const closed = once(lines, 'close').then(() => '');
  try {
    const typing = lines.question(`${question} `, { signal: io.signal });
    const reply = await Promise.race([typing, closed]);
    if (reply.trim() === word) return;
  } catch (error) {
    if (!io.signal.aborted) throw error;
  } finally {
    lines.close();
  }
  throw new CommandError('Nothing was removed.', { exitCode: isInterrupted ? 130 : 1 });
}
