import { adviseNewLanguages, readPromptLanguages } from '../../../answers/spellings/advise.ts';
import { deriveActions } from '../../../answers/actions/derive.ts';
import { importAnswers } from '../../../answers/import/import-answers.ts';
import { redetect } from '../../../answers/redetect/redetect.ts';
import { guessColumns, readMapping } from '../../../answers/import/mapping.ts';
import { formats } from '../../../rows/format.ts';
import { openSource } from '../../../rows/source.ts';
import type { Refusal } from '../../../refusals.ts';
import { dateOrders, isTimeZone } from '../../../values/time/local-moment.ts';
import { amount, amountOrNo, plural } from '../../../values/plural.ts';
import { defineWorkspaceCommand, word } from '../../define/define-command.ts';
import { choice, flag, newEngine, parsedText, text } from '../../define/options.ts';
import { adviceLines } from '../../words/advice-lines.ts';
import { newGapsWords } from '../../words/new-gaps-words.ts';
import { nothingImported, withConsequence } from '../../words/consequence.ts';
import { engineHelp, newEngineWords } from '../../words/new-engine-words.ts';
import { sharedTextLines } from './shared-text-lines.ts';
import { createConverter, rawHelp, rawOptions } from './raw-responses.ts';
import type { ImportSummary } from '../../../answers/import/import-answers.ts';
import type { Lines } from '../../../values/printable.ts';
import { answerFields } from '../../../answers/import/parse-answer.ts';

/** Describes the times without a zone that an import has read. */
function timeZoneWords(
  { times, ambiguous }: ImportSummary['local'],
  zone: string | undefined,
): Lines {
  const rows = (count: number) => `${plural(count, 'row')} ${count === 1 ? 'has' : 'have'} a time`;
  const isGuessed = times > 0 && zone === undefined;
  return [
    isGuessed &&
      `${rows(times)} without a zone, which is read as UTC. Name its zone with --timezone.`,
    ambiguous > 0 && `${rows(ambiguous)} that occurs twice in ${zone}. The earlier one is taken.`,
  ];
}

const timeZoneHelp = `
With a mapping, --as or --timezone, run_at may be a time without a zone: 2026-11-18 09:30. A time that the
zone's clocks show twice is the earlier of the two; one that they skip is refused. A day alone,
2026-11-18, is that UTC day in every zone, because figures are counted by UTC day.
`;

const languageNames = new Intl.DisplayNames(['en'], { type: 'language' });

/** What an import of answers did, for the person who ran it. */
function importSummaryLines(
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

const help = `
A row has:
  prompt      the text that was asked; a new text makes a new prompt
  prompt_id   the id of the prompt, a UUID. Leave prompt out if the workspace or another row has its text.
              If it was reworded, each run keeps the text that was asked, and the prompt has the latest
  language    of a new prompt, BCP 47 (default: the locale's, else en)
  locale      of a new prompt, BCP 47 with its region (default: the language's, else en-US)
  engine      chatgpt, perplexity, gemini, claude, copilot, google_ai_overview, ...; an API is another
              engine than its app: chatgpt_api
  run_at      when it was asked, with its zone: 2026-11-20T12:34:56Z
  answer      what the engine said, plain text or Markdown
  sources     the pages it gives, in order: [{"url": "https://...", "title": "..."}]. In CSV the same as
              JSON, or addresses with blanks or commas between
  queries     what the engine searched for, in order: ["best crm"]; [] if it did not search. In CSV the
              same as JSON, or one a line
  model       which model answered, where that is known
  outcome     answered, refused, empty or failed (default: answered, or empty without text)
  collect     on or off: whether its prompt is put to engines, for money (default: as it is, off if it is
              new)
  id          of the run, a UUID (default: made from prompt, engine, model, run_at and answer)
Only engine, run_at, and prompt or prompt_id are required.

Two answers of the same prompt, engine, model and millisecond with different texts are probably one
run, exported twice with a change such as a newline at its end. The file is refused, with both texts
and their lines, and nothing is imported. Then remove one of them, give each an id of its own or a
run_at with milliseconds, or keep both with --accept. Rows whose run_at is a day alone are other
runs if their texts differ in more than blanks at the ends: their time is unknown.

A mapping file is JSON: by field the name of your column; {"value": ...} where it is the same in every
row; {"column": ..., "values": {"ChatGPT": "chatgpt"}} to translate. Columns it does not name are ignored.
A name may be a path into JSON: response.text, items[0].text, or items[*].url for all elements (the texts
of an answer are joined). "rows" is the path of the rows in a nested file, and $ the whole object around
them: in "$.runs[*].query" with "rows": "runs[*].answers[*]", the run of the answer.
  {"rows": "results[*]", "prompt": "$.query", "answer": "content.text", "sources": "content.links[*].href",
   "run_at": "created_at", "engine": {"value": "chatgpt"}}
${rawHelp}
${engineHelp}
${timeZoneHelp}`;

export const answersImportCommand = defineWorkspaceCommand({
  name: 'import',
  summary: 'import answers, and derive runs, citations and scores',
  description:
    'Imports answers of engines with one answer per row, as NDJSON, a JSON array or CSV, also packed by gzip, zstd or brotli. Or imports raw responses of engines. The file is imported completely or not at all, with runs, citations, and the scores of their days.',
  arguments: { file: word('the file, or - for standard input') },
  options: {
    format: choice('<format>', formats, 'format of the file, if its name does not show it'),
    map: text('<file>', 'JSON file that maps other column names to the fields'),
    accept: flag('accept answers that are almost equal to those of another run: both count'),
    newEngine,
    timezone: parsedText(
      '<zone>',
      'time zone of times without one, such as Europe/Berlin (with --map or --as: UTC if left out)',
      {
        parse: (zone) => (isTimeZone(zone) ? zone : undefined),
        expected: 'It must be a zone such as Europe/Berlin or UTC.',
      },
    ),
    dates: choice(
      '<order>',
      dateOrders,
      'how dates such as 20.11.2026 or 11/20/2026 are written, with --map',
    ),
    ...rawOptions,
    stripTail: flag('do not count the text that most answers of an engine end with'),
    stripHead: flag('do not count the text that most answers of an engine begin with'),
    dryRun: flag('show what would be imported, and import nothing'),
  },
  json: '{read, repeated, runs:{new, unchanged}, adopted, outcomes:{answered, refused, empty, failed}, ...}',
  help,
  examples: [
    'overheard answers import answers.ndjson --workspace acme',
    'overheard answers import export.csv --workspace acme --map map.json --dry-run',
    'overheard answers import responses.ndjson --as openai-responses --workspace acme',
    'zstdcat answers.ndjson.zst | overheard answers import - --workspace acme --format ndjson',
  ],
  run: async ({ io, store, workspaceId, slug, progress }, values) => {
    const { map, timezone, dryRun: isDryRun } = values;
    const convert = createConverter(values);
    const mapping = map === undefined ? undefined : await readMapping(map);
    const source = await openSource(values.file, io);
    const languages = await readPromptLanguages(store.reader, workspaceId);
    const work = importAnswers(store, {
      workspaceId,
      source,
      format: values.format,
      mapping,
      convert,
      acceptsNearDuplicates: values.accept,
      acceptsNewEngines: values.newEngine,
      // Other tools rarely write a zone, but our own files always do.
      dates: values.dates,
      timeZone: timezone ?? (mapping === undefined && convert === undefined ? undefined : 'UTC'),
      isDryRun,
      namesSharedTexts: true,
      clock: io.clock,
      signal: io.signal,
      onRead: ({ rows, bytes, bytesTotal }) =>
        progress.update(() => `Read ${plural(rows, 'row')}`, bytesTotal && bytes / bytesTotal),
      onWritten: (answers) => progress.update(() => `Judged ${plural(answers, 'answer')}`),
    });
    const summary = await withConsequence(store, work, consequences);
    const texts = summary.sharedTexts.filter(({ place }) =>
      place === 'tail' ? values.stripTail : values.stripHead,
    );
    if (!isDryRun && texts.length > 0)
      await redetect(store, { workspaceId, texts, signal: io.signal });
    const mayHaveGaps = !isDryRun && (summary.runs.new > 0 || texts.length > 0);
    const gaps = mayHaveGaps && (await deriveActions(store, { workspaceId, clock: io.clock }));
    const advised = await adviseNewLanguages(store.reader, workspaceId, languages);
    return {
      json: { ...summary, dryRun: isDryRun },
      words: [
        ...importSummaryLines(summary, { isDryRun, slug, timezone }),
        gaps && newGapsWords(gaps, { slug }),
        ...sharedTextLines(summary.sharedTexts, { slug, stripped: isDryRun ? [] : texts }),
        ...advised.flatMap(({ name, advice }) => adviceLines(advice, { name, slug })),
      ],
    };
  },
});

const consequences = {
  onRefusal: (refusal: Refusal) => nothingImported(refusal, mappingAdvice),
  unavailable: 'Import the file again. Answers that are stored already stay as they are.',
};

/**
 * Advice about columns with other names: a mapping file with the columns that their names suggest.
 * It contains only `names` that a mapping can have. The reader fills in the rest.
 */
function mappingAdvice(names: readonly string[]): string {
  const foreign = names.filter((name) => !answerFields.some((field) => field === name));
  const mapping: Record<string, unknown> = guessColumns(foreign);
  mapping['prompt'] ??= 'YOUR COLUMN';
  mapping['answer'] ??= 'YOUR COLUMN';
  mapping['run_at'] ??= 'YOUR COLUMN';
  mapping['engine'] ??= { value: 'chatgpt' };
  return `If the file has its own column names, map them: write map.json, such as ${JSON.stringify(mapping)}, and add --map map.json. \`overheard answers import --help\` lists the fields.`;
}
