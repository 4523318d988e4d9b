import type { ColumnType } from 'kysely';

/**
 * Work of a server that outlasts a request. On SQLite it is in the second file, with the keys, because
 * it must not wait for an import.
 */
export interface JobTables {
  jobs: JobTable;
}

interface JobTable {
  workspace_id: string;
  /** A UUID v7, which the form that requests the job contains. */
  id: string;
  kind: string;
  state: JobState;
  /** JSON: the work to do. */
  work: string;
  /**
   * The server process that runs the job, or the only one that can; null while any process may take
   * it.
   */
  owner: string | null;
  user_id: string | null;
  created_at: string;
  /** When the owner was last known to be alive. */
  beat_at: string;
  ended_at: Nullable;
  attempts: number;
  /** JSON: the progress. */
  progress: Nullable;
  /** JSON: the result, or the reason why there is none. */
  outcome: Nullable;
}

type Nullable = ColumnType<string | null, string | null | undefined, string | null>;

export type JobState = 'waiting' | 'running' | 'done' | 'failed';
