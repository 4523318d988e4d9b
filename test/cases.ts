/**
 * How many cases a property draws: all of them in `npm test`, a tenth of them (`few`) in
 * `npm run check`, which sets the variable and says so.
 */
export function cases(count: number): number {
  return process.env['OVERHEARD_TEST_CASES'] === 'few' ? Math.ceil(count / 10) : count;
}
