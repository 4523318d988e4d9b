import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

/** Marks our files in their header, so that a foreign one is never touched: `OVHD`. */
export const applicationId = 0x4f564844;

/** The files of one embedded database. */
export interface DatabaseFiles {
  /** Workspaces' data. */
  readonly data: string;
  /** Keys and quota: what must never wait for an import. */
  readonly access: string;
  /** The ledger of paid questions. It exists once collecting was set up. */
  readonly ledger: string;
}

/**
 * `dir/overheard.db` is accompanied by `dir/overheard.access.db`. A link to the data alone names the
 * files where it leads: otherwise one database would have two files of keys, and two quotas.
 */
export function databaseFiles(path: string): DatabaseFiles {
  const data = resolve(path);
  const named = filesOf(data);
  if (!existsSync(data) || existsSync(named.access)) return named;
  const real = realpathSync(data);
  // Only the file's own link counts: a linked folder has both files.
  if (join(realpathSync(dirname(data)), basename(data)) === real) return named;
  return filesOf(real);
}

function filesOf(data: string): DatabaseFiles {
  const name = basename(data);
  const stem = name.endsWith('.db') ? name.slice(0, -'.db'.length) : name;
  const beside = (part: string): string => join(dirname(data), `${stem}.${part}.db`);
  return { data, access: beside('access'), ledger: beside('ledger') };
}
