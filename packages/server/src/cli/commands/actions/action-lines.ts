import type { ActionEvidence, ExplainedRequest } from '../../../answers/actions/explain-action.ts';
import { measureOf } from '../../../answers/actions/gap-kinds.ts';
import type { Parts } from '../../../storage/queries/action-parts.ts';
import { impactScore } from '../../../answers/actions/impact.ts';
import type { StatusChange } from '../../../answers/actions/stored-actions.ts';
import type { StoredAction } from '../../../storage/queries/list-actions.ts';
import type { ExplainedRun } from '../../../answers/scores/explained-runs.ts';
import { plural, twoDecimals } from '../../../values/plural.ts';
import { explainedRunLines } from '../../words/explanation-words.ts';

/** An action for a person to read: its recommendation, evidence, impact, and the runs behind it. */
export function actionLines({
  action,
  parts,
  changes,
  names,
  evidence,
  shownMax,
}: {
  action: StoredAction;
  parts: Parts | undefined;
  changes: readonly StatusChange[];
  /** Names of users, by id. */
  names: ReadonlyMap<string, string>;
  evidence: ActionEvidence | undefined;
  shownMax: number;
}): string[] {
  const { kind, priority, status, impact_score: impact } = action;
  return [
    action.recommendation,
    '',
    `  ${action.id}, ${kind ?? 'imported'}, ${status}, priority ${priority}, found ${action.created_at}`,
    ...stepLines(parts?.steps ?? []),
    ...(parts === undefined ? [unknownLine(kind)] : impactLines(parts, { kind, impact })),
    ...sovLines(action),
    ...workLines(action, names),
    ...changes.map((change) => changeLine(change, names)),
    ...(evidence === undefined ? [] : evidenceLines(evidence, shownMax)),
  ];
}

/** Who is to fix it, and the note. */
function workLines(
  { assigned_to: userId, note }: StoredAction,
  names: ReadonlyMap<string, string>,
): string[] {
  return [
    ...(userId === null ? [] : [`  Assigned to ${names.get(userId) ?? 'a removed user'}`]),
    ...(note === null ? [] : ['  Note:', ...note.split('\n').map((line) => `    ${line}`)]),
  ];
}

function changeLine(
  { status, before, changed_at: at, changed_by: userId }: StatusChange,
  names: ReadonlyMap<string, string>,
): string {
  const from = before === null ? 'set' : `from ${before}`;
  const author = userId === null ? 'the command line' : (names.get(userId) ?? 'a removed user');
  return `  ${at}  ${from} to ${status}, by ${author}`;
}

function stepLines(steps: readonly string[]): string[] {
  if (steps.length === 0) return [];
  return ['  How to fix it:', ...steps.map((step, index) => `    ${index + 1}. ${step}`)];
}

function unknownLine(kind: string | null): string {
  return kind === null
    ? '  It was imported, so the inputs of its impact are unknown.'
    : '  It was derived by older rules. `overheard actions derive` computes its inputs again if the gap still exists.';
}

function impactLines(
  { from, band, atStake, half, days, stake, filter }: Parts,
  { kind, impact }: { kind: string | null; impact: number | null },
): string[] {
  const score = impactScore({ from, band, atStake, half });
  const { share, low, worth } = stake;
  const isOfRuns = filter.request === undefined && kind !== 'not cited';
  const [least, usual] = isOfRuns
    ? ['runs', 'half of the runs of a typical prompt']
    : ['requests', 'this many give an impact in the middle of the range'];
  const start = from === 0 ? '' : `${from} + `;
  return [
    `  impact = ${start}${band} x stake / (stake + half) = ${start}${band} x ${atStake} / (${atStake} + ${twoDecimals(half)}) = ${score.toFixed(2)}`,
    ...(impact === score
      ? []
      : [
          `  an import has set the impact to ${impact ?? 'null'}; deriving again, while it is open, undoes that`,
        ]),
    `    stake  ${atStake}: at least ${twoDecimals(low)} ${least} (the lower bound of ${share.part} of ${share.whole})${worth === 1 ? '' : `, each worth ${twoDecimals(worth)}`}`,
    `           ${share.part} of ${share.whole}: ${measureOf(kind)}`,
    `    half   ${twoDecimals(half)}: ${usual}`,
    `  counted from ${days.from} to ${days.to} (UTC); priority is high from 60, medium from 30`,
  ];
}

function sovLines({ sov_baseline: baseline, sov_result: result }: StoredAction): string[] {
  if (baseline === null) return [];
  const after = result === null ? 'not measured yet' : result.toFixed(4);
  return [`  share of voice of the prompt: ${baseline.toFixed(4)} when found, afterwards ${after}`];
}

function evidenceLines(
  { runs, runs_before: before, requests }: ActionEvidence,
  shownMax: number,
): string[] {
  return [
    ...listLines('counted run', runs, shownMax, engineRunLines),
    ...listLines('counted run of the window before', before, shownMax, engineRunLines),
    ...listLines('request', requests, shownMax, requestLines),
  ];
}

function engineRunLines(run: ExplainedRun): string[] {
  return explainedRunLines(run).map((line, index) =>
    index === 1 ? `${line}  ${run.engine}` : line,
  );
}

function listLines<Item>(
  noun: string,
  items: readonly Item[],
  shownMax: number,
  linesOf: (item: Item) => readonly string[],
): string[] {
  if (items.length === 0) return [];
  const [first = '', ...rest] = noun.split(' of ');
  const nouns = [`${first}s`, ...rest].join(' of ');
  const cut = items.length > shownMax ? `, ${shownMax} shown; --runs shows more` : '';
  return [
    '',
    `Behind it: ${plural(items.length, noun, nouns)}${cut}`,
    ...items.slice(0, shownMax).flatMap(linesOf),
  ];
}

function requestLines({ hit_at: at, status, user_agent: agent }: ExplainedRequest): string[] {
  return [`  ${at}  ${status ?? '-'}  ${agent ?? ''}`];
}
