import { crawls } from '@overheard/contract';
import { readEngineAccess } from '../../../reports/engine-access/engine-access.ts';
import type { BotAccess, EngineAccess } from '../../../reports/engine-access/engine-access.ts';
import { cadenceWords } from '../../../reports/engine-access/cadence.ts';
import { readAvailableData } from '../../../reports/available-data.ts';
import { plural, thousands } from '../../../values/plural.ts';
import { utcDay } from '../../../values/time/utc-day.ts';
import { defineWorkspaceCommand } from '../../define/define-command.ts';
import { tableOf } from '../../define/table-of.ts';
import { inSnapshot } from '../../define/with-store.ts';
import { namedFilters } from '../../filters/named-filters.ts';
import { parameter } from '../../filters/parameter.ts';
import { noHitsWords } from '../../words/report-words.ts';

const purposes: Readonly<Record<BotAccess['purpose'], string>> = {
  search: 'search index',
  user: 'a person asked',
  crawler: 'training',
};

export const hitsSummaryCommand = defineWorkspaceCommand({
  name: 'summary',
  summary: 'say whether the engines that cite the site can read it',
  description:
    'Says what keeps the bots of answer engines from the site, since when, and what to do, the worst first. Then lists each engine with its bots: what they read for, when they last got a page, and how many of their genuine requests were refused in the last seven days of the log and in the seven before. Forged and unverified requests are not counted. Looks at the last 60 days.',
  options: { host: parameter('<name>', crawls.query.shape.host) },
  json: '{until, stories:[{kind, bot_name, since, requests, sentence, cure}], engines:[{engine, bots:[{bot_name, bot_company, purpose, last_read_at, requests, refused, requests_before, refused_before, forged, refused_since, cadence}]}], requests, refused, days:[{date, genuine, refused}]}',
  examples: ['overheard hits summary --workspace acme'],
  run: async (context, values) => {
    const { host } = await namedFilters(context, values);
    return inSnapshot(context, async (source) => {
      const to = utcDay(context.io.clock());
      const access = await readEngineAccess(source, { to, host });
      if (access.until === null) {
        return {
          json: access,
          words: noHitsWords(await readAvailableData(source), context.slug),
        };
      }
      return {
        json: access,
        lead: leadOf(access),
        table: botTable(access),
        words: `The last seven days are those up to ${access.until} (UTC).`,
      };
    });
  },
});

/** What is wrong, a line each; else that nothing is. */
function leadOf({ stories, requests, refused }: EngineAccess): string | false {
  if (stories.length > 0) {
    return `${stories.map(({ sentence, cure }) => `${sentence} ${cure}`).join('\n')}\n`;
  }
  if (requests === 0) return false;
  return `Nothing keeps the engines' bots out: ${thousands(refused)} of ${plural(requests, 'genuine request')} of the last seven days ${refused === 1 ? 'was' : 'were'} refused.\n`;
}

function botTable({ engines }: EngineAccess) {
  const rows = engines.flatMap(({ engine, bots }) => bots.map((bot) => ({ engine, ...bot })));
  return tableOf(rows, 'No request is verified, so nobody can say which bots read the site.', {
    ENGINE: ({ engine }) => engine,
    BOT: ({ bot_name: name }) => name,
    'READS FOR': ({ purpose }) => purposes[purpose],
    'LAST READ': ({ last_read_at: at }) => at?.slice(0, 10) ?? 'never',
    REFUSED: ({ refused, requests }) => part(refused, requests),
    'WEEK BEFORE': ({ refused_before: refused, requests_before: requests }) =>
      part(refused, requests),
    FORGED: ({ forged }) => (forged === 0 ? null : thousands(forged)),
    COMES: ({ cadence }) => (cadence === null ? null : cadenceWords(cadence)),
  });
}

/** `2 of 25`; nothing of nothing. */
function part(refused: number, requests: number): string | null {
  return requests === 0 ? null : `${thousands(refused)} of ${thousands(requests)}`;
}
