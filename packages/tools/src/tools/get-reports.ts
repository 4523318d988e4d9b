import { publishedRow, reports } from '@overheard/contract';
import { shortText } from '../text/short-text.ts';
import { fitReport } from './get-report.ts';
import { defineTool } from './tool.ts';
import type { ToolRow } from './tool-row.ts';

const sentencesMax = 20;

export const getReports = defineTool({
  name: 'get_reports',
  title: 'Published reports',
  description:
    'As published: the brand then, the `sha256` of the stored bytes. "Was October the same when we reported it?": `recount` its id: how a count today differs, and why. `id`: one whole report.',
  endpoint: reports,
  filters: [],
  emptyBecause: 'no report is published, or none has this id.',
  isWhole: () => true,
  shape: (row) => linesOf(publishedRow.parse(row)),
  summarise: (rows) =>
    rows.flatMap(({ report }) => (report === null ? [] : fitReport(report).notes)),
});

function linesOf({
  recount,
  report,
  surfaces,
  subjects: _subjects,
  counted: _counted,
  revision: _revision,
  page: _page,
  ...row
}: ReturnType<typeof publishedRow.parse>): ToolRow[] {
  const head = {
    ...row,
    columns: ['surface', 'runs', 'cited', 'rate'],
    surfaces: surfaces.map((each) => Object.values(each)),
  };
  if (report !== null) return [head, ...fitReport(report).lines];
  if (recount === null) return [head];
  const { runs_change, rejudged } = recount;
  const sentences = recount.sentences.slice(0, sentencesMax);
  return [
    {
      ...head,
      recount: {
        surfaces: recount.surfaces.map((each) => Object.values(each)),
        runs_change,
        rejudged,
        says: sentences.map((each) => shortText(each, 160)),
      },
    },
  ];
}
