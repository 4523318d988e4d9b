import type { ShareGrouping, ShareRow } from '@overheard/contract';
import { tableOf } from '../define/table-of.ts';
import type { Table } from '../terminal/print.ts';
import { changeWords, rateWords, sovWords } from '../../values/figure-words.ts';

interface ShareColumns {
  readonly by: ShareGrouping;
  /** The subject, if all figures are of one. */
  readonly subject?: string | undefined;
}

/** The citation rates and the shares of voice of subjects, one table each. */
export function shareTables(rows: readonly ShareRow[], columns: ShareColumns): Table[] {
  return [rateTable(rows, columns), sovTable(rows, columns)];
}

function rateTable(rows: readonly ShareRow[], columns: ShareColumns): Table {
  const cells = {
    ...groupCells(columns),
    RATE: rateWords,
    CHANGE: (row: ShareRow) => changeWords(row.rate_change, row.rate_verdict),
  };
  return { title: titleOf('Citation rate', columns), ...tableOf(rows, cells, '') };
}

function sovTable(rows: readonly ShareRow[], columns: ShareColumns): Table {
  const cells = {
    ...groupCells(columns),
    SHARE: sovWords,
    CHANGE: (row: ShareRow) => changeWords(row.sov_change, row.sov_verdict),
  };
  return { title: titleOf('Share of voice', columns), ...tableOf(rows, cells, '') };
}

function titleOf(measure: string, { by, subject }: ShareColumns): string {
  return subject === undefined ? measure : `${measure} of ${subject} by ${by}`;
}

function groupCells({ by, subject }: ShareColumns) {
  const cells: Record<string, (row: ShareRow) => string | null> = {};
  if (subject === undefined) cells['SUBJECT'] = ({ name }) => name;
  if (by === 'engine') cells['ENGINE'] = ({ engine }) => engine;
  if (by === 'locale') cells['LOCALE'] = ({ locale }) => locale;
  if (by === 'prompt') cells['PROMPT'] = ({ prompt }) => prompt;
  if (by === 'day') cells['DAY'] = ({ from }) => from;
  if (by === 'week') cells['WEEK'] = ({ from, to }) => `${from} to ${to}`;
  return cells;
}

/** Notes on the runs behind the figures of shares, and on the meaning of their marks. */
export function shareNotes(rows: readonly ShareRow[]): string[] {
  const compared = rows.map((row) => row.prompts_compared);
  const [least, most] = [Math.min(...compared), Math.max(...compared)];
  const over = least === most ? String(most) : `${least} to ${most}`;
  const hasNoInterval = rows.some(
    ({ rate, rate_low, sov, sov_low }) =>
      (rate !== null && rate_low === null) || (sov !== null && sov_low === null),
  );
  const leftOut = new Set(rows.flatMap(({ not_compared: words }) => words ?? []));
  const isUnmeasured = rows.some(({ rate, sov }) => rate === null || sov === null);
  return [
    `After each rate or share: its 95 % interval. Changes are in percentage points against the equal period before, over the prompts that both periods have (${over}).`,
    // Groups leave out different runs, which the rows of `--json` and `--csv` name.
    ...(leftOut.size === 1 ? [`Left out of changes: ${[...leftOut].join()}.`] : []),
    ...(hasNoInterval
      ? ['No interval: fewer than 5 prompts, or fewer than 10 citations for a share of voice.']
      : []),
    ...(isUnmeasured
      ? [
          'Not measured: the subject was not tracked in all of the answers; or, for a share of voice, there is no competitor or no citation.',
        ]
      : []),
  ];
}
