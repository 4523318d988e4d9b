import type { Kysely, Transaction } from 'kysely';
import type { Fault, Faults } from '../../rows/fault.ts';
import { listenAndRefuseIfStopped } from '../../rows/refuse-if-stopped.ts';
import { pad } from '../../storage/chunks.ts';
import { confirmRows } from '../../storage/record-import.ts';
import type { DataTables } from '../../storage/schema.ts';
import type { StagedTable } from '../../storage/staging/staging.ts';
import type { Store } from '../../storage/store.ts';
import { compareCodePoints } from '../../values/code-points.ts';
import { guessLanguage } from '../detection/language/guess-language.ts';
import { batchLimits } from './stage-answers.ts';
import type { FilePrompt, LastAsked } from './answer.ts';

/** The prompts of a file, and the signal that stops the work: there may be millions of prompts. */
interface FilePrompts {
  readonly prompts: StagedTable<FilePrompt>;
  readonly signal?: AbortSignal | undefined;
}

/** A prompt as it is stored. */
interface StoredPrompt {
  readonly id: string;
  readonly text: string;
  readonly language: string;
  readonly locale: string;
  readonly active: boolean;
  readonly created_at: string;
  readonly collect: boolean;
}

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
) {
  const write = writeRows(store, transaction, { workspaceId, importId });
  /** `met` are prompts that were stored before. */
  const count = { new: 0, changed: 0, met: 0 };
  /** New prompts that are marked English and look like another language, by that language. */
  const guessed: Record<string, number> = {};
  for (const batch of prompts.batches(batchLimits)) {
    await listenAndRefuseIfStopped(signal);
    const stored = await readPrompts(
      transaction,
      workspaceId,
      batch.map(({ key }) => key),
    );
    const created = batch.flatMap(
      ({ key: id, line, content: { firstAt, last, collect = false } }) => {
        if (stored.has(id)) return [];
        if (last === undefined) {
          // The prompt was stored when the file was checked, but a revert has removed it since.
          faults.add(unknownPrompt(id, line));
          return [];
        }
        const { text, language, locale } = last;
        return [{ id, text, language, locale, active: true, created_at: firstAt, collect }];
      },
    );
    const changed: StoredPrompt[] = [];
    for (const { key, content: prompt } of batch) {
      const before = stored.get(key);
      const after = before && (await bringUpToDate(transaction, workspaceId, { before, prompt }));
      if (after !== undefined) changed.push(after);
    }
    for (const { text, language } of created) {
      const guess = guessLanguage(language, text) ?? language;
      if (guess !== language) guessed[guess] = (guessed[guess] ?? 0) + 1;
    }
    await write(created);
    await write(changed);
    await confirmRows(transaction, 'prompts', { workspaceId, ids: [...stored.keys()], importId });
    count.met += stored.size;
    count.new += created.length;
    count.changed += changed.length;
  }
  return { ...count, guessed };
}

async function readPrompts(
  transaction: Transaction<DataTables>,
  workspaceId: string,
  ids: readonly string[],
): Promise<Map<string, StoredPrompt>> {
  const prompts = await transaction
    .selectFrom('prompts')
    .select(['id', 'text', 'language', 'locale', 'active', 'created_at', 'collect'])
    .where('workspace_id', '=', workspaceId)
    .where('id', 'in', pad(ids))
    .execute();
  return new Map(
    prompts.map((row) => [
      row.id,
      { ...row, active: Boolean(row.active), collect: Boolean(row.collect) },
    ]),
  );
}

/** Makes a function that writes new prompts, and replaces stored ones. Marks them with the import. */
function writeRows(
  { rowStatement }: Pick<Store, 'rowStatement'>,
  transaction: Transaction<DataTables>,
  { workspaceId, importId }: { workspaceId: string; importId: number },
): (prompts: readonly StoredPrompt[]) => Promise<unknown> {
  // Every row has its columns in this order, because the statement is compiled only once.
  const toRow = ({ id, text, language, locale, active, created_at, collect }: StoredPrompt) => ({
    workspace_id: workspaceId,
    id,
    text,
    language,
    locale,
    active,
    created_at,
    collect,
    import_id: importId,
  });
  const write = rowStatement(transaction, (rows: ReadonlyArray<ReturnType<typeof toRow>>) =>
    transaction
      .insertInto('prompts')
      .values(rows)
      .onConflict((conflict) =>
        conflict.columns(['workspace_id', 'id']).doUpdateSet(({ ref, fn }) => ({
          text: ref('excluded.text'),
          created_at: ref('excluded.created_at'),
          collect: ref('excluded.collect'),
          later_import_id: fn.coalesce('prompts.later_import_id', 'excluded.import_id'),
        })),
      )
      .compile(),
  );
  return (prompts) => write(prompts.map(toRow));
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
    const rows = await db
      .selectFrom('prompts')
      .select('id')
      .where('workspace_id', '=', workspaceId)
      .where('id', 'in', pad(batch.map(({ key }) => key)))
      .execute();
    const stored = new Set(rows.map(({ id }) => id));
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
  { before, prompt: { firstAt, last, collect } }: { before: StoredPrompt; prompt: FilePrompt },
): Promise<StoredPrompt | undefined> {
  const isReworded =
    last !== undefined &&
    last.text !== before.text &&
    (await isNewWording(transaction, workspaceId, { before, last }));
  const isEarlier = firstAt < before.created_at;
  const isSwitched = collect !== undefined && collect !== before.collect;
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
  { before, last }: { before: StoredPrompt; last: LastAsked },
): Promise<boolean> {
  const latest = await transaction
    .selectFrom('runs')
    .innerJoin('answers', (join) =>
      join.on('answers.workspace_id', '=', workspaceId).onRef('answers.run_id', '=', 'runs.id'),
    )
    .where('runs.workspace_id', '=', workspaceId)
    .where('prompt_id', '=', before.id)
    .select(['run_at', 'asked'])
    .orderBy('run_at', 'desc')
    .orderBy('asked')
    .limit(1)
    .executeTakeFirst();
  if (latest === undefined || latest.asked !== before.text) return false;
  if (last.runAt !== latest.run_at) return last.runAt > latest.run_at;
  return compareCodePoints(last.text, latest.asked) <= 0;
}
