import { integer, table, text } from './table.ts';

export type JobState = 'waiting' | 'running' | 'done' | 'failed';

/**
 * Work of a server that outlasts a request. On SQLite it is in the second file, with the keys, because
 * it must not wait for an import.
 */
export const jobTables = {
  jobs: table({
    key: ['workspace_id', 'id'],
    index: {
      // One job of a kind at a time, whatever the number of servers.
      jobs_active: {
        columns: ['workspace_id', 'kind'],
        isUnique: true,
        where: "state in ('waiting', 'running')",
      },
    },
    columns: {
      workspace_id: text(),
      /** A UUID v7, which the form that requests the job contains. */
      id: text(),
      kind: text(),
      state: text<JobState>(),
      /** JSON: the work to do. */
      work: text(),
      created_at: text(),
      /** When the owner was last known to be alive. */
      beat_at: text(),
      /** The server process that runs the job, or the only one that can; null while any process may take it. */
      owner: text().nullable(),
      user_id: text().nullable(),
      ended_at: text().nullable(),
      /** JSON: the progress. */
      progress: text().nullable(),
      /** JSON: the result, or the reason why there is none. */
      outcome: text().nullable(),
      attempts: integer(),
    },
  }),
} as const;
