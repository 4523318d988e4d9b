import type { ImportSummary } from '../../../answers/import/import-answers.ts';
import { amount, amountOrNo, plural } from '../../../values/plural.ts';
import type { Lines } from '../../define/output.ts';
import { newEngineWords } from '../../words/new-engine-words.ts';
import { timeZoneWords } from './time-zone-words.ts';

const languageNames = new Intl.DisplayNames(['en'], { type: 'language' });

/** What an import of answers did, for the person who ran it. */
export function importSummaryLines(
  summary: ImportSummary,
  { isDryRun, slug, timezone }: { isDryRun: boolean; slug: string; timezone: string | undefined },
): Lines {
  const {
    runs,
    adopted,
    outcomes,
    scores,
    repeated,
    branded,
    newPrompts,
    warnings,
    namesCompetitor,
  } = summary;
  const alreadyThere =
    runs.unchanged === 0
      ? ''
      : `; ${runs.unchanged} ${runs.unchanged === 1 ? 'was' : 'were'} there already`;
  const uncounted = (['refused', 'empty', 'failed'] as const)
    .filter((outcome) => outcomes[outcome] > 0)
    .map((outcome) => `${outcomes[outcome]} ${outcome}`);
  return [
    `${isDryRun ? 'Would import' : 'Imported'} ${runs.new === 0 ? 'no new run' : plural(runs.new, 'new run')}${alreadyThere}.`,
    adopted > 0 &&
      `${adopted} of them had been imported with only their detections. Their citations now follow from the answers.`,
    ...timeZoneWords(summary.local, timezone),
    newPrompts > 0 && `New prompts: ${newPrompts}.`,
    ...Object.entries(summary.guessedLanguages).map(
      ([language, prompts]) =>
        `${plural(prompts, 'prompt')} ${prompts === 1 ? 'looks' : 'look'} ${languageNames.of(language) ?? language} but ${isOrAre(prompts)} marked en: names are found by the rules of ${languageNames.of(language) ?? language}. Give such rows their language in the field \`language\`.`,
    ),
    repeated > 0 &&
      `${plural(repeated, 'row')} ${repeated === 1 ? 'equals' : 'equal'} an earlier one and ${repeated === 1 ? 'counts' : 'count'} once. To keep such runs apart give each an id, or a run_at with seconds and milliseconds.`,
    uncounted.length > 0 && `Kept, but not counted: ${uncounted.join(', ')}.`,
    branded > 0 &&
      `${plural(branded, 'answered run')} ${isOrAre(branded)} of prompts that name the brand: detected, but not scored.`,
    namesCompetitor > 0 &&
      `${plural(namesCompetitor, 'counted run')} ${isOrAre(namesCompetitor)} of prompts that name a competitor: most answers repeat the name. \`overheard scores explain --workspace ${slug} --date DAY --engine ENGINE\` also shows the share of voice without them.`,
    runs.new > 0 &&
      `${summary.citations === 0 ? 'No subject was cited' : `Subjects were cited ${amount(summary.citations, 'time')}`}; ${amountOrNo(scores.changed, 'daily score')} ${isOrAre(scores.changed)} new or changed.`,
    scores.replaced > 0 &&
      (scores.replaced === 1
        ? '1 of them replaces an imported score.'
        : `${scores.replaced} of them replace imported scores.`),
    newEngineWords(summary.newEngines),
    ...warnings.map((warning) => `Warning: ${warning}`),
  ];
}

function isOrAre(count: number): string {
  return count === 1 ? 'is' : 'are';
}
