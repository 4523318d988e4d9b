import type { Kysely } from 'kysely';
import type { DataTables } from '../../storage/schema.ts';
import { readOwnBots } from '../bots/workspace-bots.ts';
import { directoryPrefix, directoryUrl } from './key-directory.ts';
import { operatorFiles } from './operator-file.ts';
import type { OperatorFile } from './operator-file.ts';

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
