import type { CrawlRow, ShareGrouping, ShareRow, SourceRow } from '@overheard/contract';
import type { Lines } from '../../values/printable.ts';
import { tableOf } from '../define/table-of.ts';
import type { Table } from '../terminal/print.ts';
import { changeWords, percent, rateWords, sovWords } from '../../values/figure-words.ts';
import { amount, thousands } from '../../values/plural.ts';
import type { AvailableData } from '../../reports/available-data.ts';

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
  return { title: titleOf('Citation rate', columns), ...tableOf(rows, '', cells) };
}

function sovTable(rows: readonly ShareRow[], columns: ShareColumns): Table {
  const cells = {
    ...groupCells(columns),
    SHARE: sovWords,
    CHANGE: (row: ShareRow) => changeWords(row.sov_change, row.sov_verdict),
  };
  return { title: titleOf('Share of voice', columns), ...tableOf(rows, '', cells) };
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
  if (by === 'tag' || by === 'topic') cells[by.toUpperCase()] = ({ tag }) => tag ?? 'none';
  if (by === 'day') cells['DAY'] = ({ from }) => from;
  if (by === 'week') cells['WEEK'] = ({ from, to }) => `${from} to ${to}`;
  return cells;
}

/** Notes on the runs behind the figures of shares, and on the meaning of their marks. */
export function shareNotes(
  rows: readonly ShareRow[],
  { isAgainstApi = false }: { isAgainstApi?: boolean | undefined } = {},
): Lines {
  const compared = rows.map((row) => row.prompts_compared);
  const [least, most] = [Math.min(...compared), Math.max(...compared)];
  const over = least === most ? String(most) : `${least} to ${most}`;
  const hasNoInterval = rows.some(
    ({ rate, rate_low, sov, sov_low }) =>
      (rate !== null && rate_low === null) || (sov !== null && sov_low === null),
  );
  const leftOut = new Set(rows.flatMap(({ not_compared: words }) => words ?? []));
  const unknown = rows[0]?.search_unknown ?? 0;
  const isUnmeasured = rows.some(({ rate, sov }) => rate === null || sov === null);
  return [
    `After each rate or share: its 95 % interval. Changes are in percentage points ${
      isAgainstApi
        ? 'from the API to the app, over the prompts that were put to both'
        : 'against the equal period before, over the prompts that both periods have'
    } (${over}).`,
    // Groups leave out different runs, which the rows of `--json` and `--csv` name.
    leftOut.size === 1 && `Left out of changes: ${[...leftOut].join()}.`,
    unknown > 0 &&
      `Left out: ${amount(unknown, 'run')} of engines that do not say whether they searched.`,
    hasNoInterval &&
      'No interval: fewer than 5 prompts, or fewer than 10 citations for a share of voice.',
    isUnmeasured &&
      'Not measured: the subject was not tracked in all of the answers; or, for a share of voice, there is no competitor or no citation.',
  ];
}

/** A table of the sites or pages that answers cite. Each count is out of all `runs`. */
export function sourceTable(rows: readonly SourceRow[], { runs }: { runs: number }): Table {
  return tableOf(rows, '', {
    SOURCE: ({ site, url }) => url ?? site,
    KIND: ({ kind }) => kind,
    'CITED BY': ({ share }) => `${percent(share)} of ${amount(runs, 'answer')}`,
    BRAND: (row) => thousands(row.brand_runs),
    COMPETITOR: (row) => thousands(row.competitor_runs),
    GAP: (row) => thousands(row.gap_runs),
  });
}

/** Explains the columns of the table. */
export const sourceNote =
  'Of the answers that cite a source, BRAND also cite the brand, COMPETITOR a competitor, and GAP a competitor but not the brand.';

/** A table of crawlers: their hits by verification, and the responses to them. */
export function crawlTable(rows: readonly CrawlRow[], by: 'bot' | 'page' | 'day'): Table {
  return tableOf(rows, '', {
    ...(by === 'bot' && { BOT: (row: CrawlRow) => row.bot_name }),
    ...(by === 'page' && { PAGE: (row: CrawlRow) => `${row.host ?? ''}${row.path ?? ''}` }),
    ...(by === 'day' && { DAY: (row: CrawlRow) => row.date }),
    HITS: (row) => thousands(row.verified + row.spoofed + row.unverified),
    VERIFICATION: ({ verified, spoofed, unverified }) => parts({ verified, spoofed, unverified }),
    RESPONSES: ({ ok, redirected, refused, failed }) => parts({ ok, redirected, refused, failed }),
    LAST: (row) => row.last_at.slice(0, 10),
  });
}

/** Joins counts such as `8 ok, 2 refused`, without zeros. */
function parts(counts: Readonly<Record<string, number>>): string | null {
  const words = Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `${thousands(count)} ${name}`);
  return words.length === 0 ? null : words.join(', ');
}

/** Explains why a report of runs has no rows, and what to do. */
export function noRunsWords({ runs, hasScores }: AvailableData, slug: string): string {
  const next = `Import what engines said: overheard answers import FILE --workspace ${slug}`;
  if (runs !== undefined) {
    return `Nothing in this period matches. ${slug} has counted runs from ${runs.from} to ${runs.to}.`;
  }
  if (!hasScores) return `${slug} has no counted run yet. ${next}`;
  return `${slug} has scores, but no counted run. Scores have only the brand's daily share of voice on each engine (overheard export scores --workspace ${slug}). They have no intervals, competitors, prompts or sources. ${next}`;
}

/** Explains why a report of hits has no rows, and what to do. */
export function noHitsWords({ hasHits }: AvailableData, slug: string): string {
  return hasHits
    ? 'No hit is in this period with these filters.'
    : `${slug} has no hits yet. Read an access log: overheard hits ingest access.log --workspace ${slug}`;
}

/** A sentence if more rows match than are shown. */
export function cutWords(all: readonly unknown[], rows: readonly unknown[]): string | false {
  return (
    all.length > rows.length &&
    `More rows match than the ${thousands(rows.length)} shown: see --limit.`
  );
}
