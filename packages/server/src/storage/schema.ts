import { actionTables } from './tables/action-tables.ts';
import { answerTables } from './tables/answer-tables.ts';
import { changeTables } from './tables/change-tables.ts';
import { connectorTables } from './tables/connector-tables.ts';
import { crawlerTables } from './tables/crawler-tables.ts';
import { engineTables } from './tables/engine-tables.ts';
import { importTables } from './tables/import-tables.ts';
import { jobTables } from './tables/job-tables.ts';
import { keyTables } from './tables/key-tables.ts';
import { messageTables } from './tables/message-tables.ts';
import { ledgerTables } from './tables/ledger-tables.ts';
import { reportTables } from './tables/report-tables.ts';
import { peopleTables } from './tables/people-tables.ts';
import { countTables } from './tables/count-tables.ts';
import { stanceTables } from './tables/stance-tables.ts';
import { subjectTables } from './tables/subject-tables.ts';
import { table, text } from './tables/table.ts';
import type { Table, TypesOf } from './tables/table.ts';

/**
 * The tables. Ids are UUIDs, moments `2026-11-20T12:34:56.789Z` and dates `2026-11-20`, all as text
 * in normal form, so that both databases compare and return the same bytes.
 * Every table of a workspace's data has `workspace_id` first in its key.
 */
const dataTables = {
  ...subjectTables,
  ...importTables,
  ...answerTables,
  ...actionTables,
  ...crawlerTables,
  ...countTables,
  ...changeTables,
  ...reportTables,
  ...stanceTables,
};

/** Tables that must never wait for an import. On SQLite they are in a separate file. */
const accessTables = {
  ...keyTables,
  ...peopleTables,
  ...connectorTables,
  ...jobTables,
  ...engineTables,
  ...messageTables,
};

export interface DataTables extends TypesOf<typeof dataTables> {}
export interface AccessTables extends TypesOf<typeof accessTables> {}
export interface LedgerTables extends TypesOf<typeof ledgerTables> {}

/** The id of an installation, in each SQLite file, because a file is useless with one of another installation. */
const installation = table({ only: 'sqlite', columns: { id: text() } });

/** The tables of each part of a database, which is a file of its own on SQLite. */
export const allTables = {
  data: { ...dataTables, installation },
  access: { ...accessTables, installation },
  ledger: { ...ledgerTables, installation },
} as const satisfies Readonly<Record<string, Readonly<Record<string, Table>>>>;
