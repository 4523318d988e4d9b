import { sql } from 'kysely';
import { countOf } from '../../storage/counts/hit-changes.ts';
import { isReadPage } from '../../storage/counts/own-pages.ts';
import { periodHits } from '../../storage/queries/period-hits.ts';
import type { PeriodHits } from '../../storage/queries/period-hits.ts';
import type { ReportSource } from '../report-source.ts';

/** One bot on one UTC day: counts of its hits. All but the last three are of genuine requests alone. */
export type BotDay = Awaited<ReturnType<typeof readBotDays>>[number];

/** Counts hits by day and bot, in the order of the days. */
export function readBotDays({ db, workspaceId }: ReportSource, filter: PeriodHits) {
  const date = sql<string>`substr(hit_at, 1, 10)`;
  const isReason = (reason: string) => sql<boolean>`evidence like ${`{"reason":"${reason}"%`}`;
  const verifiedAt = (condition: ReturnType<typeof sql>) =>
    sql<string | null>`max(case when verification = 'verified' and ${condition} then hit_at end)`;
  return periodHits(db, workspaceId, filter)
    .select(['bot_name', 'bot_company', 'category', date.as('date')])
    .select([
      countOf('verified').as('genuine'),
      countOf('verified', 'refused').as('refused'),
      countOf('verified', sql`status = 429`).as('limited'),
      countOf('verified', sql`status = 402`).as('charged'),
      countOf('verified', sql`status >= 500`).as('broken'),
      countOf('spoofed').as('forged'),
      countOf('unverified').as('unverified'),
      countOf(
        'unverified',
        sql`(${isReason('proxy_address')} or ${isReason('private_address')})`,
      ).as('proxied'),
      verifiedAt(isReadPage).as('read_at'),
    ])
    .groupBy(['bot_name', 'bot_company', 'category', date])
    .orderBy(date)
    .orderBy('bot_name')
    .orderBy('bot_company')
    .orderBy('category')
    .execute();
}

/** The engines that operators' bots read for, by the operators' names in the catalogue. */
const engineNames: Readonly<Record<string, string>> = {
  OpenAI: 'ChatGPT',
  Perplexity: 'Perplexity',
  Anthropic: 'Claude',
  Google: 'Gemini',
  Microsoft: 'Copilot',
  xAI: 'Grok',
  'Mistral AI': 'Mistral',
  Meta: 'Meta AI',
  'Moonshot AI': 'Kimi',
  Alibaba: 'Qwen',
  ByteDance: 'Doubao',
};

/** The engine that an operator's bots read for. */
export function engineOfCompany(company: string): string {
  return engineNames[company] ?? company;
}

/** The sum of a count over rows. */
export function sumOf<Name extends string>(
  rows: ReadonlyArray<Readonly<Record<Name, number>>>,
  name: Name,
): number {
  return rows.reduce((sum, row) => sum + row[name], 0);
}
