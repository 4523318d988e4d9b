import type { DemoRun } from './runs.ts';

/** How often each subject was cited in some runs; a subject counts once per run. */
export interface Citations {
  readonly runs: number;
  readonly brand: number;
  /** By subject id. */
  readonly competitors: ReadonlyMap<string, number>;
  /** A ratio with 4 decimals; 0 where nobody was cited. */
  readonly shareOfVoice: number;
}

/** Counts citations over runs of unbranded prompts, as the contract defines them. */
export function countCitations(runs: readonly DemoRun[]): Citations {
  const counted = runs.filter(({ prompt }) => !prompt.isBranded);
  const cited = counted.flatMap(({ detections }) => detections).filter((row) => row.cited);
  const competitors = new Map<string, number>();
  let brand = 0;
  for (const { subject_type, subject_id } of cited) {
    if (subject_type === 'brand') brand++;
    else competitors.set(subject_id ?? '', (competitors.get(subject_id ?? '') ?? 0) + 1);
  }
  return {
    runs: counted.length,
    brand,
    competitors,
    shareOfVoice: cited.length === 0 ? 0 : Math.round((brand / cited.length) * 10_000) / 10_000,
  };
}
