import { nearest } from '@overheard/contract';
import { InvalidValue } from '../../../config.ts';
import { Refusal } from '../../../refusals.ts';
import { deriveActions, usualWindowDays } from '../../../answers/actions/derive.ts';
import type { Derivation } from '../../../answers/actions/derive.ts';
import { explainAction } from '../../../answers/actions/explain-action.ts';
import { actionEvents } from '../../../answers/actions/action-events.ts';
import { impactWord } from '../../../answers/actions/impact.ts';
import { parseParts } from '../../../storage/queries/action-parts.ts';
import {
  actionStatuses,
  changeAction,
  findAction,
} from '../../../answers/actions/stored-actions.ts';
import { listActions } from '../../../storage/queries/list-actions.ts';
import type { StoredAction } from '../../../storage/queries/list-actions.ts';
import { foldEmail } from '../../../people/email.ts';
import { noteEvent, readUserNames } from '../../../people/events.ts';
import { listMembers } from '../../../people/members.ts';
import type { Member } from '../../../people/members.ts';
import { plural } from '../../../values/plural.ts';
import { parseSpan } from '../../../values/time/span.ts';
import { dayMs } from '../../../values/time/utc-day.ts';
import { defineGroup, defineWorkspaceCommand, word } from '../../define/define-command.ts';
import { choice, flag, number, text } from '../../define/options.ts';
import type { Lines } from '../../../values/printable.ts';
import { actionLines } from './action-lines.ts';
import { UsageError } from '../../terminal/command-error.ts';
import { sentencesMax } from '../../words/sentence-lines.ts';
import { tableOf } from '../../define/table-of.ts';

const windowDaysMax = 3650;
const actionId = word('the action: its id or the beginning of it');

const deriveCommand = defineWorkspaceCommand({
  name: 'derive',
  summary: 'find gaps in the last weeks, and open or update their actions',
  description:
    'Finds the gap of every active prompt with at least 5 counted runs in the window, the paths that AI crawlers are refused, and own pages that are cited and not read, or read and not cited. Opens actions for new gaps, updates open ones, leaves actions that are in progress, done or dismissed, and closes none. docs/actions.md has the rules.',
  options: {
    window: {
      value: '<days>',
      summary: 'UTC days that count, today included, such as 28d',
      default: usualWindowDays,
      parse: parseWindow,
    },
    dryRun: flag('show what would change, and change nothing'),
  },
  json: '{dry_run, days, prompts, scarce:[...], opened:[{id, recommendation}], updated, unchanged, set, over:[...], unknown:[...], results}',
  examples: [
    'overheard actions derive --workspace acme',
    'overheard actions derive --workspace acme --window 14d --dry-run',
  ],
  run: async ({ io, store, workspaceId }, { window: windowDays, dryRun: isDryRun }) => {
    const { clock } = io;
    const work = { workspaceId, windowDays, clock, isDryRun };
    const { hasChanged: _, ...derivation } = await deriveActions(store, work);
    return {
      json: { dryRun: isDryRun, ...derivation },
      words: derivationLines(derivation, { isDryRun }),
    };
  },
});

function parseWindow(span: string): number {
  // A number without a unit means days.
  const spanMs = parseSpan(/^\d+$/.test(span) ? `${span}d` : span) ?? Number.NaN;
  const days = spanMs / dayMs;
  if (Number.isInteger(days) && days >= 1 && days <= windowDaysMax) return days;
  throw new InvalidValue('It must be whole days, from 1d to 10y, such as 28d or 4w.');
}

function derivationLines(
  derivation: Omit<Derivation, 'hasChanged'>,
  { isDryRun }: { isDryRun: boolean },
): Lines {
  const { days, prompts, scarce, opened, updated, unchanged, set, over, unknown, results } =
    derivation;
  return [
    `Looked at ${plural(prompts, 'prompt')} with counted runs from ${days.from} to ${days.to}.`,
    `${isDryRun ? 'Would open' : 'Opened'} ${plural(opened.length, 'action')}; updated ${updated}; ${unchanged} unchanged; ${set} left because a person has set their status.`,
    ...opened.map(({ id, recommendation }) => `  ${id}  ${recommendation}`),
    results > 0 &&
      `Measured the result of ${plural(results, 'action')} that ${results === 1 ? 'is' : 'are'} done.`,
    over.length > 0 && 'Open, but their gap is gone (close them with `overheard actions set`):',
    ...over.map(({ id, recommendation }) => `  ${id}  ${recommendation}`),
    unknown.length > 0 &&
      'Open, but their gap may be gone: their prompts have too few counted runs now, or are not active:',
    ...unknown.map(({ id, recommendation }) => `  ${id}  ${recommendation}`),
    scarce.length > 0 && 'Too few counted runs to say anything:',
    ...scarce.map(
      ({ text: prompt, runs, missing }) =>
        `  ${JSON.stringify(prompt.slice(0, 100))}: ${runs}, ${missing} more needed`,
    ),
  ];
}

const listCommand = defineWorkspaceCommand({
  name: 'list',
  summary: 'list the actions, most impact first',
  description: 'Lists the actions in the order of the API: most impact first.',
  options: { status: choice('<status>', actionStatuses, 'only actions of this status') },
  json: "{actions:[...]}, the API's fields, kind, assigned_to and note",
  examples: [
    'overheard actions list --workspace acme --status open',
    "overheard actions list --workspace acme --json | jq '.actions[0]'",
  ],
  run: async ({ store, workspaceId }, { status }) => {
    const listed = await listActions(store.reader, workspaceId, { status });
    const actions = listed.map(({ parts: _, ...action }) => action);
    return {
      json: { actions },
      table: tableOf(actions, 'There are no such actions.', {
        ID: ({ id }) => id,
        IMPACT: (action) => impactWord(action.impact_score),
        PRIORITY: ({ priority }) => priority,
        STATUS: (action) => action.status,
        KIND: ({ kind }) => kind,
        RECOMMENDATION: ({ recommendation }) => recommendation,
      }),
    };
  },
});

const setCommand = defineWorkspaceCommand({
  name: 'set',
  summary: 'set the status of an action, who is to fix it, or its note',
  description:
    'Sets the status of an action, the member who is to fix it, or its note. Any status may follow any other. Each change of status is kept with its time and its author.',
  arguments: { id: actionId },
  options: {
    status: choice('<status>', actionStatuses, 'its new status'),
    from: choice('<status>', actionStatuses, 'only if the action has this status now'),
    assign: text('<email>', 'the member who is to fix it, or "nobody"'),
    note: text('<text>', 'what was tried; empty removes the note'),
  },
  json: '{id, before, status, assigned_to, note, has_changed}',
  examples: [
    'overheard actions set 6f4a0a52-4f60-5a6e-8d0f-0f9f2d1c7b10 --status in_progress --assign ada@example.com --workspace acme',
    'overheard actions set 6f4a0a52-4f60-5a6e-8d0f-0f9f2d1c7b10 --status done --from open --workspace acme',
  ],
  run: async ({ io, store, workspaceId }, { id, status, from: seen, assign, note }) => {
    if (status === undefined && assign === undefined && note === undefined) {
      throw new UsageError('Say what to change: --status, --assign or --note.');
    }
    const { clock } = io;
    const members = await listMembers(store.access, workspaceId);
    const assignedTo = assign === undefined ? undefined : memberId(members, assign);
    const wish = { id, status, seen, assignedTo, note, clock };
    const change = await changeAction(store, workspaceId, wish);
    const { hasChanged, before, after } = change;
    const ids = [before.assigned_to, after.assigned_to];
    const names = await readUserNames(store.access, ids);
    for (const event of actionEvents(change, (userId) => names.get(userId) ?? 'a removed user')) {
      await noteEvent(store.access, { userId: null, clock }, { workspaceId, ...event });
    }
    return {
      json: {
        id: after.id,
        before: before.status,
        status: after.status,
        assignedTo: after.assigned_to,
        note: after.note,
        hasChanged,
      },
      words: `The action ${after.id} ${changeWords(before, after, names)}.`,
    };
  },
});

/** The id of a member by address; null for `nobody`. Throws a `Refusal` for anyone else. */
function memberId(members: readonly Member[], email: string): string | null {
  if (email === 'nobody') return null;
  const member = members.find((each) => foldEmail(each.email) === foldEmail(email));
  if (member !== undefined) return member.user_id;
  const emails = members.map((each) => each.email);
  throw new Refusal('member_not_found', { email, nearest: nearest(email, emails) });
}

function changeWords(
  before: StoredAction,
  after: StoredAction,
  names: ReadonlyMap<string, string>,
): string {
  const { status, assigned_to: userId, note } = after;
  const parts = [
    status !== before.status && `was ${before.status}, is ${status}`,
    userId !== before.assigned_to &&
      `is assigned to ${userId === null ? 'nobody' : (names.get(userId) ?? 'a removed user')}`,
    note !== before.note && (note === null ? 'has no note' : 'has a new note'),
  ].filter((part) => part !== false);
  return parts.length === 0 ? `is ${status} already` : parts.join('; ');
}

const explainCommand = defineWorkspaceCommand({
  name: 'explain',
  summary: 'explain an action, down to its runs and sentences',
  description:
    'Prints the formula of an action with its numbers, the runs and sentences or the requests behind it, and the changes of its status with their times.',
  arguments: { id: actionId },
  options: {
    runs: number('most runs or requests of each kind to print', {
      min: 0,
      max: sentencesMax,
      initial: 10,
    }),
  },
  json: '{action, parts, changes, evidence}, with every run and request',
  examples: ['overheard actions explain 6f4a0a52-4f60-5a6e-8d0f-0f9f2d1c7b10 --workspace acme'],
  run: async ({ store, workspaceId }, { id, runs }) => {
    const { action: storedAction, changes } = await findAction(store.reader, workspaceId, id);
    const { parts: storedParts, ...action } = storedAction;
    const parts = parseParts(storedParts);
    const evidence = parts && (await explainAction(store.reader, workspaceId, parts));
    const people = [storedAction.assigned_to, ...changes.map((each) => each.changed_by)];
    const names = await readUserNames(store.access, people);
    return {
      json: { action, parts: parts ?? null, changes, evidence: evidence ?? null },
      text: actionLines({ action: storedAction, parts, changes, names, evidence, shownMax: runs }),
    };
  },
});

export const actionsCommand = defineGroup({
  name: 'actions',
  summary: 'derive the gap list; list, set and explain its actions',
  description:
    'Actions: what to do next, each with its evidence. They are derived from runs and from requests of AI crawlers, or imported.',
  commands: [deriveCommand, listCommand, setCommand, explainCommand],
});
