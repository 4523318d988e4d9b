// Sizes of batches are powers of two, so that few prepared statements exist. SQLite keeps one
// statement for each number of rows together with its last values, which are megabytes if they are
// answers.

/** Splits rows into chunks of `sizeMax`, and the rest into chunks of powers of two. */
export function* inChunks<Row>(rows: readonly Row[], sizeMax: number): Generator<readonly Row[]> {
  for (let from = 0; from < rows.length;) {
    const left = rows.length - from;
    const size = left >= sizeMax ? sizeMax : 2 ** Math.floor(Math.log2(left));
    yield rows.slice(from, from + size);
    from += size;
  }
}

/** Repeats the last value until the number of values is a power of two: for the list after `in`. */
export function pad<Value>(values: readonly Value[]): Value[] {
  const missing =
    values.length === 0 ? 0 : 2 ** Math.ceil(Math.log2(values.length)) - values.length;
  const last = values.slice(-1);
  return values.concat(...Array.from({ length: missing }, () => last));
}
