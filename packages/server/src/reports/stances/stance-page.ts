import { surfaceOf } from '@overheard/contract';
import type { ShareRow, StanceRow, Surface } from '@overheard/contract';
import { readTagsByPrompt, topicIn } from '../../storage/prompt-tags.ts';
import type { ReportSource } from '../report-source.ts';
import { readPeriodShares } from '../shares/shares.ts';
import type { ShareQuery } from '../shares/shares.ts';
import type { StanceCheck } from './check.ts';
import { readQuotes } from './quotes.ts';
import { readPeriodStances } from './stances.ts';
import { isWarning } from './tally.ts';

/** A sentence of an answer that warns against a subject, or also criticises it. */
export interface Warning {
  readonly subject_id: string;
  readonly topic: string | null;
  readonly quote: StanceRow['quotes'][number];
}

/** How answers present the subjects, for the page. */
export interface StancePage {
  /** The engine of the judge, and its agreement with a person; null before anything is judged. */
  readonly judged: { readonly judge: string; readonly check: StanceCheck } | null;
  /** Where the answers were given: in apps if any of them is judged, else in APIs. */
  readonly surface: Surface;
  readonly subjects: readonly StanceRow[];
  readonly topics: readonly StanceRow[];
  readonly purposes: readonly StanceRow[];
  /** Warnings first, the most recent first. */
  readonly warnings: readonly Warning[];
  /** The share of voice of each subject over all counted answers of the same view. */
  readonly voices: readonly ShareRow[];
}

const warningsMax = 20;

/** Reads the page of stances. Answers of apps and of APIs are not pooled. */
export async function readStancePage(
  source: ReportSource,
  query: Omit<ShareQuery, 'by' | 'rowsMax'>,
): Promise<StancePage> {
  const every = await readPeriodStances(source, query);
  const none = { subjects: [], topics: [], purposes: [], warnings: [], voices: [] };
  if (every === undefined) return { judged: null, surface: query.surface ?? 'app', ...none };
  const { judge, check, citations } = every;
  const isApp = citations.some(({ engine }) => surfaceOf(engine) === 'app');
  const surface = query.surface ?? (isApp ? 'app' : 'api');
  const period = (await readPeriodStances(source, { ...query, surface })) ?? every;
  const voices = await readPeriodShares(source, { ...query, surface });
  return {
    judged: { judge: judge.judge, check },
    surface,
    subjects: await period.rowsBy('total'),
    topics: await period.rowsBy('topic'),
    purposes: await period.rowsBy('purpose'),
    warnings: await readWarnings(source, period),
    voices: voices.rowsBy('total', { isCompared: false }),
  };
}

async function readWarnings(
  source: ReportSource,
  { citations }: Pick<NonNullable<Awaited<ReturnType<typeof readPeriodStances>>>, 'citations'>,
): Promise<Warning[]> {
  const tags = await readTagsByPrompt(source.db, source.workspaceId);
  const chosen = citations
    .filter(({ stance }) => isWarning(stance) || stance === 'mixed')
    .toSorted((one, other) => Number(isWarning(other.stance)) - Number(isWarning(one.stance)))
    .slice(0, warningsMax);
  const quoteOf = await readQuotes(source, chosen);
  return chosen.flatMap((citation) =>
    quoteOf(citation).map((quote) => ({
      subject_id: citation.subject_id,
      topic: topicIn(tags.get(citation.prompt_id ?? '')),
      quote,
    })),
  );
}
