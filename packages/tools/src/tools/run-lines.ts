import { z } from 'zod';
import { detections } from '@overheard/contract';
import type { DetectionRow } from '@overheard/contract';
import { listName } from '../text/names.ts';
import type { ToolRow } from './tool-row.ts';

const detectionRows = z.array(z.looseObject(detections.row.shape));

/**
 * One line a run: `2026-11-20T06:00 chatgpt: 1 Globex, 2 Acme (the brand)`. A run that cites none
 * of the rows' subjects says so. It costs a model a fifth of the tokens of the run's rows.
 */
export function runLines(rows: readonly ToolRow[], names: ReadonlyMap<string, string>): ToolRow[] {
  const runs = Map.groupBy(detectionRows.parse(rows), (row) => row.run_id);
  return [...runs.values()].map((runRows) => {
    const [first] = runRows;
    const cited = runRows
      .filter((row) => row.cited)
      .toSorted((left, right) => rankOf(left) - rankOf(right));
    const words = cited.map((row) => `${row.rank ?? '-'} ${nameOf(row, names)}`);
    const at = `${first?.run_at.slice(0, 16)} ${first?.engine}`;
    return { run: `${at}: ${words.length === 0 ? 'none' : words.join(', ')}` };
  });
}

function rankOf({ rank }: DetectionRow): number {
  return rank ?? Number.POSITIVE_INFINITY;
}

function nameOf(
  { subject_id: id, subject_type: type }: DetectionRow,
  names: ReadonlyMap<string, string>,
): string {
  const name = names.get(id ?? '') ?? id ?? 'without id';
  return type === 'brand' ? `${listName(name)} (the brand)` : listName(name);
}
