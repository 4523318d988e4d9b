import { boolean, integer, table, text } from './table.ts';

/** The tables of messages, which an embedded database has in the keys' file. */
export const messageTables = {
  /** When the weekly message of a workspace is due, and when to look for alerts. */
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
      /** Hours in the time zone, between which alerts wait; null if they never wait. */
      quiet_from: integer().nullable(),
      quiet_to: integer().nullable(),
      /** When the next weekly message is due. */
      next_at: text(),
      /** When to look for alerts next. */
      check_at: text(),
      /** Messages tell what changed for prompts with this tag alone; null for all prompts. */
      tag: text().nullable(),
    },
  }),
  /** A webhook or a mail address that gets the messages of a workspace. */
  recipients: table({
    key: ['workspace_id', 'id'],
    columns: {
      workspace_id: text(),
      id: text(),
      /** `https:` or `mailto:`. That of a webhook is often a secret by itself, so it is never shown whole. */
      address: text(),
      /** Signs the messages to a webhook: `whsec_` and 32 bytes as Base64. */
      secret: text(),
      /** The id of the user; null for the command line. */
      created_by: text().nullable(),
      created_at: text(),
      /** Whether it is told what concerns the operator, too. */
      for_operator: boolean().default('false'),
    },
  }),
  messages: table({
    key: ['workspace_id', 'id'],
    columns: {
      workspace_id: text(),
      id: text(),
      /** `weekly`, `test`, or the kind of an alert. */
      kind: text(),
      created_at: text(),
      /** The JSON that is posted. Each attempt sends the same bytes. */
      body: text(),
    },
  }),
  /** One message to one recipient. */
  deliveries: table({
    key: ['workspace_id', 'message_id', 'recipient_id'],
    index: { deliveries_due: { columns: ['next_at'], where: 'next_at is not null' } },
    columns: {
      workspace_id: text(),
      message_id: text(),
      recipient_id: text(),
      attempts: integer(),
      /** When to try next; null once it has arrived or was given up. */
      next_at: text().nullable(),
      sent_at: text().nullable(),
      /** Why the last attempt failed. */
      fault: text().nullable(),
    },
  }),
  /** What alerts have told, so that each change is told once. */
  alerts: table({
    key: ['workspace_id', 'kind', 'subject'],
    columns: {
      workspace_id: text(),
      kind: text(),
      subject: text(),
      /** When it was first not so any more; null while it lasts. */
      gone_at: text().nullable(),
    },
  }),
} as const;
