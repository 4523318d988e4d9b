import type { StanceGrouping, StanceRow, SubjectRow } from '@overheard/contract';
import { readTagsByPrompt } from '../../storage/prompt-tags.ts';
import type { TagsByPrompt } from '../../storage/prompt-tags.ts';
import { spellTag } from '../answers.ts';
import type { ReportSource } from '../report-source.ts';
import { groupKeys } from '../shares/group-keys.ts';
import type { Period } from '../shares/windows.ts';
import { readSubjectRows } from '../subjects.ts';
import { readStanceCheck } from './check.ts';
import type { StanceCheck } from './check.ts';
import { readPresentJudge, selectJudged } from './judged.ts';
import type { PresentJudge, StanceFilter } from './judged.ts';
import { foldPurpose } from './purposes.ts';
import { chooseQuoted, readQuotes } from './quotes.ts';
import { orderGroups, toRow } from './stance-rows.ts';
import { groupStances } from './tally.ts';
import type { JudgedCitation } from './tally.ts';

/** The query of stances, with a resolved period. */
export interface StanceQuery extends Period, Omit<StanceFilter, 'from' | 'to'> {
  readonly by: StanceGrouping;
  readonly rowsMax: number;
}

/** The stances of a period, read once for any number of groupings. */
export interface PeriodStances {
  readonly judge: PresentJudge;
  readonly check: StanceCheck;
  readonly subjects: readonly SubjectRow[];
  readonly citations: readonly JudgedCitation[];
  readonly rowsBy: (by: StanceGrouping, rowsMax?: number) => Promise<StanceRow[]>;
}

/** How answers present each subject, with the agreement of the judge and a person. */
export async function readStances(source: ReportSource, query: StanceQuery): Promise<StanceRow[]> {
  const { by, rowsMax, ...filter } = query;
  const period = await readPeriodStances(source, filter);
  return period === undefined ? [] : period.rowsBy(by, rowsMax);
}

/** Reads the stances of a period. Undefined before anything is judged. */
export async function readPeriodStances(
  source: ReportSource,
  { from, to, ...asked }: Omit<StanceQuery, 'by' | 'rowsMax'>,
): Promise<PeriodStances | undefined> {
  const judge = await readPresentJudge(source);
  if (judge === undefined) return undefined;
  const filter = await spellTag(source, { ...asked, from, to });
  const citations = await selectJudged(source, judge, filter)
    .select(['stances.run_id', 'runs.prompt_id', 'engine', 'run_at'])
    .select(['stances.subject_id', 'stances.stance', 'stances.purpose'])
    .orderBy('run_at', 'desc')
    .orderBy('runs.id')
    .orderBy('stances.subject_id')
    .execute();
  const { judge: engine } = judge;
  const check = await readStanceCheck(source, judge);
  const subjects = await readSubjectRows(source);
  const tags = await readTagsByPrompt(source.db, source.workspaceId);
  return { judge, check, subjects, citations, rowsBy };

  async function rowsBy(by: StanceGrouping, rowsMax?: number): Promise<StanceRow[]> {
    const all = groupStances(citations, () => ['']).get('');
    if (all === undefined) return [];
    const isOnePrompt = by === 'prompt' || asked.promptId !== undefined;
    const context = { all, subjects, check, judge: engine, period: { from, to }, isOnePrompt };
    const groups = by === 'total' ? new Map([['', all]]) : groupStances(citations, keys(by, tags));
    const rows = subjects.flatMap((subject) => {
      const { id, archived_at: archivedAt } = subject;
      const ofSubject = [...groups].filter(
        ([, group]) => group.subjects.has(id) || (by === 'total' && archivedAt === null),
      );
      return orderGroups(ofSubject, by, id).map(([key, group]) => {
        const { citations: own = [] } = group.subjects.get(id) ?? {};
        return { row: toRow(subject, { by, key, group, ...context }), quoted: chooseQuoted(own) };
      });
    });
    const shown = rows.slice(0, rowsMax);
    const quoteOf = await readQuotes(
      source,
      shown.flatMap(({ quoted }) => quoted),
    );
    return shown.map(({ row, quoted }) => ({ ...row, quotes: quoted.flatMap(quoteOf) }));
  }
}

/** The keys of the groups that a stance counts in. */
function keys(
  by: StanceGrouping,
  tags: TagsByPrompt,
): (citation: JudgedCitation) => readonly string[] {
  if (by === 'purpose') {
    return ({ purpose, stance }) =>
      purpose === null || stance === null ? [] : [foldPurpose(purpose)];
  }
  const keysOf = groupKeys(by, { prompts: new Map(), tags });
  return ({ prompt_id: prompt, engine }) => keysOf(prompt ?? '', engine);
}
