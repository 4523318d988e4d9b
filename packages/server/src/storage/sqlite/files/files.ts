import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

/** The application id in our files' headers, `OVHD`, so that a foreign file is never touched. */
export const applicationId = 0x4f564844;

/** The files of one embedded database. */
export interface DatabaseFiles {
  /** Workspaces' data. */
  readonly data: string;
  /** Keys and quota, which must never wait for an import. */
  readonly access: string;
  /** The ledger of paid questions. The file exists once collecting is set up. */
  readonly ledger: string;
}

/**
 * The files of a database: `dir/overheard.access.db` is beside `dir/overheard.db`. If only the data
 * file is a link, its target's folder counts, because otherwise one database would have two files
 * of keys and two quotas.
 */
export function databaseFiles(path: string): DatabaseFiles {
  const data = resolve(path);
  const named = filesOf(data);
  if (!existsSync(data) || existsSync(named.access)) return named;
  const real = realpathSync(data);
  // Follow only a link of the file itself. A linked folder contains both files.
  if (join(realpathSync(dirname(data)), basename(data)) === real) return named;
  return filesOf(real);
}

function filesOf(data: string): DatabaseFiles {
  const name = basename(data);
  const stem = name.endsWith('.db') ? name.slice(0, -'.db'.length) : name;
  const partPath = (part: string): string => join(dirname(data), `${stem}.${part}.db`);
  return { data, access: partPath('access'), ledger: partPath('ledger') };
}
