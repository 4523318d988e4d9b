import { explainScore } from '../../../answers/scores/explain-score.ts';
import { rebuildScores } from '../../../answers/scores/rebuild-scores.ts';
import { readStoredEngines } from '../../../storage/queries/stored-engines.ts';
import { misspeltEngine } from '../../../values/engine.ts';
import { parseDay } from '../../../values/time/moment.ts';
import { plural } from '../../../values/plural.ts';
import { defineGroup, defineWorkspaceCommand } from '../../define/define-command.ts';
import { flag, number, requiredParsedText, requiredText } from '../../define/options.ts';
import { explanationLines } from '../../words/explanation-words.ts';
import { sentencesMax } from '../../words/sentence-lines.ts';
import { Refusal } from '../../../refusals.ts';

const explainCommand = defineWorkspaceCommand({
  name: 'explain',
  summary: 'explain a score, down to the sentences',
  description:
    'Explains the score of one engine and UTC day: its figures, their denominators, the 95 % interval, what was left out, and the runs behind it, each with its link or with every mention and its sentence.',
  options: {
    date: requiredParsedText('<day>', 'UTC day, such as 2026-11-20', {
      parse: parseDay,
      expected: 'It must be a day such as 2026-11-20.',
    }),
    engine: requiredText('<slug>', 'engine, such as chatgpt'),
    mentions: number('most mentions of a subject in a run to print', {
      min: 1,
      max: sentencesMax,
      initial: 10,
    }),
  },
  json: '{date, engine, stored, counts, named, linked, sov, competitors, interval, competitor_prompts, without_competitor_prompts, unclassified, runs:[{run_id, prompt_id, asked, names_competitor, run_at, cited:[{subject, subject_id, subject_type, rank, position, alias, sentence, url, mention, mentions:[{text, position, sentence}], mentions_total}]}], branded, uncounted, imported}',
  examples: [
    'overheard scores explain --workspace acme --date 2026-11-20 --engine chatgpt',
    'overheard scores explain --workspace acme --date 2026-11-20 --engine chatgpt --json | jq .counts',
  ],
  run: async ({ store, workspaceId, slug }, { date, engine, mentions: mentionsMax }) => {
    const day = { date, engine };
    const explanation = await explainScore(store.reader, workspaceId, day, { mentionsMax });
    const { stored, runs, branded, uncounted, imported } = explanation;
    const uncountedRuns =
      branded.length + imported + Object.values(uncounted).reduce((a, b) => a + b);
    if (stored === undefined && runs.length + uncountedRuns === 0) {
      const engines = await readStoredEngines(store.reader, workspaceId);
      const nearest = engines.has(engine) ? undefined : misspeltEngine(engine, engines);
      throw new Refusal('score_not_found', { ...day, nearest });
    }
    return { json: explanation, text: explanationLines(explanation, slug) };
  },
});

const rebuildCommand = defineWorkspaceCommand({
  name: 'rebuild',
  summary: 'derive the scores again',
  description:
    'Counts every run again and writes the derived scores that differ. Imported scores stay. Scores only differ after a fault.',
  options: { dryRun: flag('show what would change, and change nothing') },
  json: '{dry_run, derived, imported, changes:[{date, engine, before, after}]}',
  examples: [
    'overheard scores rebuild --workspace acme --dry-run',
    'overheard scores rebuild --workspace acme',
  ],
  run: async ({ store, workspaceId }, { dryRun }) => {
    const { derived, changes, imported } = await rebuildScores(store, workspaceId, {
      isDryRun: dryRun,
    });
    return {
      json: { dryRun, derived, imported, changes },
      words: [
        `${plural(derived, 'derived score')}; ${changes.length} of them ${dryRun ? 'would change' : 'changed'}.`,
        imported > 0 &&
          `${plural(imported, 'imported score')} of days with counted runs ${imported === 1 ? 'stays' : 'stay'} as imported.`,
      ],
    };
  },
});

export const scoresCommand = defineGroup({
  name: 'scores',
  summary: 'explain a score; derive the scores again',
  description: 'Scores: the figures of the brand on one engine and UTC day.',
  commands: [explainCommand, rebuildCommand],
});
