import { settings } from '../../../config.ts';
import { hasUsers } from '../../../people/users.ts';
import type { Store } from '../../../storage/store.ts';
import { makeSetUpPath } from '../user/user.ts';
import type { Io } from '../../terminal/io.ts';
import { printWords } from '../../terminal/print.ts';
import { shellWord } from '../../../values/shell-word.ts';

type Terminal = Pick<Io, 'stderr' | 'isTerminal' | 'asTyped' | 'clock'>;

/** Prints the address, and what to do first. */
export async function greet(
  io: Terminal,
  store: Store,
  url: string,
  address: string,
): Promise<void> {
  io.stderr.write(`Overheard listens on ${address}\n`);
  // Keep serving even if the database has become unavailable again.
  const setUp = await setUpWords(io, store, { url, address }).catch(() => undefined);
  if (setUp !== undefined) printWords(io, setUp);
  const workspaces = await store.reader
    .selectFrom('workspaces')
    .select('slug')
    .limit(1)
    .execute()
    .catch(() => undefined);
  if (setUp === undefined && workspaces?.length === 0) {
    printWords(io, `There is no workspace yet. Make one: ${url}/workspaces/new`);
  }
  const slug = workspaces?.[0]?.slug ?? 'SLUG';
  printWords(
    io,
    `Make a key:  overheard key create --workspace ${slug}${addressOption(url)}\nThen read:   curl -H "Authorization: Bearer $KEY" ${url}/api/v1/scores\nIts API:     ${url}/api/v1/openapi.json`,
  );
}

/**
 * Explains how the first person signs in. Where stderr is a log, it shows the link only if nobody
 * but this machine reaches the server.
 */
async function setUpWords(
  io: Terminal,
  { access }: Store,
  { url, address }: { url: string; address: string },
): Promise<string | undefined> {
  if (await hasUsers(access)) return undefined;
  const begin = 'Set up the pages, where you make your first workspace:';
  const command = `overheard user link${addressOption(url)}`;
  if (!io.isTerminal && !isLoopback(address)) return `${begin} ${command}`;
  const link = `${begin} ${url}${await makeSetUpPath(access, io.clock)}`;
  return io.isTerminal ? link : `${link}\nAnother link, if that one has ended: ${command}`;
}

function isLoopback(address: string): boolean {
  return /^(?:127\.\d+\.\d+\.\d+|\[::1\]|localhost)$/.test(new URL(address).hostname);
}

/** The option that makes a command print this server's address, if it isn't the usual one. */
export function addressOption(url: string): string {
  const usual = `http://${settings.host.default}:${settings.port.default}`;
  return url === usual ? '' : ` --public-url ${shellWord(url)}`;
}
