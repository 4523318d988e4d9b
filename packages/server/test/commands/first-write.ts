import type { ChildProcess } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';

/** Waits until a process, still running, has written to the journal beside a SQLite file. */
export async function firstWrite(path: string, child: ChildProcess): Promise<void> {
  while (child.exitCode === null) {
    const { size } = await stat(`${path}-wal`).catch(() => ({ size: 0 }));
    if (size > 0) return;
    await setTimeout(2);
  }
}
