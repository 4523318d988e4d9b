import { sql } from 'kysely';
import type { Kysely, RawBuilder } from 'kysely';
import type { Dialect } from './stores.ts';

/**
 * Reads everything that a database's catalogue says about its tables, as sorted lines: columns in their
 * order with type, collation and default, keys, indexes, functions and triggers.
 */
export async function readCatalogue<Tables>(
  db: Kysely<Tables>,
  dialect: Dialect,
): Promise<readonly string[]> {
  const lines: string[] = [];
  for (const query of dialect === 'sqlite' ? sqliteFacts : postgresFacts) {
    for (const row of (await query.execute(db)).rows) lines.push(Object.values(row).join(' | '));
  }
  return lines.map((line) => line.replaceAll('"', '').replaceAll(/\s+/g, ' ')).toSorted();
}

type Facts = RawBuilder<Record<string, unknown>>;

const sqliteFacts: readonly Facts[] = [
  sql`select 'table', name, ncol, wr, strict from pragma_table_list
    where schema = 'main' and name not like 'sqlite_%'`,
  sql`select 'column', tables.name as in_table, printf('%03d', columns.cid), columns.name,
      columns.type, columns."notnull", columns.dflt_value, columns.pk, columns.hidden
    from sqlite_schema tables join pragma_table_xinfo(tables.name) columns
    where tables.type = 'table'`,
  sql`select 'index', tables.name as in_table, indexes.name as in_index, indexes."unique",
      indexes.origin, indexes.partial, columns.seqno, columns.name, columns."desc", columns.coll,
      columns.key
    from sqlite_schema tables join pragma_index_list(tables.name) indexes
    join pragma_index_xinfo(indexes.name) columns
    where tables.type = 'table'`,
  sql`select type, tbl_name, sql from sqlite_schema where type <> 'table' and sql is not null`,
];

const postgresFacts: readonly Facts[] = [
  sql`select 'column', table_name,
      lpad((row_number() over (partition by table_name order by ordinal_position))::text, 3, '0'),
      column_name, data_type, udt_name, collation_name, is_nullable, column_default,
      character_maximum_length, numeric_precision, is_generated, is_identity
    from information_schema.columns where table_schema = 'public'`,
  sql`select 'index', indexdef from pg_indexes where schemaname = 'public'`,
  // The columns say what is not null; newer servers also name that as a constraint.
  sql`select 'constraint', conrelid::regclass, conname, contype, pg_get_constraintdef(oid)
    from pg_constraint where connamespace = 'public'::regnamespace and contype <> 'n'`,
  sql`select 'function', pg_get_functiondef(oid)
    from pg_proc where pronamespace = 'public'::regnamespace`,
  sql`select 'table', relname, relkind, relpersistence, relreplident, reloptions from pg_class
    where relnamespace = 'public'::regnamespace and relkind <> 'i'`,
  sql`select 'trigger', tgname from pg_trigger where not tgisinternal`,
];
