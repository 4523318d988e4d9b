import { readExcerpts } from '../../answers/stances/excerpts.ts';
import type { StanceExcerpt } from '../../answers/stances/excerpts.ts';
import type { ReportSource } from '../../reports/report-source.ts';
import type { StanceCheck } from '../../reports/stances/check.ts';
import { nextToLabel, readStanceDraw } from '../../reports/stances/draw.ts';

/** The next item to label, without what the judge said of it; null if no more is needed or left. */
export interface StanceToLabel {
  readonly check: StanceCheck;
  readonly item: StanceExcerpt | null;
}

/** Reads the next item of the draw, after that of a run if one is given. Null before anything is judged. */
export async function readStanceToLabel(
  source: ReportSource,
  { after }: { readonly after?: string | undefined },
): Promise<StanceToLabel | null> {
  const draw = await readStanceDraw(source);
  if (draw === undefined) return null;
  const { check, items } = draw;
  const next = check.labels < check.needed ? nextToLabel(items, after) : undefined;
  const [item = null] = next ? await readExcerpts(source.db, source.workspaceId, [next]) : [];
  return { check, item };
}
