import { Readable } from 'node:stream';
import { rowFormat } from '../../transfer/format-rows.ts';
import { thousands } from '../../values/plural.ts';
import { utcDay } from '../../values/time/utc-day.ts';
import { bareSamples, sampleNote, tooFew } from '../markup/figures.ts';
import { html } from '../markup/html.ts';
import type { Content, Html } from '../markup/html.ts';
import { titleLine } from './title-line.ts';
import type { Download, WorkspaceContext } from '../request/page-context.ts';

/** One column of a table, on the page and in its file. */
export interface Column<Row> {
  readonly title: string;
  /** The cell on the page. A column without it is only in the file. */
  readonly cell?: (row: Row) => Content;
  /** The value in the file. A column without it is left out there. */
  readonly csv?: (row: Row) => string | number | null;
  readonly isNumber?: boolean;
  /** Whether its cells are rulers, under their scale. */
  readonly isDrawn?: boolean;
  /** Whether its cells are buttons and forms, under a title that only screen readers say. */
  readonly isAction?: boolean;
}

export type Columns<Row> = ReadonlyArray<Column<Row>>;

/** A column of counts. */
export function counts<Row>(title: string, count: (row: Row) => number): Column<Row> {
  return { title, cell: (row) => thousands(count(row)), csv: count, isNumber: true };
}

/** A column of texts that are the same on the page and in the file. */
export function texts<Row>(title: string, text: (row: Row) => string): Column<Row> {
  return { title, cell: text, csv: text };
}

/** A column of rulers. */
export function drawn<Row>(ruler: (row: Row) => Content): Column<Row> {
  return { title: 'Drawn', cell: ruler, isDrawn: true };
}

/** Columns that are only in a file, one for each field of its rows. */
export function columnsOfFields<Field extends string>(
  fields: readonly Field[],
): Columns<Readonly<Record<Field, string | number | null>>> {
  return fields.map((field) => ({ title: field, cell: () => '', csv: (row) => row[field] }));
}

/**
 * A table of rows, whose long texts are cut. It says once of how many answers its figures are. On a
 * phone each row becomes `label value` pairs, with its ruler below them.
 */
export function table<Row>(
  {
    title,
    caption = title,
    columns,
    empty,
    isPast = () => false,
  }: {
    /** The title of the section, with the note on the figures at the end of its line. */
    title?: string;
    caption?: string;
    columns: Columns<Row>;
    /** Whether a row is about something that ended. */
    isPast?: (row: Row) => boolean;
    /** Replaces a table without rows: why, and what to do. */
    empty: Content;
  },
  rows: readonly Row[],
): Html {
  if (rows.length === 0) {
    return html`${title !== undefined && titleLine(title)}
      <p class="hint">${empty}</p>`;
  }
  const visibleColumns = columns.filter(({ cell: show }) => show !== undefined);
  const body = rows.map(
    (row) =>
      html`<tr${isPast(row) && html` class="past"`}>
        ${visibleColumns.map((column, index) => cell(column, row, index))}
      </tr>`,
  );
  const rowTexts = body.map(({ text }) => text);
  const has = (markup: string) => rowTexts.some((text) => text.includes(markup));
  const sample = sampleNote(rowTexts.flatMap(bareSamples));
  const note = [
    sample,
    sample && has('class="range') && '; bars are 95 % intervals',
    has(tooFew.text) && '. A dash: too few prompts for an interval or a comparison.',
  ];
  const hint = note.some((each) => each !== undefined && each !== false) && note;
  return html`${title !== undefined && titleLine(title, hint)}
    <div class="table"${!has('<a ') && !has('<button') && html` tabindex="0"`}>
    ${title === undefined && hint !== false && html`<p class="hint">${hint}</p>`}
    <table class="cards">
      ${
        caption !== undefined &&
        html`<caption class="unseen">
          ${caption}
        </caption>`
      }
      <thead>
        <tr>
          ${visibleColumns.map(
            ({ title: words, isNumber, isAction, isDrawn }) =>
              html`<th scope="col" ${isNumber && html` class="number"`}>
                ${isDrawn ? rulerAxis : isAction ? html`<span class="unseen">${words}</span>` : words}
              </th>`,
          )}
        </tr>
      </thead>
      <tbody>
        ${body}
      </tbody>
    </table>
  </div>`.brief;
}

/** The title of a column of rulers. */
const rulerAxis = html`<span class="unseen">Drawn, 0 to 100 %</span
  ><svg class="axis scale" aria-hidden="true">
    <text y="12">0</text><text class="middle" x="50%" y="12">50</text
    ><text class="end" x="100%" y="12">100 %</text>
  </svg>`;

function cell<Row>(
  { title, cell: show, isNumber, isAction, isDrawn }: Column<Row>,
  row: Row,
  index: number,
): Html {
  const content = show?.(row);
  if (isAction) return html`<td class="do">${content}</td>`;
  if (isDrawn) return html`<td class="drawn">${content}</td>`;
  return index === 0
    ? html`<td class="name">${content}</td>`
    : html`<td data-label="${title}" ${isNumber && html` class="number"`}>${content}</td>`;
}

/**
 * Rows as a CSV file for spreadsheets. Text that looks like a formula begins with an apostrophe.
 */
export function csvOf<Row>(
  context: WorkspaceContext,
  name: string,
  columns: Columns<Row>,
  rows: Iterable<Row>,
): { readonly download: Download } {
  const csvColumns = columns.flatMap(({ title, csv }) =>
    csv === undefined ? [] : [{ title, csv }],
  );
  const fields = csvColumns.map(({ title }) => title);
  const format = rowFormat('csv', { fields, array: '', isForSpreadsheets: true });
  const file = `${context.workspace.slug}-${name}-${utcDay(context.clock())}.csv`;
  const type = 'text/csv; charset=utf-8';
  return { download: { name: file, type, stream: Readable.from(lines()) } };

  function* lines(): Generator<string> {
    yield format.start;
    for (const row of rows) {
      yield format.row(Object.fromEntries(csvColumns.map(({ title, csv }) => [title, csv(row)])));
    }
  }
}
