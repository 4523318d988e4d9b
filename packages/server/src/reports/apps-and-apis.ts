import type { ShareRow } from '@overheard/contract';
import type { ReportSource } from './report-source.ts';
import { readPeriodShares } from './shares/shares.ts';
import type { ShareQuery } from './shares/shares.ts';

/** How often the brand is cited in apps, against their APIs in the same period. */
export interface AppsAndApis {
  /** Each app with prompts that its API was asked, too. */
  readonly engines: readonly ShareRow[];
  /** Each topic with such prompts. */
  readonly topics: readonly ShareRow[];
}

/** Compares apps with their APIs, over the prompts that were put to both. */
export async function readAppsAndApis(
  source: ReportSource,
  query: Omit<ShareQuery, 'by' | 'rowsMax' | 'isAgainstApi'>,
): Promise<AppsAndApis> {
  const pairs = { ...query, surface: undefined, isAgainstApi: true };
  const { rowsBy } = await readPeriodShares(source, pairs);
  const compared = (by: 'engine' | 'topic') =>
    rowsBy(by, { isBrandOnly: true }).filter((row) => row.prompts_compared > 0);
  return {
    engines: compared('engine'),
    topics: compared('topic').filter((row) => row.tag !== null),
  };
}
