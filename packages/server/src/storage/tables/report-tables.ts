import { table, text } from './table.ts';

export const reportTables = {
  /** A report as it was published. Its bytes are never changed. */
  published_reports: table({
    key: ['workspace_id', 'id'],
    columns: {
      workspace_id: text(),
      id: text(),
      published_at: text(),
      /** SHA-256 of the body in UTF-8, 64 hexadecimal digits. */
      sha256: text(),
      /** JSON: the whole body of the endpoint's response. */
      body: text(),
    },
  }),
} as const;
