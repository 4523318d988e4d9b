import { statSync } from 'node:fs';
import { Refusal, isRefusal } from '../../refusals.ts';

/**
 * Whether a URL names a PostgreSQL database. Throws a `Refusal` if its address
 * cannot be read. The refusal does not repeat the address, because it may contain a password.
 */
export async function isPostgresUrl(url: string): Promise<boolean> {
  if (!/^postgres(ql)?:\/\//i.test(url)) return false;
  // Load the driver only if it is needed.
  const { readAddress } = await import('../postgres/address.ts');
  readAddress(url);
  return true;
}

/** The file that a URL of the embedded database names. */
export function sqlitePath(url: string): string {
  const scheme = /^([a-z][a-z0-9+.-]+):/i.exec(url)?.[1]?.toLowerCase();
  if (scheme === undefined) return requireFilePath(url);
  if (scheme !== 'file') {
    throw new Refusal('database_scheme_unknown', { scheme });
  }
  return decodePath(url.slice('file:'.length).replace(/^\/\/(?=\/)/, ''));
}

function decodePath(path: string): string {
  try {
    return requireFilePath(decodeURIComponent(path));
  } catch (error) {
    if (isRefusal(error)) throw error;
    throw new Refusal('database_name_malformed', {}, { cause: error });
  }
}

function requireFilePath(path: string): string {
  const isFolder = isDirectory(path);
  if (path !== '' && !isFolder && !path.includes('\0')) return path;
  throw isFolder
    ? new Refusal('database_is_folder', { path })
    : new Refusal('database_not_named', {});
}

function isDirectory(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  } catch {
    // Opening the database will report why it cannot be reached.
    return false;
  }
}
