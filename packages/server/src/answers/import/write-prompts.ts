import type { Kysely, Transaction } from 'kysely';
import type { Fault, Faults } from '../../rows/fault.ts';
import { listenAndRefuseIfStopped } from '../../rows/refuse-if-stopped.ts';
import { textCell } from '../../storage/cells.ts';
import type { Cells } from '../../storage/cells.ts';
import { pad } from '../../storage/chunks.ts';
import type { DataTables } from '../../storage/schema.ts';
import type { StagedTable } from '../../storage/staging/staging.ts';
import type { Store } from '../../storage/store.ts';
import { storedRows } from '../../storage/stored-rows.ts';
import { batchLimits, compareCodePoints } from './stage-answers.ts';
import type { FilePrompt, LastAsked } from './stage-answers.ts';

/** The prompts of a file, and the signal that stops the work: there may be millions of prompts. */
interface FilePrompts {
  readonly prompts: StagedTable<FilePrompt>;
  readonly signal?: AbortSignal | undefined;
}

const table = {
  name: 'prompts',
  columns: ['id', 'text', 'language', 'locale', 'active', 'created_at', 'collect'],
  key: { columns: ['id'] },
} as const;

/**
 * Writes the prompts of a file before its runs. Creates new prompts. Moves the creation time of
 * stored ones back to their earliest run, and sets their text to the one last asked. So the order
 * and the split of files make no difference.
 */
export async function writePrompts(
  store: Pick<Store, 'rowStatement'>,
  transaction: Transaction<DataTables>,
  workspaceId: string,
  {
    prompts,
    importId,
    faults,
    signal,
  }: FilePrompts & { readonly importId: number; readonly faults: Faults },
): Promise<{ new: number; changed: number; met: number }> {
  const booleans = new Set(['active', 'collect']);
  const stored = storedRows(store, transaction, table, { workspaceId, booleans, importId });
  const count = { new: 0, changed: 0, met: 0 };
  for (const batch of prompts.batches(batchLimits)) {
    await listenAndRefuseIfStopped(signal);
    const found = await stored.select(
      'id',
      batch.map(({ key }) => key),
    );
    const known = new Map(found.map((row) => [textCell(row, 'id'), row]));
    const created = batch.flatMap(
      ({ key: id, line, content: { firstAt, last, collect = false } }) => {
        if (known.has(id)) return [];
        if (last === undefined) {
          // The prompt was stored when the file was checked, but a revert has removed it since.
          faults.add(unknownPrompt(id, line));
          return [];
        }
        const { text, language, locale } = last;
        return [{ id, text, language, locale, active: true, created_at: firstAt, collect }];
      },
    );
    const changed: Cells[] = [];
    for (const { key, content: prompt } of batch) {
      const before = known.get(key);
      const after = before && (await bringUpToDate(transaction, workspaceId, { before, prompt }));
      if (after !== undefined) changed.push(after);
    }
    await stored.insert(created);
    await stored.upsert(changed);
    await stored.confirm([...known.keys()]);
    count.met += known.size;
    count.new += created.length;
    count.changed += changed.length;
  }
  return count;
}

/**
 * Adds a fault for each prompt that the file gives only by its id and that the workspace does not
 * have.
 */
export async function refuseUnknownPrompts(
  db: Kysely<DataTables>,
  workspaceId: string,
  { prompts, signal, faults }: FilePrompts & { readonly faults: Faults },
): Promise<void> {
  for (const all of prompts.batches(batchLimits)) {
    await listenAndRefuseIfStopped(signal);
    const batch = all.filter(({ content }) => content.last === undefined);
    if (batch.length === 0) continue;
    const found = await db
      .selectFrom('prompts')
      .select('id')
      .where('workspace_id', '=', workspaceId)
      .where('id', 'in', pad(batch.map(({ key }) => key)))
      .execute();
    const stored = new Set(found.map(({ id }) => id));
    for (const { key: id, line } of batch) {
      if (!stored.has(id)) faults.add(unknownPrompt(id, line));
    }
  }
}

function unknownPrompt(id: string, line: number): Fault {
  const expected =
    "the id of a prompt of this workspace, or the prompt's text beside it or in another row";
  return { line, field: 'prompt_id', expected, found: id };
}

/** The new state of a stored prompt; undefined if nothing changes. */
async function bringUpToDate(
  transaction: Transaction<DataTables>,
  workspaceId: string,
  { before, prompt: { firstAt, last, collect } }: { before: Cells; prompt: FilePrompt },
): Promise<Cells | undefined> {
  const isReworded =
    last !== undefined &&
    last.text !== before['text'] &&
    (await isNewWording(transaction, workspaceId, { before, last }));
  const isEarlier = firstAt < textCell(before, 'created_at');
  const isSwitched = collect !== undefined && collect !== before['collect'];
  if (!isReworded && !isEarlier && !isSwitched) return undefined;
  return {
    ...before,
    ...(isEarlier && { created_at: firstAt }),
    ...(isReworded && { text: last.text }),
    ...(isSwitched && { collect }),
  };
}

/**
 * Whether a new text replaces the stored one. It does if the stored text is that of the latest
 * stored run and the new text was asked later. Any other stored text was set by a person, and
 * stays.
 */
async function isNewWording(
  transaction: Transaction<DataTables>,
  workspaceId: string,
  { before, last }: { before: Cells; last: LastAsked },
): Promise<boolean> {
  const latest = await transaction
    .selectFrom('runs')
    .innerJoin('answers', (join) =>
      join.on('answers.workspace_id', '=', workspaceId).onRef('answers.run_id', '=', 'runs.id'),
    )
    .where('runs.workspace_id', '=', workspaceId)
    .where('prompt_id', '=', textCell(before, 'id'))
    .select(['run_at', 'asked'])
    .orderBy('run_at', 'desc')
    .orderBy('asked')
    .limit(1)
    .executeTakeFirst();
  if (latest === undefined || latest.asked !== before['text']) return false;
  if (last.runAt !== latest.run_at) return last.runAt > latest.run_at;
  return compareCodePoints(last.text, latest.asked) <= 0;
}
