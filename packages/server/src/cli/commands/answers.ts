import { Command, Option } from 'commander';
import { importAnswers } from '../../answers/import/import-answers.ts';
import type { ImportSummary } from '../../answers/import/import-answers.ts';
import { readMapping } from '../../answers/import/mapping.ts';
import { option, settings } from '../../config.ts';
import { formats } from '../../rows/format.ts';
import type { Format } from '../../rows/format.ts';
import { createProgress } from '../terminal/progress.ts';
import { openSource } from '../../rows/source.ts';
import type { Refusal } from '../../refusals.ts';
import { plural } from '../../values/plural.ts';
import { nothingImported, withConsequence } from '../words/consequence.ts';
import { inWorkspace } from '../options/in-workspace.ts';
import type { WorkspaceOptions } from '../options/in-workspace.ts';
import type { Io } from '../terminal/io.ts';
import { mappingAdvice } from '../words/mapping-advice.ts';
import { engineHelp, newEngineOption, newEngineWords } from '../words/new-engine.ts';
import { printWords } from '../terminal/print.ts';
import { redetectCommand } from './redetect.ts';
import { timeZoneHelp, timeZoneOption, timeZoneWords } from '../words/time-zone.ts';

/** `overheard answers import|redetect` */
export function answersCommand(io: Io): Command {
  return new Command('answers')
    .summary('import what engines said; judge it again')
    .description(
      'Answers: what engines said to prompts. From them follow, by rule, who was cited (detections), the daily scores, and the actions.',
    )
    .addCommand(importCommand(io))
    .addCommand(redetectCommand(io));
}

interface ImportCommandOptions extends WorkspaceOptions {
  readonly format?: Format;
  readonly map?: string;
  readonly accept?: boolean;
  readonly newEngine?: boolean;
  readonly timezone?: string;
  readonly dryRun?: boolean;
}

function importCommand(io: Io): Command {
  return new Command('import')
    .summary('import answers, and all that follows from them')
    .description(
      'Imports answers of engines, one a row: NDJSON, a JSON array or CSV, also packed by gzip, zstd or brotli. The whole file is imported or nothing of it: runs, who was cited in them, and the scores of their days.',
    )
    .argument('<file>', 'the file, or - for standard input')
    .addOption(option(settings.workspace).makeOptionMandatory())
    .addOption(
      new Option('--format <format>', 'form of the file, if its name does not tell').choices(
        formats,
      ),
    )
    .option('--map <file>', 'JSON file that says where the fields stand in rows with other names')
    .option('--accept', 'keep answers that are nearly those of another run: both count')
    .addOption(newEngineOption())
    .addOption(timeZoneOption())
    .option('--dry-run', 'say what would be imported, and import nothing')
    .addOption(option(settings.database))
    .addHelpText('after', importHelp)
    .action(async (file: string, options: ImportCommandOptions) => {
      const { format, map, timezone, accept: isAccepted = false } = options;
      const { dryRun: isDryRun = false } = options;
      const mapping = map === undefined ? undefined : await readMapping(map);
      const progress = createProgress(io);
      const summary = await inWorkspace(options, async (store, workspaceId) => {
        const source = await openSource(file, io);
        const work = importAnswers(store, {
          workspaceId,
          source,
          format,
          mapping,
          isAccepted,
          hasNewEngine: options.newEngine ?? false,
          // Other tools seldom write a zone; a file of ours always has one.
          timeZone: timezone ?? (map === undefined ? undefined : 'UTC'),
          isDryRun,
          clock: io.clock,
          signal: io.signal,
          onRead: ({ rows, bytes, bytesTotal }) =>
            progress.update(() => `Read ${rows} rows`, bytesTotal && bytes / bytesTotal),
          onWritten: (answers) => progress.update(() => `Judged ${answers} answers`),
        });
        return withConsequence(work, consequences);
      }).finally(progress.clear);
      printWords(io, summaryWords(summary, { isDryRun, slug: options.workspace, timezone }));
    });
}

const consequences = {
  refused: (refusal: Refusal) => nothingImported(refusal, mappingAdvice),
  unavailable: 'Import the file again: answers that are there already stay as they are.',
};

function summaryWords(
  summary: ImportSummary,
  { isDryRun, slug, timezone }: { isDryRun: boolean; slug: string; timezone: string | undefined },
): string {
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
  const lines = [
    `${isDryRun ? 'Would import' : 'Imported'} ${runs.new === 0 ? 'no new run' : plural(runs.new, 'new run')}${alreadyThere}.`,
    adopted > 0 &&
      `${adopted} of them had been imported with their detections alone: who is cited now follows from the answers.`,
    ...timeZoneWords(summary.local, timezone),
    newPrompts > 0 && `New prompts: ${newPrompts}.`,
    repeated > 0 &&
      `${repeated} rows equal an earlier one and count once. To keep such runs apart give each an id, or a run_at with seconds and milliseconds.`,
    uncounted.length > 0 && `Kept, but not counted: ${uncounted.join(', ')}.`,
    branded > 0 &&
      `${plural(branded, 'answered run')} ${isOrAre(branded)} of prompts that name the brand: detected, but not scored.`,
    namesCompetitor > 0 &&
      `${plural(namesCompetitor, 'counted run')} ${isOrAre(namesCompetitor)} of prompts that name a competitor: most answers repeat the name. \`overheard scores explain --workspace ${slug} --date DAY --engine ENGINE\` also shows the share of voice without them.`,
    runs.new > 0 &&
      `Subjects were cited ${plural(summary.citations, 'time')}; ${plural(scores.changed, 'daily score')} ${isOrAre(scores.changed)} new or changed.`,
    scores.replaced > 0 && `${scores.replaced} of them replace imported scores.`,
    newEngineWords(summary.newEngines),
    ...warnings.map((warning) => `Warning: ${warning}`),
    !isDryRun && runs.new > 0 && `Next: overheard actions derive --workspace ${slug}`,
  ];
  return lines.filter((line) => line !== false).join('\n');
}

function isOrAre(count: number): string {
  return count === 1 ? 'is' : 'are';
}

const importHelp = `
A row has:
  prompt      the text that was asked; its prompt is created where it is new
  prompt_id   of the prompt, a UUID: alone where the workspace or another row has its text, or beside it.
              Where one was reworded, each run keeps what it was asked, and the prompt what was asked last
  language    of a new prompt, BCP 47 (default: the locale's, else en)
  locale      of a new prompt, BCP 47 with its region (default: the language's, else en-US)
  engine      chatgpt, perplexity, gemini, claude, copilot, google_ai_overview, ...; an API is another
              engine than its app: chatgpt_api
  run_at      when it was asked, with its zone: 2026-11-20T12:34:56Z
  answer      what the engine said, plain text or Markdown
  sources     the pages it gives, in order: [{"url": "https://...", "title": "..."}]. In CSV the same as
              JSON, or addresses with blanks or commas between
  model       which model answered, where that is known
  outcome     answered, refused, empty or failed (default: answered, or empty without text)
  id          of the run, a UUID (default: made from prompt, engine, model, run_at and answer)
All but engine, run_at and one of prompt and prompt_id may be left out.

Two answers of the same prompt, engine, model and millisecond with different texts are probably one
run, exported twice with a change such as a newline at its end. The file is refused, with both texts
and their lines, and nothing is imported. Then remove one of them, give each an id of its own or a
run_at with milliseconds, or keep both with --accept. Rows whose run_at is a day alone are other
runs if their texts differ in more than blanks at the ends: their time is unknown.

A mapping file is JSON: by field the name of your column; {"value": ...} where it is the same in every
row; {"column": ..., "values": {"ChatGPT": "chatgpt"}} to translate. Columns it does not name are ignored.
${engineHelp}
${timeZoneHelp}
Examples:
  overheard answers import answers.ndjson --workspace acme
  overheard answers import export.csv --workspace acme --map map.json --dry-run
  zstdcat answers.ndjson.zst | overheard answers import - --workspace acme --format ndjson`;
