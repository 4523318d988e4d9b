import type { ColumnType } from 'kysely';

/** Work of a server that outlasts a request. It lies beside the keys, because it must not wait for an import. */
export interface JobTables {
  jobs: JobTable;
}

interface JobTable {
  workspace_id: string;
  /** A UUID v7, brought by the form that asks for the job. */
  id: string;
  kind: string;
  state: JobState;
  /** JSON: what is to be done. */
  work: string;
  /** The server process that runs it, or that alone can; null while any may take it. */
  owner: string | null;
  user_id: string | null;
  created_at: string;
  /** When the owner was last known to be alive. */
  beat_at: string;
  ended_at: Nullable;
  attempts: number;
  /** JSON: how far it is. */
  progress: Nullable;
  /** JSON: its result, or why there is none. */
  outcome: Nullable;
}

type Nullable = ColumnType<string | null, string | null | undefined, string | null>;

export type JobState = 'waiting' | 'running' | 'done' | 'failed';
