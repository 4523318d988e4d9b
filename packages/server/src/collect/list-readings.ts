import type { ReadingState } from '../storage/tables/ledger-tables.ts';
import type { Store } from '../storage/store.ts';
import { addDays, utcDay } from '../values/time/utc-day.ts';
import type { Spending } from './collection.ts';
import { toUsd } from './ledger/micros.ts';
import { shownState } from './ledger/shown-state.ts';

/** A reading in a list. */
export interface ListedReading {
  readonly id: string;
  readonly prompt_id: string;
  /** The prompt's text as it was asked or, before that, its current text. */
  readonly prompt: string;
  readonly engine: string;
  readonly state: ReadingState;
  readonly due_at: string;
  readonly sent_at: string | null;
  readonly cost_usd: number | null;
  readonly cost_basis: Spending['basis'] | null;
  readonly model: string | null;
  readonly fault: string | null;
}

/** Selects the readings to list. */
export interface ReadingQuery {
  readonly nowMs: number;
  /** Number of last days, including today. */
  readonly days: number;
  readonly engine?: string | undefined;
  readonly state?: ReadingState | undefined;
  readonly limit: number;
}

/** Lists the readings of some days, the latest due first. */
export async function listReadings(
  store: Store,
  workspaceId: string,
  { nowMs, days, engine, state, limit }: ReadingQuery,
): Promise<ListedReading[]> {
  const ledger = await store.ledger();
  if (ledger === undefined) return [];
  const today = utcDay(nowMs);
  const stateNow = shownState(today);
  const rows = await ledger.db
    .selectFrom('readings')
    .select(['id', 'prompt_id', 'asked', 'engine', stateNow.as('state'), 'due_at', 'sent_at'])
    .select(['cost_micros', 'cost_basis', 'model', 'fault'])
    .where('workspace_id', '=', workspaceId)
    .where('day', '>=', addDays(today, 1 - days))
    .$if(engine !== undefined, (query) => query.where('engine', '=', engine ?? ''))
    .$if(state !== undefined, (query) => query.where(stateNow, '=', state ?? 'done'))
    .orderBy('day', 'desc')
    .orderBy('due_at', 'desc')
    .orderBy('id')
    .limit(limit)
    .execute();
  const prompts = await store.reader
    .selectFrom('prompts')
    .select(['id', 'text'])
    .where('workspace_id', '=', workspaceId)
    .where('id', 'in', ['', ...new Set(rows.map((row) => row.prompt_id))])
    .execute();
  const texts = new Map(prompts.map(({ id, text }) => [id, text]));
  return rows.map(({ asked, cost_micros: micros, ...row }) => ({
    ...row,
    prompt: asked ?? texts.get(row.prompt_id) ?? '',
    cost_usd: micros === null ? null : toUsd(micros),
  }));
}
