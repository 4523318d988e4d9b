import type { ReportSource } from './report-source.ts';
import { readPeriodShares } from './shares/shares.ts';
import type { ShareQuery } from './shares/shares.ts';

/** Compares apps with their APIs, over the prompts that were put to both. */
export async function readAppsAndApis(
  source: ReportSource,
  query: Omit<ShareQuery, 'by' | 'rowsMax' | 'isAgainstApi'>,
) {
  const engines = await comparedBy('engine', query.engine);
  const topicsOf = engines[0]?.engine ?? undefined;
  const topics = topicsOf === undefined ? [] : await comparedBy('topic', topicsOf);
  return { engines, topics: topics.filter(({ tag }) => tag !== null), topicsOf };

  async function comparedBy(by: 'engine' | 'topic', engine: string | undefined) {
    const pairs = { ...query, engine, surface: undefined, isAgainstApi: true };
    const { rowsBy } = await readPeriodShares(source, pairs);
    return rowsBy(by, { isBrandOnly: true }).filter((row) => row.prompts_compared > 0);
  }
}
