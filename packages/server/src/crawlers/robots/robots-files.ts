import { Refusal } from '../../refusals.ts';
import type { Source } from '../../rows/source.ts';
import type { Store } from '../../storage/store.ts';
import { writeWorkspace } from '../../storage/write.ts';
import { readUpTo } from '../../values/read-up-to.ts';

/** The robots.txt of a host as it was at one moment. It is in force until the next one of that host. */
export interface RobotsFile {
  /** In normal form, as hits have it. */
  readonly host: string;
  readonly at: string;
  /** The status of the response, of which only 200 has content; null if a person imported the file. */
  readonly status: number | null;
  readonly content: string;
}

/** Crawlers must read 500 KiB of a file or more (RFC 9309), so this much of it counts. */
const bytesMax = 500 * 1024;

/** The text of a file as crawlers read it. It may have a NUL. */
export async function readRobotsText(stream: AsyncIterable<Uint8Array> | null): Promise<string> {
  return (await readUpTo(stream, bytesMax)).toString('utf8', 0, bytesMax);
}

/** The text of a person's file. Throws a `Refusal` for one that is not text. */
export async function readRobotsFile({ stream, name }: Source): Promise<string> {
  const content = await readRobotsText(stream);
  // Crawlers cannot read UTF-16, and nor can we.
  if (/[\0\ufffd]/.test(content.slice(0, 4))) throw new Refusal('robots_not_text', { path: name });
  return content;
}

/**
 * Stores a file, even an unchanged one, so that the order of imports does not matter. Returns false
 * if the file is stored already. Throws a `Refusal` if another one has the same moment.
 */
export async function keepRobotsFile(
  store: Store,
  workspaceId: string,
  { host, at, status, content: text }: RobotsFile,
): Promise<boolean> {
  // PostgreSQL stores no NUL.
  const content = text.replaceAll('\0', '\ufffd');
  const { hasChanged } = await writeWorkspace(store, workspaceId, async (transaction) => {
    const latest = await transaction
      .selectFrom('robots_files')
      .select(['status', 'content'])
      .where('workspace_id', '=', workspaceId)
      .where('host', '=', host)
      .where('from_at', '=', at)
      .executeTakeFirst();
    if (latest !== undefined && (latest.status !== status || latest.content !== content)) {
      throw new Refusal('robots_moment_taken', { host, at });
    }
    if (latest !== undefined) return { hasChanged: false };
    const row = { workspace_id: workspaceId, host, from_at: at, status, content };
    await transaction.insertInto('robots_files').values(row).execute();
    return { hasChanged: true };
  });
  return hasChanged;
}

/** Removes the file of one moment, or all of a host. Throws a `Refusal` if there is none. */
export async function removeRobotsFiles(
  store: Store,
  workspaceId: string,
  { host, at }: { host: string; at?: string | undefined },
): Promise<number> {
  const { removed } = await writeWorkspace(store, workspaceId, async (transaction) => {
    const { numDeletedRows } = await transaction
      .deleteFrom('robots_files')
      .where('workspace_id', '=', workspaceId)
      .where('host', '=', host)
      .$if(at !== undefined, (query) => query.where('from_at', '=', at ?? ''))
      .executeTakeFirst();
    if (numDeletedRows === 0n) throw new Refusal('robots_not_found', { host, at });
    return { hasChanged: true, removed: Number(numDeletedRows) };
  });
  return removed;
}

/**
 * Takes a robots.txt that was in force from a moment on. Returns the file, and whether it is new. Throws a `Refusal` for a file that is not text, and for a
 * moment in the future.
 */
export async function importRobots(
  store: Store,
  workspaceId: string,
  { source, host, atMs, nowMs }: ImportOptions,
): Promise<{ readonly file: RobotsFile; readonly isNew: boolean }> {
  const at = new Date(atMs).toISOString();
  if (atMs > nowMs) throw new Refusal('robots_in_future', { at });
  const content = await readRobotsFile(source);
  const file = { host, at, status: null, content };
  return { file, isNew: await keepRobotsFile(store, workspaceId, file) };
}

interface ImportOptions {
  readonly source: Source;
  /** In normal form, as hits have it. */
  readonly host: string;
  readonly atMs: number;
  readonly nowMs: number;
}
