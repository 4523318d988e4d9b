import { Command, InvalidArgumentError, Option } from 'commander';
import { deriveActions } from '../../answers/actions/derive.ts';
import type { Derivation } from '../../answers/actions/derive.ts';
import { parseParts } from '../../answers/actions/parse-parts.ts';
import {
  actionStatuses,
  findAction,
  listActions,
  setActionStatus,
} from '../../answers/actions/stored-actions.ts';
import type { ActionStatus } from '../../answers/actions/stored-actions.ts';
import { option, settings } from '../../config.ts';
import { parseSpan } from '../../values/span.ts';
import { dayMs } from '../../values/utc-day.ts';
import { actionWords } from '../words/action-words.ts';
import { inWorkspace } from '../options/in-workspace.ts';
import type { WorkspaceOptions } from '../options/in-workspace.ts';
import type { Io } from '../terminal/io.ts';
import { printJson, printTable, printWords } from '../terminal/print.ts';

/** `overheard actions derive|list|set|explain` */
export function actionsCommand(io: Io): Command {
  return new Command('actions')
    .summary('derive the gap list; list, set and explain its actions')
    .description(
      'Actions: what to do next, each with its evidence. They are derived from runs and from requests of AI crawlers, or imported.',
    )
    .addCommand(deriveCommand(io))
    .addCommand(listCommand(io))
    .addCommand(setCommand(io))
    .addCommand(explainCommand(io));
}

const windowDaysDefault = 28;
const windowDaysMax = 3650;

function deriveCommand(io: Io): Command {
  return new Command('derive')
    .summary('find gaps in the last weeks, and open or update their actions')
    .description(
      'Finds the gap of every active prompt with at least 5 counted runs in the window, and the paths that AI crawlers are refused. Opens an action for what is new, updates what is open, leaves what is in progress, done or dismissed, and closes nothing. docs/actions.md has the rules.',
    )
    .addOption(option(settings.workspace).makeOptionMandatory())
    .addOption(
      new Option('--window <days>', 'UTC days that count, today included, such as 28d')
        .default(windowDaysDefault, `${windowDaysDefault}d`)
        .argParser(parseWindow),
    )
    .option('--dry-run', 'say what would change, and change nothing')
    .addOption(option(settings.database))
    .addHelpText('after', deriveHelp)
    .action(async (options: WorkspaceOptions & { window: number; dryRun?: boolean }) => {
      const { window: windowDays, dryRun: isDryRun = false } = options;
      const derivation = await inWorkspace(options, (store, workspaceId) =>
        deriveActions(store, { workspaceId, windowDays, clock: io.clock, isDryRun }),
      );
      printWords(io, derivationWords(derivation, { isDryRun }));
    });
}

function parseWindow(text: string): number {
  // A number alone is days.
  const spanMs = parseSpan(/^\d+$/.test(text) ? `${text}d` : text) ?? Number.NaN;
  const days = spanMs / dayMs;
  if (Number.isInteger(days) && days >= 1 && days <= windowDaysMax) return days;
  throw new InvalidArgumentError('It must be whole days, from 1d to 10y, such as 28d or 4w.');
}

function derivationWords(
  { days, prompts, scarce, opened, updated, unchanged, set, over, unknown, results }: Derivation,
  { isDryRun }: { isDryRun: boolean },
): string {
  const lines = [
    `Looked at ${prompts} prompts with counted runs from ${days.from} to ${days.to}.`,
    `${isDryRun ? 'Would open' : 'Opened'} ${opened.length} actions; updated ${updated}; ${unchanged} unchanged; ${set} left as a person has set them.`,
    ...opened.map(({ id, recommendation }) => `  ${id}  ${recommendation}`),
    results > 0 && `Measured the result of ${results} actions that are done.`,
    over.length > 0 &&
      'Open, but their gap is there no longer (close them with `overheard actions set`):',
    ...over.map(({ id, recommendation }) => `  ${id}  ${recommendation}`),
    unknown.length > 0 &&
      'Open, but whether their gap is there cannot be said: their prompts have too few counted runs now, or are not active:',
    ...unknown.map(({ id, recommendation }) => `  ${id}  ${recommendation}`),
    scarce.length > 0 && 'Too few counted runs to say anything:',
    ...scarce.map(
      ({ text, runs, missing }) =>
        `  ${JSON.stringify(text.slice(0, 100))}: ${runs}, ${missing} more needed`,
    ),
  ];
  return lines.filter((line) => line !== false).join('\n');
}

interface ListOptions extends WorkspaceOptions {
  readonly status?: ActionStatus;
  readonly json?: boolean;
}

function listCommand(io: Io): Command {
  return new Command('list')
    .summary('list the actions, most impact first')
    .description('Lists the actions in the order of the API: most impact first.')
    .addOption(option(settings.workspace).makeOptionMandatory())
    .addOption(statusOption('only actions of this status'))
    .option('--json', "print JSON: {actions:[...]}, the API's fields and kind")
    .addOption(option(settings.database))
    .addHelpText('after', listHelp)
    .action(async (options: ListOptions) => {
      const { status, json = false } = options;
      const actions = await inWorkspace(options, (store, workspaceId) =>
        listActions(store.reader, workspaceId, { status }),
      );
      if (json) return printJson(io, { actions: actions.map(({ parts: _, ...action }) => action) });
      return printTable(io, {
        headings: ['ID', 'IMPACT', 'PRIORITY', 'STATUS', 'KIND', 'RECOMMENDATION'],
        rows: actions.map(
          ({ id, impact_score: impact, priority, status: is, kind, recommendation }) => [
            id,
            impact === null ? null : impact.toFixed(1),
            priority,
            is,
            kind,
            recommendation,
          ],
        ),
        none: 'There are no such actions. `overheard actions derive` finds them.',
      });
    });
}

function setCommand(io: Io): Command {
  return new Command('set')
    .summary('say how far an action is')
    .description(
      'Sets the status of an action: open, then in_progress, then done; any can be dismissed, and any can be opened again. Each change is kept with its time.',
    )
    .argument('<id>', 'the action: its id or the beginning of it')
    .addOption(statusOption('its new status').makeOptionMandatory())
    .addOption(option(settings.workspace).makeOptionMandatory())
    .addOption(option(settings.database))
    .addHelpText('after', setHelp)
    .action(async (id: string, options: WorkspaceOptions & { status: ActionStatus }) => {
      const { hasChanged, before, action } = await inWorkspace(options, (store, workspaceId) =>
        setActionStatus(store, workspaceId, { id, status: options.status, clock: io.clock }),
      );
      const words = hasChanged ? `was ${before}, is ${action.status}` : `is ${before} already`;
      printWords(io, `The action ${action.id} ${words}.`);
    });
}

function explainCommand(io: Io): Command {
  return new Command('explain')
    .summary('say how the impact of an action comes about')
    .description(
      'Prints the formula of an action with its parts, and what it has been set to, with the times.',
    )
    .argument('<id>', 'the action: its id or the beginning of it')
    .addOption(option(settings.workspace).makeOptionMandatory())
    .option('--json', 'print JSON: {action, parts, changes}')
    .addOption(option(settings.database))
    .addHelpText('after', explainHelp)
    .action(async (id: string, options: WorkspaceOptions & { json?: boolean }) => {
      const { action, changes } = await inWorkspace(options, (store, workspaceId) =>
        findAction(store.reader, workspaceId, id),
      );
      const { parts: text, ...shown } = action;
      const parts = parseParts(text);
      if (options.json === true)
        return printJson(io, { action: shown, parts: parts ?? null, changes });
      io.stdout.write(`${actionWords({ action, parts, changes })}\n`);
    });
}

function statusOption(summary: string): Option {
  return new Option('--status <status>', summary).choices(actionStatuses);
}

const deriveHelp = `
Examples:
  overheard actions derive --workspace acme
  overheard actions derive --workspace acme --window 14d --dry-run`;

const listHelp = `
Examples:
  overheard actions list --workspace acme --status open
  overheard actions list --workspace acme --json | jq '.actions[0]'`;

const setHelp = `
Examples:
  overheard actions set 6f4a0a52-4f60-5a6e-8d0f-0f9f2d1c7b10 --status in_progress --workspace acme
  overheard actions set 6f4a0a52-4f60-5a6e-8d0f-0f9f2d1c7b10 --status dismissed --workspace acme`;

const explainHelp = `
Examples:
  overheard actions explain 6f4a0a52-4f60-5a6e-8d0f-0f9f2d1c7b10 --workspace acme`;
