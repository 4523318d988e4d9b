import { boolean, bytes, double, table, text } from './table.ts';

export const readingStates = [
  'planned',
  'sent',
  'done',
  'failed',
  'unknown',
  'missed',
  'skipped',
] as const;

export type ReadingState = (typeof readingStates)[number];

/**
 * The ledger of paid questions. On SQLite it is a file of its own, because a claim or a paid answer
 * must never wait for an import. Money is in millionths of a USD; days, moments and ids are text as in
 * `schema.ts`. Numbers are doubles: integers are exact up to 2^53, and both databases return them as
 * numbers.
 */
export const ledgerTables = {
  /** The pace of an engine, and when its next question may be sent. It belongs to no workspace. */
  paces: table({
    key: ['name'],
    columns: {
      /** The operator's name of the engine. */
      name: text(),
      timeout_ms: double(),
      /** Least time between two questions of any processes. */
      gap_ms: double(),
      /** When the next question may be sent, in milliseconds since 1970. */
      next_ms: double(),
      /** Until when the engine asks clients to wait, in milliseconds since 1970. */
      wait_until_ms: double(),
      /** How often the last fault occurred in a row. */
      faults: double(),
      /** The code of the fault that switched the engine off. */
      off_reason: text().nullable(),
      off_at: text().nullable(),
      fault: text().nullable(),
      /** The most that one reading may cost, if the operator has set it. */
      bound_micros: double().nullable(),
    },
  }),
  /** The budget of a workspace for a UTC day and month, and its number of sweeps per day. */
  allowances: table({
    key: ['workspace_id'],
    columns: {
      workspace_id: text(),
      day_micros: double(),
      month_micros: double(),
      sweeps: double(),
      /** The operator's budget, which is the most that an admin may set; null if an admin set the first budget. */
      day_cap_micros: double().nullable(),
      month_cap_micros: double().nullable(),
      /** A JSON list of the only engines that are asked; null for every engine that is on. */
      engines: text().nullable(),
    },
  }),
  /** What a workspace has spent in a day or a month, and the amount that its open readings reserve. */
  budgets: table({
    key: ['workspace_id', 'period'],
    columns: {
      workspace_id: text(),
      /** `2026-11-20` or `2026-11`. */
      period: text(),
      spent_micros: double(),
      held_micros: double(),
    },
  }),
  /** The operator's caps; null if there is none. They belong to no workspace. */
  operator_caps: table({
    key: ['scope'],
    columns: {
      /** An engine's name, or empty for all workspaces and engines together. */
      scope: text(),
      day_micros: double().nullable(),
      month_micros: double().nullable(),
      /** Most questions open at once, over all processes. */
      open_max: double().nullable(),
    },
  }),
  /** What all workspaces together have spent and reserved. */
  operator_budgets: table({
    key: ['scope', 'period'],
    columns: {
      scope: text(),
      /** A UTC day or month, as in `budgets`. */
      period: text(),
      spent_micros: double(),
      held_micros: double(),
    },
  }),
  /** An open question to an engine with a limit of open questions. It belongs to no workspace. */
  engine_slots: table({
    key: ['engine', 'slot'],
    columns: {
      engine: text(),
      slot: double(),
      /** The claim of the reading. */
      claim: text(),
      lease_until: text(),
    },
  }),
  /** Where the ledger is, and when it was last restored: one row. */
  ledger_home: table({
    key: ['id'],
    columns: {
      id: text(),
      /**
       * Names of the place of the ledger, as a JSON list. A copy is in another place if it has none of
       * them; a backup has an empty list.
       */
      home: text(),
      restored_at: text().nullable(),
      /** Since when servers ask by themselves; null if they do not. */
      asks_since: text().nullable(),
    },
  }),
  /** An open question of `engine test`, and the amount that it reserves. It belongs to no workspace. */
  test_questions: table({
    key: ['token'],
    columns: {
      token: text(),
      engine: text(),
      day: text(),
      bound_micros: double(),
      lease_until: text(),
    },
  }),
  readings: table({
    key: ['workspace_id', 'id'],
    index: {
      readings_by_state: { columns: ['workspace_id', 'state', 'engine', 'due_at'] },
      readings_by_day: { columns: ['workspace_id', 'day', 'due_at'] },
    },
    columns: {
      workspace_id: text(),
      /** The id of the reading, and of the run that it becomes. */
      id: text(),
      prompt_id: text(),
      engine: text(),
      day: text(),
      due_at: text(),
      state: text<ReadingState>(),
      /** Counts the sweeps of the day from 0. */
      sweep: double(),
      attempts: double(),
      /** A random token of the claim. Only its owner may settle. */
      claim: text().nullable(),
      sent_at: text().nullable(),
      lease_until: text().nullable(),
      /** The prompt's text as it was put to the engine. */
      asked: text().nullable(),
      locale: text().nullable(),
      /** The API that was asked. */
      kind: text().nullable(),
      cohort: text().nullable(),
      cost_basis: text<'reported' | 'computed' | 'bound'>().nullable(),
      fault: text().nullable(),
      request_id: text().nullable(),
      /** As served. */
      model: text().nullable(),
      outcome: text().nullable(),
      /** When the reading became a run. */
      handed_at: text().nullable(),
      bound_micros: double().nullable(),
      cost_micros: double().nullable(),
      searches: double().nullable(),
      /** Its cost by the price list, if the engine reports another. */
      listed_micros: double().nullable(),
    },
  }),
  /** The judge of a workspace, its budget, and how many answers it judges. */
  stance_budgets: table({
    key: ['workspace_id'],
    columns: {
      workspace_id: text(),
      /** The engine that judges. */
      engine: text(),
      day_micros: double(),
      month_micros: double(),
      /** Answers of each prompt, engine and week that are judged; null for all. */
      sample: double().nullable(),
      /** Whether `serve` judges new answers every day. */
      is_daily: boolean(),
    },
  }),
  /** A paid question about one answer: how it presents the subjects that it cites. */
  judgements: table({
    key: ['workspace_id', 'id'],
    index: { judgements_by_state: { columns: ['workspace_id', 'state', 'day'] } },
    columns: {
      workspace_id: text(),
      /** From the run, its answer, the judge's engine, the version of the question and the subjects. */
      id: text(),
      run_id: text(),
      engine: text(),
      day: text(),
      state: text<Exclude<ReadingState, 'missed' | 'skipped'>>(),
      attempts: double(),
      /** A random token of the claim. Only its owner may settle. */
      claim: text().nullable(),
      sent_at: text().nullable(),
      lease_until: text().nullable(),
      /** JSON: what was asked of which subject, as `parseAsked` needs it. */
      asked: text(),
      cost_basis: text<'reported' | 'computed' | 'bound'>().nullable(),
      fault: text().nullable(),
      request_id: text().nullable(),
      /** As served. */
      model: text().nullable(),
      /** When its stances were stored. */
      handed_at: text().nullable(),
      bound_micros: double().nullable(),
      cost_micros: double().nullable(),
    },
  }),
  /** The request and the response of a reading, each packed by zstd. */
  bodies: table({
    key: ['workspace_id', 'reading_id'],
    columns: {
      workspace_id: text(),
      reading_id: text(),
      status: double(),
      /** The packed request. Empty if the frame of the response begins with the request and a line break. */
      request: bytes(),
      response: bytes(),
      /** Earlier exchanges of a paused answer: a packed JSON list of `{status, request, response}`. */
      earlier: bytes().nullable(),
    },
  }),
} as const;
