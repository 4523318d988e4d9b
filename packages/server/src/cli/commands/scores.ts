import { Command } from 'commander';
import { explainScore } from '../../answers/scores/explain.ts';
import { rebuildScores } from '../../answers/scores/rebuild.ts';
import { option, settings } from '../../config.ts';
import { CommandError } from '../../problems.ts';
import { readStoredEngines } from '../../storage/stored-engines.ts';
import { misspeltEngine } from '../../values/engine.ts';
import { parseDay } from '../../values/moment.ts';
import { explanationWords } from '../words/explanation-words.ts';
import { inWorkspace } from '../options/in-workspace.ts';
import type { WorkspaceOptions } from '../options/in-workspace.ts';
import type { Io } from '../terminal/io.ts';
import { printJson, printWords } from '../terminal/print.ts';
import { mentionsOption } from '../words/sentence-lines.ts';

/** `overheard scores explain|rebuild` */
export function scoresCommand(io: Io): Command {
  return new Command('scores')
    .summary('take a score apart; make the scores anew')
    .description('Daily scores: how the brand fared with one engine on one UTC day.')
    .addCommand(explainCommand(io))
    .addCommand(rebuildCommand(io));
}

interface ExplainOptions extends WorkspaceOptions {
  readonly date: string;
  readonly engine: string;
  readonly mentions: number;
  readonly json?: boolean;
}

function explainCommand(io: Io): Command {
  return new Command('explain')
    .summary('say where a score comes from, down to the sentences')
    .description(
      'Takes the score of one engine and UTC day apart: the figures, what they are divided by, the 95 % interval, what was left out, and the runs behind it with the link that counted, or every mention as the answer writes it and its sentence.',
    )
    .addOption(option(settings.workspace).makeOptionMandatory())
    .requiredOption('--date <day>', 'UTC day, such as 2026-11-20')
    .requiredOption('--engine <slug>', 'engine, such as chatgpt')
    .addOption(mentionsOption())
    .option(
      '--json',
      'print JSON: {date, engine, stored, counts, named, linked, sov, competitors, interval, competitor_prompts, without_competitor_prompts, unclassified, runs:[{run_id, prompt_id, asked, names_competitor, run_at, cited:[{subject, subject_id, subject_type, rank, position, alias, sentence, url, mention, mentions:[{text, position, sentence}], mentions_total}]}], branded, uncounted, imported}',
    )
    .addOption(option(settings.database))
    .addHelpText('after', explainHelp)
    .action(async (options: ExplainOptions) => {
      const date = parseDay(options.date);
      if (date === undefined) {
        const given = JSON.stringify(options.date);
        throw new CommandError(`--date ${given} is no day such as 2026-11-20.`, { exitCode: 2 });
      }
      const explanation = await inWorkspace(options, (store, workspaceId) =>
        explainScore(
          store.reader,
          workspaceId,
          { date, engine: options.engine },
          { mentionsMax: options.mentions },
        ),
      );
      const { stored, runs, branded, uncounted, imported } = explanation;
      const rest = branded.length + imported + Object.values(uncounted).reduce((a, b) => a + b);
      if (stored === undefined && runs.length + rest === 0) {
        throw new CommandError(await nothingFoundWords(options, date));
      }
      if (options.json === true) return printJson(io, explanation);
      io.stdout.write(
        `${explanationWords(explanation, { program: io.program, slug: options.workspace })}\n`,
      );
    });
}

async function nothingFoundWords(options: ExplainOptions, date: string): Promise<string> {
  const { engine, workspace } = options;
  const engines = await inWorkspace(options, (store, workspaceId) =>
    readStoredEngines(store.reader, workspaceId),
  );
  const meant = engines.has(engine) ? undefined : misspeltEngine(engine, engines);
  const hint = meant === undefined ? '' : ` Did you mean ${meant}?`;
  return `There is neither a score nor a run of ${engine} on ${date}.${hint} \`overheard export scores --workspace ${workspace}\` lists the scores.`;
}

function rebuildCommand(io: Io): Command {
  return new Command('rebuild')
    .summary('make the derived scores anew')
    .description(
      'Counts every run again and writes the derived scores that differ. Imported scores are not touched. Nothing differs unless something was broken.',
    )
    .addOption(option(settings.workspace).makeOptionMandatory())
    .option('--dry-run', 'say what would change, and change nothing')
    .addOption(option(settings.database))
    .addHelpText('after', rebuildHelp)
    .action(async (options: WorkspaceOptions & { dryRun?: boolean }) => {
      const { dryRun: isDryRun = false } = options;
      const { derived, changes, imported } = await inWorkspace(options, (store, workspaceId) =>
        rebuildScores(store, workspaceId, { isDryRun }),
      );
      const would = isDryRun ? 'would change' : 'changed';
      const kept =
        imported === 0 ? '' : ` ${imported} imported scores stand where runs are counted and stay.`;
      printWords(io, `${derived} derived scores; ${changes.length} of them ${would}.${kept}`);
    });
}

const explainHelp = `
Examples:
  overheard scores explain --workspace acme --date 2026-11-20 --engine chatgpt
  overheard scores explain --workspace acme --date 2026-11-20 --engine chatgpt --json | jq .counts`;

const rebuildHelp = `
Examples:
  overheard scores rebuild --workspace acme --dry-run
  overheard scores rebuild --workspace acme`;
