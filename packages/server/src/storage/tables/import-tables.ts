import { bigint, integer, table, text } from './table.ts';

export type ImportKind = 'answers' | 'prompts' | 'detections' | 'scores' | 'actions' | 'hits';

/**
 * The columns with the imports that contained a row. See docs/decisions/imports-marked-on-rows.md.
 */
export const importMarks = {
  /** The import that created the row; null on rows with another origin. */
  import_id: integer().nullable(),
  /** The first later import whose file also has the row, unchanged or changed. */
  later_import_id: integer().nullable(),
};

export const importTables = {
  /** A file of rows that was imported. */
  imports: table({
    key: ['workspace_id', 'id'],
    columns: {
      workspace_id: text(),
      /** The number of the import, counted from 1 in its workspace. */
      id: integer(),
      kind: text<ImportKind>(),
      file: text(),
      /** SHA-256 of the file's bytes as read, 64 hexadecimal digits. */
      content_hash: text(),
      imported_at: text(),
      /** Users; null if the command line did it. */
      imported_by: text().nullable(),
      rows_new: bigint(),
      rows_changed: bigint(),
      rows_unchanged: bigint(),
      /** Rows of the parent table that were already stored: prompts of answers, or runs of detections. */
      parents_met: bigint(),
      reverted_at: text().nullable(),
      reverted_by: text().nullable(),
    },
  }),
} as const;
