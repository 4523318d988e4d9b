/** The parameters of reports as the contract has them, with their defaults. */
import { limits } from '@overheard/contract';
import type { answers, crawls, shares, sources } from '@overheard/contract';
import type { z } from 'zod';
import type { AnswerQuery } from './answers.ts';
import type { CrawlQuery } from './crawls.ts';
import type { SourceQuery } from './sources.ts';
import type { ShareQuery } from './shares/shares.ts';
import type { DayBounds } from './period.ts';
import type { Period } from './shares/windows.ts';

/** The query of `shares`. */
export function toShareQuery(given: z.infer<typeof shares.query>, period: Period): ShareQuery {
  const { by = 'total', engine, locale, prompt_id: promptId } = given;
  return {
    ...period,
    by,
    excludesCompetitorPrompts: given.competitor_prompts === 'exclude',
    engine,
    locale,
    promptId,
    rowsMax: Number(given.limit ?? limits.reportRowsMax),
  };
}

/** The query of `sources`. */
export function toSourceQuery(given: z.infer<typeof sources.query>, period: Period): SourceQuery {
  const { by = 'site', engine, locale, prompt_id: promptId } = given;
  return { ...period, by, engine, locale, promptId };
}

/** The query of `crawls`. Without days it covers all days. */
export function toCrawlQuery(given: z.infer<typeof crawls.query>): CrawlQuery {
  const { by = 'bot', from, to, host, bot_name: botName } = given;
  return { by, from, to, host, botName };
}

/** The query of `answers`. Without a first or a last day, the period is open on that side. */
export function toAnswerQuery(
  given: Omit<z.infer<typeof answers.query>, 'cursor'>,
  days: DayBounds,
): AnswerQuery {
  const { run_id: runId, prompt_id: promptId, subject_id: subjectId, engine, locale } = given;
  const isAnyone = given.cited === undefined && subjectId === undefined;
  return {
    ...days,
    runId,
    promptId,
    engine,
    locale,
    citing: isAnyone ? undefined : { subjectId, isCited: given.cited !== 'false' },
    rowsMax: Number(given.limit ?? limits.answersUsual),
  };
}
