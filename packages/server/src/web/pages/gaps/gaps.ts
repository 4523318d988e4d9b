import { actionPriority, actions } from '@overheard/contract';
import { z } from 'zod';
import { gapKinds } from '../../../answers/actions/gap-kinds.ts';
import type { GapList, ListedGap } from '../../../answers/actions/gap-list.ts';
import { actionStatuses } from '../../../answers/actions/stored-actions.ts';
import type { GapResult } from '../../../reports/gap-results.ts';
import { amount } from '../../../values/plural.ts';
import { utcDay } from '../../../values/time/utc-day.ts';
import { addJob, latestJob } from '../../request/jobs.ts';
import { html } from '../../markup/html.ts';
import type { Content, Html } from '../../markup/html.ts';
import { gapKind } from '../../parts/gap-sentences.ts';
import { pageLinks } from '../../parts/page-links.ts';
import { columnsOfFields, csvOf } from '../../parts/table.ts';
import { tabs } from '../../parts/tabs.ts';
import { viewControls } from '../../parts/view-controls.ts';
import type { Filter } from '../../parts/view-controls.ts';
import { workspacePage } from '../../parts/workspace-page.ts';
import { readView, viewLink } from '../../request/view.ts';
import type { ViewChanges } from '../../request/view.ts';
import { forMembers, get, post } from '../../request/page-context.ts';
import type { Result, WorkspaceContext, WorkspaceRoute } from '../../request/page-context.ts';
import { assigneeOf, readAssignees } from './assignees.ts';
import type { Assignees } from './assignees.ts';
import { changeRoutes } from './change-gap.ts';
import { gapPageRoute } from './gap-page.ts';
import { alone, groups, noGapsPart, toCards } from './gap-cards.ts';
import { gapRow, statusWords } from './gap-row.ts';
import { allows } from '../../../people/roles.ts';
import { newId } from '../../../values/uuid.ts';
import { jobPart, newGaps } from '../../parts/job-part.ts';
import { readForm } from '../../request/forms.ts';

async function find(context: WorkspaceContext): Promise<Result> {
  const { form } = readForm(context.request.body, ['form']);
  // An unfinished search does the same, so ignore `busy`.
  await addJob(context, form, { kind: 'gaps' });
  return { redirect: `/w/${context.workspace.slug}/gaps` };
}

/** The last search for gaps, and for editors a button that searches now. */
async function findGapsPart(context: WorkspaceContext): Promise<Html> {
  const job = await latestJob(context, 'gaps');
  const outcome = job?.outcome;
  const gaps = outcome !== undefined && 'result' in outcome ? outcome.result['gaps'] : 0;
  const lostAdvice = 'Its server ended. Find gaps again.';
  return html`${
    job !== undefined &&
    jobPart(context, job, {
      title: `Search for gaps${job.endedAt === null ? '' : `, ${job.endedAt.slice(0, 16).replace('T', ' ')} UTC`}`,
      done: html`<p>${newGaps(context, Number(gaps))}</p>`,
      lostAdvice,
    })
  }
  ${
    allows(context.role, 'editor') &&
    html`<form class="actions" method="post" action="/w/${context.workspace.slug}/gaps/find">
      <input type="hidden" name="form" value="${newId(context.clock)}" />
      <button class="button">Find gaps now</button>
    </form>`
  }`;
}

/** The pages of gaps: the list by status, and each gap with how to fix it. */
export const gapsRoutes: readonly WorkspaceRoute[] = [
  get('/w/:slug/gaps', 'viewer', (context) => gapsPage(context), {
    // The page also depends on the last search and on members, because it names them.
    dependsOn: async (context) => [await latestJob(context, 'gaps'), await readAssignees(context)],
  }),
  gapPageRoute,
  post('/w/:slug/gaps/find', 'editor', 'find gaps now', find),
  ...changeRoutes(gapsPage),
];

export const gapParameters = {
  status: z.enum(actionStatuses).optional(),
  priority: actionPriority.optional(),
  kind: z.enum([...kindsOf(gapKinds), 'imported']).optional(),
  assigned: z.union([z.literal('nobody'), z.guid()]).optional(),
  page: z.coerce.number().int().min(1).max(1000).optional(),
};
type GapParameters = z.infer<z.ZodObject<typeof gapParameters>>;

const rowsOfPage = 100;
/** Each gap that is done has figures to read. */
const doneOfPage = 20;

/** Shows the list, with a notice if a change was refused. */
export async function gapsPage(
  context: WorkspaceContext,
  { notice, status: httpStatus = 200 }: { notice?: Content; status?: number } = {},
): Promise<Result> {
  const { view, parameters, isCsv } = readView(context, gapParameters);
  const { priority, kind, assigned } = parameters;
  const { engine, tag } = view;
  const assignedTo = assigned === 'nobody' ? null : assigned?.toLowerCase();
  const isOwn = context.shared === undefined;
  const filter = { engine, priority, kind, tag, ...(isOwn && { assignedTo }) };
  if (isCsv) {
    const query = { ...filter, status: parameters.status, rowsMax: Number.MAX_SAFE_INTEGER };
    const { gaps } = await context.reports.read('gaps', query);
    return csvOf(context, 'gaps', columnsOfFields(actions.fields), gaps);
  }
  const status = parameters.status ?? 'open';
  const cardsMax = status === 'done' ? doneOfPage : rowsOfPage;
  const skip = ((parameters.page ?? 1) - 1) * cardsMax;
  const rowsMax = Number.MAX_SAFE_INTEGER;
  const list = await context.reports.read('gaps', { ...filter, status, rowsMax });
  // What is done is read one by one: each gap has its result.
  const cards = status === 'done' || tag !== undefined ? list.gaps.map(alone) : toCards(list.gaps);
  const shown = cards.slice(skip, skip + cardsMax);
  const listed = shown.flatMap(({ gaps }) => gaps);
  const results = await readResults(context, listed);
  const { engines, tags } = await context.reports.read('filters', {});
  const people = await readAssignees(context);
  const filters = { status: parameters.status, priority, kind, assigned };
  const link = (changes: ViewChanges): string =>
    viewLink(context, 'gaps', { ...filters, ...changes });
  const isEmpty = Object.values(list.totals).every((total) => total === 0);
  const content = html`${notice}
  ${tabs(
    'Status',
    actionStatuses.map((each) => ({
      href: link({ status: each }),
      words: html`${statusWords[each]} ${list.totals[each]}`,
      isOn: each === status,
    })),
  )}
  ${status === 'open' && view.engine === undefined && isOwn && (await accessNotice(context))}
  ${isEmpty ? await noGapsPart(context, filter) : groups(context, shown, (gap) => gapRow(context, gap, { assignee: assigneeOf(people, gap.assigned_to), result: results.get(gap.id), filters }))}
  ${outsidePart(context, list)}
  ${pageLinks(parameters.page ?? 1, cards.length > skip + cardsMax ? 'More' : undefined, (page) => link({ page }))}
  ${isOwn && (await findGapsPart(context))}`;
  const lead = 'Found again after each import and each time of asking';
  const controls = viewControls(context, view, {
    engines,
    tags,
    path: 'gaps',
    hasPeriod: false,
    hasPromptFilter: false,
    hasCsv: true,
    parameters: filters,
    filters: filtersOf(parameters, list.kinds, people),
  });
  return workspacePage(context, { title: 'Gaps', lead, controls, content, status: httpStatus });
}

/** What keeps the bots of engines from the site, because no answer cites what none of them can read. */
async function accessNotice(context: WorkspaceContext): Promise<Content> {
  const { stories } = await context.reports.read('engineAccess', { to: utcDay(context.clock()) });
  const worst = stories.find(({ kind }) => kind !== 'forged');
  if (worst === undefined) return undefined;
  return html`<p class="notice warn">
    ${worst.sentence} ${worst.cure}
    ${forMembers(context, html`<a href="${viewLink(context, 'crawlers')}">Crawlers</a>`)}
  </p>`;
}

/** What has come of the gaps that are done, by id. */
async function readResults(
  { reports, clock }: WorkspaceContext,
  gaps: readonly ListedGap[],
): Promise<ReadonlyMap<string, GapResult>> {
  const done = gaps.flatMap(({ id, status, doneAt, promptIds }) =>
    status === 'done' && doneAt !== null
      ? [{ id, promptIds, day: utcDay(Date.parse(doneAt)) }]
      : [],
  );
  if (done.length === 0) return new Map();
  const query = done.map(({ promptIds, day }) => ({ promptIds, day }));
  const results = await reports.read('gapResults', { gaps: query, today: utcDay(clock()) });
  return new Map(results.map((result, index) => [done[index]?.id ?? '', result]));
}

/** Gaps that are left out, because their topics are not the brand's market. */
function outsidePart(context: WorkspaceContext, { outsideMarket: count }: GapList): Content {
  return (
    count > 0 &&
    html`<p class="hint">
      ${amount(count, 'gap')} of ${forMembers(context, html`<a href="${viewLink(context, 'topics')}">topics</a>`) ?? 'topics'} that
      are not your market ${count === 1 ? 'is' : 'are'} left out.
    </p>`
  );
}

/** The filters by kind and person, where there is a choice. */
function filtersOf(
  { kind, assigned }: GapParameters,
  kinds: GapList['kinds'],
  { members }: Assignees,
): Filter[] {
  const kindOptions = kinds.map((each) => [each ?? 'imported', gapKind(each)] as const);
  const people = members.map((each) => [each.user_id, each.name] as const);
  const options = [['nobody', 'Nobody'] as const, ...people];
  const every: Filter[] = [
    { name: 'kind', label: 'Kind', all: 'All kinds', value: kind, options: kindOptions },
    { name: 'assigned', label: 'Assigned to', all: 'Anyone', value: assigned, options },
  ];
  return every.filter((each) => each.options.length > 1 || each.value !== undefined);
}

function kindsOf<Kind extends string>(kinds: Readonly<Record<Kind, unknown>>): Kind[] {
  return Object.keys(kinds).filter((kind): kind is Kind => kind in kinds);
}
