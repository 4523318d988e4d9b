/**
 * How much a run tests, from the variable that `scripts/check.ts` sets. `all` (`npm run test:all`):
 * every case of each property, commands and pages on both databases, and every state of each page in
 * a browser. Unset (`npm test`, `npx vitest run PATH`): a third of the cases, commands and pages on
 * SQLite alone, one state of each page. `few` (`npm run check`): a tenth of the cases.
 */
const extent = process.env['OVERHEARD_TESTS'];

/** Whether a run tests everything. */
export const isEverythingTested: boolean = extent === 'all';

/** How many of its cases a property draws. */
export function cases(count: number): number {
  if (extent === 'all') return count;
  return Math.ceil(count / (extent === 'few' ? 10 : 3));
}
