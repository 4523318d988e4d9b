import { compareCitations } from './citation-changes.ts';
import { createExamples } from './citation-examples.ts';
import type { CitationExamples } from './citation-examples.ts';
import type { StoredRun } from '../judged-run.ts';
import type { StoredDetection } from '../stored-detections.ts';
import type { TrackedSubject } from '../subjects.ts';

/** In how many answers one subject is cited, before and after. */
export interface SubjectDifference {
  readonly subject: string;
  readonly subject_id: string;
  readonly subject_type: 'brand' | 'competitor';
  readonly cited_before: number;
  readonly cited_after: number;
  /** Answers in which it would become cited. */
  readonly comes: number;
  /** Answers in which it would no longer be. */
  readonly goes: number;
}

/** What a change of subjects would do to the stored answers. */
export interface SubjectPreview {
  /** Answers that were judged by the old and by the new subjects. */
  readonly answers: number;
  /** Of them, those in which other subjects would be cited. */
  readonly recited: number;
  /** Of the rest, those in which a cited subject would be at another place or have another rank. */
  readonly moved: number;
  /** Answers whose prompt would name the brand, and so no longer count, or the reverse. */
  readonly branded: { readonly comes: number; readonly goes: number };
  /** The subjects that come or go: the brand first, then by name. */
  readonly subjects: readonly SubjectDifference[];
  readonly sentences: CitationExamples;
}

/** A run as one set of subjects judges it. */
export interface PreviewedRun {
  readonly detections: readonly StoredDetection[];
  readonly isBranded: boolean;
}

type Counts = Record<'cited_before' | 'cited_after' | 'comes' | 'goes', number>;

/** Counts what two sets of subjects make of each run. Of a subject in both, the last one gives the name. */
export function createPreviewTally(
  subjects: readonly TrackedSubject[],
  sentencesMax: number,
): {
  add: (run: StoredRun, before: PreviewedRun, after: PreviewedRun) => void;
  list: () => SubjectPreview;
} {
  const count = { answers: 0, recited: 0, moved: 0 };
  const branded = { comes: 0, goes: 0 };
  const byId = new Map(subjects.map((subject) => [subject.id, subject]));
  const counts = new Map<string, Counts>();
  const examples = createExamples(sentencesMax);
  return { add, list };

  function add(run: StoredRun, before: PreviewedRun, after: PreviewedRun): void {
    count.answers += 1;
    if (after.isBranded && !before.isBranded) branded.comes += 1;
    if (before.isBranded && !after.isBranded) branded.goes += 1;
    countSubjects(citedIn(before), citedIn(after));
    const { kind, changes } = compareCitations(before.detections, after.detections);
    if (kind === 'relabelled') return;
    count[kind] += 1;
    for (const change of changes) {
      const subject = byId.get(change.subject_id ?? '')?.name ?? '';
      examples.add({ ...change, run_at: run.runAt, engine: run.engine, subject }, kind);
    }
  }

  function countSubjects(before: ReadonlySet<string>, after: ReadonlySet<string>): void {
    for (const id of before.union(after)) {
      const of = counts.get(id) ?? { cited_before: 0, cited_after: 0, comes: 0, goes: 0 };
      counts.set(id, of);
      if (before.has(id)) of.cited_before += 1;
      if (after.has(id)) of.cited_after += 1;
      if (!before.has(id)) of.comes += 1;
      if (!after.has(id)) of.goes += 1;
    }
  }

  function list(): SubjectPreview {
    const differences = [...byId.values()].flatMap(({ id, name, type }): SubjectDifference[] => {
      const of = counts.get(id);
      if (of === undefined || of.comes + of.goes === 0) return [];
      return [{ subject: name, subject_id: id, subject_type: type, ...of }];
    });
    return {
      ...count,
      branded: { ...branded },
      subjects: differences.toSorted(byTypeAndName),
      sentences: examples.list(),
    };
  }
}

function citedIn({ detections }: PreviewedRun): ReadonlySet<string> {
  return new Set(
    detections.flatMap(({ cited, subject_id: id }) => (cited && id !== null ? [id] : [])),
  );
}

function byTypeAndName(left: SubjectDifference, right: SubjectDifference): number {
  if (left.subject_type !== right.subject_type) return left.subject_type === 'brand' ? -1 : 1;
  return left.subject < right.subject ? -1 : 1;
}
