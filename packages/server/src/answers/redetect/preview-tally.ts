import type { SubjectType } from '@overheard/contract';
import { compareCitations, createCitationExamples } from './compare-citations.ts';
import type { CitationExamples } from './compare-citations.ts';
import type { StoredRun } from '../read-stored-runs.ts';
import type { StoredDetection } from '../stored-detections.ts';
import type { TrackedSubject } from '../subjects.ts';

/** In how many answers one subject is cited, before and after. */
export interface SubjectDifference {
  readonly subject: string;
  readonly subject_id: string;
  readonly subject_type: SubjectType;
  readonly cited_before: number;
  readonly cited_after: number;
  /** Answers that would newly cite the subject. */
  readonly comes: number;
  /** Answers that would no longer cite the subject. */
  readonly goes: number;
}

/** The effect of a planned change of subjects on the stored answers. */
export interface SubjectPreview {
  /** Answers that were judged by the old and by the new subjects. */
  readonly answers: number;
  /** Of the judged answers, those that would cite different subjects. */
  readonly recited: number;
  /** Of the other answers, those in which a cited subject would have another position or rank. */
  readonly moved: number;
  /**
   * Answers that would stop counting because their prompt would name the brand, or would start
   * counting.
   */
  readonly branded: { readonly comes: number; readonly goes: number };
  /** The subjects that would gain or lose citations: the brand first, then by name. */
  readonly subjects: readonly SubjectDifference[];
  readonly sentences: CitationExamples;
}

/** The judgement of a run by one set of subjects. */
export interface PreviewedRun {
  readonly detections: readonly StoredDetection[];
  readonly isBranded: boolean;
}

type Counts = Record<'cited_before' | 'cited_after' | 'comes' | 'goes', number>;

/**
 * Compares the judgements of each run by two sets of subjects. A subject in both sets has the name
 * of the later set.
 */
export function createPreviewTally(subjects: readonly TrackedSubject[], sentencesMax: number) {
  const count = { answers: 0, recited: 0, moved: 0 };
  const branded = { comes: 0, goes: 0 };
  const byId = new Map(subjects.map((subject) => [subject.id, subject]));
  const counts = new Map<string, Counts>();
  const examples = createCitationExamples(sentencesMax);
  return { add, list };

  function add(run: StoredRun, before: PreviewedRun, after: PreviewedRun): void {
    count.answers += 1;
    if (after.isBranded && !before.isBranded) branded.comes += 1;
    if (before.isBranded && !after.isBranded) branded.goes += 1;
    countSubjects(citedSubjectIds(before), citedSubjectIds(after));
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
    const gained = differences.toSorted(byTypeAndName);
    return { ...count, branded: { ...branded }, subjects: gained, sentences: examples.list() };
  }
}

function citedSubjectIds({ detections }: PreviewedRun): ReadonlySet<string> {
  return new Set(
    detections.flatMap(({ cited, subject_id: id }) => (cited && id !== null ? [id] : [])),
  );
}

function byTypeAndName(left: SubjectDifference, right: SubjectDifference): number {
  if (left.subject_type !== right.subject_type) return left.subject_type === 'brand' ? -1 : 1;
  return left.subject < right.subject ? -1 : 1;
}
