import { createDetector } from '../../packages/server/src/answers/detection/detect.ts';
import { makeAnswers, makeNames, makeSubjects } from './corpus.ts';

/** For some numbers of subjects: MB of text per CPU second, by detection and by two bare ways. */
export function measureDetection(): string[][] {
  const sample = makeAnswers(2000);
  const megabytes = sample.reduce((sum, text) => sum + Buffer.byteLength(text), 0) / 1e6;
  const speed = (find: (text: string) => unknown): string =>
    (megabytes / cpuSeconds(() => sample.map(find))).toFixed(1);
  return [1, 10, 50].map((subjects) => {
    const names = makeNames(4 * subjects);
    const detect = createDetector(makeSubjects(subjects));
    const lower = names.map((name) => name.toLowerCase());
    const word = String.raw`[\p{L}\p{N}]`;
    const pattern = new RegExp(`(?<!${word})(?:${names.join('|')})(?!${word})`, 'giu');
    return [
      `${subjects} subject${subjects === 1 ? '' : 's'} of 4 aliases`,
      speed((text) => detect(text)),
      speed((text) => {
        const folded = text.toLowerCase();
        return lower.map((name) => folded.indexOf(name));
      }),
      speed((text) => [...text.matchAll(pattern)].length),
    ];
  });
}

/** The best of five rounds, which other processes disturbed least. */
function cpuSeconds(work: () => unknown): number {
  const times = Array.from({ length: 5 }, () => {
    const start = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1e6;
  });
  return Math.min(...times);
}
