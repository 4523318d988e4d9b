import {
  engineList,
  selectAllowance,
  setAllowance,
  sweepsPerDay,
} from '../../../collect/ledger/budgets.ts';
import { listEngines } from '../../../collect/engine-settings.ts';
import { Refusal, refusalWords } from '../../../refusals.ts';
import { toMicros, toUsd } from '../../../collect/ledger/micros.ts';
import type { Store } from '../../../storage/store.ts';
import { inOneTransaction, tryOut } from '../../../storage/write.ts';
import { plural } from '../../../values/plural.ts';
import { dollars } from '../../../values/usd.ts';
import type { WorkspaceFile } from './workspace-file.ts';
import { applyMembers, applyRecipients } from './apply-people.ts';
import { applyPrompts } from './apply-prompts.ts';
import { applyCompetitors, applyWorkspace } from './apply-subjects.ts';
import type { AppliedChange, ApplyOptions, Place } from './place.ts';

/**
 * Makes workspaces as a file describes them, and changes nothing else. Data is written in one
 * transaction, which ends only after everything in the file has been checked. People, recipients and
 * budgets are written after it: if the process dies between them, applying again does the rest. Throws
 * a `Refusal` that names the file, the line and the field.
 */
export async function applyWorkspaces(
  store: Store,
  file: WorkspaceFile,
  options: ApplyOptions,
): Promise<{ changes: readonly AppliedChange[]; newUsers: readonly string[] }> {
  const changes: AppliedChange[] = [];
  const writes: Array<() => Promise<unknown>> = [];
  const newUsers = new Set<string>();
  const { isDryRun } = options;
  await (isDryRun ? tryOut : inOneTransaction)(store, async (data) => {
    for (const [index, described] of file.workspaces.entries()) {
      const path = ['workspaces', index];
      const start = {
        ...options,
        file,
        described,
        path,
        change: (kind, action, names) =>
          names.length > 0 && changes.push({ workspace: described.slug, kind, action, names }),
        later: (work) => writes.push(work),
      } satisfies Partial<Place>;
      const workspaceId = await file.at(path, () => applyWorkspace(data, start));
      await applyCompetitors({ ...start, workspaceId, store: data });
      await applyPrompts({ ...start, workspaceId, store: data });
      const place = { ...start, workspaceId, store };
      await applyBudget(place);
      const removed = await applyMembers(place, newUsers);
      await applyRecipients(place, removed);
    }
  });
  if (!isDryRun) for (const write of writes) await write();
  return { changes, newUsers: [...newUsers] };
}

/**
 * Sets the operator's budget, and which engines are asked. While the budget is what the file says, an
 * admin's lower one stays.
 */
async function applyBudget(place: Place): Promise<void> {
  const { store, workspaceId, described, file, path, change, later } = place;
  const { budget, engines } = described;
  if (engines !== undefined) await checkEngines(place, engines);
  if (budget === undefined) {
    if (engines === undefined) return;
    throw file.refusal([...path, 'engines'], 'Engines are asked within a budget: give one, too.');
  }
  const ledger = await store.ledger();
  const stored = ledger && (await selectAllowance(ledger.db, workspaceId));
  const sweeps = budget.sweeps ?? stored?.sweeps ?? sweepsPerDay.initial;
  const keepsCaps =
    stored?.day_cap_micros === toMicros(budget.day) &&
    stored.month_cap_micros === toMicros(budget.month);
  const keepsEngines = engines === undefined || engineList(engines) === stored?.engines;
  if (keepsCaps && stored.sweeps === sweeps && keepsEngines) return;
  const { dayUsd, monthUsd } = keepsCaps
    ? { dayUsd: toUsd(stored.day_micros), monthUsd: toUsd(stored.month_micros) }
    : { dayUsd: budget.day, monthUsd: budget.month };
  change('budget', stored === undefined ? 'added' : 'changed', [
    `${dollars(dayUsd)} a day, ${dollars(monthUsd)} a month, ${plural(sweeps, 'sweep')} a day`,
    ...(engines === undefined ? [] : [`on ${engines.join(', ')}`]),
  ]);
  later(async () => {
    await store.ledger({ mayCreate: true });
    const allowance = { dayUsd, monthUsd, sweeps, engines };
    await setAllowance(store, workspaceId, allowance, { isOperator: true, keepsCaps });
  });
}

/** Refuses engines that the operator has not set up. */
async function checkEngines(place: Place, names: readonly string[]): Promise<void> {
  const { store, file, path } = place;
  const known = (await listEngines(store.access)).map(({ name }) => name);
  for (const [index, engine] of names.entries()) {
    if (known.includes(engine)) continue;
    const refusal = new Refusal('engine_not_found', { engine, known });
    throw file.refusal([...path, 'engines', index], refusalWords(refusal));
  }
}
