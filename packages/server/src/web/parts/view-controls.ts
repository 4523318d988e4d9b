import { surfaceOf } from '@overheard/contract';
import { splitTarget } from '../../api/request/split-target.ts';
import { engineName } from '../../values/engine.ts';
import { html } from '../markup/html.ts';
import type { Content, Html } from '../markup/html.ts';
import type { WorkspaceContext } from '../request/page-context.ts';
import { viewLink, weekChoices } from '../request/view.ts';
import type { PageView, ViewChanges } from '../request/view.ts';
import { periodWords } from './moment-words.ts';
import { menu, pick } from './pick.ts';
import type { PickOption } from './pick.ts';
import { allows } from '../../people/roles.ts';
import { shareableAt } from './shareable.ts';
import { pageTarget } from '../request/page-context.ts';

/** The controls in the head of a page. On a phone they are behind a button with the words of `chip`. */
export interface Controls {
  readonly chip: string;
  readonly content: Html;
}

/** A filter with a parameter of its own. Its first entry, `all`, leaves the parameter out. */
export interface Filter {
  readonly name: string;
  readonly label: string;
  readonly all: string;
  readonly value: string | undefined;
  readonly options: ReadonlyArray<readonly [value: string, title: string]>;
}

/** The filters of a page of figures. */
export interface ViewChoices {
  /** Undefined if the page has no filter of engines. */
  readonly engines?: readonly string[];
  readonly locales?: readonly string[];
  /** Undefined if the page has no filter of tags. */
  readonly tags?: readonly string[];
  /** Whether to offer a filter of engines that searched. Undefined if the page has none. */
  readonly saysSearch?: boolean;
  /** Whether the page shows a period. */
  readonly hasPeriod?: boolean;
  /** The path of the page in the workspace, if a form shows it under another. */
  readonly path?: string;
  /** Whether the page has a table for a file. */
  readonly hasCsv?: boolean;
  /** Whether the page counts one prompt or no answers, and so has no filter of prompts. */
  readonly hasPromptFilter?: boolean;
  /** The page's own filters. */
  readonly filters?: readonly Filter[];
  /** Rarely used filters, together in one menu. */
  readonly more?: readonly Filter[];
  /** A field for a part of a text. */
  readonly search?: {
    readonly name: string;
    readonly label: string;
    readonly value?: string | undefined;
  };
  /** All parameters of the page itself. */
  readonly parameters?: ViewChanges;
}

/** The period and the filters as menus that apply at once, the file, and the report link. */
export function viewControls(
  context: WorkspaceContext,
  view: PageView,
  {
    engines,
    locales = [],
    tags,
    saysSearch,
    hasCsv = false,
    hasPeriod = true,
    path = splitTarget(context.request.originalUrl).path.split('/').slice(3).join('/'),
    hasPromptFilter = engines !== undefined,
    filters = [],
    more = [],
    search,
    parameters = {},
  }: ViewChoices,
): Controls {
  const { shared, request } = context;
  if (shared !== undefined) {
    const file = hasCsv && html`<a class="button small" href="${shared.csv}">Download CSV</a>`;
    return { chip: '', content: html`${file}` };
  }
  const link = (changes: ViewChanges) => viewLink(context, path, { ...parameters, ...changes });
  const filterOptions = ({ name, all, value, options }: Filter): PickOption[] =>
    [['', all] as const, ...options].map(([each, words]) => {
      const wanted = each === '' ? undefined : each;
      return { words, isOn: each === (value ?? ''), href: link({ [name]: wanted }) };
    });
  const menuOf = (filter: Filter) => pick(filter.label, filterOptions(filter));
  const weeks = weekOptions(view, link);
  const onEngine = engineFilter(view, engines);
  const current = weeks.find(({ isOn }) => isOn)?.words;
  const period = current ?? periodWords(view.period);
  const surface = surfaceFilter(view, engines);
  const rare = [
    tagFilter(view, tags),
    localeFilter(view, locales),
    hasPromptFilter ? promptFilter(view) : undefined,
    searchFilter(view, saysSearch),
  ];
  // A page with a menu of rare filters has these there, too.
  const [first, last] = more.length > 0 ? [[], rare] : [rare, []];
  const folded = [...last, ...more].filter((each) => each !== undefined);
  const isMore = folded.some(({ value }) => value !== undefined);
  return {
    chip: [hasPeriod ? period.replace('Last ', '') : '', chipWords(onEngine)]
      .filter((each) => each !== '')
      .join(', '),
    content: html`${hasPeriod && pick('Period', current === undefined ? [{ words: period, isOn: true, href: link({}) }, ...weeks] : weeks)}
    ${[onEngine, surface, ...first, ...filters].map((each) => each && menuOf(each))}
    ${
      folded.length > 0 &&
      menu(
        isMore ? 'More filters, set' : 'More filters',
        folded.map((each) => ({ label: each.label, options: filterOptions(each) })),
      )
    }
    ${search && searchForm(request.originalUrl, { ...search, link: link({ [search.name]: undefined }) })}
    ${hasCsv && html`<a class="button small" href="${link({ format: 'csv' })}">Export</a>`}
    ${shareLink(context)}`,
  };
}

function chipWords(onEngine: Filter | undefined): string {
  const { value, all = '' } = onEngine ?? {};
  return value === undefined ? all.toLowerCase() : engineName(value);
}

/** The keys `[` and `]` choose the shorter and the longer period. */
function weekOptions({ weeks }: PageView, link: (changes: ViewChanges) => string): PickOption[] {
  const place = weekChoices.indexOf(weeks ?? 4);
  return weekChoices.map((count, index) => ({
    words: `Last ${count} weeks`,
    isOn: count === weeks,
    href: link({ weeks: count }),
    key: index === place + 1 ? ']' : index === place - 1 && '[',
  }));
}

/** Options of values that the workspace has, and of the chosen one, which an address may make up. */
function optionsOf(
  values: readonly string[],
  chosen: string | undefined,
  title = (value: string) => value,
): Filter['options'] {
  const every = chosen === undefined || values.includes(chosen) ? values : [...values, chosen];
  return every.map((value) => [value, title(value)] as const);
}

function engineFilter({ engine }: PageView, engines?: readonly string[]): Filter | undefined {
  if (engines === undefined) return undefined;
  const options = optionsOf(engines, engine, engineName);
  return { name: 'engine', label: 'Engine', all: 'All engines', value: engine, options };
}

function surfaceFilter({ surface }: PageView, engines: readonly string[] = []): Filter | undefined {
  if (surface === undefined && new Set(engines.map(surfaceOf)).size < 2) return undefined;
  const options = [['app', 'Apps'] as const, ['api', 'APIs'] as const];
  return { name: 'surface', label: 'Apps or APIs', all: 'Apps and APIs', value: surface, options };
}

function localeFilter({ locale }: PageView, locales: readonly string[]): Filter | undefined {
  if (locales.length < 2 && locale === undefined) return undefined;
  const options = optionsOf(locales, locale);
  return { name: 'locale', label: 'Locale', all: 'All locales', value: locale, options };
}

function tagFilter({ tag }: PageView, tags?: readonly string[]): Filter | undefined {
  if (tags === undefined || (tags.length === 0 && tag === undefined)) return undefined;
  const options = optionsOf(tags, tag);
  return { name: 'tag', label: 'Tag', all: 'All tags', value: tag, options };
}

function searchFilter({ searched }: PageView, saysSearch?: boolean): Filter | undefined {
  if (saysSearch === undefined || (!saysSearch && searched === undefined)) return undefined;
  const options = [['yes', 'Searched'] as const, ['no', 'Did not search'] as const];
  return { name: 'searched', label: 'Search', all: 'Searched or not', value: searched, options };
}

function promptFilter({ competitorPrompts }: PageView): Filter {
  const value = competitorPrompts === 'exclude' ? competitorPrompts : undefined;
  const options = [['exclude', 'Without prompts that name a competitor'] as const];
  return { name: 'competitor_prompts', label: 'Prompts', all: 'All prompts', value, options };
}

/** A form of one field, which Enter sends with the rest of the view. */
function searchForm(
  target: string,
  { name, label, value, link }: NonNullable<ViewChoices['search']> & { link: string },
): Html {
  const kept = new URLSearchParams(splitTarget(link).search);
  return html`<form method="get" action="${splitTarget(target).path}" role="search">
    ${[...kept].map(([each, text]) => html`<input type="hidden" name="${each}" value="${text}" />`)}
    <input type="search" name="${name}" value="${value ?? ''}" maxlength="200" placeholder="${label}" aria-label="${label}" data-key="/" /><button class="unseen">Find</button>
  </form>`;
}

/** A link to make a report link of the current page, for people who may. */
export function shareLink(context: WorkspaceContext): Content {
  const { path, search } = splitTarget(pageTarget(context));
  const page = shareableAt(path);
  if (page === undefined || !allows(context.role, 'admin')) return undefined;
  const query = new URLSearchParams({ page, ...(search !== '' && { view: search }) });
  const address = `/w/${context.workspace.slug}/settings/links?${query.toString()}`;
  return html`<a class="button small" href="${address}">Share</a>`;
}
