import type { JobProgress } from './jobs.ts';

/** For whom a job works. */
export interface DoneBy {
  readonly workspaceId: string;
  readonly userId: string | null;
  readonly clock: () => number;
}

/** What a job is given besides the database and its work. */
export interface JobTools extends DoneBy {
  /** Aborts when the server stops. */
  readonly signal: AbortSignal;
  readonly onProgress: (progress: JobProgress) => void;
}
