import { limits, scores } from '@overheard/contract';
import { equals, since, until } from './filters.ts';
import { apiNotes } from '../text/engines.ts';
import { defineTool } from './tool.ts';

export const getScores = defineTool({
  name: 'get_scores',
  title: 'Citations and share of voice by day and engine',
  description: `How often answer engines cite the brand, day by day: use it for daily rows and long histories. How we are doing, gains and losses: get_report, which has verdicts. One row per engine and UTC day, newest first, last ${limits.scoresDays} days; a day without counted runs has none. \`citations\`: counted runs that cite the brand; divided by \`total_runs\`, the citation rate. \`sov\`: share of voice, a ratio from 0 to 1: brand citations / (brand + all competitors' citations). Never average rates over days or engines: add up citations and total_runs. An app and its API (chatgpt, chatgpt_api) are different engines. Rows may be imported, counted by another tool: an engine that get_shares lacks has only such. Does not show who else is cited: get_detections.`,
  endpoint: scores,
  moment: 'date',
  summarise: (rows) => apiNotes(rows.map((row) => row.engine)),
  filters: [equals('engine'), since('date'), until('date')],
  emptyBecause: `no answers of the last ${limits.scoresDays} days have been imported, or none could be counted (answered, to prompts that do not name the brand).`,
});
