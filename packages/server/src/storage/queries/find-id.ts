import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import { Refusal } from '../../refusals.ts';
import type { DataTables } from '../schema.ts';

/** The tables whose rows a person names by id, and the column that describes a row in messages. */
const labels = {
  actions: 'recommendation',
  hits: 'path',
  prompts: 'text',
  published_reports: 'published_at',
  runs: 'engine',
} as const;

const shownMax = 5;

/**
 * Finds a row's id in a workspace by the whole id or at least its first four characters. Undefined
 * if the workspace has no such row, even if another workspace does. Throws a `Refusal` that lists
 * the candidates if there are several.
 */
export async function findId(
  db: Kysely<DataTables>,
  { table, workspaceId, word }: { table: keyof typeof labels; workspaceId: string; word: string },
): Promise<string | undefined> {
  const prefix = word.toLowerCase();
  if (!isIdPrefix(prefix)) return undefined;
  // Select a range of the key's index. 'g' sorts right after the characters of an id.
  const { rows } = await sql<IdCandidate>`
    select id, ${sql.ref(labels[table])} as label from ${sql.table(table)}
    where workspace_id = ${workspaceId} and id >= ${prefix} and id < ${`${prefix}g`}
    order by id limit ${shownMax + 1}`.execute(db);
  return chooseId(rows, word);
}

/** A row that a person may mean. */
export interface IdCandidate {
  readonly id: string;
  readonly label: string;
}

/**
 * Whether a text may be the beginning of an id. Less than four characters are probably a mistake.
 */
export function isIdPrefix(text: string): boolean {
  return /^[0-9a-f][0-9a-f-]{3,35}$/i.test(text);
}

/**
 * The id of the only candidate; undefined if there is none. Throws a `Refusal` that lists the
 * candidates if there are several.
 */
export function chooseId(candidates: readonly IdCandidate[], word: string): string | undefined {
  const [only, ...others] = candidates;
  if (others.length === 0) return only?.id;
  throw new Refusal('id_ambiguous', {
    word,
    candidates: candidates.slice(0, shownMax).map(({ id, label }) => ({ id, label })),
    hasMore: candidates.length > shownMax,
  });
}
