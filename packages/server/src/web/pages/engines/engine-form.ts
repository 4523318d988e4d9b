import { completeSettings } from '../../../collect/complete-settings.ts';
import { listEngines, originOf, refuseEngineName } from '../../../collect/engine-settings.ts';
import { hasSecretVariable } from '../../../collect/keys/secret-variable.ts';
import type { EngineSettings, StoredKey } from '../../../collect/engine-settings.ts';
import { engines } from '../../../collect/engines/all-engines.ts';
import { isKey, sealKey } from '../../../collect/keys/engine-key.ts';
import { requireSecret } from '../../../collect/keys/installation-secret.ts';
import { readFirstModel } from '../../../collect/ask/first-model.ts';
import { usualLimits } from '../../../collect/ledger/paced-engines.ts';
import { setUpEngine } from '../../../collect/set-up-engine.ts';
import type { Refusal } from '../../../refusals.ts';
import { engineName } from '../../../values/engine.ts';
import { parseUsd } from '../../../values/usd.ts';
import { html } from '../../markup/html.ts';
import type { Html } from '../../markup/html.ts';
import { checkField, selectField, textField } from '../../parts/fields.ts';
import { faultsOf, readForm } from '../../request/forms.ts';
import type { FormState } from '../../request/forms.ts';
import { personOf } from '../../request/page-context.ts';
import { note } from '../../request/note.ts';
import type { PageContext } from '../../request/page-context.ts';
import { refusalText } from '../../request/refusal-text.ts';

/** Servers of one's own, by the names that people know, with the addresses that they use at first. */
const ownServers: ReadonlyArray<readonly [name: string, title: string, address: string]> = [
  ['ollama_local_api', 'Ollama', 'http://localhost:11434/v1'],
  ['lm_studio_local_api', 'LM Studio', 'http://localhost:1234/v1'],
  ['llama_cpp_local_api', 'llama.cpp', 'http://localhost:8080/v1'],
  ['vllm_local_api', 'vLLM', 'http://localhost:8000/v1'],
];
const other = 'openai_compatible';
const fields = [
  'engine',
  'key',
  'model',
  'address',
  'name',
  'search',
  'bound',
  'cap',
  'terms',
] as const;
/** Fields that are folded away. */
const inDetails = new Set<string>(['model', 'address', 'name', 'search', 'bound', 'cap']);
const keyLengthMax = 500;
const searchOptions = [
  ['', 'as it is; of a new engine when it wants to'],
  ['auto', 'when it wants to'],
  ['required', 'before each answer: OpenAI and Claude'],
] as const;

/** The form that adds an engine, or replaces its key, model, address and limits. */
export function engineForm(form: FormState): Html {
  const options = [
    ...engines
      .filter(({ slug }) => slug !== other)
      .map(({ slug }) => [slug, engineName(slug)] as const),
    ...ownServers.map(([name, title]) => [name, `${title}, on a machine of your own`] as const),
    [other, 'Another server that speaks Chat Completions'] as const,
  ];
  return html`<form method="post" class="panel" action="/engines">
    <h2>Add an engine, or change one</h2>
    ${selectField(form, { name: 'engine', label: 'Engine', options, value: 'chatgpt_api' })}
    ${textField(form, { name: 'key', label: 'Key of its API', isOptional: true, lengthMax: keyLengthMax, hint: 'Stored encrypted, and never shown again. Leave it empty to keep the present key or to use its environment variable.' })}
    <details ${Object.keys(form.faults).some((field) => inDetails.has(field)) && html` open`}>
      <summary>Model, address and limits</summary>
      ${textField(form, { name: 'model', label: 'Model', isOptional: true, lengthMax: 200, hint: 'The usual one if you leave it empty; of another server the first that it lists.' })}
      ${textField(form, { name: 'address', label: 'Address', isOptional: true, lengthMax: 500, hint: 'Only if it is not the usual one. Another address needs its key again.' })}
      ${textField(form, { name: 'name', label: 'Name', isOptional: true, lengthMax: 64, hint: 'Only for another server. It ends in _api, such as our_model_api; in _local_api if the model runs on a machine of your own.' })}
      ${selectField(form, { name: 'search', label: 'Search', options: searchOptions, value: '' })}
      ${textField(form, { name: 'bound', label: 'Most that one answer may cost, US dollars', isOptional: true, lengthMax: 14, hint: 'Only if the price list does not know the model. 0 for a machine of your own.' })}
      ${textField(form, { name: 'cap', label: 'Most that all its answers may cost a month, US dollars', isOptional: true, lengthMax: 14 })}
      ${checkField(form, { name: 'terms', label: 'Gemini: I accept Google’s terms of grounding with Google Search. They forbid storing and analysing its results. Without them it is asked without search.' })}
    </details>
    <p class="actions"><button class="button primary">Save</button></p>
  </form>`;
}

/** Saves the form. Returns it if it has a fault. */
export async function saveEngineForm(context: PageContext): Promise<FormState | undefined> {
  // Without the key, so that no page shows it again.
  const { key: pasted, ...typed } = readForm(context.request.body, fields);
  const { store, clock } = context;
  const own = ownServers.find(([name]) => name === typed.engine);
  const isOther = typed.engine === other;
  const name = (isOther ? typed.name.trim() : '') || typed.engine;
  const kind = own === undefined ? typed.engine : other;
  const address = typed.address.trim();
  const [bound, cap] = [typed.bound.trim(), typed.cap.trim()];
  const [boundUsd, capUsd] = [parseUsd(bound), parseUsd(cap)];
  const amount = 'It must be an amount in US dollars such as 5 or 0.25.';
  const key = pasted.trim();
  const faults = faultsOf({
    engine: engines.some(({ slug }) => slug === kind) ? undefined : 'Choose an engine.',
    key: key === '' || isKey(key) ? undefined : 'It has blanks or characters that no key has.',
    name: isOther && typed.name.trim() === '' ? 'Give it a name such as our_model_api.' : undefined,
    bound: bound !== '' && boundUsd === undefined ? amount : undefined,
    cap: cap !== '' && capUsd === undefined ? amount : undefined,
  });
  if (Object.keys(faults).length > 0) return { typed, faults };
  const before = (await listEngines(store.access)).find((each) => each.name === name);
  const isOwn = kind === other;
  const baseUrl = address === '' ? (before?.baseUrl ?? own?.[2]) : address;
  const isModelOpen = isOwn && typed.model.trim() === '' && before === undefined;
  const firstModel =
    isModelOpen && baseUrl !== undefined && URL.canParse(baseUrl)
      ? await readFirstModel(baseUrl, { key })
      : undefined;
  const settings = completeSettings(
    name,
    {
      kind,
      model: typed.model.trim() || firstModel,
      baseUrl,
      keyVariable: undefined,
      noSearch: false,
      search: typed.search === 'auto' || typed.search === 'required' ? typed.search : undefined,
      acceptGroundingTerms: typed.terms === 'on' ? personOf(context).user.email : undefined,
      searches: undefined,
      outputTokens: undefined,
    },
    { before: before ?? {}, mayBePlain: false, now: new Date(clock()).toISOString() },
  );
  refuseEngineName(name);
  // Else a page could send the key of a variable to any address.
  const home = before?.baseUrl ?? engines.find(({ slug }) => slug === kind)?.defaults.baseUrl;
  const isMoved = home === undefined || originOf(home) !== originOf(settings.baseUrl);
  const hasKey =
    settings.keyTail !== null || hasSecretVariable(context.environment, settings.keyVariable);
  if (isMoved && hasKey && key === '') {
    return { typed, faults: { key: 'Another address needs the key again.' } };
  }
  await setUpEngine(store, {
    settings,
    limits: { ...usualLimits, boundUsd: boundUsd ?? (own === undefined ? null : 0) },
    caps: { monthUsd: capUsd },
    ...(key !== '' && { storedKey: storedKeyOf(context, settings, key) }),
    clock,
  });
  const facts = { name: isOwn ? `${name} at ${settings.baseUrl}` : name };
  await note(context, 'engine_saved', facts);
  return undefined;
}

function storedKeyOf(
  { store, environment }: PageContext,
  settings: EngineSettings,
  key: string,
): StoredKey {
  const sealed = sealKey(requireSecret(store, environment), settings, key);
  // Of a short key the last characters would tell too much.
  return { sealed, tail: key.length < 16 ? '' : key.slice(-4) };
}

/** The form again, without the key, with why it was refused. */
export function refusedEngine(context: PageContext, { code, facts }: Refusal): FormState {
  const { key: _, ...typed } = readForm(context.request.body, fields);
  const words = refusalText({ code, facts });
  return { typed, faults: { [fieldOf[code] ?? 'key']: words } };
}

/** The fields that refusals are about; others are about the key. */
const fieldOf: Partial<Record<Refusal['code'], string>> = {
  engine_model_missing: 'model',
  engine_address_malformed: 'address',
  engine_name_malformed: 'name',
  engine_search_not_required: 'search',
};
