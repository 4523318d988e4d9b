import { columnTypes } from './table.ts';
import type { Columns, Table } from './table.ts';

type Dialect = 'sqlite' | 'postgres';

/** The statements that create tables, with their keys, indexes, triggers and functions. */
export function createStatements(
  tables: Readonly<Record<string, Table>>,
  dialect: Dialect,
): string[] {
  return Object.entries(tables)
    .filter(([, { only = dialect }]) => only === dialect)
    .flatMap(([name, table]) => [
      createTable(name, table, dialect),
      ...createIndexes(name, table, dialect),
      ...(table[dialect]?.statements ?? []),
    ]);
}

function createTable(name: string, table: Table, dialect: Dialect): string {
  const { key, unique = {}, columns } = table;
  const lines = [
    ...columnLines({ ...columns, ...table[dialect]?.columns }, dialect),
    ...(key === undefined ? [] : [`constraint "${name}_key" primary key (${list(key)})`]),
    ...Object.entries(unique).map(([each, of]) => `constraint "${each}" unique (${list(of)})`),
  ];
  const end = table[dialect]?.isClustered === true ? ' without rowid' : '';
  return `create table "${name}" (${lines.join(', ')})${end}`;
}

function columnLines(columns: Columns, dialect: Dialect): string[] {
  return Object.entries(columns).map(
    ([name, { type, isNullable = false, isKey = false, defaultValue }]) => {
      const presence = isKey ? ' primary key' : isNullable ? '' : ' not null';
      const otherwise = defaultValue === undefined ? '' : ` default ${defaultValue}`;
      return `"${name}" ${columnTypes[type][dialect]}${presence}${otherwise}`;
    },
  );
}

function createIndexes(name: string, { index = {} }: Table, dialect: Dialect): string[] {
  return Object.entries(index).map(([each, { columns, isUnique = false, where }]) => {
    const condition = where === undefined ? '' : ` where ${where}`;
    return `create ${isUnique ? 'unique ' : ''}index "${each}" on "${name}" (${list(columns, dialect)})${condition}`;
  });
}

/** Quotes columns, each with its order. SQLite puts nulls last in descending order, and accepts no clause about them. */
function list(columns: readonly string[], dialect: Dialect = 'postgres'): string {
  return columns
    .map((each) => each.replace(/^\w+/, '"$&"'))
    .map((each) => (dialect === 'sqlite' ? each.replace(' nulls last', '') : each))
    .join(', ');
}
