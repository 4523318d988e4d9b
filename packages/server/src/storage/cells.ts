/** What a cell of a table holds, in normal form. */
export type Scalar = string | number | boolean | null;

/** Cells by column. A column that is absent was not given. */
export type Cells = Readonly<Record<string, Scalar>>;

/** Cells from values that a schema has let through; what is undefined is left out. */
export function toCells(value: object): Record<string, Scalar> {
  const cells: Record<string, Scalar> = {};
  for (const [name, inner] of Object.entries(value)) {
    if (inner === undefined) continue;
    if (!isScalar(inner)) throw new TypeError(`${name} isn't a cell`);
    cells[name] = inner;
  }
  return cells;
}

/** Cells that were JSON. */
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

/** A cell that its schema has made text. */
export function textOf(row: Cells, column: string): string {
  const value = row[column];
  if (typeof value !== 'string') throw new TypeError(`${column} isn't text`);
  return value;
}
