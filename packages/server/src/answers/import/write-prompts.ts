import type { Kysely, Transaction } from 'kysely';
import { listenAndRefuseIfStopped } from '../../rows/stop.ts';
import { padded, inChunks } from '../../storage/chunks.ts';
import type { DataTables } from '../../storage/schema.ts';
import type { AnswerSpool } from './spool.ts';
import type { LastAsked, SpooledPrompt } from './spooled-prompts.ts';

const batchRows = 200;

/** A spooled file, and who may stop what is done with its prompts: it may have millions. */
interface FilePrompts {
  readonly spool: Pick<AnswerSpool, 'prompts'>;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Writes what a file says about prompts, before its runs are written: creates new ones, moves the
 * beginning of stored ones to their earliest run, and their text to what was last asked. So neither
 * the order of files nor their split changes anything.
 */
export async function writePrompts(
  transaction: Transaction<DataTables>,
  workspaceId: string,
  { spool, signal }: FilePrompts,
): Promise<{ new: number; changed: number }> {
  const count = { new: 0, changed: 0 };
  for (const batch of spool.prompts.batches(batchRows)) {
    await listenAndRefuseIfStopped(signal);
    const stored = new Map(
      (await readPrompts(transaction, workspaceId, batch)).map((row) => [row.id, row]),
    );
    for (const prompt of batch) {
      const before = stored.get(prompt.id);
      if (before === undefined) continue;
      if (await updatePrompt(transaction, workspaceId, { prompt, before })) count.changed += 1;
    }
    const created = batch.flatMap(({ id, firstAt, last }) => {
      if (stored.has(id) || last === undefined) return [];
      const { text, language, locale } = last;
      const row = { workspace_id: workspaceId, id, text, language, locale };
      return [{ ...row, active: true, created_at: firstAt }];
    });
    for (const piece of inChunks(created, batchRows)) {
      await transaction.insertInto('prompts').values(piece).execute();
    }
    count.new += created.length;
  }
  return count;
}

/** The prompts that a file only names and that the workspace does not have. */
export async function* findUnknownPrompts(
  db: Kysely<DataTables>,
  workspaceId: string,
  { spool, signal }: FilePrompts,
): AsyncGenerator<{ readonly id: string; readonly line: number }> {
  for (const all of spool.prompts.batches(batchRows)) {
    await listenAndRefuseIfStopped(signal);
    const batch = all.filter(({ last }) => last === undefined);
    const stored = new Set((await readPrompts(db, workspaceId, batch)).map(({ id }) => id));
    for (const { id, line = 0 } of batch) if (!stored.has(id)) yield { id, line };
  }
}

interface PromptRecord {
  readonly id: string;
  readonly text: string;
  readonly created_at: string;
}

async function readPrompts(
  db: Kysely<DataTables>,
  workspaceId: string,
  batch: readonly SpooledPrompt[],
): Promise<PromptRecord[]> {
  if (batch.length === 0) return [];
  return db
    .selectFrom('prompts')
    .select(['id', 'text', 'created_at'])
    .where('workspace_id', '=', workspaceId)
    .where('id', 'in', padded(batch.map(({ id }) => id)))
    .execute();
}

async function updatePrompt(
  transaction: Transaction<DataTables>,
  workspaceId: string,
  { prompt, before }: { prompt: SpooledPrompt; before: PromptRecord },
): Promise<boolean> {
  const { id, firstAt, last } = prompt;
  const isReworded =
    last !== undefined &&
    last.text !== before.text &&
    (await isNewWording(transaction, workspaceId, { before, last }));
  const isEarlier = firstAt < before.created_at;
  if (!isReworded && !isEarlier) return false;
  await transaction
    .updateTable('prompts')
    .set({ ...(isEarlier && { created_at: firstAt }), ...(isReworded && { text: last.text }) })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .execute();
  return true;
}

/**
 * Whether a text takes the place of the stored one: where that is what the latest stored run was
 * asked, and the new one was asked later. Another was set by a person, and stays.
 */
async function isNewWording(
  transaction: Transaction<DataTables>,
  workspaceId: string,
  { before, last }: { before: PromptRecord; last: LastAsked },
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
  return !isBehind(last.text, before.text);
}

/** By code points, as both databases and the spool compare. */
function isBehind(left: string, right: string): boolean {
  return Buffer.compare(Buffer.from(left), Buffer.from(right)) > 0;
}
