import { allTables } from '../schema.ts';
import { accessMigrations } from './access-migrations.ts';
import { dataMigrations } from './data-migrations.ts';
import { ledgerMigrations } from './ledger-migrations.ts';
import type { SchemaPart } from './migration.ts';

/** The parts of a database, each with its migrations, oldest first. */
export const schemaParts = {
  /** Workspaces' data. */
  data: { tables: allTables.data, oldest: 21, migrations: dataMigrations },
  /** Keys, quota and people. */
  access: { tables: allTables.access, oldest: 9, migrations: accessMigrations },
  /** Paid questions. */
  ledger: { tables: allTables.ledger, oldest: 5, migrations: ledgerMigrations },
} as const satisfies Readonly<Record<string, SchemaPart>>;
