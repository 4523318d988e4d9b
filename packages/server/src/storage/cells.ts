/** The value of a table cell, in normal form. */
export type Scalar = string | number | boolean | null;

/** Cells by column. An absent column was not given. */
export type Cells = Readonly<Record<string, Scalar>>;

/** Makes cells of values that a schema has accepted, without undefined ones. */
export function toCells(value: object): Record<string, Scalar> {
  const cells: Record<string, Scalar> = {};
  for (const [name, inner] of Object.entries(value)) {
    if (inner === undefined) continue;
    if (!isScalar(inner)) throw new TypeError(`${name} isn't a cell`);
    cells[name] = inner;
  }
  return cells;
}

/** Parses cells from JSON. */
export function parseCells(value: unknown): Cells {
  if (!isCells(value)) throw new TypeError('It holds no cells');
  return value;
}

/** Whether a value is an object of cells. */
export function isCells(value: unknown): value is Cells {
  return typeof value === 'object' && value !== null && Object.values(value).every(isScalar);
}

function isScalar(value: unknown): value is Scalar {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}

/** Reads a cell that is text by its schema. */
export function textCell(row: Cells, column: string): string {
  const value = row[column];
  if (typeof value !== 'string') throw new TypeError(`${column} isn't text`);
  return value;
}
