import { settings } from '../../../config.ts';
import { hasUsers } from '../../../people/users/find-users.ts';
import type { Store } from '../../../storage/store.ts';
import { makeSetUpPath } from '../user/user.ts';
import type { Io } from '../../terminal/io.ts';
import { printWords } from '../../terminal/print.ts';
import { shellWord } from '../../../values/shell-word.ts';

/** Prints the address, and what to do first. */
export async function greet(io: Io, store: Store, url: string, address: string): Promise<void> {
  io.stderr.write(`Overheard listens on ${address}\n`);
  // Keep serving even if the database has become unavailable again.
  const workspaces = await store.reader
    .selectFrom('workspaces')
    .select('slug')
    .limit(1)
    .execute()
    .catch(() => undefined);
  const slug = workspaces?.[0]?.slug ?? 'SLUG';
  if (workspaces?.length === 0) {
    printWords(
      io,
      'There is no workspace yet: overheard workspace create SLUG --name NAME --brand NAME',
    );
  }
  const setUp = await setUpWords(io, store, url).catch(() => undefined);
  if (setUp !== undefined) printWords(io, setUp);
  printWords(
    io,
    `Make a key:  overheard key create --workspace ${slug}${addressOption(url)}\nThen read:   curl -H "Authorization: Bearer $KEY" ${url}/api/v1/scores\nIts API:     ${url}/api/v1/openapi.json`,
  );
}

/**
 * Explains how the first person signs in. Shows the link only on a terminal, because elsewhere
 * stderr is a log.
 */
async function setUpWords(io: Io, { access }: Store, url: string): Promise<string | undefined> {
  if (await hasUsers(access)) return undefined;
  if (!io.isTerminal) return `Set up the pages: overheard user link${addressOption(url)}`;
  return `Set up the pages: ${url}${await makeSetUpPath(access, io.clock)}`;
}

/** The option that makes a command print this server's address, if it isn't the usual one. */
export function addressOption(url: string): string {
  const usual = `http://${settings.host.default}:${settings.port.default}`;
  return url === usual ? '' : ` --public-url ${shellWord(url)}`;
}
