import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { measureCommand, runCommand } from '../measured-command.ts';
import { listFile, listIds } from './lists.ts';
import type { MeasuredRun } from './measured-run.ts';

/** Measures `overheard hits ingest`, as published, into a database that is new. */
export async function ingest({
  log,
  lines,
  folder,
  database,
}: {
  log: string;
  lines: number;
  folder: string;
  database: string;
}): Promise<MeasuredRun> {
  const command = (...words: readonly string[]) => runCommand([...words, '--database', database]);
  await command('workspace', 'create', 'bench', '--name', 'Bench', '--brand', 'Bench');
  for (const id of listIds) {
    const path = join(folder, 'list.json');
    await writeFile(path, listFile(id));
    const fetchedAt = new Date().toISOString();
    await command('ranges', 'import', path, '--list', id, '--fetched-at', fetchedAt);
  }
  const words = ['hits', 'ingest', log, '--workspace', 'bench', '--no-dns', '--database', database];
  return { count: lines, ...(await measureCommand(words)) };
}
