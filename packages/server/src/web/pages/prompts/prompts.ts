import { z } from 'zod';
import { shares } from '@overheard/contract';
import { allows } from '../../../people/roles.ts';
import type { PromptList } from '../../../reports/prompt-pages/prompt-list.ts';
import { amount, thousands } from '../../../values/plural.ts';
import { html } from '../../markup/html.ts';
import type { Content } from '../../markup/html.ts';
import { periodWords } from '../../parts/moment-words.ts';
import { promptColumns } from './prompt-columns.ts';
import { promptSwitches, switchButtons, tagChanges } from './prompt-switch.ts';
import { columnsOfFields, csvOf, table } from '../../parts/table.ts';
import { surfaceNote } from '../../parts/surface-note.ts';
import { viewControls } from '../../parts/view-controls.ts';
import type { Controls, Filter } from '../../parts/view-controls.ts';
import { workspacePage } from '../../parts/workspace-page.ts';
import type { ReportResult } from '../../reader/run-report.ts';
import { promptOrders, promptsShown, readPromptFilters } from './prompt-filters.ts';
import type { PromptFilters } from './prompt-filters.ts';
import { readView, viewLink } from '../../request/view.ts';
import type { Result, WorkspaceContext, WorkspaceRoute } from '../../request/page-context.ts';
import { showPrompt } from './show-prompt.ts';
import { switchPrompts } from '../../../collect/prompts.ts';
import { tagPrompts, untagPrompts } from '../../../workspaces/tags.ts';
import type { Refusal } from '../../../refusals.ts';
import { notFound, PageFault } from '../../request/page-fault.ts';
import { readListForm } from '../../request/forms.ts';
import { get, pathPart, post } from '../../request/page-context.ts';
import { note } from '../../request/note.ts';

/** More prompts than a workspace has. */
const allRows = 1_000_000;

async function switchListed(context: WorkspaceContext): Promise<Result> {
  const { parameters, page, query } = readPromptFilters(context);
  const fields = ['do', 'which', 'tag'] as const;
  const { typed, values } = readListForm(context.request.body, fields, 'prompt[]');
  const all = { ...query, offset: 0, rowsMax: allRows };
  const ids =
    typed.which === 'all'
      ? (await context.reports.read('prompts', all)).rows.map(({ id }) => id)
      : values;
  await changeThem(context, ids, typed);
  return {
    redirect: viewLink(context, 'prompts', { ...parameters, page: page === 1 ? undefined : page }),
  };
}

async function switchOne(context: WorkspaceContext): Promise<Result> {
  readView(context);
  const { typed, values } = readListForm(context.request.body, ['do', 'tag'], 'prompt[]');
  const id = pathPart(context, 'prompt');
  if (values.length !== 1 || values[0] !== id) throw notFound();
  await changeThem(context, [id], typed);
  return { redirect: viewLink(context, `prompts/${id}`) };
}

async function changeThem(
  context: WorkspaceContext,
  ids: readonly string[],
  { do: wanted, tag }: { readonly do: string; readonly tag: string },
): Promise<void> {
  const promptSwitch = Object.entries(promptSwitches).find(([name]) => name === wanted)?.[1];
  if ((promptSwitch === undefined && !(wanted in tagChanges)) || ids.length === 0) {
    throw new PageFault(
      400,
      'Nothing was changed',
      'Go back, tick the prompts, and press one of the buttons under them.',
    );
  }
  const { store, workspace } = context;
  if (promptSwitch === undefined) {
    const isTopic = wanted === 'topic';
    const { changed, tag: spelled } =
      wanted === 'untag'
        ? await untagPrompts(store, workspace.id, { ids, tag })
        : await tagPrompts(store, workspace.id, { ids, tag, isTopic });
    const kind = wanted === 'untag' ? 'prompts_untagged' : 'prompts_tagged';
    if (changed > 0)
      await note(context, kind, { name: `${amount(changed, 'prompt')}: ${spelled}` });
    return;
  }
  const { what, isOn, kind } = promptSwitch;
  const changed = await switchPrompts(store, workspace.id, { ids, what, isOn });
  if (changed > 0) await note(context, kind, { name: amount(changed, 'prompt') });
}

function refuseSwitch(_: WorkspaceContext, { code }: Refusal): PageFault | undefined {
  if (code === 'tag_malformed' || code === 'tag_not_found') {
    return new PageFault(
      400,
      code === 'tag_malformed' ? 'This cannot be a tag' : 'No prompt has this tag',
      'Nothing was changed. Go back, and write a tag of 1 to 60 characters, without commas.',
    );
  }
  if (code !== 'prompt_not_found') return undefined;
  return new PageFault(
    404,
    'A prompt is not in this workspace',
    'Nothing was changed. Open the list again, because an import may have been reverted.',
  );
}

/** The pages of prompts: the list, each prompt, and the forms of editors. */
export const promptsRoutes: readonly WorkspaceRoute[] = [
  get('/w/:slug/prompts', 'viewer', showPrompts, { dependsOn: () => null }),
  post(
    '/w/:slug/prompts/switch',
    'editor',
    'switch prompts on or off, and tag them',
    switchListed,
    { onRefusal: refuseSwitch },
  ),
  post(
    '/w/:slug/prompts/:prompt/switch',
    'editor',
    'switch one prompt on or off, and tag it',
    switchOne,
    { onRefusal: refuseSwitch },
  ),
  get('/w/:slug/prompts/:prompt', 'viewer', showPrompt, { dependsOn: () => null }),
];

/** Most rows of the file. */
const fileRowsMax = 20_000;

const shareFields = shares.fields.filter(
  (field) => !['prompt_id', 'prompt', 'engine', 'locale', 'tag'].includes(field),
);
/** The columns of the file: the prompt, then the brand's figures as in `shares`, then who leads. */
const fileFields = [
  ...(['id', 'text', 'language', 'locale', 'active', 'stored_runs', 'last_run_at'] as const),
  ...shareFields,
  ...(['leader_id', 'leader_name', 'leader_rate', 'topic', 'tags'] as const),
];
const nothingCounted = z
  .record(z.enum(shareFields), z.null())
  .parse(Object.fromEntries(shareFields.map((field) => [field, null])));

export async function showPrompts(context: WorkspaceContext): Promise<Result> {
  const filters = readPromptFilters(context);
  const { query, isCsv, view, parameters, page } = filters;
  const listQuery = isCsv ? { ...query, offset: 0, rowsMax: fileRowsMax } : query;
  const list = await context.reports.read('prompts', listQuery);
  const mayChange = allows(context.role, 'editor');
  const isEachCollected = list.rows.length > 1 && list.rows.every(({ collected }) => collected);
  if (isCsv) {
    const rows = list.rows.map(({ brand, leader, ...prompt }) => ({
      ...nothingCounted,
      ...view.period,
      ...brand,
      ...prompt,
      runs: brand?.runs ?? 0,
      stored_runs: prompt.runs,
      active: String(prompt.active),
      leader_id: leader?.subject_id ?? null,
      leader_name: leader?.name ?? null,
      leader_rate: leader?.rate ?? null,
      topic: prompt.hasTopic ? (prompt.tags[0] ?? null) : null,
      tags: prompt.tags.slice(prompt.hasTopic ? 1 : 0).join(', '),
    }));
    return csvOf(context, 'prompts', columnsOfFields(fileFields), rows);
  }
  const choices = await context.reports.read('filters', {});
  const hasLocales = choices.locales.length > 1;
  const columns = promptColumns(context, { mayChange, isEachCollected, hasLocales });
  const rows = [
    list.rows.some(({ brand }) => brand !== null) && surfaceNote(context, list.surfaces),
    table(
      {
        caption: 'Prompts',
        columns,
        empty:
          list.prompts > 0
            ? 'No prompt fits these filters, or the page is behind the last one.'
            : 'There are no prompts yet. They come with answers that are imported, or are added here.',
      },
      list.rows,
    ),
  ];
  const hasForm = mayChange && list.rows.length > 0;
  const controls = controlsOf(context, filters, choices);
  const content = html`<section>
      <h2>${totalWords(list)}</h2>
      ${isEachCollected && html`<p class="hint">Engines are asked each of these.</p>`}
      ${
        hasForm
          ? html`<form
              method="post"
              action="${viewLink(context, 'prompts/switch', { ...parameters, page })}"
            >
              ${rows}
              ${switchButtons(context, { total: list.total > list.rows.length ? list.total : undefined, tags: choices.tags })}
            </form>`
          : rows
      }
      ${pages(context, list, filters)}
    </section>`;
  const lead = `${periodWords(view.period)}, UTC`;
  const action =
    mayChange &&
    html`<a class="button primary" href="/w/${context.workspace.slug}/start/prompts" data-key="n">Add prompts <kbd>n</kbd></a>`;
  return workspacePage(context, { title: 'Prompts', lead, action, controls, content });
}

function controlsOf(
  context: WorkspaceContext,
  { view, parameters }: PromptFilters,
  choices: ReportResult<'filters'>,
): Controls {
  const yesNo = (name: 'active' | 'collected' | 'branded', yes: string, no: string): Filter => {
    const options = [['yes', yes] as const, ['no', no] as const];
    return { name, label: yes, all: `${yes} or not`, value: parameters[name], options };
  };
  const [newest, ...orders] = promptOrders;
  const options = orders.map(({ name, title }) => [name, title] as const);
  return viewControls(context, view, {
    ...choices,
    hasCsv: true,
    parameters,
    filters: [{ name: 'sort', label: 'Order', all: newest.title, value: parameters.sort, options }],
    more: [
      yesNo('active', 'Active', 'Inactive'),
      yesNo('collected', 'Asked', 'Not asked'),
      yesNo('branded', 'Branded', 'Not branded'),
    ],
    search: { name: 'text', label: 'Part of the text', value: parameters.text },
  });
}

function totalWords({ total, prompts }: PromptList): string {
  return total === prompts
    ? amount(total, 'prompt')
    : `${thousands(total)} of ${amount(prompts, 'prompt')}`;
}

function pages(
  context: WorkspaceContext,
  { total }: PromptList,
  { parameters, page }: PromptFilters,
): Content {
  const last = Math.max(1, Math.ceil(total / promptsShown));
  if (last === 1 && page === 1) return undefined;
  const link = (to: number, rel: 'prev' | 'next', words: string) =>
    to >= 1 &&
    to <= last &&
    html`<a
      class="button"
      rel="${rel}"
      href="${viewLink(context, 'prompts', { ...parameters, page: to === 1 ? undefined : to })}">${words}</a>`;
  return html`<nav class="actions" aria-label="Pages">
    ${link(Math.min(page - 1, last), 'prev', 'Previous page')}
    <span class="hint">Page ${page} of ${last}</span> ${link(page + 1, 'next', 'Next page')}
  </nav>`;
}
