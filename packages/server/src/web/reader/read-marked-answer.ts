import { listAnswerMentions } from '../../answers/scores/answer-mentions.ts';
import { readAnswerReport } from '../../reports/answer-pages/answer-report.ts';
import type {
  AnswerPageQuery,
  AnswerPageReport,
  ReadAnswer,
} from '../../reports/answer-pages/answer-report.ts';
import type { ReportSource } from '../../reports/report-source.ts';
import type { TextMark } from '../markup/answer-text.ts';

/** An answer, and each place in it that names a cited subject. */
export interface MarkedAnswer extends ReadAnswer {
  readonly marks: readonly TextMark[];
  /** Whether every mention is marked. In a very long answer only the first of each subject is. */
  readonly isWhole: boolean;
}

/** An answer to read, with its marks and the links to its neighbours. */
export interface MarkedReport extends AnswerPageReport {
  readonly answer: MarkedAnswer;
  readonly beside: MarkedAnswer | null;
}

/** Finding all mentions in a hostile answer of this length takes a second. */
const scannedLengthMax = 500_000;

/** Reads an answer with its marks; null if there is none, or if it has no such neighbour. */
export async function readMarkedAnswer(
  source: ReportSource,
  query: AnswerPageQuery,
): Promise<MarkedReport | null> {
  const report = await readAnswerReport(source, query);
  if (report === null) return null;
  const { answer, beside, brandId } = report;
  return {
    ...report,
    answer: await mark(source, answer, brandId),
    beside: beside && (await mark(source, beside, brandId)),
  };
}

async function mark(
  { db, workspaceId }: ReportSource,
  answer: ReadAnswer,
  brandId: string,
): Promise<MarkedAnswer> {
  const isWhole = answer.text.length <= scannedLengthMax;
  const rankOf = new Map(answer.cited.map(({ subject_id: id, rank }) => [id, rank]));
  const places = isWhole
    ? await listAnswerMentions(db, workspaceId, answer)
    : answer.cited.flatMap(({ subject_id, position }) =>
        position === null ? [] : [{ subject_id, position, end: null }],
      );
  const marks = places.map(({ subject_id: id, position, end }) => ({
    position,
    end,
    isBrand: id === brandId,
    rank: rankOf.get(id) ?? null,
  }));
  return { ...answer, marks, isWhole };
}
