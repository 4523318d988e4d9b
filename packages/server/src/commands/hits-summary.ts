import type { IngestSummary } from '../crawlers/ingest/summary.ts';
import { skipReasons } from '../crawlers/log-line.ts';
import type { Io } from './io.ts';
import { printTable, printWords } from './print.ts';

/** Prints what an ingest has read: the sums, the hits by bot, and what was skipped. */
export function printSummary(
  io: Io,
  summary: IngestSummary,
  {
    isDryRun,
    hasLists,
  }: {
    isDryRun: boolean;
    /** Whether there is any operator's list to judge by. */
    hasLists: boolean;
  },
): void {
  const { lines, hitsNew, hitsKnown, otherTraffic, skipped, bots, skips, judgedAgain, proxies } =
    summary;
  printWords(
    io,
    `${count(lines)} lines = ${count(hitsNew)} hits new + ${count(hitsKnown)} hits known + ${count(otherTraffic)} other traffic + ${count(skipped)} skipped.`,
  );
  if (isDryRun) printWords(io, 'Nothing was written: --dry-run.');
  printTable(io, {
    headings: ['BOT', 'COMPANY', 'CATEGORY', 'VERIFIED', 'SPOOFED', 'UNVERIFIED'],
    rows: bots.map(({ bot, company, category, verified, spoofed, unverified }) => [
      bot,
      company,
      category,
      count(verified),
      count(spoofed),
      count(unverified),
    ]),
    none: lines === 0 ? 'Nothing new was there to read.' : 'No AI crawler or agent is in it.',
  });
  for (const skip of skips) {
    const what = `Skipped ${skip.lines === 1 ? 'a line' : `${count(skip.lines)} lines`} ${skipReasons[skip.reason]}`;
    printWords(io, skip.reason === 'blank' ? `${what}.` : `${what}, such as:\n  ${skip.example}`);
  }
  if (judgedAgain > 0) {
    printWords(
      io,
      `Verdicts of hits read earlier that changed by what was read since: ${count(judgedAgain)}.`,
    );
  }
  if (!hasLists && bots.length > 0) {
    printWords(
      io,
      "None of the operators' lists is here, and hardly a hit can be verified without. Fetch them and judge again: overheard ranges update && overheard hits verify",
    );
  }
  for (const address of proxies) {
    printWords(
      io,
      `Most of the log comes from ${address}, which looks like a proxy of yours: from there nothing is called spoofed. Log the client's address, or name the proxy with --trust-forwarded where the log has X-Forwarded-For; docs/crawlers.md shows how. The same lines read so again are other hits: take these back first, with overheard hits remove --address ${address}`,
    );
  }
}

/** A number with its thousands apart. */
function count(value: number): string {
  return value.toLocaleString('en-US');
}
