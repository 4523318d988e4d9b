import { limits, shares } from '@overheard/contract';
import { equalsAs } from './filters.ts';
import type { ToolRow } from './tool-row.ts';
import { apiNotes } from '../text/engines.ts';
import { cutAtLimit, defineTool } from './tool.ts';

export const getShares = defineTool({
  name: 'get_shares',
  title: 'Citation rate and share of voice of each subject',
  description: `Figures of brand and competitors pooled over a period (default the last ${limits.periodDays} days) with 95 % intervals, and the change against the equal period before (\`against\` api: of each app against its API, whose rate is \`rate_before\`, over prompts put to both; needs \`engine\` or \`by\` engine): use it for a subject, prompt, topic or week. \`rate\`: runs that cite it / \`runs\`. \`sov\`: its part of all citations. Both 0 to 1. \`cited_without_brand\`: runs that cite it and not the brand. \`runs_compared\`: the runs of \`rate_before\`, \`rate_compared\` and the change. \`rate_verdict\`, \`sov_verdict\`: within_chance and too_few are no change.`,
  endpoint: shares,
  filters: [equalsAs('subject', 'name')],
  isOfOneSurface: true,
  lean: { without: ['subject_id', 'not_compared', 'search_unknown'] },
  summarise: (rows) => [
    ...apiNotes(rows.flatMap((row) => row.engine ?? [])),
    ...rows
      .slice(0, 1)
      .flatMap(({ search_unknown: unknown }) =>
        unknown === null
          ? []
          : [`Runs left out because their engines do not say whether they searched: ${unknown}.`],
      ),
  ],
  cutBy: cutAtLimit(
    'the brand first, then competitors by name. Narrow with `engine`, `locale`, `prompt_id`, `tag`, `from` or `to`',
  ),
  order: (rows, by) => {
    if (by === 'day' || by === 'week') return rows;
    const total = Map.groupBy(rows, (row) => row['name']);
    const sums = new Map(
      [...total].map(([name, own]) => [
        name,
        own.reduce((sum, row) => sum + Number(row['cited']), 0),
      ]),
    );
    const rank = (row: ToolRow) =>
      row['subject_type'] === 'brand' ? Number.POSITIVE_INFINITY : (sums.get(row['name']) ?? 0);
    // By prompt or topic the worst for the brand is first: its own lowest rate, and a rival's highest.
    const value = (row: ToolRow) => {
      if (!['prompt', 'tag', 'topic'].includes(by ?? '')) return Number(row['cited']);
      return Number(row['rate']) * (row['subject_type'] === 'brand' ? -1 : 1);
    };
    return rows.toSorted((left, right) => rank(right) - rank(left) || value(right) - value(left));
  },
  emptyBecause:
    'no counted runs (answered, to prompts that do not name the brand) are in the period, or with `searched` their engines do not say whether they searched. Answers to prompts that name it: get_answers; imported scores: get_scores.',
});
