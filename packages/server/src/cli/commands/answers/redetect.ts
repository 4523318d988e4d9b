import { deriveActions } from '../../../answers/actions/derive.ts';
import type { Derivation } from '../../../answers/actions/derive.ts';
import { redetect } from '../../../answers/redetect/redetect.ts';
import type { TextChange } from '../../../answers/page-texts.ts';
import { strippedTextLines } from './shared-text-lines.ts';
import type { Redetection } from '../../../answers/redetect/redetect.ts';
import { amountOrNo, plural } from '../../../values/plural.ts';
import { defineWorkspaceCommand } from '../../define/define-command.ts';
import { flag, number, text } from '../../define/options.ts';
import type { Lines } from '../../../values/printable.ts';
import { withConsequence } from '../../words/consequence.ts';
import { newGapsWords } from '../../words/new-gaps-words.ts';
import { scoreChangeTable, scoresJson } from '../../words/score-change-table.ts';
import { sentenceLines, sentencesMax } from '../../words/sentence-lines.ts';
import { parseBound } from '../../filters/parse-log-options.ts';

const help = `Do it after \`overheard subject add\`, \`set\` or \`remove\`: stored answers were
judged by the earlier subjects. A removed competitor is no longer found. If a subject is cited at
another place now, both the old and the new sentence are shown.

--strip-tail and --strip-head take a text of 40 characters or more that more than half of an
engine's latest 500 different answers share off the count, and store it as a rule for later imports.
The answers stay stored as they came. Read it first with --dry-run: only a person knows whether the
page wrote it.`;

export const redetectCommand = defineWorkspaceCommand({
  name: 'redetect',
  summary: 'judge stored answers again, after subjects changed',
  description:
    'Judges the stored answers again by the current subjects, and recomputes the scores of the affected days in one transaction. Prints the scores that change, and the sentences of gained and lost citations.',
  options: {
    since: text(
      '<when>',
      'only runs since this time: a day, a moment, or a span such as 7d before now',
    ),
    stripTail: text('<engine>', 'do not count the text that most answers of this engine end with'),
    stripHead: text(
      '<engine>',
      'do not count the text that most answers of this engine begin with',
    ),
    stripNone: text('<engine>', 'count the stripped texts of this engine again'),
    dryRun: flag('show what would change, and change nothing'),
    sentences: number('most gained and most lost citations to print', {
      min: 0,
      max: sentencesMax,
      initial: 10,
    }),
  },
  json: '{stripped:[{engine, place, text, answers, of}], judged, changed, recited, moved, outdated, sentences:{comes, goes, examples:[{run_id, subject_type, subject_id, change, alias, sentence, url, run_at, engine, subject}]}, scores:[{date, engine, before, after}]}',
  help,
  examples: [
    'overheard answers redetect --workspace acme --dry-run',
    'overheard answers redetect --workspace acme --since 2026-10-01',
  ],
  run: async ({ io, store, workspaceId, slug, progress }, values) => {
    const { dryRun: isDryRun } = values;
    const sinceMs = parseBound({ since: values.since }, io.clock());
    const work = redetect(store, {
      workspaceId,
      since: sinceMs === undefined ? undefined : new Date(sinceMs).toISOString(),
      isDryRun,
      texts: textChanges(values),
      sentencesMax: values.sentences,
      signal: io.signal,
      onJudged: (runs) => progress.update(() => `Judged ${plural(runs, 'run')}`),
    });
    const outcome = await withConsequence(store, work, { onRefusal: () => 'Nothing was changed.' });
    const { scores, hasChanged, warnings: _, ...result } = outcome;
    const mayHaveGaps = !isDryRun && hasChanged;
    const gaps = mayHaveGaps && (await deriveActions(store, { workspaceId, clock: io.clock }));
    return {
      json: { ...result, scores: scoresJson(scores) },
      table: scoreChangeTable(scores),
      text: sentenceLines(outcome.sentences),
      words: summaryLines(outcome, { isDryRun, gaps, slug }),
    };
  },
});

/** The texts to leave out or to count again. With both, the old rules go first. */
function textChanges({
  stripTail,
  stripHead,
  stripNone,
}: Readonly<Record<'stripTail' | 'stripHead' | 'stripNone', string | undefined>>): TextChange[] {
  return [
    ...(stripNone === undefined ? [] : [{ engine: stripNone, place: undefined }]),
    ...(stripTail === undefined ? [] : [{ engine: stripTail, place: 'tail' as const }]),
    ...(stripHead === undefined ? [] : [{ engine: stripHead, place: 'head' as const }]),
  ];
}

function summaryLines(
  result: Redetection,
  { isDryRun, gaps, slug }: { isDryRun: boolean; gaps: Derivation | false; slug: string },
): Lines {
  const { judged, changed, recited, moved, outdated, scores, warnings } = result;
  const would = isDryRun ? 'would change' : 'changed';
  const otherChanges = changed - recited - moved;
  return [
    ...strippedTextLines(result.stripped, { isDryRun }),
    `Judged ${plural(judged, 'run')}. Who is cited ${would} in ${recited === 0 ? 'none' : recited} of them; ${amountOrNo(scores.length, 'daily score')} ${would}.`,
    moved > 0 &&
      `In ${moved} more, the same subjects are cited at another place or in another order.`,
    otherChanges > 0 &&
      `In ${otherChanges} more, only uncited subjects, the stored evidence, or the facts about the prompt changed.`,
    outdated > 0 && `${outdated} had been judged by an earlier method.`,
    ...warnings.map((warning) => `Warning: ${warning}`),
    isDryRun
      ? 'Nothing was written. Run it without --dry-run to apply the changes.'
      : gaps && newGapsWords(gaps, { slug }),
  ];
}
