/** Caps of the endpoints and the quota: the one place where these numbers are written. */
export const limits = {
  /** Days of history that `scores` covers, today included (UTC). */
  scoresDays: 180,
  /** Prompts returned at most. */
  promptsMax: 500,
  /** Ids of prompts in one request at most. */
  promptIdsMax: 50,
  /** Agent hits returned at most. */
  hitsMax: 500,
  /** Number of most recent runs that `detections` covers if the request names no prompt. */
  detectionsRunsMax: 200,
  /** Days of a report's period, unless it is given. */
  periodDays: 28,
  /** Days of a report's period at most. */
  periodDaysMax: 366,
  /** Answers of one page at most. */
  answersMax: 200,
  /** Answers of one page unless `limit` says otherwise. */
  answersUsual: 20,
  /** Sites of one row of `searches`. */
  searchSitesMax: 5,
  /** Rows of a report at most. */
  reportRowsMax: 1000,
  /** Subjects, and prompts of each list, in the report on one page at most. */
  reportSubjectsMax: 10,
  /** Most sentences about crawlers in a report. */
  reportCrawlersMax: 3,
  reportPromptsMax: 20,
  /** Quotes of one row of `stances`. */
  stanceQuotesMax: 3,
  /** Published reports of one list. */
  publishedReportsMax: 100,
} as const;

/** At most `requests` responses in any `windowSeconds`, per workspace and endpoint. */
export const quota = { requests: 300, windowSeconds: 3600 } as const;

/** Runs before this instant carry no rank: it was not recorded then. */
export const rankSince = '2026-09-26T00:00:00.000Z';
