import { z } from 'zod';
import { workspacesOf } from '../../../people/members.ts';
import { listOperators } from '../../../people/users.ts';
import { foldCase } from '../../../values/fold-case.ts';
import { dollars } from '../../../values/usd.ts';
import { listWorkspaces } from '../../../workspaces/workspaces.ts';
import type { Workspace } from '../../../workspaces/workspaces.ts';
import { ruler } from '../../charts/ruler.ts';
import { changeCell, rateCell } from '../../markup/figures.ts';
import { html } from '../../markup/html.ts';
import type { Content, Html } from '../../markup/html.ts';
import { fold } from '../../parts/fold.ts';
import { ago } from '../../parts/moment-words.ts';
import { plain, story } from '../../parts/story.ts';
import { drawn, table } from '../../parts/table.ts';
import type { Columns } from '../../parts/table.ts';
import { tabs } from '../../parts/tabs.ts';
import { workspacePage } from '../../parts/workspace-page.ts';
import { readParameters } from '../../request/parameters.ts';
import { get, personOf } from '../../request/page-context.ts';
import type { PageContext, Result, Route } from '../../request/page-context.ts';
import type { Period } from '../../../reports/shares/windows.ts';
import { readWithin } from '../../request/read-within.ts';
import { readPortfolio } from './portfolio.ts';
import type { PortfolioLine } from './portfolio.ts';

/**
 * The list of a person's workspaces. A member of only one is redirected to it, and an operator
 * without any to the form that makes the first.
 */
export const workspacesRoutes: readonly Route[] = [get('/', 'user', show)];

/** Rows that are not read by then come with the next look at the page. */
const rowsWaitMs = 4000;

const parameters = z.object({
  q: z.string().max(100).optional(),
  show: z.enum(['need', 'fell', 'rose', 'new']).optional(),
});
type Shown = NonNullable<z.infer<typeof parameters>['show']>;

const isShown: Readonly<Record<Shown, (line: PortfolioLine) => boolean>> = {
  need: ({ problems }) => problems.length > 0,
  fell: ({ change }) => change.verdict === 'down',
  rose: ({ change }) => change.verdict === 'up',
  new: ({ isNew }) => isNew,
};

const tabWords: Readonly<Record<Shown, string>> = {
  need: 'Need you',
  fell: 'Fell',
  rose: 'Rose',
  new: 'Setting up',
};

async function show(context: PageContext): Promise<Result> {
  const { q = '', show: wanted } = readParameters(context, parameters, { mayBeEmpty: true });
  const { isOperator } = personOf(context).user;
  const workspaces = await ownWorkspaces(context);
  const active = workspaces.filter(({ archived_at: at }) => at === null);
  const archived = workspaces.filter(({ archived_at: at }) => at !== null);
  const [only] = workspaces;
  if (only === undefined && isOperator) return { redirect: '/workspaces/new' };
  if (only !== undefined && active.length === 1 && workspaces.length === 1)
    return { redirect: `/w/${only.slug}/` };
  const readRows = (ids: readonly string[], period: Period) =>
    readWithin(rowsWaitMs, ids, (id) => context.reportsOf(id).read('portfolioRow', period));
  const lines = await readPortfolio({ ...context, readRows }, active);
  const content = html`${active.length === 0 ? workspaces.length === 0 && (await noWorkspace(context)) : portfolio(context, lines, { q, wanted })}
  ${
    archived.length > 0 &&
    html`<section>
      ${fold(
        `${archived.length} archived`,
        html`<ul>
          ${archived.map(({ slug, name }) => html`<li><a href="/w/${slug}/">${name}</a></li>`)}
        </ul>`,
      )}
    </section>`
  }`;
  const action = html`${active.length > 1 && searchForm(q, wanted)}
  ${isOperator && html`<a class="button primary small" href="/workspaces/new">Add a workspace</a>`}`;
  return workspacePage(context, { title: 'Workspaces', action, content });
}

function portfolio(
  { clock }: PageContext,
  lines: readonly PortfolioLine[],
  { q, wanted }: { q: string; wanted: Shown | undefined },
): Html {
  const folded = foldCase(q.trim());
  const listed = lines.filter(
    (line) =>
      (wanted === undefined || isShown[wanted](line)) &&
      [line.workspace.name, line.workspace.slug].some((name) => foldCase(name).includes(folded)),
  );
  const count = (each: Shown): number => lines.filter(isShown[each]).length;
  const late = lines.filter(({ row }) => row === undefined).length;
  const link = (each: Shown | undefined): string => {
    const query = new URLSearchParams({ ...(each && { show: each }), ...(q !== '' && { q }) });
    return query.size === 0 ? '/' : `/?${query.toString()}`;
  };
  const counts = { need: count('need'), fell: count('fell'), rose: count('rose'), late };
  return html`${firstSentence(lines.length, counts)}
  ${late > 0 && html`<p class="sub"><a href="${link(wanted)}">Look again</a> in a few seconds.</p>`}
  ${tabs('Which', [
    { href: link(undefined), words: `All ${lines.length}`, isOn: wanted === undefined },
    ...(['need', 'fell', 'rose', 'new'] as const).map((each) => ({
      href: link(each),
      words: `${tabWords[each]} ${count(each)}`,
      isOn: each === wanted,
    })),
  ])}
  <section aria-label="Workspaces">
    ${table({ caption: 'Workspaces', columns: columns(clock()), empty: 'There is no such workspace.' }, listed)}
  </section>`;
}

function firstSentence(
  all: number,
  { need, fell, rose, late }: { need: number; fell: number; rose: number; late: number },
): Html {
  if (late > 0) {
    return story(`${late} of ${all} workspaces are still being counted.`);
  }
  const needy = `${need === 0 ? 'None' : need} of ${all} workspaces ${need === 1 || need === 0 ? 'needs' : 'need'} you.`;
  const moved = fell + rose === 0 ? 'None has really changed.' : `${fell} fell, ${rose} rose.`;
  return story([{ text: needy, tone: need > 0 ? 'down' : 'plain' }, plain(` ${moved}`)]);
}

function columns(nowMs: number): Columns<PortfolioLine> {
  const moment = (at: string | null | undefined): Content =>
    at !== null && at !== undefined && ago(at, nowMs);
  return [
    {
      title: 'Workspace',
      cell: ({ workspace: { slug, name } }) => html`<a href="/w/${slug}/">${name}</a>`,
    },
    drawn(({ row }) => {
      const brand = row?.brand ?? null;
      return (
        brand !== null &&
        ruler([{ value: brand.rate, low: brand.rate_low, high: brand.rate_high, isBrand: true }])
      );
    }),
    {
      title: 'Appears in',
      cell: ({ row }) => row !== undefined && row.brand !== null && rateCell(row.brand),
      isNumber: true,
    },
    {
      title: 'Change',
      cell: ({ row, change: { change = null, verdict } }) =>
        row !== undefined &&
        row.brand !== null &&
        changeCell(
          { rate_change: change, rate_verdict: verdict, sov_change: null, sov_verdict: 'too_few' },
          'rate',
        ),
    },
    {
      title: 'Open gaps',
      cell: ({ row }) => row !== undefined && row.gaps.open > 0 && row.gaps.open,
      isNumber: true,
    },
    { title: 'Last answer', cell: ({ row }) => moment(row?.lastAnswerAt), isNumber: true },
    { title: 'Last crawler', cell: ({ row }) => moment(row?.lastCrawlAt), isNumber: true },
    {
      title: 'Spent this month',
      cell: ({ money }) => money && dollars(money.spentUsd),
      isNumber: true,
    },
    {
      title: 'State',
      cell: ({ row, problems, isNew }) =>
        html`${problems.map(({ tone, words }) => html`<span class="tag ${tone}">${words}</span> `)}
        ${isNew && html`<span class="tag">Setting up</span>`} ${row === undefined && html`<span class="tag">being counted</span>`}`,
    },
  ];
}

function searchForm(q: string, wanted: Shown | undefined): Html {
  return html`<form method="get" action="/" role="search">
    ${wanted !== undefined && html`<input type="hidden" name="show" value="${wanted}" />`}
    <input type="search" name="q" value="${q}" maxlength="100" placeholder="Find a workspace" aria-label="Find a workspace" data-key="/" /><button class="unseen">Find</button>
  </form>`;
}

/** Says whom to ask for a workspace: only operators make them. */
async function noWorkspace(context: PageContext): Promise<Html> {
  const operators = await listOperators(context.store.access);
  return html`<section>
    <h2>No workspace yet</h2>
    <p>
      A workspace is one brand with its competitors, prompts and keys. Ask an operator to make one,
      or an admin to invite you to theirs.
    </p>
    <ul>
      ${operators.map(({ name, email }) => html`<li>${name} (<a href="mailto:${email}">${email}</a>)</li>`)}
    </ul>
  </section>`;
}

/** The workspaces that a person may open: an operator all, anyone else those of a membership. */
export async function ownWorkspaces(context: PageContext): Promise<Workspace[]> {
  const { user } = personOf(context);
  const all = await listWorkspaces(context.store.reader);
  if (user.isOperator) return all;
  const ids = new Set(await workspacesOf(context.store.access, user.id));
  return all.filter(({ id }) => ids.has(id));
}
