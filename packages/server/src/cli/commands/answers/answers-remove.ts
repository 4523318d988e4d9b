import { removeAnswers } from '../../../answers/remove/remove-answers.ts';
import type { AnswerChoice, AnswerRemoval } from '../../../answers/remove/remove-answers.ts';
import { findImport, parseImportNumber } from '../../../imports/list-imports.ts';
import { amount } from '../../../values/plural.ts';
import { printableLines } from '../../../values/printable.ts';
import type { Lines } from '../../../values/printable.ts';
import { defineWorkspaceCommand, words } from '../../define/define-command.ts';
import type { OptionValues, WorkspaceContext } from '../../define/define-command.ts';
import { flag, parsedText } from '../../define/options.ts';
import { readDays } from '../../filters/read-period.ts';
import { namedFilters } from '../../filters/named-filters.ts';
import { openDays, runOptions } from '../../filters/parameter.ts';
import { Refusal } from '../../../refusals.ts';
import { UsageError } from '../../terminal/command-error.ts';
import { confirm } from '../../terminal/confirm.ts';
import { printTable, printWords } from '../../terminal/print.ts';
import { consequenceLines } from '../../words/revert-words.ts';
import { scoreChangeTable, scoresJson } from '../../words/score-change-table.ts';
import { findRun } from './find-run.ts';

const idsMax = 1000;

const takes = {
  runs: words('runs: their ids or the beginnings of them', { isOptional: true }),
};
const importNumber = parsedText('<id>', 'only runs that this import created', {
  parse: parseImportNumber,
  expected: 'It must be the number of an import: see `overheard imports list`.',
});
const choices = { import: importNumber, engine: runOptions.engine, ...openDays };
type Choice = OptionValues<typeof takes> & OptionValues<typeof choices>;

export const answersRemoveCommand = defineWorkspaceCommand({
  name: 'remove',
  summary: 'remove answers by run, by import or by engine',
  description:
    'Removes answers with their runs and detections, and derives scores, counts of reports and derived actions again, in one transaction. An answer must match every given option; without --from and --to all days count. Shows what would be removed and asks for confirmation; without a terminal it needs --yes. Prompts stay.',
  arguments: takes,
  options: {
    ...choices,
    yes: flag('do not ask'),
    dryRun: flag('show what would be removed, and remove nothing'),
  },
  json: '{dry_run, runs, detections, scores:[{date, engine, before, after}], actions:{removed, opened, updated}}',
  help: `To revert a whole import with its prompts, use \`overheard imports revert\`. Answers that were removed
can be imported again.`,
  examples: [
    'overheard answers remove 3c1d9a7e --workspace acme',
    'overheard answers remove --engine chatgtp --workspace acme --dry-run',
    'overheard answers remove --engine grok --from 2026-10-01 --to 2026-10-07 --workspace acme --yes',
    'overheard answers remove --import 3 --workspace acme',
  ],
  run: async (context, values) => {
    const { io, store, workspaceId } = context;
    const { yes, dryRun: isDryRun } = values;
    const choice = await choose(context, values);
    const options = { workspaceId, choice, clock: io.clock };
    if (!yes && !isDryRun) {
      const preview = await removeAnswers(store, { ...options, isDryRun: true });
      if (preview.runs > 0) {
        if (!context.isJson) printTable(io, scoreChangeTable(preview.scores));
        printWords(io, printableLines(removalLines(preview, { isDryRun: true })));
        await confirm(io, { question: 'Type remove to remove them:', word: 'remove' });
      }
    }
    const removal = await removeAnswers(store, { ...options, isDryRun });
    const { hasChanged: _, scores, ...rest } = removal;
    return {
      json: { dryRun: isDryRun, ...rest, scores: scoresJson(scores) },
      table: scoreChangeTable(yes || isDryRun ? scores : []),
      words: removalLines(removal, { isDryRun }),
    };
  },
});

async function choose(context: WorkspaceContext, values: Choice): Promise<AnswerChoice> {
  const { runs, import: importId } = values;
  if (runs.length === 0 && importId === undefined && values.engine === undefined) {
    throw new UsageError('Choose the answers: give ids of runs, --import or --engine.');
  }
  if (runs.length > idsMax) {
    throw new Refusal('runs_too_many', { countMax: idsMax });
  }
  const { store, workspaceId } = context;
  const named = await namedFilters(context, { engine: values.engine });
  if (importId !== undefined) await findImport(store.reader, workspaceId, importId);
  const runIds: string[] = [];
  for (const typed of runs) runIds.push(await findRun(store.reader, context, typed));
  const days = readDays({ from: values.from, to: values.to, days: undefined }, context.io);
  return {
    ...days,
    importId,
    engine: named.engine,
    runIds: runs.length === 0 ? undefined : runIds,
  };
}

function removalLines(
  { runs, detections, scores, actions }: AnswerRemoval,
  { isDryRun }: { isDryRun: boolean },
): Lines {
  if (runs === 0) return ['No answer matches: nothing to remove.'];
  return [
    `${isDryRun ? 'Would remove' : 'Removed'} ${amount(runs, 'run')} with ${amount(detections, 'detection')}.`,
    ...consequenceLines({ scores, actions }, { isDryRun }),
    isDryRun && 'Nothing is written yet.',
  ];
}
