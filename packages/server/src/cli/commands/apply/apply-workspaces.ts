import { Readable } from 'node:stream';
import { selectAllowance, setAllowance, sweepsPerDay } from '../../../collect/ledger/budgets.ts';
import { toMicros, toUsd } from '../../../collect/ledger/micros.ts';
import { switchPrompts } from '../../../collect/prompts.ts';
import type { Store } from '../../../storage/store.ts';
import { inOneTransaction, tryOut } from '../../../storage/write.ts';
import { importRows } from '../../../transfer/import-rows.ts';
import { prompts as promptResource } from '../../../transfer/resources/prompts.ts';
import { plural } from '../../../values/plural.ts';
import { dollars } from '../../../values/usd.ts';
import type { WorkspaceFile } from './workspace-file.ts';
import { applyMembers, applyRecipients } from './apply-people.ts';
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

/** Imports new and changed prompts, which is listed and can be reverted as any import. */
async function applyPrompts(place: Place): Promise<void> {
  const { store, workspaceId, described, prunes, clock, file, fileName, path, change } = place;
  const { prompts } = described;
  if (prompts === undefined) return;
  const rows = await store.reader
    .selectFrom('prompts')
    .select(['id', 'text', 'active', 'collect'])
    .where('workspace_id', '=', workspaceId)
    .execute();
  const storedById = new Map(rows.map((row) => [row.id, row]));
  const added = prompts.filter(({ id }) => !storedById.has(id));
  const changed = prompts.filter(({ id, active, collect }) => {
    const stored = storedById.get(id);
    const differs = (wanted: boolean | undefined, is: unknown) =>
      wanted !== undefined && wanted !== Boolean(is);
    return stored && (differs(active, stored.active) || differs(collect, stored.collect));
  });
  const written = [...added, ...changed].map(({ id: _, collect, ...row }) =>
    JSON.stringify({ ...row, ...(collect !== undefined && { collect: collect ? 'on' : 'off' }) }),
  );
  if (written.length > 0) {
    const stream = Readable.from([Buffer.from(written.join('\n'))]);
    await file.at([...path, 'prompts'], () =>
      importRows(store, {
        workspaceId,
        resource: promptResource,
        source: { name: fileName, stream, bytesTotal: undefined },
        format: 'ndjson',
        clock,
      }),
    );
  }
  const textsOf = (list: ReadonlyArray<{ readonly text: string }>) => list.map(({ text }) => text);
  change('prompt', 'added', textsOf(added));
  change('prompt', 'changed', textsOf(changed));
  if (!prunes) return;
  const wanted = new Set(prompts.map(({ id }) => id));
  const left = rows.filter(({ id, active }) => Boolean(active) && !wanted.has(id));
  const ids = left.map(({ id }) => id);
  if (ids.length > 0) await switchPrompts(store, workspaceId, { ids, isOn: false, what: 'active' });
  change('prompt', 'switched off', textsOf(left));
}

/**
 * Sets the operator's budget. While that is what the file says, an admin's lower one stays.
 */
async function applyBudget({ store, workspaceId, described, change, later }: Place): Promise<void> {
  const { budget } = described;
  if (budget === undefined) return;
  const ledger = await store.ledger();
  const stored = ledger && (await selectAllowance(ledger.db, workspaceId));
  const sweeps = budget.sweeps ?? stored?.sweeps ?? sweepsPerDay.initial;
  const keepsCaps =
    stored?.day_cap_micros === toMicros(budget.day) &&
    stored.month_cap_micros === toMicros(budget.month);
  if (keepsCaps && stored.sweeps === sweeps) return;
  const { dayUsd, monthUsd } = keepsCaps
    ? { dayUsd: toUsd(stored.day_micros), monthUsd: toUsd(stored.month_micros) }
    : { dayUsd: budget.day, monthUsd: budget.month };
  change('budget', stored === undefined ? 'added' : 'changed', [
    `${dollars(dayUsd)} a day, ${dollars(monthUsd)} a month, ${plural(sweeps, 'sweep')} a day`,
  ]);
  later(async () => {
    await store.ledger({ mayCreate: true });
    const allowance = { dayUsd, monthUsd, sweeps };
    await setAllowance(store, workspaceId, allowance, { isOperator: true, keepsCaps });
  });
}
