import type { HitRow } from '@overheard/contract';
import { parseRobots } from '../../values/sites/robots-rules.ts';
import type { ReportSource } from '../report-source.ts';
import { hitsOf } from './robots-report.ts';
import type { Period, RobotsBots } from './robots-report.ts';

/** A page from which a robots.txt would have kept a bot, with the hits that are not forged. */
export interface KeptPage extends Pick<HitRow, 'bot_name' | 'bot_company' | 'category' | 'path'> {
  hits: number;
  last_at: string;
}

const pagesMax = 1000;

/**
 * Judges the stored hits of a host by a robots.txt, as if it had been in force. Returns the pages from
 * which it would have kept bots, most hits first, and how many hits there are, would have been kept away,
 * and depend on a query that is not kept.
 */
export async function judgeWhatIf(
  source: ReportSource,
  {
    content,
    bots,
    host,
    ...period
  }: Period & { readonly content: string; readonly bots: RobotsBots; readonly host: string },
) {
  const rules = parseRobots(content);
  const tokensOf = new Map(
    bots.map(({ token, robotsTokens }) => [token, [token, ...robotsTokens]]),
  );
  const pages = new Map<string, KeptPage>();
  const counts = { hits: 0, kept_away: 0, unclear: 0 };
  for await (const hit of hitsOf(source, { ...period, hosts: [host] })) {
    if (hit.verification === 'spoofed') continue;
    const { bot_name, bot_company, category, path, hit_at: at } = hit;
    const permission = rules.judge(tokensOf.get(bot_name) ?? [bot_name], path);
    counts.hits++;
    if (permission === 'unclear') counts.unclear++;
    if (permission !== 'disallowed') continue;
    counts.kept_away++;
    const key = `${bot_name} ${path}`;
    const page = pages.get(key) ?? { bot_name, bot_company, category, path, hits: 0, last_at: at };
    page.hits++;
    page.last_at = at;
    pages.set(key, page);
  }
  const most = [...pages.values()].toSorted(
    (left, right) =>
      right.hits - left.hits ||
      (`${left.bot_name} ${left.path}` < `${right.bot_name} ${right.path}` ? -1 : 1),
  );
  return { pages: most.slice(0, pagesMax), ...counts };
}
