import { basename, dirname, join, resolve } from 'node:path';

/** Marks our files in their header, so that a foreign one is never touched: `OVHD`. */
export const applicationId = 0x4f564844;

/** The two files of one embedded database. */
export interface DatabaseFiles {
  /** Workspaces' data. */
  readonly data: string;
  /** Keys and quota: what must never wait for an import. */
  readonly access: string;
}

/** `dir/overheard.db` is accompanied by `dir/overheard.access.db`. */
export function databaseFiles(path: string): DatabaseFiles {
  const data = resolve(path);
  const name = basename(data);
  const stem = name.endsWith('.db') ? name.slice(0, -'.db'.length) : name;
  return { data, access: join(dirname(data), `${stem}.access.db`) };
}
