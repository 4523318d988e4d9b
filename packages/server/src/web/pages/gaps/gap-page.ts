import type { ExplainedRequest } from '../../../answers/actions/explain-action.ts';
import type { GapDetails } from '../../../answers/actions/gap-details.ts';
import type { StatusChange } from '../../../answers/actions/stored-actions.ts';
import type { ExplainedRun } from '../../../answers/scores/explained-mentions.ts';
import { readUserNames } from '../../../people/events.ts';
import { allows } from '../../../people/roles.ts';
import { listUsers } from '../../../people/users/find-users.ts';
import { amount } from '../../../values/plural.ts';
import { printable } from '../../../values/printable.ts';
import { notFound } from '../../request/page-fault.ts';
import { engineName, withEngineNames } from '../../../values/engine.ts';
import { html } from '../../markup/html.ts';
import type { Content, Html } from '../../markup/html.ts';
import { dayWords, periodWords, shortMinute } from '../../parts/moment-words.ts';
import { table } from '../../parts/table.ts';
import type { Column } from '../../parts/table.ts';
import { workspacePage } from '../../parts/workspace-page.ts';
import { readView, viewLink } from '../../request/view.ts';
import type { Result, WorkspaceRoute, WorkspaceContext } from '../../request/page-context.ts';
import { formulaPart } from './formula-part.ts';
import { moveForm, splitRecommendation, statusWords } from './gap-card.ts';
import { gapId } from './move-gap.ts';

/** The page of one gap: why it is one, the answers or requests behind it, and its history. */
export const gapPageRoute: WorkspaceRoute = {
  method: 'GET',
  path: '/w/:slug/gaps/:id',
  role: 'viewer',
  // The page also depends on users, because its history names them.
  dependsOn: async ({ store }) => (await listUsers(store.access)).map(({ id, name }) => [id, name]),
  run: show,
  onRefusal: (_, { code }) => (code === 'action_not_found' ? notFound() : undefined),
};

type DerivedFacts = NonNullable<GapDetails['derived']>;

async function show(context: WorkspaceContext): Promise<Result> {
  readView(context);
  const id = gapId(context);
  const gap = await context.reports.read('gap', { id });
  const { action, changes, derived } = gap;
  const { head, evidence: sentence } = splitRecommendation(action.recommendation);
  const authors = changes.map(({ changed_by: userId }) => userId);
  const names = await readUserNames(context.store.access, authors);
  const content = html`<section>
      <p id="gap-${id}" data-foreign>${sentence === '' ? action.recommendation : sentence}</p>
      <p class="hint">
        ${statusWords[action.status]}, priority ${action.priority}, found on
        ${dayWords(action.created_at)}
      </p>
      ${allows(context.role, 'editor') && moveForm(context, action, { back: 'gap' })}
    </section>
    ${stepsPart(derived?.parts.steps)} ${formulaPart(gap)} ${derived !== null && evidence(context, derived)}
    <section>
      <h2>History</h2>
      ${table(
        {
          caption: 'History',
          columns: historyColumns(context.clock(), names),
          empty: 'Its status has not changed yet.',
        },
        changes,
      )}
    </section>`;
  const lead = html`<a href="${viewLink(context, 'gaps')}">All gaps</a>,
    ${action.kind ?? 'imported'}`;
  return { page: workspacePage(context, { title: printable(head), lead, content }) };
}

/** How to fix the gap; nothing if older rules derived it. */
function stepsPart(steps: readonly string[] | null | undefined): Content {
  if (steps === null || steps === undefined) return undefined;
  return html`<section>
    <h2>How to fix it</h2>
    <ol>
      ${steps.map((step) => html`<li data-foreign>${printable(withEngineNames(step))}</li>`)}
    </ol>
  </section>`;
}

function historyColumns(
  nowMs: number,
  names: ReadonlyMap<string, string>,
): ReadonlyArray<Column<StatusChange>> {
  return [
    {
      title: 'When',
      cell: ({ changed_at: at }) => shortMinute(at, nowMs),
    },
    {
      title: 'Who',
      cell: ({ changed_by: id }) =>
        id === null ? 'the command line' : (names.get(id) ?? 'a removed user'),
    },
    { title: 'From', cell: ({ before }) => (before === null ? 'not known' : statusWords[before]) },
    { title: 'To', cell: ({ status }) => statusWords[status] },
  ];
}

function evidence(
  context: WorkspaceContext,
  { parts, prompts, runs, runsBefore, requests }: DerivedFacts,
): Html {
  const locales = new Map(prompts.items.map(({ id, locale }) => [id, locale]));
  const days = periodWords(parts.days);
  const runList = (title: string, all: DerivedFacts['runs']): Content =>
    all.total > 0 &&
    html`<section>
      <h2>${title}</h2>
      <p class="hint">
        ${amount(all.total, 'answer')}${all.total > all.items.length && `, ${all.items.length} shown`}.
      </p>
      <ul class="quotes">
        ${all.items.map((run) => runItem(context, run, locales.get(run.prompt_id ?? '')))}
      </ul>
    </section>`;
  return html`${
    prompts.total > 0 &&
    html`<section>
      <h2>${amount(prompts.total, 'prompt')}</h2>
      <ul>
        ${prompts.items.map(
          ({ id, text, locale }) =>
            html`<li>
              <a href="${viewLink(context, `prompts/${id}`)}" lang="${locale}">${printable(text, { lengthMax: 300 })}</a>
            </li>`,
        )}
      </ul>
      ${prompts.total > prompts.items.length && html`<p class="hint">${prompts.items.length} are shown.</p>`}
    </section>`
  }
  ${runList(`Answers behind it, ${days}`, runs)}
  ${runList('Answers of the time before', runsBefore)}
  ${
    requests.total > 0 &&
    html`<section>
      <h2>Requests behind it</h2>
      <p class="hint">
        ${amount(requests.total, 'request')}${requests.total > requests.items.length && `, ${requests.items.length} shown`}.
      </p>
      ${table({ caption: 'Requests', columns: requestColumns(context.clock()), empty: '' }, requests.items)}
    </section>`
  }`;
}

/** An answer with the sentences that cite a subject. */
function runItem(context: WorkspaceContext, run: ExplainedRun, locale: string | undefined): Html {
  const { run_id: id, asked, engine, run_at: at, cited } = run;
  return html`<li>
    <p>
      <a href="${viewLink(context, `answers/${id}`)}">${engineName(engine)}, ${momentWords(at)}</a>:
      ${cited.length === 0 ? 'cites nobody' : `cites ${cited.map(({ subject }) => subject).join(', ')}`}
    </p>
    <p class="hint" ${locale !== undefined && html` lang="${locale}"`}>
      ${printable(asked, { lengthMax: 300 })}
    </p>
    ${cited.map(
      ({ subject, sentence, url }) =>
        html`<p ${locale !== undefined && html` lang="${locale}"`}>
          <strong lang="en">${subject}</strong>
          <q>${printable(sentence ?? url ?? '', { lengthMax: 500 })}</q>
        </p>`,
    )}
  </li>`;
}

const requestColumns = (nowMs: number): ReadonlyArray<Column<ExplainedRequest>> => [
  { title: 'When', cell: ({ hit_at: at }) => shortMinute(at, nowMs) },
  { title: 'Status', cell: ({ status }) => status ?? 'not logged' },
  {
    title: 'User agent',
    cell: ({ user_agent: agent }) => html`<code>${agent ?? ''}</code>`,
  },
];

function momentWords(at: string): string {
  return `${dayWords(at)}, ${at.slice(11, 16)}`;
}
