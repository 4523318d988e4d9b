import type { Finding } from '../finding.ts';
import { isPostgresUrl, sqlitePath } from './database-url.ts';
import { diagnoseSqlite } from '../sqlite/diagnose.ts';
import { databaseFiles } from '../sqlite/files/files.ts';

/**
 * Looks at the database that a URL names and says what is well and what is not. Changes nothing:
 * neither is it created, nor its schema brought up to date.
 */
export async function diagnose(
  url: string,
  { clock }: { clock: () => number },
): Promise<Finding[]> {
  if (!(await isPostgresUrl(url))) {
    return diagnoseSqlite(databaseFiles(sqlitePath(url)), { clock });
  }
  const { diagnosePostgres } = await import('../postgres/diagnose.ts');
  return diagnosePostgres(url, { clock });
}
