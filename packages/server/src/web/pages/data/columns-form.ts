import { engineSlugPattern } from '@overheard/contract';
import { guessColumns } from '../../../answers/import/mapping.ts';
import type { Mapping } from '../../../answers/import/mapping.ts';
import { answerFields } from '../../../answers/import/parse-answer.ts';
import type { AnswerField } from '../../../answers/import/parse-answer.ts';
import type { AnswersSample } from '../../../answers/import/read-sample.ts';
import type { Job, StoredRefusal } from '../../../jobs/jobs.ts';
import type { ImportColumns, ImportWork } from '../../../jobs/work.ts';
import { engineName, knownEngines } from '../../../values/engine.ts';
import { canonicalTag, hasRegion } from '../../../values/language-tag.ts';
import { amount } from '../../../values/plural.ts';
import { dateOrders, guessDateOrder, isTimeZone } from '../../../values/time/local-moment.ts';
import { html } from '../../markup/html.ts';
import type { Content, Html } from '../../markup/html.ts';
import { formFault, selectField, textField } from '../../parts/fields.ts';
import { table } from '../../parts/table.ts';
import { emptyForm, faultsOf, readForm } from '../../request/forms.ts';
import type { FormState } from '../../request/forms.ts';
import type { WorkspaceContext } from '../../request/page-context.ts';
import { refusalText } from '../../request/refusal-text.ts';

const fieldTitles: Readonly<Record<AnswerField, string>> = {
  id: 'Id of the answer (a UUID)',
  prompt_id: 'Id of the prompt (a UUID)',
  prompt: 'Prompt',
  language: 'Language',
  locale: 'Language and country (en-US)',
  engine: 'Engine',
  model: 'Model',
  run_at: 'Asked at',
  outcome: 'Outcome',
  answer: 'Answer',
  sources: 'Sources',
  queries: 'What the engine searched for',
  collect: 'Ask engines (on or off)',
};
const orderTitles = { day_first: 'day, month, year', month_first: 'month, day, year' } as const;
const fieldOptions = [
  ['', 'Leave out'] as const,
  ...answerFields.map((field) => [field, fieldTitles[field]] as const),
];

/** The import of a refused file whose columns a person can explain. */
export interface RefusedImport {
  readonly id: string;
  readonly work: ImportWork;
  readonly sample: AnswersSample;
  readonly refusal: StoredRefusal;
}

/** The job as a refused import, if the server kept its file. */
export function refusedImport({ id, work, outcome }: Job): RefusedImport | undefined {
  if (work.kind !== 'import' || outcome === undefined || !('refusal' in outcome)) return undefined;
  const { sample, refusal } = outcome;
  return sample && { id, work, sample, refusal };
}

/** The form that says what each column of a refused file is. It shows its first rows. */
export function columnsForm(
  context: WorkspaceContext,
  { id, work, sample, refusal }: RefusedImport,
  {
    form = emptyForm,
    usualLocale = 'en-US',
  }: { form: FormState | undefined; usualLocale: string | undefined },
): Html {
  const typed = { ...guessForm(sample, work, usualLocale), ...form.typed };
  const filled = { typed, faults: {} };
  const choice = (name: string, label: string, options: Options) =>
    html`<select name="${name}" aria-label="${label}">
      ${options.map(([value, title]) => html`<option value="${value}" ${value === (typed[name] ?? '') && html` selected`}>${title}</option>`)}
    </select>`;
  const columns = [
    { title: 'Column', cell: ({ name }: SampleColumn) => html`<code>${name}</code>` },
    {
      title: 'What it is',
      cell: ({ name, place }: SampleColumn) => choice(`c${place}`, `${name} is`, fieldOptions),
    },
    { title: 'In the first rows', cell: ({ values }: SampleColumn) => examples(values) },
  ];
  const places = sample.columns.map((column, place) => ({ ...column, place }));
  return html`<live-part id="job-${id}"><section aria-labelledby="columns">
    <h2 id="columns">Say what the columns of ${work.file} are</h2>
    <p class="hint">
      ${amount(sample.rows, 'row')} can be read. Nothing is stored yet. Needed: prompt, engine, and
      when it was asked. Helpful: answer, sources, model, language.
    </p>
    ${
      (work.columns !== undefined || refusal.code === 'rows_invalid') &&
      html`<div class="notice bad" role="alert">
        <pre tabindex="0"><code>${refusalText(refusal)}</code></pre>
      </div>`
    }
    ${Object.values(form.faults).map(formFault)}
    <form method="post" action="/w/${context.workspace.slug}/settings/data/columns">
      <input type="hidden" name="job" value="${id}" />
      ${table({ caption: 'Columns of the file', columns, empty: '' }, places)}
      ${
        sample.engines.length > 0 &&
        html`<fieldset>
          <legend>Engines</legend>
          ${sample.engines.map(
            (value, place) =>
              html`<p><label>${value} is ${choice(`e${place}`, `${value} is`, enginesOf(value))}</label></p>`,
          )}
        </fieldset>`
      }
      ${selectField(filled, { name: 'engine', label: 'If no column is the engine, all answers are from', options: [['', 'none chosen'], ...enginesOf('')] })}
      ${selectField(filled, { name: 'dates', label: 'Dates are written as', options: [['', 'year, month, day'], ...dateOrders.map((order) => [order, orderTitles[order]] as const)] })}
      ${textField(filled, { name: 'zone', label: 'Time zone of times without one', hint: 'Such as Europe/Berlin or UTC.' })}
      ${textField(filled, { name: 'locale', label: 'If no column is the language, new prompts are in', hint: 'A language with its region, such as en-US.' })}
      <p class="actions"><button class="button primary">Import ${amount(sample.rows, 'row')}</button></p>
    </form>
  </section></live-part>`;
}

type Options = ReadonlyArray<readonly [value: string, title: string]>;
type SampleColumn = AnswersSample['columns'][number] & { readonly place: number };

function examples(values: readonly string[]): Content {
  return values
    .filter((value) => value !== '')
    .slice(0, 3)
    .map((value) => html`<div>${value.length > 60 ? `${value.slice(0, 60)}…` : value}</div>`);
}

/** The known engines; and the name itself, where it can be one. */
function enginesOf(name: string): Options {
  const slug = slugOf(name);
  const own = knownEngines.includes(slug) || !engineSlugPattern.test(slug) ? [] : [slug];
  return [
    ...knownEngines.map((each) => [each, engineName(each)] as const),
    ...own.map((each) => [each, `${each}, a new engine`] as const),
  ];
}

/** A name of an engine as people write it, in the form of a slug: `Google AI Mode`. */
function slugOf(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_|_$/g, '');
}

/** What was chosen before, else what names and values suggest. */
function guessForm(
  { columns, engines }: AnswersSample,
  { columns: chosen }: ImportWork,
  usualLocale: string,
): Readonly<Record<string, string>> {
  const mapping: Mapping = chosen?.mapping ?? guessMapping(columns);
  const typed: Record<string, string> = {};
  for (const [place, { name }] of columns.entries()) {
    typed[`c${place}`] = answerFields.find((field) => columnOf(mapping[field]) === name) ?? '';
  }
  const { engine, locale } = mapping;
  for (const [place, value] of engines.entries()) {
    const before =
      typeof engine === 'object' && 'values' in engine ? engine.values[value] : undefined;
    typed[`e${place}`] = before ?? slugOf(value);
  }
  typed['engine'] = typeof engine === 'object' && 'value' in engine ? engine.value : '';
  typed['locale'] = typeof locale === 'object' && 'value' in locale ? locale.value : usualLocale;
  typed['zone'] = chosen?.timeZone ?? 'UTC';
  const moments = columns.find(({ name }) => name === columnOf(mapping.run_at));
  typed['dates'] =
    chosen === undefined ? (guessDateOrder(moments?.values ?? []) ?? '') : (chosen.dates ?? '');
  return typed;
}

function guessMapping(columns: AnswersSample['columns']): Mapping {
  const { locale, ...mapping } = guessColumns(columns.map(({ name }) => name));
  const values = columns.find(({ name }) => name === locale)?.values ?? [];
  // A column of countries is no column of locales.
  const isLocale = values.every((value) => value === '' || hasRegion(canonicalTag(value) ?? ''));
  return locale !== undefined && isLocale ? { ...mapping, locale } : mapping;
}

function columnOf(place: Mapping[AnswerField]): string | undefined {
  if (typeof place === 'string') return place;
  return place !== undefined && 'column' in place ? place.column : undefined;
}

/** Reads the form: the columns of the file, or the faults of the choices. */
export function readColumns(
  body: unknown,
  { sample: { columns, engines } }: RefusedImport,
): { columns: ImportColumns } | { form: FormState } {
  const names = [
    'job',
    'engine',
    'dates',
    'zone',
    'locale',
    ...columns.map((_, place) => `c${place}`),
    ...engines.map((_, place) => `e${place}`),
  ];
  const typed: Readonly<Record<string, string>> = readForm(body, names);
  const mapping: Mapping = {};
  let twice: AnswerField | undefined;
  for (const [place, { name }] of columns.entries()) {
    const field = answerFields.find((each) => each === typed[`c${place}`]);
    if (field === undefined) continue;
    if (mapping[field] !== undefined) twice = field;
    mapping[field] = name;
  }
  const [engine = '', zone = '', locale = ''] = [typed['engine'], typed['zone'], typed['locale']];
  if (typeof mapping.engine === 'string') {
    const values = engines.map((value, place) => [value, typed[`e${place}`] ?? ''] as const);
    const known = values.filter(([, slug]) => engineSlugPattern.test(slug));
    mapping.engine = { column: mapping.engine, values: Object.fromEntries(known) };
  } else if (engineSlugPattern.test(engine)) {
    mapping.engine = { value: engine };
  }
  if (mapping.locale === undefined && mapping.language === undefined)
    mapping.locale = { value: locale };
  const timeZone = zone.trim();
  const faults = faultsOf({
    twice: twice && `Two columns are "${fieldTitles[twice]}". Leave one out.`,
    prompt:
      mapping.prompt === undefined && mapping.prompt_id === undefined
        ? 'Choose the column that is the prompt.'
        : undefined,
    engine:
      mapping.engine === undefined
        ? 'Choose the column that is the engine, or one engine for all answers.'
        : undefined,
    run_at:
      mapping.run_at === undefined ? 'Choose the column that says when it was asked.' : undefined,
    zone: isTimeZone(timeZone)
      ? undefined
      : 'The time zone must be a zone such as Europe/Berlin or UTC.',
    locale: localeFault(mapping),
  });
  if (Object.keys(faults).length > 0) return { form: { typed, faults } };
  const dates = dateOrders.find((order) => order === typed['dates']);
  return { columns: { mapping, timeZone, dates } };
}

function localeFault({ locale }: Mapping): string | undefined {
  if (typeof locale !== 'object' || !('value' in locale)) return undefined;
  const tag = canonicalTag(locale.value.trim()) ?? '';
  return hasRegion(tag)
    ? undefined
    : 'The language of new prompts must have its region, such as en-US.';
}
