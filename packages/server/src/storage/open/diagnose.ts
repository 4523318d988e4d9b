import type { Finding } from '../finding.ts';
import { isPostgresUrl, sqlitePath } from './database-url.ts';
import { diagnoseSqlite } from '../sqlite/diagnosis/diagnose-sqlite.ts';
import { databaseFiles } from '../sqlite/files/files.ts';

/**
 * Checks the database of a URL and reports each finding. Changes nothing: it neither creates the
 * database nor migrates its schema.
 */
export async function diagnose(
  url: string,
  { clock }: { clock: () => number },
): Promise<Finding[]> {
  if (!(await isPostgresUrl(url))) {
    return diagnoseSqlite(databaseFiles(sqlitePath(url)), { clock });
  }
  const { diagnosePostgres } = await import('../postgres/diagnose-postgres.ts');
  return diagnosePostgres(url, { clock });
}
