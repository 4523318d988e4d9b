import type { ColumnType } from 'kysely';

export interface EngineTables {
  engines: EngineTable;
}

/** An engine as the operator has set it up. It belongs to no workspace, and its key is not in it. */
interface EngineTable {
  name: string;
  /** The slug of the engine's API. */
  kind: string;
  base_url: string;
  model: string;
  /** The environment variable that holds its key. */
  key_variable: string;
  has_search: ColumnType<boolean | 0 | 1, boolean, boolean>;
  searches_max: number;
  output_tokens_max: number;
  created_at: string;
  disabled_at: string | null;
  /** Who accepted the terms of its search, and when. */
  terms_accepted_by: string | null;
  terms_accepted_at: string | null;
}
