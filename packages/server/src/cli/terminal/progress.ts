import type { Writable } from 'node:stream';

/** Draws one line with the progress of a command. Draws nothing without a terminal. */
export interface Progress {
  /** Calls `words` for the text to draw. `share` is 0 to 1 if the end is known. */
  update(words: () => string, share?: number): void;
  /** Wipes the line. */
  clear(): void;
}

const intervalMs = 100;

/** Progress on a terminal, redrawn at most ten times a second by `clock` (milliseconds). */
export function createProgress({
  stderr,
  isTerminal,
  clock,
}: {
  stderr: Writable;
  isTerminal: boolean;
  clock: () => number;
}): Progress {
  let drawnAtMs: number | undefined;
  return { update, clear };

  function update(words: () => string, share?: number): void {
    if (!isTerminal) return;
    const nowMs = clock();
    // Keep drawing after the clock was set back.
    if (drawnAtMs !== undefined && Math.abs(nowMs - drawnAtMs) < intervalMs) return;
    drawnAtMs = nowMs;
    const percent = share === undefined ? '' : ` (${Math.floor(Math.min(share, 1) * 100)} %)`;
    stderr.write(`\r\u001b[K${words()}${percent}`);
  }

  function clear(): void {
    if (drawnAtMs !== undefined) stderr.write('\r\u001b[K');
    drawnAtMs = undefined;
  }
}
