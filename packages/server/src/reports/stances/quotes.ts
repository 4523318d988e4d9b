import { limits } from '@overheard/contract';
import type { Stance, StanceRow } from '@overheard/contract';
import { inChunks, pad } from '../../storage/chunks.ts';
import type { ReportSource } from '../report-source.ts';
import type { JudgedCitation } from './tally.ts';

/** Warnings are news, and so are recommendations. */
const places: Readonly<Record<Stance, number>> = {
  advised_against: 0,
  mixed: 1,
  first_choice: 2,
  recommended_for: 2,
  unknown_to_engine: 3,
  also: 4,
  plain: 5,
};

const runsAtOnce = 256;

/** Chooses the stances to quote: warnings first, then the most recent. */
export function chooseQuoted(citations: readonly JudgedCitation[]): JudgedCitation[] {
  const place = ({ stance }: JudgedCitation) => (stance === null ? Infinity : places[stance]);
  return citations
    .filter(({ stance }) => stance !== null)
    .toSorted((one, other) => place(one) - place(other))
    .slice(0, limits.stanceQuotesMax);
}

/** Reads the quotes of stances. The returned function gives that of one, if it has any. */
export async function readQuotes(
  { db, workspaceId }: ReportSource,
  citations: readonly JudgedCitation[],
): Promise<(citation: JudgedCitation) => StanceRow['quotes']> {
  const quotes = new Map<string, string | null>();
  const ids = [...new Set(citations.map(({ run_id: run }) => run))];
  for (const chunk of inChunks(ids, runsAtOnce)) {
    const rows = await db
      .selectFrom('stances')
      .select(['run_id', 'subject_id', 'quote'])
      .where('workspace_id', '=', workspaceId)
      .where('run_id', 'in', pad(chunk))
      .execute();
    for (const { run_id: run, subject_id: id, quote } of rows) quotes.set(`${run} ${id}`, quote);
  }
  return ({ run_id, subject_id: id, engine, run_at, stance, purpose }) => {
    const quote = quotes.get(`${run_id} ${id}`) ?? null;
    if (stance === null || quote === null) return [];
    return [{ run_id, engine, run_at, stance, purpose, quote }];
  };
}
