import { createReadStream, read as readBytes } from 'node:fs';
import { importAnswers } from '../answers/import/import-answers.ts';
import { noteEvent } from '../people/events.ts';
import type { Source } from '../rows/source.ts';
import type { Store } from '../storage/store.ts';
import { importRows } from '../transfer/import-rows.ts';
import { resources } from '../transfer/all-resources.ts';
import { doGaps } from './do-gaps.ts';
import type { JobTools } from './job-tools.ts';
import type { ImportWork } from './work.ts';

type ImportResult = Record<string, number | string[]>;

/**
 * Imports an uploaded file, completely or not at all. `fd` is the file, which has no name and
 * disappears when the process ends.
 */
export async function doImport(
  store: Store,
  { work, fd }: { work: ImportWork; fd: number },
  tools: JobTools,
): Promise<ImportResult> {
  // Only the runner closes the file. If the stream closed it too, the descriptor could already
  // belong to another file.
  const keepOpen = {
    read: readBytes,
    close: (_: number, done: (error: null) => void) => done(null),
  };
  const stream = createReadStream('', { fd, start: 0, fs: keepOpen });
  const source = { name: work.file, stream, bytesTotal: work.bytes };
  const { workspaceId, userId, clock } = tools;
  const result = await importFile(store, { work, source }, tools);
  const note = { workspaceId, kind: 'file_imported', facts: { name: work.file } } as const;
  await noteEvent(store.access, { userId, clock }, note);
  const { gaps } = work.rows === 'answers' && result['new'] !== 0 ? await doGaps(store, tools) : {};
  return { ...result, ...(gaps !== undefined && { gaps }) };
}

async function importFile(
  store: Store,
  { work, source }: { work: ImportWork; source: Source },
  { workspaceId, userId, clock, signal, onProgress }: JobTools,
): Promise<ImportResult> {
  const { format, hasNewEngine } = work;
  let total: number | undefined;
  const options = {
    workspaceId,
    source,
    format,
    acceptsNewEngines: hasNewEngine,
    importedBy: userId ?? undefined,
    clock,
    signal,
    onRead: ({ rows }: { rows: number }) => {
      total = rows;
      onProgress({ step: 'reading', count: rows });
    },
    onWritten: (count: number) => onProgress({ step: 'writing', count, total }),
  };
  if (work.rows === 'answers') {
    const summary = await importAnswers(store, options);
    const { runs, newPrompts, citations, scores, newEngines, warnings, read, repeated } = summary;
    return {
      read,
      new: runs.new,
      changed: 0,
      unchanged: runs.unchanged + repeated,
      prompts: newPrompts,
      citations,
      scores: scores.changed,
      newEngines: [...newEngines],
      warnings: [...warnings],
    };
  }
  const resource = resources.find(({ name }) => name === work.rows);
  if (resource === undefined) throw new TypeError(`No rows are called ${work.rows}`);
  const { read, rows, newEngines } = await importRows(store, { ...options, resource });
  const unchanged = read - rows.new - rows.changed;
  return { read, new: rows.new, changed: rows.changed, unchanged, newEngines: [...newEngines] };
}
