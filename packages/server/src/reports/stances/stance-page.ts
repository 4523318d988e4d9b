import { surfaceOf } from '@overheard/contract';
import type { ShareRow, StanceRow, Surface } from '@overheard/contract';
import { readTagsByPrompt, topicIn } from '../../storage/prompt-tags.ts';
import type { ReportSource } from '../report-source.ts';
import { readPeriodShares } from '../shares/shares.ts';
import type { ShareQuery } from '../shares/shares.ts';
import type { StanceCheck } from './check.ts';
import { readQuotes } from './quotes.ts';
import { readPeriodStances } from './stances.ts';
import type { PeriodStances } from './stances.ts';
import { isWarning } from './tally.ts';

/** What answers say against a subject. */
export interface Warnings {
  readonly subject_id: string;
  /** Different quotes: warnings first, then mixed ones, the most recent first. */
  readonly quotes: ReadonlyArray<StanceRow['quotes'][number] & { readonly topic: string | null }>;
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
  /** Of each subject that an answer warns against or criticises. */
  readonly warnings: readonly Warnings[];
  /** The share of voice of each subject over all counted answers of the same view. */
  readonly voices: readonly ShareRow[];
}

/** Stances that are looked at for different quotes, and quotes of a subject. */
const warnedMax = 100;
const quotesMax = 3;

/** Reads the page of stances. Answers of apps and of APIs are not pooled. */
export async function readStancePage(
  source: ReportSource,
  query: Omit<ShareQuery, 'by' | 'rowsMax'>,
): Promise<StancePage> {
  const every = await readPeriodStances(source, query);
  const none = { subjects: [], topics: [], purposes: [], warnings: [], voices: [] };
  if (every === undefined) return { judged: null, surface: query.surface ?? 'app', ...none };
  const { judge, check, citations } = every;
  const surfaces = new Set(citations.map(({ engine }) => surfaceOf(engine)));
  const surface = query.surface ?? (surfaces.has('app') ? 'app' : 'api');
  const isMixed = surfaces.size > 1;
  const ofSurface = isMixed ? await readPeriodStances(source, { ...query, surface }) : every;
  const period = ofSurface ?? every;
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
  { citations, subjects }: Pick<PeriodStances, 'citations' | 'subjects'>,
): Promise<Warnings[]> {
  const tags = await readTagsByPrompt(source.db, source.workspaceId);
  const warned = Map.groupBy(
    citations.filter(({ stance }) => isWarning(stance) || stance === 'mixed'),
    ({ subject_id: id }) => id,
  );
  const all: Warnings[] = [];
  for (const { id } of subjects) {
    const chosen = (warned.get(id) ?? [])
      .toSorted((one, other) => Number(isWarning(other.stance)) - Number(isWarning(one.stance)))
      .slice(0, warnedMax);
    if (chosen.length === 0) continue;
    const quoteOf = await readQuotes(source, chosen);
    const quotes = chosen.flatMap((citation) =>
      quoteOf(citation).map((quote) => ({
        ...quote,
        topic: topicIn(tags.get(citation.prompt_id ?? '')),
      })),
    );
    const different = [...Map.groupBy(quotes, ({ quote }) => quote).values()];
    all.push({
      subject_id: id,
      quotes: different.flatMap(([first]) => first ?? []).slice(0, quotesMax),
    });
  }
  return all;
}
