/**
 * Numbers of rows that keep the statements few. A compiled statement is kept for each number of rows,
 * on SQLite with the values that it was last given: of answers those are megabytes.
 */

/** Cuts rows into pieces: of `sizeMax` while there are as many, then of powers of two. */
export function* inPieces<Row>(rows: readonly Row[], sizeMax: number): Generator<readonly Row[]> {
  for (let from = 0; from < rows.length;) {
    const left = rows.length - from;
    const size = left >= sizeMax ? sizeMax : 2 ** Math.floor(Math.log2(left));
    yield rows.slice(from, from + size);
    from += size;
  }
}

/** The values, the last one repeated until their number is a power of two: for what follows `in`. */
export function filledUp<Value>(values: readonly Value[]): Value[] {
  const missing =
    values.length === 0 ? 0 : 2 ** Math.ceil(Math.log2(values.length)) - values.length;
  const last = values.slice(-1);
  return values.concat(...Array.from({ length: missing }, () => last));
}
