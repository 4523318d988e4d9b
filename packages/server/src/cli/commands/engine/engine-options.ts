import { engineOfKind, refuseEngineName } from '../../../collect/engine-settings.ts';
import type { EngineSettings } from '../../../collect/engine-settings.ts';
import type { Engine } from '../../../collect/engines/engine.ts';
import { engines } from '../../../collect/engines/all-engines.ts';
import { integer } from '../../../config.ts';
import type { OptionSpec } from '../../../config.ts';
import type { OptionValues } from '../../define/define-command.ts';
import { choice, flag, text } from '../../define/options.ts';
import { Refusal } from '../../../refusals.ts';

const kinds = engines.map(({ slug }) => slug);
const ownKind = 'openai_compatible';

/** Options for how an engine is asked. */
export const engineOptions = {
  kind: choice('<kind>', kinds, 'its API (default: its name, else openai_compatible)'),
  model: text('<name>', "the engine's model (default: see below)"),
  baseUrl: text('<url>', "address of its API (default: the vendor's)"),
  keyVariable: text('<name>', 'environment variable that holds its key (default: see below)'),
  noSearch: flag('do not let it search the web'),
  acceptGroundingTerms: text(
    '<name>',
    "let gemini_api search: this person accepts Google's terms for grounding with Google Search",
  ),
  searches: wholeNumber('most searches of one answer, if the API accepts a limit (default: 3)', {
    min: 1,
    max: 50,
  }),
  outputTokens: wholeNumber('most tokens of one answer, including thoughts (default: 8000)', {
    min: 16,
    max: 1_000_000,
  }),
};

function wholeNumber(
  summary: string,
  bounds: { min: number; max: number },
): OptionSpec<number | undefined> {
  return { value: '<number>', summary, parse: integer(bounds) };
}

export const engineHelp = `
Kinds, their default models and the variables of their keys:
${engines
  .map(({ slug, defaults: { model = '--model and --base-url', keyVariable } }) =>
    [`  ${slug.padEnd(18)}`, model.padEnd(23), keyVariable].join(' '),
  )
  .join('\n')}

The key is read from the environment, and printed and stored nowhere. openai_compatible is any server that
speaks Chat Completions, such as Ollama or vLLM: only it may be at an address that is not public, and needs
no key. Gemini searches only if someone accepts Google's terms, which forbid storing and analysing
its search results; without search it needs no consent.`;

/**
 * The settings in the options. A missing option keeps the setting of `before`, or uses the default.
 */
export function readSettings(
  name: string,
  values: OptionValues<typeof engineOptions>,
  {
    before,
    mayBePlain,
    now,
  }: { before: Partial<EngineSettings>; mayBePlain: boolean; now: string },
): EngineSettings {
  const kind = values.kind ?? before.kind ?? kinds.find((each) => each === name) ?? ownKind;
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
  return {
    name,
    kind,
    model,
    baseUrl: checkBaseUrl(baseUrl, engine, mayBePlain),
    keyVariable: values.keyVariable ?? previous.keyVariable ?? defaults.keyVariable,
    hasSearch: !values.noSearch && (previous.hasSearch ?? true),
    searchesMax: values.searches ?? previous.searchesMax ?? 3,
    outputTokensMax: values.outputTokens ?? previous.outputTokensMax ?? 8000,
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
