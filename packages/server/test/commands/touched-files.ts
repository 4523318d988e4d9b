import { Session } from 'node:inspector/promises';

/**
 * The source files of the server with a function that ran during some work, sorted. The contract is left
 * out: the test runner turns its constants into functions.
 */
export async function touchedFiles(work: () => Promise<unknown>): Promise<string[]> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  await work();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  session.disconnect();
  return result
    .filter(({ functions }) => functions.some(({ ranges }) => (ranges[0]?.count ?? 0) > 0))
    .flatMap(({ url }) => /packages\/server\/src\/.*/.exec(url) ?? [])
    .filter((path) => !path.endsWith('.test.ts'))
    .toSorted();
}
