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
  readings: ReadingTable;
  bodies: BodyTable;
}

/** How fast an engine is asked, and when its next question may be sent. Of no workspace. */
interface PaceTable {
  /** Of the engine, as the operator has set it up. */
  name: string;
  timeout_ms: number;
  /** Between two questions, by any process. */
  gap_ms: number;
  /** What one reading may cost at most, if the operator says so. */
  bound_micros: number | null;
  /** When the next question may be sent; milliseconds since 1970, as the next. */
  next_ms: number;
  /** Until when the engine asks to be left alone. */
  wait_until_ms: number;
  /** The code of the fault for which it is not asked. */
  off_reason: string | null;
  off_at: string | null;
  /** The last fault, and how often it came in a row. */
  fault: string | null;
  faults: number;
}

/** What a workspace may spend in a UTC day and month, and how often a day it asks. */
interface AllowanceTable {
  workspace_id: string;
  day_micros: number;
  month_micros: number;
  sweeps: number;
  /** What the operator set, the most that an admin may set; null if an admin set the first budget. */
  day_cap_micros: number | null;
  month_cap_micros: number | null;
}

/** What a workspace has spent in a period, a day or a month, and what its open readings hold. */
interface BudgetTable {
  workspace_id: string;
  /** `2026-11-20` or `2026-11`. */
  period: string;
  spent_micros: number;
  held_micros: number;
}

/** What the operator allows; null if there is no cap. Of no workspace. */
interface OperatorCapTable {
  /** An engine's name, or empty for all workspaces and engines together. */
  scope: string;
  day_micros: number | null;
  month_micros: number | null;
  /** Questions open at once, of all processes together. */
  open_max: number | null;
}

/** What all workspaces together have spent and hold. */
interface OperatorBudgetTable {
  scope: string;
  /** As in `budgets`. */
  period: string;
  spent_micros: number;
  held_micros: number;
}

/** An open question to an engine that may be asked only so many at once. Of no workspace. */
interface EngineSlotTable {
  engine: string;
  slot: number;
  /** As of the reading. */
  claim: string;
  lease_until: string;
}

export type ReadingState =
  | 'planned'
  | 'sent'
  | 'done'
  | 'failed'
  | 'unknown'
  | 'missed'
  | 'skipped';

interface ReadingTable {
  workspace_id: string;
  /** Also of the run that it becomes. */
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
  /** The prompt as it was put to the engine. */
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
  /** When it became a run. */
  handed_at: string | null;
}

/** What was sent and what came back, each packed by zstd. */
interface BodyTable {
  workspace_id: string;
  reading_id: string;
  status: number;
  /** Empty if the frame of the response begins with it, and a line break. */
  request: Uint8Array;
  response: Uint8Array;
  /** What came before in a paused answer: a packed JSON list of `{status, request, response}`. */
  earlier: Uint8Array | null;
}
