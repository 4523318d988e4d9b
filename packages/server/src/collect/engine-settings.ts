import { engineSlugPattern } from '@overheard/contract';
import type { Kysely, Selectable } from 'kysely';
import { Refusal } from '../refusals.ts';
import type { AccessTables } from '../storage/schema.ts';
import { engines } from './engines/all-engines.ts';
import type { Engine, Target } from './engines/engine.ts';

/** An engine as the operator has set it up. */
export interface EngineSettings extends Target {
  readonly name: string;
  /** The slug of the engine's API. */
  readonly kind: string;
  /** The environment variable that holds its key. */
  readonly keyVariable: string;
  /** The last characters of a key that was pasted; null if the variable holds it. */
  readonly keyTail: string | null;
  /** Who accepted the terms of its search, and when. */
  readonly termsAcceptedBy: string | null;
  readonly termsAcceptedAt: string | null;
  readonly disabledAt: string | null;
}

type Db = Kysely<AccessTables>;

/** Never the encrypted key. */
const columns = [
  'name',
  'kind',
  'base_url',
  'model',
  'key_variable',
  'key_tail',
  'has_search',
  'search_required',
  'searches_max',
  'output_tokens_max',
  'terms_accepted_by',
  'terms_accepted_at',
  'disabled_at',
] as const;

/** Every engine that was set up, by name. */
export async function listEngines(db: Db): Promise<EngineSettings[]> {
  const rows = await db.selectFrom('engines').select(columns).orderBy('name').execute();
  return rows.map(toSettings);
}

/** A pasted key, encrypted for this engine and address, and its last characters. */
export interface StoredKey {
  readonly sealed: string;
  readonly tail: string;
}

/**
 * Sets an engine up, or changes it. A disabled one is enabled; accepted terms stay accepted. A
 * stored key stays if the address has the same origin, unless another is given.
 */
export async function saveEngine(
  db: Db,
  settings: Omit<EngineSettings, 'disabledAt' | 'keyTail'>,
  clock: () => number,
  storedKey?: StoredKey,
): Promise<void> {
  const before = await db
    .selectFrom('engines')
    .select(['base_url', 'key_sealed', 'key_tail'])
    .where('name', '=', settings.name)
    .executeTakeFirst();
  const isSameOrigin =
    before !== undefined && originOf(before.base_url) === originOf(settings.baseUrl);
  const kept = isSameOrigin
    ? { key_sealed: before.key_sealed, key_tail: before.key_tail }
    : { key_sealed: null, key_tail: null };
  const row = {
    kind: settings.kind,
    base_url: settings.baseUrl,
    model: settings.model,
    key_variable: settings.keyVariable,
    has_search: settings.hasSearch,
    searches_max: settings.searchesMax,
    output_tokens_max: settings.outputTokensMax,
    search_required: settings.requiresSearch,
    terms_accepted_by: settings.termsAcceptedBy,
    terms_accepted_at: settings.termsAcceptedAt,
    disabled_at: null,
    ...(storedKey === undefined
      ? kept
      : { key_sealed: storedKey.sealed, key_tail: storedKey.tail }),
  };
  await db
    .insertInto('engines')
    .values({ ...row, name: settings.name, created_at: new Date(clock()).toISOString() })
    .onConflict((conflict) => conflict.column('name').doUpdateSet(row))
    .execute();
}

/** The settings of an engine. Throws a `Refusal` for an unknown name. */
export async function requireEngine(db: Db, name: string): Promise<EngineSettings> {
  const all = await listEngines(db);
  const engine = all.find((each) => each.name === name);
  if (engine !== undefined) return engine;
  throw new Refusal('engine_not_found', { engine: name, known: all.map((each) => each.name) });
}

/**
 * Stops asking an engine from now on. Keeps its settings. Throws a `Refusal` for an unknown name.
 */
export async function disableEngine(db: Db, name: string, clock: () => number): Promise<void> {
  const rows = await db
    .updateTable('engines')
    .set({ disabled_at: new Date(clock()).toISOString() })
    .where('name', '=', name)
    .returning('name')
    .execute();
  if (rows.length === 0) await requireEngine(db, name);
}

/** Removes an engine with its key. Its readings and answers stay. False if there is none. */
export async function removeEngine(db: Db, name: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('engines')
    .where('name', '=', name)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** The origin of an engine's address. */
export function originOf(baseUrl: string): string {
  return new URL(baseUrl).origin;
}

/** Refuses a name that could be that of an app, whose answers differ from those of its API. */
export function refuseEngineName(name: string): void {
  if (engineSlugPattern.test(name) && name.endsWith('_api')) return;
  throw new Refusal('engine_name_malformed', {});
}

/** Finds the API of a kind. */
export function engineOfKind(kind: string): Engine {
  const engine = engines.find(({ slug }) => slug === kind);
  if (engine === undefined) throw new Error(`This version has no engine of the kind ${kind}`);
  return engine;
}

/**
 * Decides what to send. An engine searches if its API can, the operator lets it, and any terms of
 * its search are accepted.
 */
export function targetOf(settings: EngineSettings): Target {
  const { hasSearchTerms = false, canSearch = () => true } = engineOfKind(settings.kind);
  const maySearch =
    canSearch(settings.baseUrl) && (!hasSearchTerms || settings.termsAcceptedAt !== null);
  return { ...settings, hasSearch: settings.hasSearch && maySearch };
}

function toSettings(
  row: Pick<Selectable<AccessTables['engines']>, (typeof columns)[number]>,
): EngineSettings {
  return {
    name: row.name,
    kind: row.kind,
    baseUrl: row.base_url,
    model: row.model,
    keyVariable: row.key_variable,
    keyTail: row.key_tail,
    hasSearch: Boolean(row.has_search),
    requiresSearch: Boolean(row.search_required),
    searchesMax: row.searches_max,
    outputTokensMax: row.output_tokens_max,
    termsAcceptedBy: row.terms_accepted_by,
    termsAcceptedAt: row.terms_accepted_at,
    disabledAt: row.disabled_at,
  };
}
