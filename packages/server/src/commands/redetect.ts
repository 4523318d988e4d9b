import { Command } from 'commander';
import { redetect } from '../answers/redetect.ts';
import type { Redetection } from '../answers/redetect.ts';
import type { Figures } from '../answers/scores/recompute.ts';
import { option, settings } from '../config.ts';
import { CommandError } from '../problems.ts';
import { printable } from '../values/printable.ts';
import { parseWhen, whenForms } from '../values/when.ts';
import { createProgress } from '../rows/progress.ts';
import { inWorkspace } from './in-workspace.ts';
import type { WorkspaceOptions } from './in-workspace.ts';
import type { Io } from './io.ts';
import { printJson, printTable, printWords } from './print.ts';

interface RedetectCommandOptions extends WorkspaceOptions {
  readonly since?: string;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

/** `overheard answers redetect` */
export function redetectCommand(io: Io): Command {
  return new Command('redetect')
    .summary('judge stored answers again, after subjects changed')
    .description(
      'Judges the stored answers again by the subjects as they are now, and recomputes the scores of the days that it touches, in one swap. Prints the scores that change: before and after.',
    )
    .addOption(option(settings.workspace).makeOptionMandatory())
    .option(
      '--since <when>',
      'only runs from this time on: a day, a moment, or a span such as 7d before now',
    )
    .option('--dry-run', 'say what would change, and change nothing')
    .option(
      '--json',
      'print JSON: {judged, changed, recited, outdated, scores:[{date, engine, before, after}]}',
    )
    .addOption(option(settings.database))
    .addHelpText('after', redetectHelp)
    .action(async (options: RedetectCommandOptions) => {
      const { dryRun: isDryRun = false, json = false } = options;
      const since = parseSince(options.since, io.clock());
      const progress = createProgress(io);
      const result = await inWorkspace(options, (store, workspaceId) =>
        redetect(store, {
          workspaceId,
          since,
          isDryRun,
          signal: io.signal,
          onJudged: (runs) => progress.update(() => `Judged ${runs} runs`),
        }),
      ).finally(progress.clear);
      if (json) printJson(io, jsonOf(result));
      else printScores(io, result);
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

function jsonOf({ judged, changed, recited, outdated, scores }: Redetection): unknown {
  return {
    judged,
    changed,
    recited,
    outdated,
    scores: scores.map(({ date, engine, before = null, after = null }) => ({
      date,
      engine,
      before,
      after,
    })),
  };
}

function printScores(io: Io, { scores }: Redetection): void {
  if (scores.length === 0) return;
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
  const { judged, changed, recited, outdated, scores, warnings } = result;
  const would = isDryRun ? 'would change' : 'changed';
  const lines = [
    `Judged ${judged} runs: who is cited ${would} in ${recited} of them, and ${scores.length} daily scores with it.`,
    changed > recited &&
      `In ${changed - recited} more only subjects that are not cited come or go, or what the prompt names.`,
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

Examples:
  overheard answers redetect --workspace acme --dry-run
  overheard answers redetect --workspace acme --since 2026-10-01`;
