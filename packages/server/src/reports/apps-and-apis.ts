import type { ShareRow } from '@overheard/contract';
import type { ReportSource } from './report-source.ts';
import { readPeriodShares } from './shares/shares.ts';
import type { ShareQuery } from './shares/shares.ts';

/** How often the brand is cited in apps, against their APIs in the same period. */
export interface AppsAndApis {
  /** Each app with prompts that its API was asked, too. */
  readonly engines: readonly ShareRow[];
  /** Each topic with such prompts, of one engine: several would be compared by how often each was asked. */
  readonly topics: readonly ShareRow[];
  /** That engine: the first of `engines`; undefined if there is none. */
  readonly topicsOf: string | undefined;
}

/** Compares apps with their APIs, over the prompts that were put to both. */
export async function readAppsAndApis(
  source: ReportSource,
  query: Omit<ShareQuery, 'by' | 'rowsMax' | 'isAgainstApi'>,
): Promise<AppsAndApis> {
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
