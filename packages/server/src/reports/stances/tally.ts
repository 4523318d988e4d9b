import type { Stance } from '@overheard/contract';
import type { Proportion } from '../../values/statistics/distributions.ts';

/** One stance of the present judge; null if it is void. */
export interface JudgedCitation {
  readonly run_id: string;
  readonly prompt_id: string | null;
  readonly engine: string;
  readonly run_at: string;
  readonly subject_id: string;
  readonly stance: Stance | null;
  readonly purpose: string | null;
}

/** The stances of one group of runs. */
export interface StanceGroup {
  readonly runs: Set<string>;
  readonly subjects: Map<string, SubjectStances>;
}

/** The stances of one subject in a group. */
export interface SubjectStances {
  readonly stances: Map<Stance | null, number>;
  /** Citations and recommendations by prompt. */
  readonly prompts: Map<string, Proportion>;
  readonly citations: JudgedCitation[];
}

/** Puts stances into groups: those of the keys that `keysOf` gives. */
export function groupStances(
  citations: readonly JudgedCitation[],
  keysOf: (citation: JudgedCitation) => readonly string[],
): Map<string, StanceGroup> {
  const groups = new Map<string, StanceGroup>();
  for (const citation of citations) {
    for (const key of keysOf(citation)) {
      const group: StanceGroup = groups.get(key) ?? { runs: new Set(), subjects: new Map() };
      groups.set(key, group);
      add(group, citation);
    }
  }
  return groups;
}

function add({ runs, subjects }: StanceGroup, citation: JudgedCitation): void {
  const { run_id: run, subject_id: id, stance } = citation;
  runs.add(run);
  const subject: SubjectStances = subjects.get(id) ?? {
    stances: new Map(),
    prompts: new Map(),
    citations: [],
  };
  subjects.set(id, subject);
  subject.stances.set(stance, (subject.stances.get(stance) ?? 0) + 1);
  subject.citations.push(citation);
  if (stance === null || stance === 'unknown_to_engine') return;
  const prompt = citation.prompt_id ?? '';
  const { part, whole } = subject.prompts.get(prompt) ?? { part: 0, whole: 0 };
  subject.prompts.set(prompt, { part: part + (isRecommended(stance) ? 1 : 0), whole: whole + 1 });
}

/** Whether a stance is a recommendation. */
export function isRecommended(stance: Stance | null): boolean {
  return stance === 'first_choice' || stance === 'recommended_for';
}

/** Whether a stance is a warning. */
export function isWarning(stance: Stance | null): boolean {
  return stance === 'advised_against';
}
