import { boolean, integer, table, text } from './table.ts';

export const engineTables = {
  /** An engine as the operator has set it up. It belongs to no workspace, and its key is not in it. */
  engines: table({
    key: ['name'],
    columns: {
      name: text(),
      /** The slug of the engine's API. */
      kind: text(),
      base_url: text(),
      model: text(),
      /** The environment variable that holds its key. */
      key_variable: text(),
      has_search: boolean(),
      searches_max: integer(),
      output_tokens_max: integer(),
      created_at: text(),
      disabled_at: text().nullable(),
      /** Who accepted the terms of its search, and when. */
      terms_accepted_by: text().nullable(),
      terms_accepted_at: text().nullable(),
      /** A pasted key, encrypted under the installation's secret, and its last characters. */
      key_sealed: text().nullable(),
      key_tail: text().nullable(),
      /** Whether it must search before each answer. */
      search_required: boolean().default('false'),
    },
  }),
} as const;
