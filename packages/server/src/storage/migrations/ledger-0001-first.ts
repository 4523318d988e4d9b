import type { CreateTableBuilder, Kysely, RawBuilder } from 'kysely';
import type { ColumnTypes, Migration } from './migration.ts';

/** Paces of engines, budgets, readings and the bodies of their responses. */
export const ledger: Migration = {
  name: 'ledger',
  up: addLedger,
  distributed: ['allowances', 'budgets', 'readings', 'bodies'],
  reference: ['paces'],
  withoutWorkspace: ['paces'],
};

async function addLedger({ schema }: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await columns(schema.createTable('paces'), types.text, {
    texts: 'name',
    numbers: 'timeout_ms gap_ms next_ms wait_until_ms faults',
    optionalTexts: 'off_reason off_at fault',
    optionalNumbers: 'bound_micros',
  })
    .addPrimaryKeyConstraint('paces_key', ['name'])
    .execute();
  await columns(schema.createTable('allowances'), types.text, {
    texts: 'workspace_id',
    numbers: 'day_micros month_micros sweeps',
  })
    .addPrimaryKeyConstraint('allowances_key', ['workspace_id'])
    .execute();
  await columns(schema.createTable('budgets'), types.text, {
    texts: 'workspace_id period',
    numbers: 'spent_micros held_micros',
  })
    .addPrimaryKeyConstraint('budgets_key', ['workspace_id', 'period'])
    .execute();
  await columns(schema.createTable('readings'), types.text, {
    texts: 'workspace_id id prompt_id engine day due_at state',
    numbers: 'sweep attempts',
    optionalTexts:
      'claim sent_at lease_until asked locale kind cohort cost_basis fault request_id model outcome handed_at',
    optionalNumbers: 'bound_micros cost_micros searches',
  })
    .addPrimaryKeyConstraint('readings_key', ['workspace_id', 'id'])
    .execute();
  await schema
    .createIndex('readings_by_state')
    .on('readings')
    .columns(['workspace_id', 'state', 'engine', 'due_at'])
    .execute();
  await columns(schema.createTable('bodies'), types.text, {
    texts: 'workspace_id reading_id',
    numbers: 'status',
  })
    .addColumn('request', types.bytes, (column) => column.notNull())
    .addColumn('response', types.bytes, (column) => column.notNull())
    .addPrimaryKeyConstraint('bodies_key', ['workspace_id', 'reading_id'])
    .execute();
}

/**
 * Makes the columns. Numbers are doubles: integers are exact up to 2^53, and both databases return
 * them as numbers.
 */
function columns(
  table: CreateTableBuilder<string, string>,
  text: RawBuilder<unknown>,
  lists: { texts: string; numbers: string; optionalTexts?: string; optionalNumbers?: string },
): CreateTableBuilder<string, string> {
  const { texts, numbers, optionalTexts = '', optionalNumbers = '' } = lists;
  const kinds = [
    [texts, text, true],
    [numbers, 'double precision', true],
    [optionalTexts, text, false],
    [optionalNumbers, 'double precision', false],
  ] as const;
  let builder = table;
  for (const [names, type, isPresent] of kinds) {
    for (const name of names.split(' ').filter((each) => each !== '')) {
      builder = builder.addColumn(name, type, (column) => (isPresent ? column.notNull() : column));
    }
  }
  return builder;
}
