/**
 * The ledger of paid questions. On SQLite it is a file of its own, because a claim or a paid answer
 * must never wait for an import. Money is in millionths of a USD, as whole numbers; days, moments and
 * ids are text as in `schema.ts`.
 */
export interface LedgerTables {
  paces: PaceTable;
  allowances: AllowanceTable;
  budgets: BudgetTable;
  operator_caps: OperatorCapTable;
  operator_budgets: OperatorBudgetTable;
  engine_slots: EngineSlotTable;
  ledger_home: LedgerHomeTable;
  test_questions: TestQuestionTable;
  readings: ReadingTable;
  bodies: BodyTable;
}

/** The pace of an engine, and when its next question may be sent. It belongs to no workspace. */
interface PaceTable {
  /** The operator's name of the engine. */
  name: string;
  timeout_ms: number;
  /** Least time between two questions of any processes. */
  gap_ms: number;
  /** The most that one reading may cost, if the operator has set it. */
  bound_micros: number | null;
  /** When the next question may be sent, in milliseconds since 1970. */
  next_ms: number;
  /** Until when the engine asks clients to wait, in milliseconds since 1970. */
  wait_until_ms: number;
  /** The code of the fault that switched the engine off. */
  off_reason: string | null;
  off_at: string | null;
  /** The last fault, and how often it occurred in a row. */
  fault: string | null;
  faults: number;
}

/** The budget of a workspace for a UTC day and month, and its number of sweeps per day. */
interface AllowanceTable {
  workspace_id: string;
  day_micros: number;
  month_micros: number;
  sweeps: number;
  /**
   * The operator's budget, which is the most that an admin may set; null if an admin set the first
   * budget.
   */
  day_cap_micros: number | null;
  month_cap_micros: number | null;
}

/**
 * What a workspace has spent in a day or a month, and the amount that its open readings reserve.
 */
interface BudgetTable {
  workspace_id: string;
  /** `2026-11-20` or `2026-11`. */
  period: string;
  spent_micros: number;
  held_micros: number;
}

/** The operator's caps; null if there is none. They belong to no workspace. */
interface OperatorCapTable {
  /** An engine's name, or empty for all workspaces and engines together. */
  scope: string;
  day_micros: number | null;
  month_micros: number | null;
  /** Most questions open at once, over all processes. */
  open_max: number | null;
}

/** What all workspaces together have spent and reserved. */
interface OperatorBudgetTable {
  scope: string;
  /** A UTC day or month, as in `budgets`. */
  period: string;
  spent_micros: number;
  held_micros: number;
}

/** An open question to an engine with a limit of open questions. It belongs to no workspace. */
interface EngineSlotTable {
  engine: string;
  slot: number;
  /** The claim of the reading. */
  claim: string;
  lease_until: string;
}

/** An open question of `engine test`, and the amount that it reserves. It belongs to no workspace. */
interface TestQuestionTable {
  token: string;
  engine: string;
  day: string;
  bound_micros: number;
  lease_until: string;
}

/** One row. */
interface LedgerHomeTable {
  id: string;
  /**
   * Names of the place of the ledger, as a JSON list. A copy is in another place if it has none of
   * them; a backup has an empty list.
   */
  home: string;
  restored_at: string | null;
}

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

interface ReadingTable {
  workspace_id: string;
  /** The id of the reading, and of the run that it becomes. */
  id: string;
  prompt_id: string;
  engine: string;
  day: string;
  /** Counts the sweeps of the day from 0. */
  sweep: number;
  due_at: string;
  state: ReadingState;
  /** A random token of the claim. Only its owner may settle. */
  claim: string | null;
  attempts: number;
  sent_at: string | null;
  lease_until: string | null;
  /** The prompt's text as it was put to the engine. */
  asked: string | null;
  locale: string | null;
  /** The API that was asked. */
  kind: string | null;
  cohort: string | null;
  bound_micros: number | null;
  cost_micros: number | null;
  cost_basis: 'reported' | 'computed' | 'bound' | null;
  fault: string | null;
  request_id: string | null;
  /** As served. */
  model: string | null;
  searches: number | null;
  outcome: string | null;
  /** When the reading became a run. */
  handed_at: string | null;
}

/** The request and the response of a reading, each packed by zstd. */
interface BodyTable {
  workspace_id: string;
  reading_id: string;
  status: number;
  /**
   * The packed request. Empty if the frame of the response begins with the request and a line
   * break.
   */
  request: Uint8Array;
  response: Uint8Array;
  /** Earlier exchanges of a paused answer: a packed JSON list of `{status, request, response}`. */
  earlier: Uint8Array | null;
}
