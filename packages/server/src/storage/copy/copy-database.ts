import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { QueryExecutorProvider, RawBuilder } from 'kysely';
import { Refusal } from '../../refusals.ts';
import type { Store } from '../store.ts';
import { copiedTables } from './copied-tables.ts';
import type { CopiedTable } from './copied-tables.ts';

/** The parts of a database. One without paid questions has no ledger. */
export interface CopySide {
  readonly data: QueryExecutorProvider;
  readonly access: QueryExecutorProvider;
  readonly ledger?: QueryExecutorProvider | undefined;
}

/** The rows of a table, and the SHA-256 of their values in the order of the key. */
export interface TableDigest {
  readonly table: string;
  readonly rows: number;
  readonly digest: string;
}

interface CopyOptions {
  readonly signal?: AbortSignal | undefined;
  /** Called with the copied table and its number of rows so far. */
  readonly onRows?: (table: string, rows: number) => void;
  /** Most rows of one statement, which is stored whole or not at all. */
  readonly rowsMax?: number;
}

/** Parameters of one statement: SQLite takes 32,766. */
const parametersMax = 30_000;

/**
 * Copies every table from a snapshot into an empty database, in the order of its key, so that a copy
 * that was cut off goes on behind its last row if the rows before are still those of the source.
 * A copy that is under way has a table `unfinished_copy`, with which no store opens it. At the end
 * the rows of both sides are compared. Throws a `Refusal` if the target has other rows, if a table
 * differs, or if the signal aborts.
 */
export async function copyDatabase(
  source: CopySide,
  target: CopySide & Pick<Store, 'dialect'>,
  { signal, onRows = () => {}, rowsMax = 500 }: CopyOptions = {},
): Promise<readonly TableDigest[]> {
  if (!(await isUnfinished(target))) await refuseRows(target);
  await sql`create table if not exists unfinished_copy (started integer)`.execute(target.data);
  const options = { rowsMax, signal, onRows };
  const copied: TableDigest[] = [];
  for (const table of copiedTables) {
    const [from, to] = [source[table.part], target[table.part]];
    // Neither side has a ledger.
    if (to === undefined) continue;
    if (from === undefined) {
      // Left by another source, whose copy was cut off.
      await sql`delete from ${sql.table(table.name)}`.execute(to);
      continue;
    }
    await copyTable(table, from, to, options);
    const [expected, found] = [
      await digestOf(table, from, options),
      await digestOf(table, to, options),
    ];
    if (expected.digest !== found.digest) throw new Refusal('copy_differs', { table: table.name });
    copied.push({ table: table.name, rows: found.rows, digest: found.digest });
  }
  if (target.ledger) {
    // The source may have asked since its snapshot, or may go on asking: see `noteRestore`.
    await sql`update ledger_home set home = '[]'`.execute(target.ledger);
    await sql`update paces set off_reason = 'restored' where off_reason is null`.execute(
      target.ledger,
    );
  }
  if (target.dialect === 'postgres') await sql`analyze`.execute(target.data);
  await sql`drop table unfinished_copy`.execute(target.data);
  return copied;
}

/** Whether a database is a copy that was cut off. */
export async function isUnfinished({
  data,
  dialect,
}: Pick<CopySide, 'data'> & Pick<Store, 'dialect'>): Promise<boolean> {
  const found =
    dialect === 'postgres'
      ? sql`select 1 where to_regclass('unfinished_copy') is not null`
      : sql`select 1 from sqlite_schema where name = 'unfinished_copy'`;
  return (await found.execute(data)).rows.length > 0;
}

async function refuseRows(target: CopySide): Promise<void> {
  for (const { part, name } of copiedTables) {
    const to = target[part];
    // Opening a ledger notes its place.
    if (to === undefined || name === 'ledger_home') continue;
    const { rows } = await sql`select 1 from ${sql.table(name)} limit 1`.execute(to);
    if (rows.length > 0) throw new Refusal('copy_target_not_empty', { table: name });
  }
}

async function copyTable(
  table: CopiedTable,
  from: QueryExecutorProvider,
  to: QueryExecutorProvider,
  options: Required<Pick<CopyOptions, 'rowsMax' | 'onRows'>> & Pick<CopyOptions, 'signal'>,
): Promise<void> {
  const columns = Object.keys(table.columns);
  const rowsMax = Math.min(options.rowsMax, Math.floor(parametersMax / columns.length));
  const has = await digestOf(table, to, options);
  const { last } = has;
  const isStart =
    last === undefined || has.digest === (await digestOf(table, from, options, last)).digest;
  if (!isStart) await sql`delete from ${sql.table(table.name)}`.execute(to);
  let done = isStart ? has.rows : 0;
  const after = isStart ? last : undefined;
  for await (const rows of readRows(table, from, { ...options, rowsMax, after })) {
    const lines = rows.map((values) => sql`(${sql.join([...values])})`);
    const names = sql.join(columns.map((name) => sql.ref(name)));
    await sql`insert into ${sql.table(table.name)} (${names}) values ${sql.join(lines)}`.execute(
      to,
    );
    done += rows.length;
    options.onRows(table.name, done);
  }
}

/** Of the rows up to a key, or of all: their digest, and the key of the last one. */
async function digestOf(
  table: CopiedTable,
  db: QueryExecutorProvider,
  options: { rowsMax: number; signal?: AbortSignal | undefined },
  upTo?: readonly unknown[],
): Promise<TableDigest & { readonly last: readonly unknown[] | undefined }> {
  const hash = createHash('sha256');
  let [count, last]: [number, readonly unknown[] | undefined] = [0, undefined];
  for await (const rows of readRows(table, db, { ...options, upTo })) {
    for (const values of rows) hash.update(`${JSON.stringify(values.map(comparable))}\n`);
    count += rows.length;
    last = keyOf(table, rows.at(-1)) ?? last;
  }
  return { table: table.name, rows: count, digest: hash.digest('hex'), last };
}

/** Reads rows in the order of the key, each as its values in the order of the columns. */
async function* readRows(
  table: CopiedTable,
  db: QueryExecutorProvider,
  {
    rowsMax,
    signal,
    after,
    upTo,
  }: {
    rowsMax: number;
    signal?: AbortSignal | undefined;
    after?: readonly unknown[] | undefined;
    upTo?: readonly unknown[] | undefined;
  },
): AsyncGenerator<ReadonlyArray<readonly unknown[]>> {
  const key = sql.join(table.key.map((name) => sql.ref(name)));
  const names = sql.join(Object.keys(table.columns).map((name) => sql.ref(name)));
  let last = after;
  for (;;) {
    if (signal?.aborted === true) throw new Refusal('copy_stopped', {});
    const bounds: Array<RawBuilder<unknown>> = [sql`1 = 1`];
    if (last) bounds.push(sql`(${key}) > (${sql.join([...last])})`);
    if (upTo) bounds.push(sql`(${key}) <= (${sql.join([...upTo])})`);
    const { rows } = await sql<Record<string, unknown>>`
      select ${names} from ${sql.table(table.name)} where ${sql.join(bounds, sql` and `)}
      order by ${key} limit ${rowsMax}
    `.execute(db);
    if (rows.length === 0) return;
    const values = rows.map((row) =>
      Object.entries(table.columns).map(([name, { type }]) =>
        type === 'boolean' && row[name] !== null ? Boolean(row[name]) : row[name],
      ),
    );
    yield values;
    last = keyOf(table, values.at(-1));
  }
}

function keyOf(
  { key, columns }: CopiedTable,
  values: readonly unknown[] | undefined,
): readonly unknown[] | undefined {
  const names = Object.keys(columns);
  return values && key.map((name) => values[names.indexOf(name)]);
}

/** The databases return bytes as different objects. */
function comparable(value: unknown): unknown {
  return value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value;
}
