import { shares } from '@overheard/contract';
import { readToCitation } from '../../../reports/read-to-citation.ts';
import type { EngineLag } from '../../../reports/read-to-citation.ts';
import { defineWorkspaceCommand } from '../../define/define-command.ts';
import { tableOf } from '../../define/table-of.ts';
import { inSnapshot } from '../../define/with-store.ts';
import { days, limit, parameter, rowsMax } from '../../filters/parameter.ts';
import { readPeriod } from '../../filters/read-period.ts';

const { from, to } = shares.query.shape;

export const hitsLagsCommand = defineWorkspaceCommand({
  name: 'lags',
  summary: 'say how long engines take from reading a page to citing it',
  description:
    'Says for each engine how many days pass from the first genuine read of an own page by one of its bots that read for answers to the first of its answers that links to the page: the median with its 95 % interval, over all pages that it had not cited before, those that still wait included; with fewer than ten pages there is no median. Then lists the pages, those that wait longest first, with the verified fetches because a person asked, the people who followed a link in an answer, and the answers for which the page was fetched: within 5 minutes of an answer that cites it, and not otherwise in the hour around it. A page is first read on its first day in the period: the last 28 days, unless --from, --to or --days say otherwise.',
  options: { from: parameter('<day>', from), to: parameter('<day>', to), days, limit },
  json: '{from, to, engines:[{engine, pages, cited, waiting, median, low, high}], pages:[{engine, page, first_read_at, last_read_at, last_refused_at, first_cited_on, was_cited_before, days, fetches, people, proofs, last_proof:{run_id, run_at, fetched_at, bot_name}}]}',
  examples: ['overheard hits lags --days 90 --workspace acme'],
  run: async (context, values) => {
    const period = readPeriod(values, context.io);
    return inSnapshot(context, async (source) => {
      const lags = await readToCitation(source, period);
      const pages = lags.pages.slice(0, rowsMax(values.limit));
      return {
        json: { ...lags, pages },
        tables: [
          engineTable(lags.engines),
          tableOf(pages, '', {
            ENGINE: ({ engine }) => engine,
            PAGE: ({ page }) => page,
            'FIRST READ': ({ first_read_at: at }) => at.slice(0, 10),
            'FIRST CITED': ({ first_cited_on: on }) => on ?? 'waits',
            DAYS: (page) => page.days,
            'CITED BEFORE': ({ was_cited_before: wasBefore }) => (wasBefore ? 'yes' : null),
            'LAST REFUSED': ({ last_refused_at: at }) => at?.slice(0, 10) ?? null,
            FETCHES: ({ fetches }) => fetches,
            PEOPLE: ({ people }) => people,
            'FETCHED FOR ANSWERS': ({ proofs }) => proofs,
          }),
        ],
      };
    });
  },
});

function engineTable(engines: readonly EngineLag[]) {
  return tableOf(engines, 'No engine with answers of these days read a page of the brand.', {
    ENGINE: ({ engine }) => engine,
    PAGES: ({ pages }) => pages,
    CITED: ({ cited }) => cited,
    WAITING: ({ waiting }) => waiting,
    'MEDIAN DAYS': ({ median }) => median,
    '95 % INTERVAL': ({ median, low, high }) =>
      median === null ? null : `${low ?? 0} to ${high ?? 'more'}`,
  });
}
