import { redetect } from '../answers/redetect/redetect.ts';
import { settleDays } from '../crawlers/hits/settle-days.ts';
import { noteEvent } from '../people/events.ts';
import type { EventKind } from '../people/events.ts';
import type { Store } from '../storage/store.ts';
import { listSubjects } from '../workspaces/subject.ts';
import { addSubject, removeSubject, setSubject } from '../workspaces/write-subject.ts';
import { doGaps } from './do-gaps.ts';
import type { DoneBy, JobTools } from './job-tools.ts';
import type { RedetectWork, SubjectEdit } from './work.ts';

/** Saves a change of a subject, then judges the stored answers again. Doing it twice changes nothing more. */
export async function doRedetect(
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
