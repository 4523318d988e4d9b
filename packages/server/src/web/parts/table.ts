import { Readable } from 'node:stream';
import { rowFormat } from '../../transfer/format-rows.ts';
import { utcDay } from '../../values/time/utc-day.ts';
import { tooFew } from '../markup/figures.ts';
import { html } from '../markup/html.ts';
import type { Content, Html } from '../markup/html.ts';
import type { Result, WorkspaceContext } from '../request/page-context.ts';

/** One column of a table, on the page and in its file. */
export interface Column<Row> {
  readonly title: string;
  /** The cell on the page. A column without it is only in the file. */
  readonly cell?: (row: Row) => Content;
  /** The value in the file. A column without it is left out there. */
  readonly csv?: (row: Row) => string | number | null;
  readonly isNumber?: boolean;
  /** Whether its cells are buttons and forms, under a title that only screen readers say. */
  readonly isAction?: boolean;
}

/** Columns that are only in a file, one for each field of its rows. */
export function columnsOfFields<Field extends string>(
  fields: readonly Field[],
): ReadonlyArray<Column<Readonly<Record<Field, string | number | null>>>> {
  return fields.map((field) => ({ title: field, cell: () => '', csv: (row) => row[field] }));
}

/**
 * A table of rows, whose long texts are cut. On a narrow screen each row becomes lines of `label:
 * value`.
 */
export function table<Row>(
  {
    caption,
    columns,
    empty,
    isPast = () => false,
  }: {
    caption?: string;
    columns: ReadonlyArray<Column<Row>>;
    /** Whether a row is about something that ended. */
    isPast?: (row: Row) => boolean;
    /** Replaces a table without rows: why, and what to do. */
    empty: Content;
  },
  rows: readonly Row[],
): Html {
  if (rows.length === 0) return html`<p class="hint">${empty}</p>`;
  const visibleColumns = columns.filter(({ cell: show }) => show !== undefined);
  const body = rows.map(
    (row) =>
      html`<tr${isPast(row) && html` class="past"`}>
        ${visibleColumns.map((column, index) => cell(column, row, index))}
      </tr>`,
  );
  const hasTooFew = body.some(({ text }) => text.includes(tooFew.text));
  return html`<div class="table">
    ${hasTooFew && html`<p class="hint">A dash: there are too few prompts for an interval or a comparison.</p>`}
    <table class="stack">
      ${
        caption !== undefined &&
        html`<caption class="unseen">
          ${caption}
        </caption>`
      }
      <thead>
        <tr>
          ${visibleColumns.map(
            ({ title, isNumber, isAction }) =>
              html`<th scope="col" ${isNumber && html` class="number"`}>
                ${isAction ? html`<span class="unseen">${title}</span>` : title}
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

function cell<Row>(
  { title, cell: show, isNumber, isAction }: Column<Row>,
  row: Row,
  index: number,
): Html {
  const content = show?.(row);
  if (isAction) return html`<td class="do">${content}</td>`;
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
  columns: ReadonlyArray<Column<Row>>,
  rows: Iterable<Row>,
): Result {
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
