import { Command } from 'commander';
import { redetect } from '../../answers/redetect/redetect.ts';
import type { Redetection } from '../../answers/redetect/redetect.ts';
import type { Figures } from '../../answers/scores/recompute.ts';
import { option, settings } from '../../config.ts';
import { CommandError } from '../../problems.ts';
import { printable, printableLines } from '../../values/printable.ts';
import { parseWhen, whenForms } from '../../values/when.ts';
import { createProgress } from '../terminal/progress.ts';
import { plural } from '../../values/plural.ts';
import { withConsequence } from '../words/consequence.ts';
import { inWorkspace } from '../options/in-workspace.ts';
import type { WorkspaceOptions } from '../options/in-workspace.ts';
import type { Io } from '../terminal/io.ts';
import { printJson, printTable, printWords } from '../terminal/print.ts';
import { sentenceLines, sentencesOption } from '../words/sentence-lines.ts';

interface RedetectCommandOptions extends WorkspaceOptions {
  readonly since?: string;
  readonly dryRun?: boolean;
  readonly sentences: number;
  readonly json?: boolean;
}

/** `overheard answers redetect` */
export function redetectCommand(io: Io): Command {
  return new Command('redetect')
    .summary('judge stored answers again, after subjects changed')
    .description(
      'Judges the stored answers again by the subjects as they are now, and recomputes the scores of the days that it touches, in one swap. Prints the scores that change, and the sentences by which subjects come to be cited or no longer are.',
    )
    .addOption(option(settings.workspace).makeOptionMandatory())
    .option(
      '--since <when>',
      'only runs from this time on: a day, a moment, or a span such as 7d before now',
    )
    .option('--dry-run', 'say what would change, and change nothing')
    .addOption(sentencesOption())
    .option(
      '--json',
      'print JSON: {judged, changed, recited, moved, outdated, sentences:{comes, goes, examples:[{run_id, subject_type, subject_id, change, sentence, url, run_at, engine, subject}]}, scores:[{date, engine, before, after}]}',
    )
    .addOption(option(settings.database))
    .addHelpText('after', redetectHelp)
    .action(async (options: RedetectCommandOptions) => {
      const { dryRun: isDryRun = false, json = false } = options;
      const since = parseSince(options.since, io.clock());
      const progress = createProgress(io);
      const result = await inWorkspace(options, (store, workspaceId) =>
        withConsequence(
          redetect(store, {
            workspaceId,
            since,
            isDryRun,
            sentencesMax: options.sentences,
            signal: io.signal,
            onJudged: (runs) => progress.update(() => `Judged ${runs} runs`),
          }),
          { refused: () => 'Nothing was changed.' },
        ),
      ).finally(progress.clear);
      if (json) printJson(io, jsonOf(result));
      else printChanges(io, result);
      printWords(io, summaryWords(result, { isDryRun, slug: options.workspace }));
    });
}

function parseSince(text: string | undefined, nowMs: number): string | undefined {
  if (text === undefined) return undefined;
  const sinceMs = parseWhen(text, { nowMs, spans: 'ago' });
  if (sinceMs !== undefined) return new Date(sinceMs).toISOString();
  throw new CommandError(`--since "${printable(text)}" is not a time. Write ${whenForms}.`, {
    exitCode: 2,
  });
}

function jsonOf({ scores, hasChanged: _, warnings: __, ...result }: Redetection): unknown {
  return {
    ...result,
    scores: scores.map(({ date, engine, before = null, after = null }) => ({
      date,
      engine,
      before,
      after,
    })),
  };
}

function printChanges(io: Io, { scores, sentences }: Redetection): void {
  if (scores.length > 0) printScores(io, scores);
  const lines = sentenceLines(sentences);
  if (lines.length > 0) io.stdout.write(`${printableLines(lines)}\n`);
}

function printScores(io: Io, scores: Redetection['scores']): void {
  printTable(io, {
    headings: ['DATE', 'ENGINE', 'CITATIONS', 'RUNS', 'SOV', '', 'CITATIONS', 'RUNS', 'SOV'],
    rows: scores.map(({ date, engine, before, after }) => [
      date,
      engine,
      ...cells(before),
      '->',
      ...cells(after),
    ]),
    none: '',
  });
}

function cells(figures: Figures | undefined): Array<string | null> {
  if (figures === undefined) return [null, null, null];
  return [String(figures.citations), String(figures.total_runs), figures.sov.toFixed(4)];
}

function summaryWords(
  result: Redetection,
  { isDryRun, slug }: { isDryRun: boolean; slug: string },
): string {
  const { judged, changed, recited, moved, outdated, scores, warnings } = result;
  const would = isDryRun ? 'would change' : 'changed';
  const rest = changed - recited - moved;
  const lines = [
    `Judged ${plural(judged, 'run')}. Who is cited ${would} in ${recited} of them; ${plural(scores.length, 'daily score')} ${would}.`,
    moved > 0 &&
      `In ${moved} more the same subjects are cited, at another place or in another order.`,
    rest > 0 &&
      `In ${rest} more only subjects that are not cited come or go, or the evidence that is kept, or what the prompt names.`,
    outdated > 0 && `${outdated} had been judged by an earlier method.`,
    ...warnings.map((warning) => `Warning: ${warning}`),
    isDryRun
      ? 'Nothing was written. Leave --dry-run out to do it.'
      : changed > 0 && `Next: overheard actions derive --workspace ${slug}`,
  ];
  return lines.filter((line) => line !== false).join('\n');
}

const redetectHelp = `
Do it after \`overheard subject add\`, \`set\` or \`remove\`: new answers are judged by the subjects as
they are, stored ones as they were. A competitor that was removed is no longer found.
Of a subject that is cited at another place now, the old and the new sentence are both shown.

Examples:
  overheard answers redetect --workspace acme --dry-run
  overheard answers redetect --workspace acme --since 2026-10-01`;
