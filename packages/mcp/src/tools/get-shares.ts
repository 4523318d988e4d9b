import { limits, shares } from '@overheard/contract';
import { equalsAs } from './filters.ts';
import { cutAtLimit, defineTool } from './tool.ts';

export const getShares = defineTool({
  name: 'get_shares',
  title: 'Citation rate and share of voice of each subject',
  description: `Pooled figures of the brand and every competitor over a period (default the last ${limits.periodDays} days) with 95 % intervals, and the change against the equal period before: use it for totals, gains, losses, comparisons, and by engine, prompt, locale or week. \`rate\`: runs that cite it / \`runs\`. \`sov\`: its part of all subjects' citations. Ratios from 0 to 1. \`rank_mean\`: 1 is first. \`rate_verdict\`, \`sov_verdict\`: up or down only beyond chance; never call within_chance or too_few a change. Missing fields are unknown. \`from\` and \`to\` are UTC days.`,
  endpoint: shares,
  filters: [equalsAs('subject', 'name')],
  lean: {
    without: ['subject_id', 'mentions', 'cited_without_brand', 'runs_tracked', 'not_compared'],
  },
  cutBy: cutAtLimit(
    'the brand first, then competitors by name. Narrow with `engine`, `locale`, `prompt_id`, `from` or `to`',
  ),
  emptyBecause:
    'no counted runs (answered, to prompts that do not name the brand) are in the period.',
});
