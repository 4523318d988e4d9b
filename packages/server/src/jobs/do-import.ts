import { createReadStream, read as readBytes } from 'node:fs';
import { importAnswers } from '../answers/import/import-answers.ts';
import { readSample } from '../answers/import/read-sample.ts';
import type { AnswersSample } from '../answers/import/read-sample.ts';
import { noteOfText } from '../answers/page-texts.ts';
import { convertRaw } from '../collect/raw/convert-raw.ts';
import { rawFormats } from '../collect/raw/raw-formats.ts';
import { importRobots } from '../crawlers/robots/robots-files.ts';
import { noteEvent } from '../people/events.ts';
import type { Source } from '../rows/source.ts';
import { isRefusal } from '../refusals.ts';
import type { RefusalCode } from '../refusals.ts';
import type { Store } from '../storage/store.ts';
import { importRows } from '../transfer/import-rows.ts';
import { resources } from '../transfer/all-resources.ts';
import { doGaps } from './do-gaps.ts';
import type { JobTools } from './job-tools.ts';
import type { ImportWork } from './work.ts';
import { settleDays } from '../crawlers/hits/settle-days.ts';
import { pruneAddresses } from '../crawlers/hits/prune-addresses.ts';
import { prepareIngest } from '../crawlers/ingest/prepare-ingest.ts';
import { readStream } from '../crawlers/ingest/stream-log.ts';
import { skipReasons } from '../crawlers/log-line.ts';
import { decompress } from '../rows/decompress.ts';
import { refuseIfStopped } from '../rows/refuse-if-stopped.ts';
import { amount } from '../values/plural.ts';

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
  const source = openUpload(work, fd);
  const { workspaceId, userId, clock } = tools;
  const result = await importFile(store, { work, source }, tools);
  const note = { workspaceId, kind: 'file_imported', facts: { name: work.file } } as const;
  await noteEvent(store.access, { userId, clock }, note);
  const { gaps } = work.rows === 'answers' && result['new'] !== 0 ? await doGaps(store, tools) : {};
  return { ...result, ...(gaps !== undefined && { gaps }) };
}

/**
 * The columns and first rows of a refused file of answers, so that a person can say what they are.
 * Undefined if the file is not such a table.
 */
export async function readRefused(
  { work, fd }: { work: ImportWork; fd: number },
  { code, signal }: { code: RefusalCode; signal: AbortSignal },
): Promise<AnswersSample | undefined> {
  const isTable = work.rows === 'answers' && work.as === undefined;
  if (!isTable || (code !== 'columns_invalid' && code !== 'rows_invalid')) return undefined;
  const engine = work.columns?.mapping.engine;
  const engineColumn = typeof engine === 'object' && 'column' in engine ? engine.column : undefined;
  const options = { format: work.format, engineColumn, signal };
  try {
    const sample = await readSample(openUpload(work, fd), options);
    return sample.columns.length === 0 ? undefined : sample;
  } catch (error) {
    if (isRefusal(error)) return undefined;
    throw error;
  }
}

function openUpload({ file, bytes }: ImportWork, fd: number): Source {
  // Only the runner closes the file. If the stream closed it too, the descriptor could already
  // belong to another file.
  const keepOpen = {
    read: readBytes,
    close: (_: number, done: (error: null) => void) => done(null),
  };
  const stream = createReadStream('', { fd, start: 0, fs: keepOpen });
  return { name: file, stream, bytesTotal: bytes };
}

async function importFile(
  store: Store,
  { work, source }: { work: ImportWork; source: Source },
  tools: JobTools,
): Promise<ImportResult> {
  const { workspaceId, userId, clock, signal, onProgress } = tools;
  const { format, hasNewEngine, columns, as, site, at } = work;
  if (work.rows === 'access log') return importLog(store, { source, host: site }, tools);
  if (work.rows === 'robots.txt') {
    const nowMs = clock();
    const atMs = at === undefined ? nowMs : Date.parse(at);
    const robots = { source, host: site ?? '', atMs, nowMs };
    const { isNew } = await importRobots(store, workspaceId, robots);
    return { new: Number(isNew) };
  }
  const raw = rawFormats.find(({ name }) => name === as);
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
    const summary = await importAnswers(store, {
      ...options,
      ...columns,
      namesSharedTexts: true,
      ...(raw !== undefined && { convert: convertRaw(raw, {}), timeZone: 'UTC' }),
    });
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
      sharedTexts: summary.sharedTexts.map((text) => JSON.stringify(noteOfText(text))),
    };
  }
  const resource = resources.find(({ name }) => name === work.rows);
  if (resource === undefined) throw new TypeError(`No rows are called ${work.rows}`);
  const { read, rows, newEngines } = await importRows(store, { ...options, resource });
  const unchanged = read - rows.new - rows.changed;
  return { read, new: rows.new, changed: rows.changed, unchanged, newEngines: [...newEngines] };
}

/**
 * Reads an uploaded access log into hits. Lines that were read before add nothing. Host names are not
 * looked up: the daily update of lists does that.
 */
async function importLog(
  store: Store,
  { source: { name, stream }, host }: { source: Source; host: string | undefined },
  { workspaceId, clock, signal, onProgress }: JobTools,
): Promise<Record<string, number | string[]>> {
  const context = await prepareIngest(store, {
    workspaceId,
    format: 'auto',
    host,
    clock,
    signal,
    onRead: () => onProgress({ step: 'reading', count: context.tally.summarise().lines }),
  });
  try {
    await readStream(decompress(stream, { name }), context);
    refuseIfStopped(signal);
  } finally {
    // Also what a damaged file has before its damage is kept.
    await settleDays(store, workspaceId);
    await pruneAddresses(store, workspaceId, { nowMs: clock() });
  }
  const { lines, hitsNew, hitsKnown, skips, ...counts } = context.tally.summarise();
  return {
    read: lines,
    new: hitsNew,
    unchanged: hitsKnown,
    skipped: counts.skipped,
    other: counts.otherTraffic,
    referrals: counts.referralsNew,
    warnings: skips.map(
      ({ reason, lines: count }) => `Skipped ${amount(count, 'line')} ${skipReasons[reason]}.`,
    ),
  };
}
