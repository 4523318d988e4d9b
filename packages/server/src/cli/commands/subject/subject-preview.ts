import type { SubjectType } from '@overheard/contract';
import { previewed, previewSubjects } from '../../../answers/redetect/preview-subjects.ts';
import type { PlannedSubject } from '../../../answers/redetect/preview-subjects.ts';
import type { SubjectPreview } from '../../../answers/redetect/preview-tally.ts';
import { plural } from '../../../values/plural.ts';
import type { ParsedWords } from '../../../workspaces/words.ts';
import type { OptionValues, WorkspaceContext } from '../../define/define-command.ts';
import { flag, parsedText } from '../../define/options.ts';
import type { Lines } from '../../../values/printable.ts';
import { sentenceLines, sentencesMax } from '../../words/sentence-lines.ts';
import { UsageError } from '../../terminal/command-error.ts';

/** The options of a dry run that shows what a change of subjects does. */
export const previewOptions = {
  dryRun: flag(
    'change nothing: judge stored answers by the old and the new subjects, and show gained and lost citations',
  ),
  answers: parsedText(
    '<number>',
    `with --dry-run: judge so many of the latest answers, or all of them (default: ${previewed.answersMax})`,
    {
      parse: (word) =>
        word === 'all'
          ? Number.POSITIVE_INFINITY
          : /^[1-9]\d{0,8}$/.test(word)
            ? Number(word)
            : undefined,
      expected: 'It must be a number from 1 on, or "all".',
    },
  ),
  sentences: parsedText(
    '<number>',
    `with --dry-run: print at most so many sentences that come, and that go (default: ${previewed.sentencesMax})`,
    {
      parse: (word) =>
        /^\d{1,4}$/.test(word) && Number(word) <= sentencesMax ? Number(word) : undefined,
      expected: `It must be a number from 0 to ${sentencesMax}.`,
    },
  ),
};

type PreviewOptions = OptionValues<typeof previewOptions>;

export const previewJson =
  'with --dry-run {answers, recited, moved, branded:{comes, goes}, subjects:[{subject, subject_id, subject_type, cited_before, cited_after, comes, goes}], sentences:{comes, goes, examples:[{run_id, subject_type, subject_id, change, alias, sentence, url, run_at, engine, subject}]}}';

/**
 * Whether the change is only previewed. Throws a `UsageError` for options that have no meaning
 * otherwise.
 */
export function isPreview({ dryRun, answers, sentences }: PreviewOptions): boolean {
  if (dryRun) return true;
  if (answers === undefined && sentences === undefined) return false;
  throw new UsageError('--answers and --sentences belong to --dry-run: give it, too.');
}

/** Previews the effect of a change on the stored answers. */
export async function preview(
  { io, store, workspaceId, slug, progress }: WorkspaceContext,
  {
    answers: answersMax = previewed.answersMax,
    sentences = previewed.sentencesMax,
  }: PreviewOptions,
  change: PlannedSubject,
) {
  const effect = await previewSubjects(store.reader, workspaceId, {
    change,
    answersMax,
    sentencesMax: sentences,
    signal: io.signal,
    onJudged: (answers) => progress.update(() => `Judged ${plural(answers, 'answer')}`),
  });
  return {
    json: effect,
    table: differences(effect),
    text: sentenceLines(effect.sentences),
    words: summaryLines(effect, { answersMax, slug }),
  };
}

/** A subject after the planned change. */
export function applyPlan(
  { id, type }: { id: string; type: SubjectType },
  { name, aliases, domains, paths }: ParsedWords,
): PlannedSubject {
  return { id, subject: { id, type, name, aliases, domains, paths } };
}

function differences({ subjects }: SubjectPreview) {
  return {
    headings: ['SUBJECT', 'TYPE', 'CITED', '', 'CITED', 'COMES', 'GOES'],
    none: '',
    rows: subjects.map((one) => [
      one.subject,
      one.subject_type,
      String(one.cited_before),
      '->',
      String(one.cited_after),
      String(one.comes),
      String(one.goes),
    ]),
  };
}

function summaryLines(
  { answers, recited, moved, branded }: SubjectPreview,
  { answersMax, slug }: { answersMax: number; slug: string },
): Lines {
  return [
    answers === 0
      ? 'The workspace has no answers to judge.'
      : answers < answersMax
        ? `Judged all answers: ${answers}. Who is cited would change in ${recited === 0 ? 'none' : recited} of them.`
        : `Judged the latest ${plural(answers, 'answer')}; --answers all judges all. Who is cited would change in ${recited === 0 ? 'none' : recited} of them.`,
    moved > 0 &&
      `In ${moved} more the same subjects would be cited, at another place or in another order.`,
    branded.comes > 0 &&
      `${plural(branded.comes, 'answer')} would no longer be scored, because the prompt would name the brand.`,
    branded.goes > 0 &&
      `${plural(branded.goes, 'answer')} would be scored, because the prompt would no longer name the brand.`,
    'Nothing was written. Run it without --dry-run to apply the changes.',
    answers > 0 &&
      `Then judge the stored answers again: overheard answers redetect --workspace ${slug}`,
  ];
}
