import { Refusal } from '../refusals.ts';
import { engineOfKind, refuseEngineName } from './engine-settings.ts';
import type { EngineSettings } from './engine-settings.ts';
import { engines } from './engines/all-engines.ts';
import type { Engine } from './engines/engine.ts';

const ownKind = 'openai_compatible';

/** What an operator chose about an engine. */
interface EngineChoices {
  readonly kind: string | undefined;
  readonly model: string | undefined;
  readonly baseUrl: string | undefined;
  readonly keyVariable: string | undefined;
  readonly noSearch: boolean;
  /** Whether it must search before each answer. */
  readonly search: 'auto' | 'required' | undefined;
  /** Who accepts the terms of its search. */
  readonly acceptGroundingTerms: string | undefined;
  readonly searches: number | undefined;
  readonly outputTokens: number | undefined;
}

/**
 * Completes the choices about an engine. What was not chosen stays as in `before`, or is the
 * default. Throws a `Refusal` for settings that cannot be used, or that might contain a secret.
 */
export function completeSettings(
  name: string,
  values: EngineChoices,
  {
    before,
    mayBePlain,
    now,
  }: { before: Partial<EngineSettings>; mayBePlain: boolean; now: string },
): EngineSettings {
  const kind =
    values.kind ?? before.kind ?? engines.find(({ slug }) => slug === name)?.slug ?? ownKind;
  const engine = engineOfKind(kind);
  const { defaults } = engine;
  const isSameKind = before.kind === kind;
  const previous = isSameKind ? before : {};
  const model = values.model ?? previous.model ?? defaults.model;
  const baseUrl = values.baseUrl ?? previous.baseUrl ?? defaults.baseUrl;
  if (name !== ownKind) refuseEngineName(name);
  if (model === undefined || baseUrl === undefined) {
    const isUnknown = (values.kind ?? before.kind) === undefined && name !== ownKind;
    throw new Refusal('engine_model_missing', {
      engine: name,
      kind: isUnknown ? undefined : kind,
    });
  }
  // The name is stored and shown, so refuse a key that a person gives by mistake.
  if (!/^[A-Za-z_]\w{0,99}$/.test(values.keyVariable ?? 'A_KEY')) {
    throw new Refusal('engine_variable_malformed', {});
  }
  const accepted = values.acceptGroundingTerms;
  const requiresSearch =
    values.search === undefined
      ? !values.noSearch && (previous.requiresSearch ?? false)
      : values.search === 'required';
  if (requiresSearch && engine.canRequireSearch !== true) {
    const able = engines.filter(({ canRequireSearch }) => canRequireSearch === true);
    const kinds = able.map(({ slug }) => slug);
    throw new Refusal('engine_search_not_required', { engine: name, kinds });
  }
  return {
    name,
    kind,
    model,
    baseUrl: checkBaseUrl(baseUrl, engine, mayBePlain),
    keyVariable: values.keyVariable ?? previous.keyVariable ?? defaults.keyVariable,
    hasSearch:
      requiresSearch ||
      (!values.noSearch && (values.search === 'auto' || (previous.hasSearch ?? true))),
    requiresSearch,
    searchesMax: values.searches ?? previous.searchesMax ?? 3,
    outputTokensMax: values.outputTokens ?? previous.outputTokensMax ?? 8000,
    keyTail: before.keyTail ?? null,
    termsAcceptedBy: accepted ?? previous.termsAcceptedBy ?? null,
    termsAcceptedAt: accepted === undefined ? (previous.termsAcceptedAt ?? null) : now,
    disabledAt: previous.disabledAt ?? null,
  };
}

function checkBaseUrl(baseUrl: string, { isOwn = false }: Engine, mayBePlain: boolean): string {
  const url = URL.parse(baseUrl);
  const isPlain = url?.protocol === 'http:' && (isOwn || mayBePlain);
  // The address is stored and shown, and its other parts are often secrets.
  const isBare = url !== null && `${url.username}${url.password}${url.search}${url.hash}` === '';
  if (isBare && (url.protocol === 'https:' || isPlain)) {
    return baseUrl.replace(/\/+$/, '');
  }
  throw new Refusal('engine_address_malformed', { mayBePlain: isOwn });
}
