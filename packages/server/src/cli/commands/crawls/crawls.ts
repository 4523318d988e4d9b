import { crawls } from '@overheard/contract';
import { readCrawlChain } from '../../../reports/crawl-chain.ts';
import { readCrawls } from '../../../reports/crawls.ts';
import { toCrawlQuery } from '../../../reports/report-queries.ts';
import { readAvailableData } from '../../../reports/available-data.ts';
import { defineWorkspaceCommand } from '../../define/define-command.ts';
import type { OptionValues, WorkspaceContext } from '../../define/define-command.ts';
import { flag } from '../../define/options.ts';
import type { Output } from '../../define/output.ts';
import { inSnapshot } from '../../define/with-store.ts';
import { readDays, readPeriod } from '../../filters/read-period.ts';
import { namedFilters } from '../../filters/named-filters.ts';
import { days, limit, parameter, rowsMax } from '../../filters/parameter.ts';
import { chainCsv, chainTables, chainWords } from './crawl-chain-words.ts';
import { crawlTable, cutWords, noHitsWords } from '../../words/report-words.ts';
import { UsageError } from '../../terminal/command-error.ts';
import { amount } from '../../../values/plural.ts';

const { by, from, to, host, bot_name: bot } = crawls.query.shape;

const options = {
  by: parameter('<group>', by),
  from: parameter('<day>', from),
  to: parameter('<day>', to),
  days: { ...days, summary: 'number of days up to --to or today, instead of --from' },
  host: parameter('<name>', host),
  bot: parameter('<token>', bot),
  limit,
  besideSources: flag('compare own pages in requests with own pages in answers'),
};

export const crawlsCommand = defineWorkspaceCommand({
  name: 'crawls',
  summary: 'which AI crawlers read which pages, over all stored hits',
  description: `${crawls.description} With --beside-sources: own pages that verified bots read and no answer cites, that answers cite and no bot requests any more, and that are refused to bots that read for answers; of the last 28 days, unless --from, --to or --days say otherwise.`,
  options,
  json: "{crawls:[...]}, the API's fields; with --beside-sources {from, to, read_not_cited:[{page, reads, refusals, runs, last_cited_at, last_requested_at, bots:[...]}], cited_not_read:[...], refused:[...]}",
  hasCsv: true,
  examples: [
    'overheard crawls --workspace acme',
    'overheard crawls --workspace acme --by page --bot GPTBot --days 28 --limit 20',
    'overheard crawls --workspace acme --by day --csv > crawls.csv',
    'overheard crawls --workspace acme --beside-sources',
  ],
  run: async (context, values) => {
    if (values.besideSources) return besideSources(context, values);
    const period = readDays(values, context.io);
    const filters = await namedFilters(context, values);
    const query = toCrawlQuery({ ...values, ...filters, ...period });
    return inSnapshot(context, async (source) => {
      const all = await readCrawls(source, query);
      const rows = all.slice(0, rowsMax(values.limit));
      return {
        json: { crawls: rows },
        csv: { fields: crawls.fields, rows },
        table: crawlTable(rows, query.by),
        words:
          rows.length === 0
            ? noHitsWords(await readAvailableData(source), context.slug)
            : [
                `Hits ${query.from === undefined ? 'of all days' : `from ${query.from}`}${query.to === undefined ? '' : ` to ${query.to}`} (UTC).`,
                cutWords(all, rows),
              ],
      };
    });
  },
});

/** Compares own pages in the requests of bots with those in answers. */
async function besideSources(
  context: WorkspaceContext,
  values: OptionValues<typeof options>,
): Promise<Output> {
  if ([values.by, values.host, values.bot].some((one) => one !== undefined)) {
    throw new UsageError('--beside-sources has no --by, --host or --bot: leave them out.');
  }
  const period = readPeriod(values, context.io);
  return inSnapshot(context, async (source) => {
    const {
      read_not_cited: uncited,
      cited_not_read: unread,
      refused,
      ...dates
    } = await readCrawlChain(source, period);
    const cut = rowsMax(values.limit);
    const chain = {
      ...dates,
      read_not_cited: uncited.slice(0, cut),
      cited_not_read: unread.slice(0, cut),
      refused: refused.slice(0, cut),
    };
    return {
      json: chain,
      csv: chainCsv(chain),
      tables: chainTables(chain),
      words: [
        chainWords({ ...dates, read_not_cited: uncited, cited_not_read: unread, refused }),
        [uncited, unread, refused].some((list) => list.length > cut) &&
          `Only the first ${amount(cut, 'page')} of each list: see --limit.`,
      ],
    };
  });
}
