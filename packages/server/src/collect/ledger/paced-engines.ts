import type { Selectable } from 'kysely';
import { z } from 'zod';
import { Refusal } from '../../refusals.ts';
import type { LedgerTables } from '../../storage/schema.ts';
import type { Ledger, Store } from '../../storage/store.ts';
import { engineOfKind, listEngines, targetOf } from '../engine-settings.ts';
import type { EngineSettings } from '../engine-settings.ts';
import { bound } from '../engines/cost.ts';
import type { Engine, Question, Target } from '../engines/engine.ts';
import { withPrices } from '../engines/prices.ts';
import type { Pricing } from '../engines/prices.ts';
import { toMicros } from './micros.ts';

/** The limits of an engine's pace and cost. */
export interface EngineLimits {
  readonly timeoutMs: number;
  /** Least time between two questions, over all processes. */
  readonly gapMs: number;
  /** The most that one reading may cost; null computes it from prices and limits. */
  readonly boundUsd: number | null;
}

export const usualLimits: EngineLimits = { timeoutMs: 120_000, gapMs: 1000, boundUsd: null };

/** An engine that was set up, with its pace. */
export interface PacedEngine {
  readonly name: string;
  readonly kind: string;
  readonly adapter: Engine;
  readonly target: Target;
  readonly keyVariable: string;
  /** The last characters of a pasted key. */
  readonly keyTail: string | null;
  readonly timeoutMs: number;
  /** The amount reserved for one reading without its prompt; undefined if unknown. */
  readonly boundMicros: number | undefined;
  /** Whether the operator has set the bound. */
  readonly isBoundSet: boolean;
  /** Why the engine is not asked: `disabled`, `not_chosen` by its workspace, or the code of a fault. */
  readonly offReason: string | null;
  readonly waitUntilMs: number;
}

/** An engine whose cost has a bound. */
export type BoundEngine = PacedEngine & { readonly boundMicros: number };

/**
 * Sets the limits of an engine, and switches it on if a fault had switched it off. Creates the
 * ledger if there is none.
 */
export async function setLimits(store: Store, name: string, limits: EngineLimits): Promise<void> {
  const ledger = await store.ledger({ mayCreate: true });
  const row = rowOf(name, limits);
  const { next_ms: _next, wait_until_ms: _until, ...changed } = row;
  await ledger?.write((transaction) =>
    transaction
      .insertInto('paces')
      .values(row)
      .onConflict((conflict) => conflict.column('name').doUpdateSet(changed))
      .execute(),
  );
}

/**
 * Reads every engine that was set up, by name, as it is asked for a workspace if one is given. Uses
 * the price list if the operator's prices are not given.
 */
export async function readEngines(
  store: Store,
  ledger: Ledger,
  { workspaceId, ...pricing }: Pricing & { readonly workspaceId?: string } = { rows: [], nowMs: 0 },
): Promise<PacedEngine[]> {
  const settings = await listEngines(store.access);
  const rows = await ledger.db.selectFrom('paces').selectAll().execute();
  const chosen = workspaceId === undefined ? null : await readChosenEngines(ledger, workspaceId);
  return settings.map((each) => {
    const pace = rows.find(({ name }) => name === each.name) ?? rowOf(each.name, usualLimits);
    const engine = toPaced(each, { pace, pricing });
    const isLeftOut = engine.offReason !== 'disabled' && chosen?.includes(engine.name) === false;
    return isLeftOut ? { ...engine, offReason: 'not_chosen' } : engine;
  });
}

/** The only engines on which a workspace is asked; null for every engine that is on. */
export async function readChosenEngines(
  { db }: Pick<Ledger, 'db'>,
  workspaceId: string,
): Promise<readonly string[] | null> {
  const row = await db
    .selectFrom('allowances')
    .select('engines')
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirst();
  return row?.engines ? z.array(z.string()).parse(JSON.parse(row.engines)) : null;
}

/** Makes a row for each engine, so that its pace can be stored. */
export async function ensurePaces(ledger: Ledger, names: readonly string[]): Promise<void> {
  if (names.length === 0) return;
  await ledger.write((transaction) =>
    transaction
      .insertInto('paces')
      .values(names.map((name) => rowOf(name, usualLimits)))
      .onConflict((conflict) => conflict.doNothing())
      .execute(),
  );
}

/** Finds the engines of these names. Throws a `Refusal` for a name that was not set up. */
export function engineNamed(all: readonly PacedEngine[], names: readonly string[]): PacedEngine[] {
  return names.map((engine) => {
    const paced = all.find(({ name }) => name === engine);
    if (paced !== undefined) return paced;
    throw new Refusal('engine_not_found', { engine, known: all.map(({ name }) => name) });
  });
}

type PaceRow = Selectable<LedgerTables['paces']>;

function rowOf(name: string, { timeoutMs, gapMs, boundUsd }: EngineLimits): PaceRow {
  return {
    name,
    timeout_ms: timeoutMs,
    gap_ms: gapMs,
    bound_micros: boundUsd === null ? null : toMicros(boundUsd),
    next_ms: 0,
    wait_until_ms: 0,
    off_reason: null,
    off_at: null,
    fault: null,
    faults: 0,
  };
}

function toPaced(
  settings: EngineSettings,
  { pace, pricing }: { pace: PaceRow; pricing: Pricing },
): PacedEngine {
  const { name, kind, keyVariable, keyTail, disabledAt } = settings;
  const adapter = withPrices(engineOfKind(kind), name, pricing);
  const target = targetOf(settings);
  return {
    name,
    kind,
    adapter,
    target,
    keyVariable,
    keyTail,
    timeoutMs: pace.timeout_ms,
    boundMicros: pace.bound_micros ?? boundOf(adapter, target),
    isBoundSet: pace.bound_micros !== null,
    offReason: disabledAt === null ? pace.off_reason : 'disabled',
    waitUntilMs: pace.wait_until_ms,
  };
}

/**
 * The most that one reading may cost, in micros. A paused answer is continued once, which doubles
 * the price.
 */
export function boundOf(adapter: Engine, target: Target, prompt = ''): number | undefined {
  const usd = bound(adapter, target, prompt);
  return usd === undefined ? undefined : toMicros(usd * (adapter.next === undefined ? 1 : 2));
}

/** The amount reserved for a prompt, in micros. A bound that the operator has set includes it. */
export function boundFor(
  { adapter, target, boundMicros, isBoundSet }: BoundEngine,
  { text }: Pick<Question, 'text'>,
): number {
  if (isBoundSet) return boundMicros;
  const ofPrompt = (boundOf(adapter, target, text) ?? 0) - (boundOf(adapter, target) ?? 0);
  return boundMicros + ofPrompt;
}
