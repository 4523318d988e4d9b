import type { AvailableData } from '../../reports/available-data.ts';

/** Explains why a report of runs has no rows, and what to do. */
export function noRunsWords({ runs, hasScores }: AvailableData, slug: string): string {
  const next = `Import what engines said: overheard answers import FILE --workspace ${slug}`;
  if (runs !== undefined) {
    return `Nothing in this period matches. ${slug} has counted runs from ${runs.from} to ${runs.to}.`;
  }
  if (!hasScores) return `${slug} has no counted run yet. ${next}`;
  return `${slug} has scores, but no counted run. Scores have only the brand's daily share of voice on each engine (overheard export scores --workspace ${slug}). They have no intervals, competitors, prompts or sources. ${next}`;
}

/** Explains why a report of hits has no rows, and what to do. */
export function noHitsWords({ hasHits }: AvailableData, slug: string): string {
  return hasHits
    ? 'No hit is in this period with these filters.'
    : `${slug} has no hits yet. Read an access log: overheard hits ingest access.log --workspace ${slug}`;
}
