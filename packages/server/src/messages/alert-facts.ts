import { listKeys } from '../access/keys.ts';
import type { ListedKey } from '../access/keys.ts';
import { isAsked, readAskingSwitch, readSilence } from '../collect/ledger/asking-switch.ts';
import { readEngines } from '../collect/ledger/paced-engines.ts';
import type { PacedEngine } from '../collect/ledger/paced-engines.ts';
import { everything, readOperatorBudget } from '../collect/ledger/operator-budgets.ts';
import type { OperatorPeriod } from '../collect/ledger/operator-budgets.ts';
import { readMoneyOf } from '../collect/ledger/workspace-money.ts';
import type { WorkspaceMoney } from '../collect/ledger/workspace-money.ts';
import { readEngineAccess } from '../reports/engine-access/engine-access.ts';
import type { EngineAccess } from '../reports/engine-access/engine-access.ts';
import { hasOperatorLists, lastCheckMs } from '../reports/operator-lists.ts';
import { readPeriodFigures } from '../reports/period-report.ts';
import type { PeriodFigures } from '../reports/period-report.ts';
import { countPromptsOn, readLastAnswerAt } from '../reports/portfolio-row.ts';
import type { ReportSource } from '../reports/report-source.ts';
import { readTagsByPrompt, spellingOf } from '../storage/prompt-tags.ts';
import type { Store } from '../storage/store.ts';
import { addDays, dayMs, utcDay } from '../values/time/utc-day.ts';

/** What messages say of weeks is about this many days, against as many before. */
export const periodDays = 28;

/** What the rules of alerts look at. */
export interface AlertFacts extends Pick<PeriodFigures, 'story' | 'lost'> {
  readonly nowMs: number;
  /** The tag of the prompts that `story` and `lost` are of; undefined for all prompts. */
  readonly tag: string | undefined;
  readonly access: Pick<EngineAccess, 'until' | 'days' | 'stories'>;
  readonly isAsked: boolean;
  /** Since when there is no answer, if that is long. */
  readonly silence: string | undefined;
  /** When operators' lists were last fetched; undefined if they are imported by hand. */
  readonly listsMs: number | undefined;
  readonly keys: readonly ListedKey[];
  /** Undefined without a budget. */
  readonly money: WorkspaceMoney | undefined;
  readonly engines: ReadonlyArray<Pick<PacedEngine, 'name' | 'offReason'>>;
  /** The operator's budgets of the month: of everything, and of each engine. */
  readonly caps: ReadonlyArray<OperatorPeriod & { readonly scope: string }>;
  /** What is wrong with the backups, in a sentence; undefined if nothing is, or none are kept. */
  readonly backupFault: string | undefined;
}

/** Reads whether a workspace is asked, and since when it gets no answers if that is long. */
export async function readAsking(
  store: Store,
  source: ReportSource,
  { money, nowMs }: { money: WorkspaceMoney | undefined; nowMs: number },
): Promise<Pick<AlertFacts, 'isAsked' | 'silence'>> {
  const facts = {
    since: await readAskingSwitch(store),
    sweeps: money?.sweeps ?? 0,
    promptsOn: await countPromptsOn(source),
    lastAnswerAt: (await readLastAnswerAt(source)) ?? null,
  };
  const silence = await readSilence(store, source.workspaceId, { facts, nowMs });
  return { isAsked: isAsked(facts), silence };
}

/** The last whole weeks before a moment. */
export function weeksBefore(atMs: number): { readonly from: string; readonly to: string } {
  const to = utcDay(atMs - dayMs);
  return { from: addDays(to, 1 - periodDays), to };
}

/**
 * The tag of messages as prompts have it. Undefined if none is set, and if no prompt has it any more,
 * because then messages would never tell a change.
 */
export async function readMessageTag(
  { db, workspaceId }: ReportSource,
  tag: string | null,
): Promise<string | undefined> {
  return tag === null ? undefined : spellingOf(await readTagsByPrompt(db, workspaceId), tag);
}

/** Reads what the rules of alerts look at. */
export async function readAlertFacts(
  store: Store,
  source: ReportSource,
  {
    nowMs,
    backupFault,
    tag: setTag,
  }: Pick<AlertFacts, 'nowMs' | 'backupFault'> & { readonly tag: string | null },
): Promise<AlertFacts> {
  const { workspaceId, db } = source;
  const ledger = await store.ledger();
  const money = await readMoneyOf(store, [workspaceId], { clock: () => nowMs });
  const own = money.get(workspaceId);
  const engines =
    ledger === undefined ? [] : await readEngines(store, ledger, { workspaceId, rows: [], nowMs });
  const caps = [];
  for (const scope of [everything, ...engines.map(({ name }) => name)]) {
    const budget = ledger && (await readOperatorBudget(ledger, () => nowMs, scope));
    // The day, then the month.
    for (const month of budget?.periods.slice(1) ?? []) caps.push({ ...month, scope });
  }
  const tag = await readMessageTag(source, setTag);
  const { story, lost } = await readPeriodFigures(source, { ...weeksBefore(nowMs), tag });
  return {
    nowMs,
    tag,
    story,
    lost,
    access: await readEngineAccess(source, { to: utcDay(nowMs) }),
    ...(await readAsking(store, source, { money: own, nowMs })),
    listsMs: (await hasOperatorLists(db)) ? await lastCheckMs(db) : undefined,
    keys: await listKeys(store, { workspaceId }),
    money: own,
    engines,
    caps,
    backupFault,
  };
}
