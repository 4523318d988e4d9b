import type { ShareRow } from '@overheard/contract';
import { readPromptsOutsideMarket, readTagsByPrompt, topicIn } from '../storage/prompt-tags.ts';
import { compareLeads } from '../values/statistics/compare.ts';
import type { ReportSource } from './report-source.ts';
import type { PeriodShares } from './shares/shares.ts';

/** A prompt on which a competitor is cited more often than the brand, beyond chance. */
export interface LostPrompt {
  readonly prompt: string;
  /** Null if it has none. */
  readonly topic: string | null;
  readonly brand: ShareRow;
  readonly leader: ShareRow;
}

/** What pages draw of a lost prompt. */
export interface DrawnLoss extends Pick<LostPrompt, 'prompt' | 'topic'> {
  readonly brand: Pick<ShareRow, 'prompt_id' | 'runs' | 'cited' | 'rate'>;
  readonly leader: Pick<ShareRow, 'subject_id' | 'name' | 'runs' | 'cited' | 'rate'>;
}

/**
 * Reads the prompts on which competitors lead the brand, without those of topics outside of its market.
 * `prompts` are the brand's rows.
 */
export async function readLostPrompts(
  { db, workspaceId }: ReportSource,
  shares: PeriodShares,
  prompts: readonly ShareRow[],
): Promise<LostPrompt[]> {
  const tags = await readTagsByPrompt(db, workspaceId);
  const outside = await readPromptsOutsideMarket(db, workspaceId);
  return lostGroups(shares, 'prompt', prompts)
    .map((lost) => ({
      ...lost,
      prompt: lost.brand.prompt ?? '',
      topic: topicIn(tags.get(lost.brand.prompt_id ?? '')),
    }))
    .filter(({ brand }) => !outside.has(brand.prompt_id ?? ''));
}

/**
 * The prompts or topics on which a competitor is cited more often than the brand, the largest loss
 * first. All pairs of a group and a competitor are one list of tests, except those of which one was not
 * tracked in all runs. `ofBrand` are the brand's rows. Over the prompts of a topic the test is of these
 * same questions: it errs on the careful side where they differ.
 */
export function lostGroups(
  { rowsBy, groupsBy, subjects, head, isTracked }: PeriodShares,
  by: 'prompt' | 'topic',
  ofBrand: readonly ShareRow[],
): Array<Pick<LostPrompt, 'brand' | 'leader'>> {
  const groups = [...groupsBy(by, head).values()].filter((group) => isTracked(group, 0));
  const pairs = groups.flatMap((group) =>
    subjects.flatMap(({ type }, place) => {
      if (type === 'brand' || !isTracked(group, place)) return [];
      const { cited, withBrand } = group.totals;
      const both = withBrand[place] ?? 0;
      const onlyLeader = (cited[place] ?? 0) - both;
      return [{ group, place, onlyLeader, onlyOther: (cited[0] ?? 0) - both }];
    }),
  );
  const leads = compareLeads(pairs);
  const lost = pairs.filter((_, index) => leads[index]);
  const places = Map.groupBy(lost, ({ group }) => group);
  const rows = rowsBy(by, {
    surface: head,
    isCompared: false,
    isShown: (group, place) => places.get(group)?.some((lead) => lead.place === place) === true,
  });
  const keyOf = (row: ShareRow) => (by === 'prompt' ? row.prompt_id : row.tag);
  const leadsOf = Map.groupBy(rows, keyOf);
  return ofBrand
    .flatMap((brand) => {
      const ahead = leadsOf.get(keyOf(brand)) ?? [];
      const [leader] = ahead.toSorted((left, right) => right.cited - left.cited);
      return leader === undefined ? [] : [{ brand, leader }];
    })
    .toSorted((left, right) => lossOf(right) - lossOf(left));
}

/** The answers that cite the leader, less those that cite the brand. */
function lossOf({ brand, leader }: Pick<LostPrompt, 'brand' | 'leader'>): number {
  return leader.cited - brand.cited;
}
