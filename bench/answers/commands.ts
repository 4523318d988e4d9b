/** The published import and a redetection, against a database. */
import { measureCommand, runCommand } from '../measured-command.ts';
import type { Took } from '../measured-command.ts';
import { makeNames, makeSubjects } from './corpus.ts';

const subjectsCount = 11;

/** Imports a file into a database that is new; then judges all of it again, with one competitor more. */
export async function importAndRedetect(
  file: string,
  database: string,
): Promise<{ readonly imported: Took; readonly redetected: Took }> {
  const place = ['--workspace', 'bench', '--database', database];
  const [brand, ...competitors] = makeSubjects(subjectsCount).map(({ aliases, domains }) => ({
    name: aliases[0]?.alias ?? '',
    domain: domains[0] ?? '',
  }));
  const { name = '', domain = '' } = brand ?? {};
  const named = ['--name', 'Bench', '--brand', name, '--domain', domain];
  await runCommand(['workspace', 'create', 'bench', ...named, '--database', database]);
  for (const each of competitors) {
    await runCommand(['subject', 'add', each.name, '--domain', each.domain, ...place]);
  }
  const imported = await measureCommand(['answers', 'import', file, ...place]);
  // Some answers name it.
  await runCommand(['subject', 'add', makeNames(80).at(-1) ?? '', ...place]);
  const redetected = await measureCommand(['answers', 'redetect', ...place]);
  return { imported, redetected };
}
