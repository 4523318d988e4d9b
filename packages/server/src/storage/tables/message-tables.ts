import { integer, table, text } from './table.ts';

/** The tables of messages, which an embedded database has in the keys' file. */
export const messageTables = {
  /** When the weekly message of a workspace is due. */
  message_times: table({
    key: ['workspace_id'],
    columns: {
      workspace_id: text(),
      /** 1 is Monday, 7 is Sunday. */
      weekday: integer(),
      /** 0 to 23, in the time zone. */
      hour: integer(),
      /** An IANA time zone, such as `Europe/Berlin`. */
      zone: text(),
      set_at: text(),
    },
  }),
  /** An address to which the messages of a workspace are posted. */
  webhooks: table({
    key: ['workspace_id', 'id'],
    columns: {
      workspace_id: text(),
      id: text(),
      /** Often a secret by itself, so pages and logs show only its host and its end. */
      url: text(),
      /** Signs the messages: `whsec_` and 32 bytes as Base64. */
      secret: text(),
      /** The id of the user; null for the command line. */
      created_by: text().nullable(),
      created_at: text(),
    },
  }),
  messages: table({
    key: ['workspace_id', 'id'],
    columns: {
      workspace_id: text(),
      id: text(),
      kind: text<'weekly' | 'test'>(),
      created_at: text(),
      /** The JSON that is posted. Each attempt sends the same bytes. */
      body: text(),
    },
  }),
  /** One message to one webhook. */
  deliveries: table({
    key: ['workspace_id', 'message_id', 'webhook_id'],
    index: { deliveries_due: { columns: ['next_at'], where: 'next_at is not null' } },
    columns: {
      workspace_id: text(),
      message_id: text(),
      webhook_id: text(),
      attempts: integer(),
      /** When to try next; null once it has arrived or was given up. */
      next_at: text().nullable(),
      sent_at: text().nullable(),
      /** Why the last attempt failed. */
      fault: text().nullable(),
    },
  }),
} as const;
