import { state, usage } from './define.ts';

/** Why a database is not copied into another, or not distributed. */
export const copyRefusals = {
  copy_unfinished: state(() => [
    'The database is a copy that was cut off.',
    'Run `overheard database copy` again, which goes on with it, or remove it.',
  ]),
  copy_target_not_empty: state<{ table: string }>(({ table }) => [
    `Nothing was copied: the database to fill has rows in ${table} already.`,
    'Name an empty one with --to.',
  ]),
  copy_differs: state<{ table: string }>(({ table }) => [
    `The copied rows of ${table} are not those of the source.`,
    'Check that nothing else writes to the database to fill, and run the command again.',
  ]),
  copy_under_way: state(() => [
    'Nothing was copied: another command copies into this database now.',
    'Wait until it ends.',
  ]),
  copy_stopped: state(() => [
    'Stopped: the copy is not complete.',
    'Run the command again to go on.',
  ]),
  distribution_of_sqlite: usage(() => [
    'Only a PostgreSQL database can be distributed.',
    'Name one: --database postgres://USER@HOST/NAME',
  ]),
  citus_missing: state(() => [
    'This database has no extension `citus`: nothing was changed.',
    [
      '',
      'On a Citus cluster, run `create extension citus` in this database on every node, add the workers with `citus_add_node`, then try again.',
      'https://docs.citusdata.com/en/stable/installation/multi_node.html',
    ].join('\n'),
  ]),
  distribution_failed: state<{ table: string }>(({ table }) => [
    `Citus did not take the table \`${table}\`: nothing was changed.`,
    'The log of the database server says why.',
  ]),
} as const;
