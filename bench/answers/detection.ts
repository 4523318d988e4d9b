/** Detection beside two bare ways of looking for names. */
import { createDetector } from '../../packages/server/src/answers/detection/detect.ts';
import { makeAnswers, makeNames, makeSubjects } from './corpus.ts';

const rounds = 5;

/** Per number of subjects, of 4 aliases each: MB of text per CPU second, by each way. */
export function measureDetection(): string[][] {
  const sample = makeAnswers(2000);
  const megabytes = sample.reduce((sum, text) => sum + Buffer.byteLength(text), 0) / 1e6;
  const speed = (look: (text: string) => unknown): string =>
    (megabytes / secondsOf(() => sample.map(look))).toFixed(1);
  return [1, 10, 50].map((subjects) => {
    const names = makeNames(4 * subjects);
    const detect = createDetector(makeSubjects(subjects));
    const lower = names.map((name) => name.toLowerCase());
    const edges = [String.raw`(?<![\p{L}\p{N}])`, String.raw`(?![\p{L}\p{N}])`] as const;
    const pattern = new RegExp(`${edges[0]}(?:${names.join('|')})${edges[1]}`, 'giu');
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

/** The best of some rounds: what else the machine does is not ours. */
function secondsOf(work: () => unknown): number {
  const times = Array.from({ length: rounds }, () => {
    const start = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1e6;
  });
  return Math.min(...times);
}
