import type { Kysely } from 'kysely';
import { CommandError } from '../../problems.ts';
import type { DataTables } from '../../storage/schema.ts';
import { findRangeList, rangeLists, signatureAgents } from '../bots/catalogue.ts';
import { readOwnBots } from '../bots/workspace-bots.ts';
import { directoryPrefix, directoryUrl, parseDirectory } from './key-directory.ts';
import { formOf, parseListFile } from './list-file.ts';
import { readListContent, writeListContent } from './file-versions.ts';
import { findUnlikely } from './find-unlikely.ts';

/** No operator's file is nearly as large. */
export const operatorFileBytesMax = 5_000_000;

/** A file that an operator publishes: a list of networks, or a key directory. */
export interface OperatorFile {
  readonly id: string;
  readonly url: string;
}

/** Every file that `ranges update` asks for. */
const operatorFiles: readonly OperatorFile[] = [
  ...rangeLists.map(({ id, url }) => ({ id, url })),
  ...signatureAgents.map((agent) => ({ id: directoryPrefix + agent, url: directoryUrl(agent) })),
];

/** What the catalogue names, and the key directories of workspaces' own bots: all that can be fetched. */
export async function readKnownFiles(db: Kysely<DataTables>): Promise<readonly OperatorFile[]> {
  const known = new Map(operatorFiles.map((file) => [file.id, file]));
  const agents = (await readOwnBots(db)).flatMap(({ agent }) => agent ?? []);
  for (const agent of agents) {
    const id = directoryPrefix + agent;
    known.set(id, { id, url: directoryUrl(agent) });
  }
  return [...known.values()];
}

/** What a file says, in the form in which it is kept. */
export interface ParsedFile {
  readonly content: string;
  /** Networks, or keys. */
  readonly size: number;
  /** The time that the file itself gives, in milliseconds since 1970. */
  readonly createdMs: number | null;
}

/** Reads an operator's file. Throws a `CommandError` for one that is not what its id says. */
export function parseOperatorFile(id: string, text: string): ParsedFile {
  if (id.startsWith(directoryPrefix)) {
    const content = parseDirectory(text);
    return { content, size: sizeOf(id, content), createdMs: null };
  }
  const { prefixes, createdMs } = parseListFile(text, formOf(id), {
    service: findRangeList(id)?.service,
  });
  return { content: writeListContent(prefixes), size: prefixes.length, createdMs };
}

/** The number of networks or keys in a content that was kept. */
export function sizeOf(id: string, content: string): number {
  if (!id.startsWith(directoryPrefix)) return readListContent(content).length;
  const keys: unknown = JSON.parse(content);
  return Array.isArray(keys) ? keys.length : 0;
}

/**
 * Refuses a list that is unlikely to be its operator's, compared with the version before it: the rest
 * would let forgers pass. `accept` is what to type if the list is right.
 */
export function refuseUnlikely(
  { id, content }: { id: string; content: string },
  previous: string | undefined,
  accept: string,
): void {
  if (id.startsWith(directoryPrefix)) return;
  const before = previous === undefined ? undefined : readListContent(previous);
  const why = findUnlikely(id, readListContent(content), before);
  if (why !== undefined) throw new CommandError(`${why} If that is right: ${accept}`);
}

/**
 * Refuses a list that has lost more than half of what it had: a page that was cut off would call every
 * visitor from the rest a forger. A missing key disproves nothing.
 */
export function refuseShrunken(
  { id, content }: { id: string; content: string },
  previous: string | undefined,
  accept: string,
): void {
  if (id.startsWith(directoryPrefix) || previous === undefined) return;
  const size = sizeOf(id, content);
  const before = sizeOf(id, previous);
  if (size * 2 >= before) return;
  throw new CommandError(
    `It has ${size} entries; the version before it has ${before}. If that is right: ${accept}`,
  );
}
