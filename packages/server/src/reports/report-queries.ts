/** The parameters of reports as the contract has them, with their defaults. */
import { limits } from '@overheard/contract';
import type { answers, crawls, searches, shares, sources, stances } from '@overheard/contract';
import type { z } from 'zod';
import type { AnswerQuery } from './answers.ts';
import type { CrawlQuery } from './crawls.ts';
import type { SourceQuery } from './sources.ts';
import type { ShareQuery } from './shares/shares.ts';
import type { DayBounds } from './period.ts';
import type { Period } from './shares/windows.ts';
import type { SearchQuery } from './searches.ts';
import type { StanceQuery } from './stances/stances.ts';

/** The query of `shares`. */
export function toShareQuery(query: z.infer<typeof shares.query>, period: Period): ShareQuery {
  const { by = 'total', engine, locale, prompt_id: promptId, surface, tag, searched } = query;
  return {
    ...period,
    by,
    excludesCompetitorPrompts: query.competitor_prompts === 'exclude',
    engine,
    locale,
    promptId,
    surface,
    tag,
    searched,
    isAgainstApi: query.against === 'api',
    rowsMax: Number(query.limit ?? limits.reportRowsMax),
  };
}

/** The query of `sources`. */
export function toSourceQuery(query: z.infer<typeof sources.query>, period: Period): SourceQuery {
  const { by = 'site', engine, locale, prompt_id: promptId, surface, tag } = query;
  return { ...period, by, engine, locale, promptId, surface, tag };
}

/** The query of `searches`. */
export function toSearchQuery(query: z.infer<typeof searches.query>, period: Period): SearchQuery {
  const { engine, locale, prompt_id: promptId, surface, tag } = query;
  return { ...period, engine, locale, promptId, surface, tag };
}

/** The query of `stances`. */
export function toStanceQuery(query: z.infer<typeof stances.query>, period: Period): StanceQuery {
  const { by = 'total', engine, locale, prompt_id: promptId, surface, tag } = query;
  const rowsMax = Number(query.limit ?? limits.reportRowsMax);
  return { ...period, by, engine, locale, promptId, surface, tag, rowsMax };
}

/** The query of `crawls`. Without days it covers all days. */
export function toCrawlQuery(query: z.infer<typeof crawls.query>): CrawlQuery {
  const { by = 'bot', from, to, host, bot_name: botName } = query;
  return { by, from, to, host, botName };
}

/** The query of `answers`. Without a first or a last day, the period is open on that side. */
export function toAnswerQuery(
  query: Omit<z.infer<typeof answers.query>, 'cursor'>,
  days: DayBounds,
): AnswerQuery {
  const { run_id: runId, prompt_id: promptId, subject_id: subjectId, engine, locale } = query;
  const isAnyone = query.cited === undefined && subjectId === undefined;
  return {
    ...days,
    runId,
    promptId,
    engine,
    locale,
    surface: query.surface,
    tag: query.tag,
    citing: isAnyone ? undefined : { subjectId, isCited: query.cited !== 'false' },
    presenting: query.stance === undefined ? undefined : { subjectId, stance: query.stance },
    rowsMax: Number(query.limit ?? limits.answersUsual),
  };
}
