import { appOf } from '@overheard/contract';
import { sql } from 'kysely';
import { periodDays } from '../../storage/queries/period-hits.ts';
import type { PeriodHits } from '../../storage/queries/period-hits.ts';
import { engineName } from '../../values/engine.ts';
import type { ReportSource } from '../report-source.ts';

/** One bot on one UTC day: counts of its hits. All but the last three are of genuine requests alone. */
export type BotDay = Awaited<ReturnType<typeof readBotDays>>[number];

/** Reads the counts of hits by day and bot, in the order of the days. */
export function readBotDays({ db, workspaceId }: ReportSource, filter: PeriodHits) {
  const sum = (column: string) => sql<number>`cast(sum(${sql.ref(column)}) as integer)`;
  const bot = ['bot_name', 'bot_company', 'category'] as const;
  return periodDays(db, workspaceId, filter)
    .select(['date', ...bot])
    .select(({ fn }) => [
      sum('verified').as('genuine'),
      sum('genuine_refused').as('refused'),
      sum('limited').as('limited'),
      sum('charged').as('charged'),
      sum('broken').as('broken'),
      fn.max<string | null>('read_at').as('read_at'),
      sum('spoofed').as('forged'),
      sum('unverified').as('unverified'),
      sum('proxied').as('proxied'),
    ])
    .groupBy(['date', ...bot])
    .orderBy('date')
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

/** The engine by the name that its operator's bots have; its API's answers come from the same index. */
export function readerOf(slug: string): string {
  return slug.startsWith('google_ai_') ? 'Gemini' : engineName(appOf(slug));
}

/** The sum of a count over rows. */
export function sumOf<Name extends string>(
  rows: ReadonlyArray<Readonly<Record<Name, number>>>,
  name: Name,
): number {
  return rows.reduce((sum, row) => sum + row[name], 0);
}
