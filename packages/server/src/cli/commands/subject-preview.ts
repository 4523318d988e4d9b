import { InvalidArgumentError } from 'commander';
import type { Command } from 'commander';
import { previewSubjects } from '../../answers/redetect/preview-subjects.ts';
import type { PlannedSubject } from '../../answers/redetect/preview-subjects.ts';
import type { SubjectPreview } from '../../answers/redetect/preview-tally.ts';
import { CommandError } from '../../problems.ts';
import { createProgress } from '../terminal/progress.ts';
import type { Store } from '../../storage/store.ts';
import { printableLines } from '../../values/printable.ts';
import type { ParsedWords } from '../../workspaces/subject-words.ts';
import { plural } from '../../values/plural.ts';
import { inWorkspace } from '../options/in-workspace.ts';
import type { WorkspaceOptions } from '../options/in-workspace.ts';
import type { Io } from '../terminal/io.ts';
import { printJson, printTable, printWords } from '../terminal/print.ts';
import { parseSentences, sentenceLines } from '../words/sentence-lines.ts';

export interface PreviewOptions {
  readonly dryRun?: boolean;
  /** Undefined judges 500. */
  readonly answers?: number;
  readonly sentences?: number;
  readonly json?: boolean;
}

const answersDefault = 500;

/** Adds the options of a dry run that shows what a change of subjects does. */
export function addPreviewOptions(command: Command): Command {
  return command
    .option(
      '--dry-run',
      'change nothing: judge stored answers by the old and the new subjects, and show who would be cited and who no longer',
    )
    .option(
      '--answers <number>',
      `with --dry-run: judge so many of the latest answers, or all of them (default: ${answersDefault})`,
      parseAnswers,
    )
    .option(
      '--sentences <number>',
      'with --dry-run: print at most so many sentences that come, and that go (default: 10)',
      parseSentences,
    )
    .option(
      '--json',
      'with --dry-run: print JSON: {answers, recited, moved, branded:{comes, goes}, subjects:[{subject, subject_id, subject_type, cited_before, cited_after, comes, goes}], sentences:{comes, goes, examples:[{run_id, subject_type, subject_id, change, sentence, url, run_at, engine, subject}]}}',
    );
}

function parseAnswers(text: string): number {
  if (text === 'all') return Number.POSITIVE_INFINITY;
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a number from 1 on, or "all".');
}

/** Whether the change is only to be shown. Throws a `CommandError` (2) for options that mean nothing without that. */
export function isPreview({ dryRun = false, answers, sentences, json }: PreviewOptions): boolean {
  if (dryRun) return true;
  if (answers === undefined && sentences === undefined && json === undefined) return false;
  throw new CommandError('--answers, --sentences and --json belong to --dry-run: give it, too.', {
    exitCode: 2,
  });
}

/** Shows what a planned change would do to the stored answers. */
export async function printPreview(
  io: Io,
  options: WorkspaceOptions & PreviewOptions,
  plan: (store: Store, workspaceId: string) => Promise<PlannedSubject>,
): Promise<void> {
  const { answers: answersMax = answersDefault, sentences: sentencesMax = 10 } = options;
  const progress = createProgress(io);
  const preview = await inWorkspace(options, async (store, workspaceId) =>
    previewSubjects(store.reader, workspaceId, {
      change: await plan(store, workspaceId),
      answersMax,
      sentencesMax,
      signal: io.signal,
      onJudged: (answers) => progress.update(() => `Judged ${answers} answers`),
    }),
  ).finally(progress.clear);
  if (options.json === true) printJson(io, preview);
  else printChanges(io, preview);
  printWords(io, summaryWords(preview, { answersMax, slug: options.workspace }));
}

/** A subject as it would be. */
export function plannedSubject(
  { id, type }: { id: string; type: 'brand' | 'competitor' },
  { name, aliases, domains, paths }: ParsedWords,
): PlannedSubject {
  return { id, subject: { id, type, name, aliases, domains, paths } };
}

function printChanges(io: Io, { subjects, sentences }: SubjectPreview): void {
  if (subjects.length > 0) {
    printTable(io, {
      headings: ['SUBJECT', 'TYPE', 'CITED', '', 'CITED', 'COMES', 'GOES'],
      rows: subjects.map((one) => [
        one.subject,
        one.subject_type,
        String(one.cited_before),
        '->',
        String(one.cited_after),
        String(one.comes),
        String(one.goes),
      ]),
      none: '',
    });
  }
  const lines = sentenceLines(sentences);
  if (lines.length > 0) io.stdout.write(`${printableLines(lines)}\n`);
}

function summaryWords(
  { answers, recited, moved, branded }: SubjectPreview,
  { answersMax, slug }: { answersMax: number; slug: string },
): string {
  const lines = [
    answers === 0
      ? 'The workspace has no answers to judge.'
      : answers < answersMax
        ? `Judged all answers: ${answers}. Who is cited would change in ${recited} of them.`
        : `Judged the latest ${plural(answers, 'answer')}; --answers all judges all. Who is cited would change in ${recited} of them.`,
    moved > 0 &&
      `In ${moved} more the same subjects would be cited, at another place or in another order.`,
    branded.comes > 0 &&
      `${plural(branded.comes, 'answer')} would no longer be scored, because the prompt would name the brand.`,
    branded.goes > 0 &&
      `${plural(branded.goes, 'answer')} would be scored, because the prompt would no longer name the brand.`,
    'Nothing was written. Leave --dry-run out to do it.',
    answers > 0 &&
      `Then judge the stored answers again: overheard answers redetect --workspace ${slug}`,
  ];
  return lines.filter((line) => line !== false).join('\n');
}
