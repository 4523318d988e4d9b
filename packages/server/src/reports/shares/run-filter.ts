import type { Searched } from '@overheard/contract';
import type { RunCounts } from '../../storage/counts/run-counts.ts';
import { hasMark, searchOf } from '../../storage/counts/run-marks.ts';
import { promptsWithTag } from '../../storage/prompt-tags.ts';
import type { TagsByPrompt } from '../../storage/prompt-tags.ts';
import { isInLocaleRange } from '../../values/locale-range.ts';
import type { PromptName } from '../known-names.ts';
import type { TallyOptions } from './tally.ts';

/** Filters of stored counts by their prompts and by what is known of their runs. */
export interface RunFilters {
  readonly excludesCompetitorPrompts: boolean;
  readonly locale?: string | undefined;
  readonly promptId?: string | undefined;
  /** Only prompts with this tag, in any case. */
  readonly tag?: string | undefined;
  /** Only runs whose engine searched, or did not. Runs of which that is unknown are in neither. */
  readonly searched?: Searched | undefined;
  /** Only these prompts; all if it is empty. */
  readonly promptIds?: readonly string[] | undefined;
}

export interface RunFilter {
  readonly isLeftOut: TallyOptions['isLeftOut'];
  /** The runs that only `searched` leaves out, because it is unknown of them. */
  readonly unknownIn: (counts: RunCounts) => number;
}

/** Makes the filter of a query. */
export function createRunFilter(
  { promptId, promptIds = [], locale, tag, searched, excludesCompetitorPrompts }: RunFilters,
  { prompts, tags }: { prompts: ReadonlyMap<string, PromptName>; tags: TagsByPrompt },
): RunFilter {
  const wanted = new Set(promptIds);
  const tagged = tag === undefined ? undefined : promptsWithTag(tags, tag);
  return { isLeftOut, unknownIn };

  function isLeftOut(id: string, marked: number): boolean {
    return isOther(id, marked) || (searched !== undefined && searchOf(marked) !== searched);
  }

  function unknownIn({ names, marks, runs }: RunCounts): number {
    return names.prompts.reduce((sum, id, index) => {
      const marked = marks[index] ?? 0;
      const isUnknown = searchOf(marked) === undefined && !isOther(id, marked);
      return isUnknown ? sum + (runs[index] ?? 0) : sum;
    }, 0);
  }

  /** Whether another filter than `searched` leaves it out. */
  function isOther(id: string, marked: number): boolean {
    if (promptId !== undefined && id !== promptId) return true;
    if (wanted.size > 0 && !wanted.has(id)) return true;
    if (tagged !== undefined && !tagged.has(id)) return true;
    if (excludesCompetitorPrompts && hasMark(marked, 'namesCompetitor')) return true;
    return locale !== undefined && !isInLocaleRange(prompts.get(id)?.locale ?? '', locale);
  }
}
