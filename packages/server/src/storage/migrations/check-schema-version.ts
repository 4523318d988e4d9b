import { isRefusal } from '../../refusals.ts';
import { ok, refusalProblem, warning } from '../finding.ts';
import type { Finding } from '../finding.ts';
import { latestVersion, requireVersion } from './migration.ts';
import { schemaParts } from './schema-parts.ts';

/** Checks whether this Overheard can use the version of a part of a database. */
export function checkSchemaVersion(
  part: keyof typeof schemaParts,
  version: number,
  name: string = part,
): Finding {
  const latest = latestVersion(schemaParts[part]);
  if (version === latest) return ok('schema', `${name}: version ${version}, the latest`);
  try {
    if (version > 0) requireVersion(schemaParts[part], version);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return refusalProblem('schema', error);
  }
  return warning(
    'schema',
    `${name}: version ${version}; this Overheard has ${latest}.`,
    'The next start migrates it; back up PostgreSQL before. An embedded database is backed up by itself.',
  );
}
