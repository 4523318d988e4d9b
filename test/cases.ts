/**
 * How much a run tests, from the variable that `scripts/check.ts` sets. `all` (`npm run test:all`):
 * every case of each property, and commands and pages on both databases. Unset (`npm test`,
 * `npx vitest run PATH`): a third of the cases, commands and pages on SQLite alone. `few`
 * (`npm run check`): a tenth of the cases.
 */
const extent = process.env['OVERHEARD_TESTS'];

/** Whether every test runs on both databases, also those of commands and pages. */
export const areAllOnBoth: boolean = extent === 'all';

/** How many of its cases a property draws. */
export function cases(count: number): number {
  if (extent === 'all') return count;
  return Math.ceil(count / (extent === 'few' ? 10 : 3));
}
