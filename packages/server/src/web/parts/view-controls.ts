import { surfaceOf } from '@overheard/contract';
import { engineName } from '../../values/engine.ts';
import { html } from '../markup/html.ts';
import type { Content, Html } from '../markup/html.ts';
import type { WorkspaceContext } from '../request/page-context.ts';
import { splitTarget } from '../../api/request/split-target.ts';
import { shareLink, sharedControls } from './share-link.ts';
import { viewLink, weekChoices } from '../request/view.ts';
import type { PageView, Weeks } from '../request/view.ts';

/** The controls of a page of figures: its filters, its file and its report link. */
export interface ViewChoices {
  readonly engines: readonly string[];
  readonly locales?: readonly string[];
  /** Whether the page has a table for a file. */
  readonly hasCsv?: boolean;
  /** Whether the page is about one prompt, and so has no filter of prompts. */
  readonly hasOnePrompt?: boolean;
  /** The page's own fields in the form of filters, and the values in them. */
  readonly fields?: Content;
  /** Rarely used fields, hidden behind a button unless one of them is set. */
  readonly more?: { readonly fields: Content; readonly isSet: boolean };
  readonly typed?: Readonly<Record<string, string | undefined>>;
  /** The page's own parameters to keep. */
  readonly parameters?: Readonly<Record<string, string | undefined>>;
}

/** The period as links, the filters as a form, the file, and the report link. */
export function viewControls(
  context: WorkspaceContext,
  view: PageView,
  {
    engines,
    locales = [],
    hasCsv = false,
    hasOnePrompt = false,
    fields,
    more,
    typed = {},
    parameters = {},
  }: ViewChoices,
): Html {
  if (context.shared !== undefined) return sharedControls(context.shared, hasCsv);
  const { path: target } = splitTarget(context.request.originalUrl);
  const path = target.split('/').slice(3).join('/');
  const { period, weeks, engine, surface, locale, competitorPrompts } = view;
  const surfaces = new Set(engines.map(surfaceOf));
  return html`<div class="view">
    <nav class="weeks" aria-label="Period">
      ${weekChoices.map(
        (count) =>
          html`<a
            href="${viewLink(context, path, { ...parameters, ...typed, weeks: count })}"
            ${count === weeks && html` aria-current="true"`}${keyTo(count, weeks)}
            >${count} weeks</a>`,
      )}
    </nav>
    <form class="filters" method="get" action="${target}">
      ${weeks === undefined ? [hiddenInput('from', period.from), hiddenInput('to', period.to)] : hiddenInput('weeks', String(weeks))}
      ${Object.entries(parameters).map(([name, value]) => value !== undefined && hiddenInput(name, value))}
      ${choice({ name: 'engine', label: 'Engine', all: 'every engine', value: engine }, engines)}
      ${(surfaces.size > 1 || surface !== undefined) && choice({ name: 'surface', label: 'Apps or APIs', all: 'apps and APIs', value: surface }, ['app', 'api'])}
      ${locales.length > 1 && choice({ name: 'locale', label: 'Locale', all: 'every locale', value: locale }, locales)}
      ${hasOnePrompt ? competitorPrompts === 'exclude' && hiddenInput('competitor_prompts', 'exclude') : more === undefined && promptChoice(competitorPrompts)}
      ${fields} ${more !== undefined && moreFields(more, competitorPrompts)}
      <button class="button small">Show</button>
    </form>
    ${hasCsv && html`<a class="button small" href="${viewLink(context, path, { ...parameters, ...typed, format: 'csv' })}">CSV</a>`}
    ${shareLink(context)}
  </div>`;
}

function moreFields(
  { fields, isSet }: NonNullable<ViewChoices['more']>,
  competitorPrompts: PageView['competitorPrompts'],
): Html {
  const isOpen = isSet || competitorPrompts === 'exclude';
  return html`<details class="more" ${isOpen && html` open`}>
    <summary>More filters</summary>
    <div class="filters">${promptChoice(competitorPrompts)} ${fields}</div>
  </details>`;
}

function promptChoice(competitorPrompts: PageView['competitorPrompts']): Html {
  return html`<label
    ><span class="unseen">Prompts that name a competitor</span><select name="competitor_prompts">
      <option value="include">all prompts</option>
      <option value="exclude" ${competitorPrompts === 'exclude' && html` selected`}>
        no prompts that name a competitor
      </option>
    </select></label>`;
}

/** The key for a period: `[` for the shorter and `]` for the longer one. */
function keyTo(count: Weeks, weeks: Weeks = 4): Content {
  const step = weekChoices.indexOf(count) - weekChoices.indexOf(weeks);
  return Math.abs(step) === 1 && html` data-key="${step === 1 ? ']' : '['}"`;
}

function hiddenInput(name: string, value: string): Html {
  return html`<input type="hidden" name="${name}" value="${value}" />`;
}

function optionWords(name: string, option: string): string {
  if (name === 'surface') return option === 'app' ? 'apps' : 'APIs';
  return name === 'engine' ? engineName(option) : option;
}

function choice(
  {
    name,
    label,
    all,
    value,
  }: { name: string; label: string; all: string; value?: string | undefined },
  options: readonly string[],
): Html {
  // Keep the chosen value from the address, even if the workspace does not have it.
  const every = value === undefined || options.includes(value) ? options : [...options, value];
  return html`<label
    ><span class="unseen">${label}</span><select name="${name}">
      <option value="">${all}</option>
      ${every.map((option) => html`<option value="${option}" ${option === value && html` selected`}>${optionWords(name, option)}</option>`)}
    </select></label>`;
}
