import { appOf, surfaceOf } from '@overheard/contract';
import type { Surface } from '@overheard/contract';
import type { RunCounts } from '../../storage/counts/run-counts.ts';
import type { Side } from './tally.ts';
import type { Period, ReportWindow } from './windows.ts';

/** What a period is compared with. */
export interface ComparedWith {
  /** Compares apps with their APIs in the same period. */
  readonly isAgainstApi?: boolean | undefined;
  /** Does not read the period before, so that every verdict is `too_few`. */
  readonly omitsChanges?: boolean | undefined;
  readonly engine?: string | undefined;
  readonly surface?: Surface | undefined;
}

/** Whether the period before is not needed. */
export function omitsBefore({ isAgainstApi, omitsChanges }: ComparedWith): boolean {
  return isAgainstApi === true || omitsChanges === true;
}

/** The side of a comparison to which counts belong; undefined if to none. */
export function sideOf(
  counts: RunCounts,
  window: ReportWindow,
  compared: ComparedWith,
): readonly [counts: RunCounts, side: Side] | undefined {
  const isNow = isWithin(counts.date, window);
  if (compared.isAgainstApi === true) return isNow ? pairOf(counts, compared) : undefined;
  if (isNow) return [counts, 'now'];
  const isBefore = !omitsBefore(compared) && isWithin(counts.date, window.before);
  return isBefore ? [counts, 'before'] : undefined;
}

/**
 * Counts of an app and of its API, both under the app's name: `chatgpt` as now, `chatgpt_api` as
 * before. Both have one cohort, because an app and its API never share one. `engine` may name either.
 * Without apps, there is nothing to compare.
 */
function pairOf(
  counts: RunCounts,
  { engine, surface }: ComparedWith,
): readonly [counts: RunCounts, side: Side] | undefined {
  const app = appOf(counts.engine);
  if (surface === 'api' || (engine !== undefined && app !== appOf(engine))) return undefined;
  const side = surfaceOf(counts.engine) === 'app' ? 'now' : 'before';
  return [{ ...counts, engine: app, cohort: '' }, side];
}

function isWithin(date: string, { from, to }: Period): boolean {
  return date >= from && date <= to;
}
