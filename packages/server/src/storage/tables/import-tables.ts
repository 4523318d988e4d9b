import type { ScoreRow } from '@overheard/contract';
import type { ColumnType } from 'kysely';

/** A nullable column that is null if an inserted row leaves it out. */
export type OptionalColumn<Value> = ColumnType<
  Value | null,
  Value | null | undefined,
  Value | null
>;

/** A file of rows that was imported. */
export interface ImportTable {
  workspace_id: string;
  /** The number of the import, counted from 1 in its workspace. */
  id: number;
  kind: ImportKind;
  file: string;
  /** SHA-256 of the file's bytes as read, 64 hexadecimal digits. */
  content_hash: string;
  imported_at: string;
  /** Users; null if the command line did it. */
  imported_by: OptionalColumn<string>;
  rows_new: number;
  rows_changed: number;
  rows_unchanged: number;
  /**
   * Rows of the parent table that were already stored: prompts of answers, or runs of detections.
   */
  parents_met: number;
  reverted_at: OptionalColumn<string>;
  reverted_by: OptionalColumn<string>;
}

export type ImportKind = 'answers' | 'prompts' | 'detections' | 'scores' | 'actions' | 'hits';

/**
 * The columns with the imports that contained a row. See docs/decisions/imports-marked-on-rows.md.
 */
export interface ImportMarks {
  /** The import that created the row; null on rows with another origin. */
  import_id: OptionalColumn<number>;
  /** The first later import whose file also has the row, unchanged or changed. */
  later_import_id: OptionalColumn<number>;
}

/** A score, derived from runs or imported from a file. */
export type ScoreTable = ScoreRow & {
  id: string;
  origin: 'derived' | 'imported';
  /** JSON: the figures of the imported score that a derived one replaces. */
  replaced: OptionalColumn<string>;
};
