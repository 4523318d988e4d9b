import { crawls } from '@overheard/contract';
import { readCrawls } from '../../reports/crawls.ts';
import { toCrawlQuery } from '../../reports/parameters.ts';
import { readReach } from '../../reports/reach.ts';
import { defineWorkspaceCommand } from '../define/define-command.ts';
import { inSnapshot } from '../define/with-store.ts';
import { firstAndLast } from '../filters/given-period.ts';
import { namedFilters } from '../filters/named-filters.ts';
import { days, limit, parameter, rowsMax } from '../filters/parameter.ts';
import { crawlTable } from '../words/crawl-table.ts';
import { cutWords } from '../words/cut-words.ts';
import { noHitsWords } from '../words/nothing-words.ts';

const { by, from, to, host, bot_name: bot } = crawls.query.shape;

export const crawlsCommand = defineWorkspaceCommand({
  name: 'crawls',
  summary: 'which AI crawlers read which pages, over all stored hits',
  description: crawls.description,
  options: {
    by: parameter('<group>', by),
    from: parameter('<day>', from),
    to: parameter('<day>', to),
    days: { ...days, summary: 'so many days up to --to or today, in place of --from' },
    host: parameter('<name>', host),
    bot: parameter('<token>', bot),
    limit,
  },
  json: "{crawls:[...]}, the API's fields",
  hasCsv: true,
  examples: [
    'overheard crawls --workspace acme',
    'overheard crawls --workspace acme --by page --bot GPTBot --days 28 --limit 20',
    'overheard crawls --workspace acme --by day --csv > crawls.csv',
  ],
  run: async (context, given) => {
    const period = firstAndLast(given, context.io);
    const filters = await namedFilters(context, given);
    const query = toCrawlQuery({ ...given, ...filters, ...period });
    return inSnapshot(context, async (source) => {
      const all = await readCrawls(source, query);
      const rows = all.slice(0, rowsMax(given.limit));
      return {
        json: { crawls: rows },
        csv: { fields: crawls.fields, rows },
        tables: rows.length === 0 ? [] : [crawlTable(rows, query.by)],
        words:
          rows.length === 0
            ? noHitsWords(await readReach(source), context.slug)
            : [
                `Hits ${query.from === undefined ? 'of all days' : `from ${query.from}`}${query.to === undefined ? '' : ` to ${query.to}`} (UTC).`,
                cutWords(all, rows),
              ],
      };
    });
  },
});
