import type { ScoreRow } from '@overheard/contract';
import type { Calendar } from './calendar.ts';
import type { DemoRun } from './runs.ts';
import { countCitations } from './share-of-voice.ts';

/** The score of every day and engine, counted from its runs. */
export function demoScores(runs: readonly DemoRun[], calendar: Calendar): ScoreRow[] {
  const byDay = Map.groupBy(runs, ({ day, engine }) => `${calendar.date(day)} ${engine}`);
  return [...byDay].flatMap(([dayAndEngine, ofDay]) => {
    const [date = '', engine = ''] = dayAndEngine.split(' ');
    const { runs: total_runs, brand: citations, shareOfVoice: sov } = countCitations(ofDay);
    return total_runs === 0 ? [] : [{ date, engine, citations, total_runs, sov }];
  });
}
