import { readDailyReferrals } from '../../../reports/hits/referral-counts.ts';
import { parseBound, parseSite } from '../../filters/parse-log-options.ts';
import { plural } from '../../../values/plural.ts';
import { dayMs, utcDay } from '../../../values/time/utc-day.ts';
import { defineWorkspaceCommand } from '../../define/define-command.ts';
import { text } from '../../define/options.ts';
import { tableOf } from '../../define/table-of.ts';

const fields = ['date', 'host', 'path', 'engine', 'referrals'] as const;

export const referralsCommand = defineWorkspaceCommand({
  name: 'referrals',
  summary: 'count the people who came from an answer',
  description:
    'Counts visits of people who followed a link in an answer, per day (UTC), page and engine, as `hits ingest` found them in access logs: by their Referer, or by utm_source. Many apps send neither, and anybody can forge both.',
  options: {
    since: text('<when>', 'only days from then on; 28d by default'),
    until: text('<when>', 'only days up to then'),
    host: text('<name>', 'only this site'),
    engine: text('<name>', 'only this engine, such as chatgpt'),
  },
  json: '{"referrals":[{date, host, path, engine, referrals}]}',
  hasCsv: true,
  examples: [
    'overheard referrals --workspace acme',
    'overheard referrals --workspace acme --since 2026-11-01 --engine chatgpt --csv',
  ],
  run: async ({ io, store, workspaceId }, { since, until, host, engine }) => {
    const nowMs = io.clock();
    const source = { db: store.reader, workspaceId };
    const referrals = await readDailyReferrals(source, {
      from: utcDay(parseBound({ since }, nowMs) ?? nowMs - 28 * dayMs),
      to: utcDay(parseBound({ until }, nowMs) ?? nowMs),
      host: parseSite(host),
      engine,
    });
    const engines = new Map<string, number>();
    for (const { engine: from, referrals: count } of referrals) {
      engines.set(from, (engines.get(from) ?? 0) + count);
    }
    return {
      json: { referrals },
      csv: { fields, rows: referrals.map((row) => ({ ...row })) },
      table: tableOf(referrals, 'No visit from an answer is known in this time.', {
        DATE: ({ date }) => date,
        SITE: (row) => row.host,
        PAGE: ({ path }) => path,
        ENGINE: (row) => row.engine,
        REFERRALS: (row) => row.referrals,
      }),
      words: [...engines].map(([from, counted]) => `${from}: ${plural(counted, 'referral')}`),
    };
  },
});
