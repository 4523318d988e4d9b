import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { recordStatements } from '../../../test/stores/statements.ts';
import { createPostgres } from '../../../test/stores/stores.ts';
import { openStore } from '../open/open-store.ts';
import type { DataTables } from '../schema.ts';
import { placedTables } from '../workspace-tables.ts';
import { distribute, distributeNewTables, localTables } from './citus.ts';

async function openDatabase(): Promise<Kysely<DataTables>> {
  const store = await openStore(await createPostgres());
  onTestFinished(() => store.close());
  return store.writer;
}

/** Functions with the parameters of Citus's, which also refuse a table that does not exist. */
async function createCitusFunctions(db: Kysely<DataTables>): Promise<void> {
  await sql`create function create_reference_table(table_name regclass) returns void
    language sql begin atomic select; end`.execute(db);
  await sql`create function create_distributed_table(
      table_name regclass, distribution_column text,
      distribution_type text default 'hash', colocate_with text default 'default'
    ) returns void language sql begin atomic select; end`.execute(db);
  await sql`create function truncate_local_data_after_distributing_table(function_name regclass)
    returns void language sql begin atomic select; end`.execute(db);
}

test('every table of the migrated database is distributed, copied to every node or local', async () => {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class
    where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace`.execute(
    await openDatabase(),
  );
  const placed = [...placedTables.distributed, ...placedTables.reference, ...localTables];
  expect(placed.toSorted()).toEqual(rows.map(({ name }) => name).toSorted());
});

test('distribution hands each table to Citus once, and then frees and counts its rows', async () => {
  const db = await openDatabase();
  await createCitusFunctions(db);
  const { sent } = recordStatements();
  await distribute(db);
  const given = sent().filter(({ text }) => text.startsWith('select create_'));
  expect(given.map(({ values }) => String(values[0])).toSorted()).toEqual(
    [...placedTables.distributed, ...placedTables.reference].toSorted(),
  );
  const after = sent().slice(sent().findIndex(({ text }) => text === 'commit') + 1);
  const freed = after.filter(({ text }) => text.startsWith('select truncate_local_data'));
  expect(freed.map(({ values }) => String(values[0])).toSorted()).toEqual(
    given.map(({ values }) => String(values[0])).toSorted(),
  );
  expect(after.filter(({ text }) => text.startsWith('analyze '))).toHaveLength(freed.length);
});

test('of a distributed database only new tables are handed to Citus', async () => {
  const db = await openDatabase();
  await createCitusFunctions(db);
  const old = [...placedTables.reference, ...placedTables.distributed].filter(
    (name) => name !== 'hits' && name !== 'visits',
  );
  await sql`create table pg_dist_partition as
    select unnest(${old}::text[])::regclass as logicalrelid`.execute(db);
  const { sent } = recordStatements();
  await distributeNewTables(db);
  const given = sent().filter(({ text }) => text.startsWith('select create_'));
  expect(given.map(({ values }) => values[0])).toEqual(['visits', 'hits']);
});

test('workspace_id comes first in every unique index of a distributed table', async () => {
  const { rows } = await sql<{ table_name: string; first_column: string }>`
    select tables.relname as table_name, attributes.attname as first_column
    from pg_index indexes
    join pg_class tables on tables.oid = indexes.indrelid
    join pg_attribute attributes
      on attributes.attrelid = tables.oid and attributes.attnum = indexes.indkey[0]
    where indexes.indisunique and tables.relnamespace = 'public'::regnamespace`.execute(
    await openDatabase(),
  );
  const ofDistributed = rows.filter((row) => placedTables.distributed.includes(row.table_name));
  expect(ofDistributed.filter((row) => row.first_column !== 'workspace_id')).toEqual([]);
  expect(new Set(ofDistributed.map((row) => row.table_name))).toEqual(
    new Set(placedTables.distributed),
  );
});
