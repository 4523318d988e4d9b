import type { ChangeKind } from '@overheard/contract';
import { bigint, table, text } from './table.ts';

/** What a client reads that follows a workspace's rows with a copy of its own. See `changes.ts`. */
export const changeTables = {
  /** A UTC day that has or had rows of a kind, with the number of the last write that changed them. */
  change_days: table({
    key: ['workspace_id', 'kind', 'date'],
    index: {
      change_days_by_number: { columns: ['workspace_id', 'number', 'kind', 'date'] },
    },
    columns: {
      workspace_id: text(),
      kind: text<ChangeKind>(),
      date: text(),
      number: bigint(),
    },
  }),
  /** The numbers of the last writes, each with a random token: a restored database has others. */
  change_numbers: table({
    key: ['workspace_id', 'number'],
    columns: { workspace_id: text(), number: bigint(), token: text() },
  }),
} as const;
