import { redetect } from '../answers/redetect/redetect.ts';
import { reap } from '../collect/ledger/paid-question.ts';
import { settleDays } from '../crawlers/hits/settle-days.ts';
import { noteEvent } from '../people/events.ts';
import type { EventKind } from '../people/events.ts';
import { publishMonths } from '../publishing/publish-months.ts';
import type { Store } from '../storage/store.ts';
import { listSubjects } from '../workspaces/subject.ts';
import { addSubject, removeSubject, setSubject } from '../workspaces/write-subject.ts';
import { doGaps } from './do-gaps.ts';
import type { DoneBy, JobTools } from './job-tools.ts';
import type { RedetectWork, RevertWork, SiteWork, SubjectEdit, Work } from './work.ts';
import { revertImport } from '../imports/revert-import.ts';
import { addOwnSite, listOwnSites, removeOwnSite } from '../workspaces/own-sites.ts';
import { findUntracked } from '../answers/untracked/find-untracked.ts';
import { removeWorkspace } from '../workspaces/remove-workspace.ts';
import type { AskingOrder } from './do-ask.ts';
import { doImport } from './do-import.ts';
import type { Job } from './jobs.ts';

/** Does the work of a job, and returns the counts and words of its result. */
export function doWork(
  store: Store,
  { work, workspaceId, userId }: Pick<Job, 'work' | 'workspaceId' | 'userId'>,
  { fd, asking, onFailure, ...effects }: WorkEffects,
) {
  const tools = { workspaceId, userId, ...effects };
  if (work.kind === 'redetect') return doRedetect(store, work, tools);
  if (work.kind === 'revert') return doRevert(store, work, tools);
  if (work.kind === 'site') return doSite(store, work, tools);
  if (work.kind === 'suggest') return doSuggest(store, tools);
  if (work.kind === 'gaps') return doDaily(store, { ...tools, onFailure });
  if (work.kind === 'remove') return doRemove(store, work, tools);
  if (work.kind === 'import') {
    if (fd === undefined) throw new Error('The file of the import is not here');
    return doImport(store, { work, fd }, tools);
  }
  if (asking === undefined) throw new Error('This server asks no engines');
  return doAsking(store, work, { ...tools, asking });
}

/** Asks engines. The code is loaded here, so that other jobs start without an HTTP client. */
async function doAsking(
  store: Store,
  work: Extract<Work, { kind: 'ask' | 'judge' | 'test' | 'propose' }>,
  { asking, ...tools }: JobTools & { asking: AskingOrder },
) {
  if (work.kind === 'judge') return (await import('./do-judge.ts')).doJudge(store, asking, tools);
  if (work.kind === 'ask') return (await import('./do-ask.ts')).doAsk(store, asking, tools);
  const { doPropose, doTest } = await import('./do-test.ts');
  if (work.kind === 'propose') return doPropose(store, work, { ...tools, asking });
  return doTest(store, work, { ...tools, asking });
}

/** Ends lost questions, finds the gaps, and publishes the months that are over, which fails alone. */
async function doDaily(
  store: Store,
  { onFailure, ...tools }: JobTools & Pick<WorkEffects, 'onFailure'>,
): Promise<{ prompts: number; gaps: number }> {
  const { workspaceId, clock } = tools;
  const ledger = await store.ledger();
  // Where nobody asks or judges any more, nothing else releases what a killed process held.
  if (ledger !== undefined) {
    const ledgerClock = await store.ledgerClock(clock);
    await reap(ledger, { workspaceId, nowMs: ledgerClock() });
  }
  const found = await doGaps(store, tools);
  await publishMonths(store, workspaceId, clock).catch(onFailure);
  return found;
}

interface WorkEffects extends Pick<JobTools, 'clock' | 'signal' | 'onProgress'> {
  /** The open file of an import. */
  readonly fd: number | undefined;
  readonly asking: AskingOrder | undefined;
  /** Logs the failure of a part that does not fail the job. */
  readonly onFailure: (error: unknown) => void;
}

/** Saves a change of a subject, then judges the stored answers again. Doing it twice changes nothing more. */
async function doRedetect(
  store: Store,
  { change, texts = [] }: RedetectWork,
  { workspaceId, userId, clock, signal, onProgress }: JobTools,
): Promise<Record<string, number | string[]>> {
  if (change !== undefined) await saveChange(store, change, { workspaceId, userId, clock });
  await settleDays(store, workspaceId);
  const { total } = await store.reader
    .selectFrom('answers')
    .select(({ fn }) => fn.countAll().as('total'))
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirstOrThrow();
  const outcome = await redetect(store, {
    workspaceId,
    texts: texts.map(({ engine, place, id }) => ({ engine, place, id })),
    sentencesMax: 0,
    signal,
    onJudged: (count) => onProgress({ step: 'judging', count, total: Number(total) }),
  });
  const { gaps } = await doGaps(store, { workspaceId, clock });
  const { judged, changed, recited, moved, scores, warnings } = outcome;
  const counts = { judged, changed, recited, moved, scores: scores.length, gaps };
  return { ...counts, warnings: [...warnings] };
}

async function saveChange(
  store: Store,
  change: SubjectEdit,
  { workspaceId, userId, clock }: DoneBy,
): Promise<void> {
  const subjects = await listSubjects(store.reader, workspaceId, { includesArchived: true });
  const stored = subjects.find(({ id }) => id === change.id);
  const note = (kind: EventKind, name: string) =>
    noteEvent(store.access, { userId, clock }, { workspaceId, kind, facts: { name } });
  switch (change.action) {
    case 'add': {
      // The job ran before, and its thread died after it had added the subject.
      if (stored !== undefined) return;
      const { name } = await addSubject(store, workspaceId, { ...change, clock });
      return note('subject_added', name);
    }
    case 'set': {
      const { id, version, words } = change;
      const { hasChanged, subject } = await setSubject(store, workspaceId, id, {
        ...words,
        version,
      });
      if (hasChanged) await note('subject_changed', subject.name);
      return;
    }
    case 'archive': {
      const { id, version } = change;
      if (stored?.archived_at !== null) return;
      const { name } = await removeSubject(store, workspaceId, id, { version, clock });
      await note('subject_archived', name);
    }
  }
}

/** Reverts an import. Doing it twice changes nothing more. */
async function doRevert(
  store: Store,
  { importId, file }: RevertWork,
  { workspaceId, userId, clock }: JobTools,
): Promise<Record<string, number>> {
  const { removed, kept, scores, record } = await revertImport(store, {
    workspaceId,
    id: importId,
    revertedBy: userId ?? undefined,
    clock,
  });
  if (record.reverted_at === null) {
    const note = { workspaceId, kind: 'import_reverted', facts: { name: file } } as const;
    await noteEvent(store.access, { userId, clock }, note);
  }
  const keptRows = kept.reduce((sum, { rows }) => sum + rows, 0);
  return { ...removed, keptRows, changedScores: scores.length };
}

/** Adds or removes an own site, then settles the days of hits. Doing it twice changes nothing more. */
async function doSite(
  store: Store,
  { action, domain }: SiteWork,
  { workspaceId, userId, clock }: JobTools,
): Promise<Record<string, never>> {
  const sites = await listOwnSites(store.writer, workspaceId);
  const isAdded = sites.some((site) => site.domain === domain && site.isAdded);
  if (isAdded !== (action === 'add')) {
    await (action === 'add' ? addOwnSite : removeOwnSite)(store, workspaceId, domain);
    const kind = action === 'add' ? 'site_added' : 'site_removed';
    await noteEvent(
      store.access,
      { userId, clock },
      { workspaceId, kind, facts: { name: domain } },
    );
  }
  await settleDays(store, workspaceId);
  return {};
}

const answersMax = 2000;
const rowsMax = 20;

/**
 * Looks for names and sites that recur in the latest answers and that nobody tracks. Stores each as
 * JSON.
 */
async function doSuggest(
  { reader }: Store,
  { workspaceId, signal }: JobTools,
): Promise<{ answers: number; found: string[] }> {
  const options = { answersMax, rowsMax, signal };
  const { answers, names, sites } = await findUntracked(reader, workspaceId, options);
  return { answers, found: [...names, ...sites].map((one) => JSON.stringify(one)) };
}

/** Removes a workspace, and this job with it: a failure is for the log, because no page can show it. */
async function doRemove(
  store: Store,
  { slug }: { slug: string },
  { workspaceId, userId, clock }: DoneBy,
): Promise<Record<string, number>> {
  try {
    await removeWorkspace(store, workspaceId);
  } catch (error) {
    throw new Error(`The workspace ${slug} could not be removed`, { cause: error });
  }
  const event = { kind: 'workspace_removed', facts: { name: slug } } as const;
  await noteEvent(store.access, { userId, clock }, event);
  return {};
}
