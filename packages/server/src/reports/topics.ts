import { readTags } from '../storage/prompt-tags.ts';
import { lostGroups } from './lost.ts';
import type { ReportSource } from './report-source.ts';
import { readPeriodShares } from './shares/shares.ts';
import type { PeriodShares, ShareQuery } from './shares/shares.ts';

/** A topic with its figures. */
export type TopicRow = Awaited<ReturnType<typeof topicRows>>[number];

/** Reads the topics with the figures of their prompts. */
export async function readTopics(source: ReportSource, query: Omit<ShareQuery, 'by' | 'rowsMax'>) {
  const shares = await readPeriodShares(source, query);
  return { surfaces: shares.surfaces(), topics: await topicRows(source, shares, query.tag) };
}

/**
 * The topics with their figures: lost ones first, then those with the lowest rate, and topics outside of
 * the market last. With a tag, those of the prompts that have it.
 */
export async function topicRows(
  { db, workspaceId }: ReportSource,
  shares: PeriodShares,
  among: string | undefined,
) {
  const tags = (await readTags(db, workspaceId, among)).filter(({ topicOf }) => topicOf > 0);
  if (tags.length === 0) return [];
  const rows = shares.rowsBy('topic', { surface: shares.head });
  const rowsOf = Map.groupBy(rows, ({ tag }) => tag);
  const ofBrand = rows.filter(({ subject_type: type }) => type === 'brand');
  const lost = new Map(
    lostGroups(shares, 'topic', ofBrand).map(({ brand, leader }) => [brand.tag, leader]),
  );
  const topics = tags.map(({ tag, topicOf, isOutsideMarket }) => {
    const own = rowsOf.get(tag) ?? [];
    const [most] = own
      .filter(({ subject_type: type, cited }) => type === 'competitor' && cited > 0)
      .toSorted((one, other) => other.cited - one.cited);
    return {
      topic: tag,
      /** The number of prompts. */
      prompts: topicOf,
      isOutsideMarket,
      /** Null without counted runs. */
      brand: own.find(({ subject_type: type }) => type === 'brand') ?? null,
      /** The competitor that most of its counted runs cite; null if they cite none. */
      rival: lost.get(tag) ?? most ?? null,
      /** Whether a competitor is cited in more of its runs than the brand, beyond chance. */
      isLost: lost.has(tag),
    };
  });
  const place = ({ isOutsideMarket, isLost, brand }: (typeof topics)[number]): number =>
    (isOutsideMarket ? 4 : 0) + (isLost ? 0 : 2) + (brand?.rate ?? 1);
  return topics.toSorted((one, other) => place(one) - place(other));
}
