import type { JobProgress } from './jobs.ts';

/** Who asked for a job, and in which workspace. */
export interface DoneBy {
  readonly workspaceId: string;
  readonly userId: string | null;
  readonly clock: () => number;
}

/** The signal, the progress callback and the person that a job gets besides its work. */
export interface JobTools extends DoneBy {
  /** Aborts when the server stops. */
  readonly signal: AbortSignal;
  readonly onProgress: (progress: JobProgress) => void;
}
