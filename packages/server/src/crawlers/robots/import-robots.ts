import type { Readable } from 'node:stream';
import { Refusal } from '../../refusals.ts';
import { openSource } from '../../rows/source.ts';
import type { Store } from '../../storage/store.ts';
import { keepRobotsFile, readRobotsText } from './robots-files.ts';
import type { RobotsFile } from './robots-files.ts';

/**
 * Takes a robots.txt that was in force from a moment on, from a file, or from standard input for `-`.
 * Returns the file, and whether it is new. Throws a `Refusal` for a file that is not text, and for a
 * moment in the future.
 */
export async function importRobots(
  store: Store,
  workspaceId: string,
  { path, host, atMs, nowMs, stdin }: ImportOptions,
): Promise<{ readonly file: RobotsFile; readonly isNew: boolean }> {
  const at = new Date(atMs).toISOString();
  if (atMs > nowMs) throw new Refusal('robots_in_future', { at });
  const source = await openSource(path, { stdin });
  const content = await readRobotsText(source.stream);
  // Of UTF-16, crawlers would read nothing, and nor would we.
  if (/[\0\ufffd]/.test(content.slice(0, 4))) {
    throw new Refusal('robots_not_text', { path: source.name });
  }
  const file = { host, at, status: null, content };
  return { file, isNew: await keepRobotsFile(store, workspaceId, file) };
}

interface ImportOptions {
  readonly path: string;
  /** In normal form, as hits have it. */
  readonly host: string;
  /** Milliseconds since 1970. */
  readonly atMs: number;
  readonly nowMs: number;
  readonly stdin: Readable;
}
