import { crawls } from '@overheard/contract';
import { readAvailableData } from '../../../reports/available-data.ts';
import { readLatestHits } from '../../../reports/hits/latest-hits.ts';
import { defineWorkspaceCommand } from '../../define/define-command.ts';
import { tableOf } from '../../define/table-of.ts';
import { inSnapshot } from '../../define/with-store.ts';
import { namedFilters } from '../../filters/named-filters.ts';
import { days, limit, parameter, rowsMax } from '../../filters/parameter.ts';
import { readPeriod } from '../../filters/read-period.ts';
import { noHitsWords } from '../../words/report-words.ts';

const { from, to, host, bot_name: bot } = crawls.query.shape;

export const hitsListCommand = defineWorkspaceCommand({
  name: 'list',
  summary: 'list hits, the latest first',
  description:
    'Lists hits with their verdicts, the latest first: those of the last 28 days, unless --from, --to or --days say otherwise.',
  options: {
    from: parameter('<day>', from),
    to: parameter('<day>', to),
    days,
    host: parameter('<name>', host),
    bot: parameter('<token>', bot),
    limit,
  },
  json: '{hits:[{id, host, bot_name, bot_company, category, path, method, status, verification, hit_at}]}',
  examples: ['overheard hits list --bot OAI-SearchBot --days 7 --limit 20 --workspace acme'],
  run: async (context, values) => {
    const period = readPeriod(values, context.io);
    const { bot_name: botName, host: site } = await namedFilters(context, values);
    return inSnapshot(context, async (source) => {
      const filter = { ...period, host: site, botName, limit: rowsMax(values.limit) };
      const hits = await readLatestHits(source, filter);
      const rows = hits.map(({ evidence: _, overruled_by: __, ...hit }) => hit);
      return {
        json: { hits: rows },
        table: tableOf(rows, noHitsWords(await readAvailableData(source), context.slug), {
          AT: ({ hit_at: at }) => at,
          BOT: ({ bot_name: name }) => name,
          REQUEST: ({ method, host: name, path }) => `${method} ${name ?? ''}${path}`,
          STATUS: ({ status }) => status,
          VERIFICATION: ({ verification }) => verification,
          ID: ({ id }) => id,
        }),
      };
    });
  },
});
