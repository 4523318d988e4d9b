import { allows } from '../../../people/roles.ts';
import { Refusal } from '../../../refusals.ts';
import { readTagsByPrompt, topicIn } from '../../../storage/prompt-tags.ts';
import { amount } from '../../../values/plural.ts';
import { parseTag } from '../../../values/tag.ts';
import { renameTag, setOutsideMarket, tagPrompts } from '../../../workspaces/tags.ts';
import { ruler, rateDot } from '../../charts/ruler.ts';
import { changeCell, rateCell } from '../../markup/figures.ts';
import { html } from '../../markup/html.ts';
import type { Html } from '../../markup/html.ts';
import { periodWords } from '../../parts/moment-words.ts';
import { story } from '../../parts/story.ts';
import { surfaceNote } from '../../parts/surface-note.ts';
import { csvOf, drawn, table } from '../../parts/table.ts';
import type { Columns } from '../../parts/table.ts';
import { viewControls } from '../../parts/view-controls.ts';
import { workspacePage } from '../../parts/workspace-page.ts';
import type { ReportResult } from '../../reader/run-report.ts';
import { readForm, readListForm } from '../../request/forms.ts';
import { note } from '../../request/note.ts';
import { notFound, PageFault, unreadableForm } from '../../request/page-fault.ts';
import { refusalText } from '../../request/refusal-text.ts';
import { readView, runFilters, viewLink } from '../../request/view.ts';
import { get, post } from '../../request/page-context.ts';
import type { Result, WorkspaceContext, WorkspaceRoute } from '../../request/page-context.ts';
import { groupMark, proposalsPart } from './proposals-part.ts';

const path = '/w/:slug/topics';

/** The page of topics, and the forms with which editors accept, rename and merge them. */
export const topicsRoutes: readonly WorkspaceRoute[] = [
  get(path, 'viewer', showTopics, { dependsOn: () => null }),
  post(`${path}/accept`, 'editor', 'give prompts the proposed topics', accept, {
    onRefusal: refuse,
  }),
  post(
    `${path}/change`,
    'editor',
    'rename a topic, merge two, or mark one as not the market',
    change,
    { onRefusal: refuse },
  ),
];

type TopicRow = ReportResult<'topics'>['topics'][number];

async function showTopics(context: WorkspaceContext): Promise<Result> {
  const { view, isCsv } = readView(context);
  const { topics, surfaces } = await context.reports.read('topics', runFilters(view));
  if (isCsv) return csvOf(context, 'topics', fileColumns, topics);
  const proposals = await context.reports.read('topicProposals', {});
  const mayChange = allows(context.role, 'editor');
  const content = html`${story(sentence(topics, proposals))}
    <p class="sub">${topics.length > 0 ? 'A topic is lost if a rival appears in more of its answers than you, beyond chance.' : proposals.topics.length > 0 && 'They come from words that prompts share and pages that their answers cite.'} ${proposals.topics.length > 0 && 'Nothing is grouped until an editor accepts it.'}</p>
    <section>
      ${topics.length > 0 && [surfaceNote(context, surfaces), table({ title: 'Your topics', columns: columnsOf(context, mayChange), isPast: ({ isOutsideMarket }) => isOutsideMarket, empty: '' }, topics)]}
      ${topics.some(({ isOutsideMarket }) => isOutsideMarket) && html`<p class="hint">Grey topics are not your market: their answers count in the totals, and they are no gaps.</p>`}
    </section>
    ${proposalsPart(context, proposals, mayChange)}`;
  const choices = await context.reports.read('filters', {});
  const controls = viewControls(context, view, { ...choices, hasCsv: topics.length > 0 });
  const lead = `${periodWords(view.period)}, UTC`;
  return workspacePage(context, { title: 'Topics', lead, controls, content });
}

/** What a person came for: which topics are lost, or how many can be had. */
function sentence(
  topics: readonly TopicRow[],
  { topics: proposed, others }: ReportResult<'topicProposals'>,
): string {
  const ofMarket = topics.filter(({ isOutsideMarket }) => !isOutsideMarket);
  const lost = ofMarket.filter(({ isLost }) => isLost);
  const prompts = proposed.reduce((sum, each) => sum + each.prompts.length, 0);
  if (topics.length === 0 && prompts === 0) {
    return others.length === 0
      ? 'There are no prompts yet'
      : 'No prompts are alike enough for a topic';
  }
  if (topics.length === 0) {
    return `${amount(proposed.length, 'topic')} proposed for ${prompts} of ${amount(prompts + others.length, 'prompt')}`;
  }
  if (ofMarket.length === 0) return 'None of your topics is your market';
  const counted = ofMarket.filter(({ brand }) => brand !== null).length;
  if (counted === 0) return 'No answers are counted for your topics in these days';
  if (lost.length === 0) {
    return `No rival leads beyond chance in ${counted === 1 ? 'your topic' : `any of ${counted} topics`}`;
  }
  const ranked = [...Map.groupBy(lost, ({ rival }) => rival?.name ?? '')].toSorted(
    ([, one], [, other]) => other.length - one.length,
  );
  const [[rival, most] = ['', []]] = ranked;
  const all = `You lose ${lost.length} of ${amount(counted, 'topic')}`;
  return ranked.length === 1 ? `${all} to ${rival}` : `${all}, ${most.length} to ${rival}`;
}

function columnsOf(context: WorkspaceContext, mayChange: boolean): Columns<TopicRow> {
  const columns: Columns<TopicRow> = [
    {
      title: 'Topic',
      cell: ({ topic, isLost, isOutsideMarket }) =>
        html`<a data-foreign href="${viewLink(context, 'prompts', { tag: topic })}">${topic}</a>
          ${isLost && !isOutsideMarket && html`<span class="tag">lost</span>`}`,
    },
    drawn(
      ({ brand, rival }) =>
        brand !== null &&
        ruler([rateDot(brand), ...(rival === null ? [] : [rateDot(rival)])], { hasGap: true }),
    ),
    { title: 'You', cell: ({ brand }) => brand !== null && rateCell(brand), isNumber: true },
    { title: 'Change', cell: ({ brand }) => brand !== null && changeCell(brand, 'rate') },
    {
      title: 'Most shown rival',
      cell: ({ rival }) => rival !== null && html`${rival.name}, ${rateCell(rival)}`,
    },
    { title: 'Prompts', cell: ({ prompts }) => prompts, isNumber: true },
    {
      title: 'Gaps',
      cell: ({ topic, gaps }) =>
        gaps === 0
          ? 'none'
          : html`<a href="${viewLink(context, 'gaps', { tag: topic })}">${gaps}</a>`,
      isNumber: true,
    },
  ];
  if (!mayChange) return columns;
  return [
    ...columns,
    { title: 'Change it', cell: (row) => changeForm(context, row), isAction: true },
  ];
}

function changeForm(context: WorkspaceContext, { topic, isOutsideMarket }: TopicRow): Html {
  return html`<details class="pick" name="pick">
    <summary class="button small" aria-label="Change ${topic}">Change</summary>
    <form method="post" action="${viewLink(context, 'topics/change')}">
      <input type="hidden" name="topic" value="${topic}" />
      <input type="text" name="name" value="${topic}" maxlength="60" aria-label="New name of ${topic}" autocomplete="off" />
      <button name="do" value="rename">Rename, or merge into the topic of that name</button>
      <button name="do" value="${isOutsideMarket ? 'inside' : 'outside'}">${isOutsideMarket ? 'It is our market' : 'It is not our market'}</button>
    </form>
  </details>`;
}

const fileColumns: Columns<TopicRow> = [
  { title: 'topic', csv: ({ topic }) => topic },
  { title: 'outside_market', csv: ({ isOutsideMarket }) => String(isOutsideMarket) },
  { title: 'prompts', csv: ({ prompts }) => prompts },
  { title: 'runs', csv: ({ brand }) => brand?.runs ?? 0 },
  { title: 'cited', csv: ({ brand }) => brand?.cited ?? 0 },
  ...(
    [
      'rate',
      'rate_low',
      'rate_high',
      'sov',
      'sov_low',
      'sov_high',
      'rate_change',
      'rate_verdict',
    ] as const
  ).map((field) => ({ title: field, csv: ({ brand }: TopicRow) => brand?.[field] ?? null })),
  { title: 'rival', csv: ({ rival }) => rival?.name ?? null },
  { title: 'rival_rate', csv: ({ rival }) => rival?.rate ?? null },
  { title: 'lost', csv: ({ isLost }) => String(isLost) },
  { title: 'gaps', csv: ({ gaps }) => gaps },
];

/** A topic of the form: its name as typed, and the ticked prompts. */
interface TypedTopic {
  readonly name: string;
  readonly ids: string[];
}

async function accept(context: WorkspaceContext): Promise<Result> {
  const { typed, values } = readListForm(context.request.body, ['do'], 'topic[]');
  const all: TypedTopic[] = [];
  let isName = false;
  for (const value of values) {
    // A name may be the same text as the mark.
    if (isName) all.push({ name: value, ids: [] });
    else if (value !== groupMark) all.at(-1)?.ids.push(value);
    isName = !isName && value === groupMark;
  }
  const wanted = typed.do === 'all' ? all : all.slice(Number(typed.do)).slice(0, 1);
  if (!/^(?:all|\d{1,4})$/.test(typed.do) || wanted.every(({ ids }) => ids.length === 0)) {
    throw unreadableForm('Tick the prompts of a topic, and press one of the buttons.');
  }
  const { store } = context;
  const { id: workspaceId } = context.workspace;
  const unfit = wanted.find(({ name, ids }) => ids.length > 0 && parseTag(name) === undefined);
  if (unfit !== undefined) throw new Refusal('tag_malformed', { tag: unfit.name });
  const tags = await readTagsByPrompt(store.reader, workspaceId);
  for (const { name, ids } of wanted) {
    // Someone may have given a prompt a topic since the page was opened.
    const free = ids.filter((id) => topicIn(tags.get(id)) === null);
    if (free.length === 0) continue;
    const { changed, tag } = await tagPrompts(store, workspaceId, {
      ids: free,
      tag: name,
      isTopic: true,
    });
    if (changed > 0)
      await note(context, 'prompts_tagged', { name: `${amount(changed, 'prompt')}: ${tag}` });
  }
  return { redirect: viewLink(context, 'topics') };
}

async function change(context: WorkspaceContext): Promise<Result> {
  const typed = readForm(context.request.body, ['topic', 'name', 'do']);
  const { id: workspaceId } = context.workspace;
  if (typed.do === 'rename') {
    const { changed, tag } = await renameTag(context.store, workspaceId, {
      from: typed.topic,
      to: typed.name,
    });
    if (changed > 0) await note(context, 'tag_renamed', { name: `${typed.topic}: ${tag}` });
  } else if (typed.do === 'outside' || typed.do === 'inside') {
    const isOutside = typed.do === 'outside';
    const { hasChanged } = await setOutsideMarket(context.store, workspaceId, {
      tag: typed.topic,
      isOutside,
    });
    if (hasChanged)
      await note(context, isOutside ? 'topic_left_out' : 'topic_taken_in', { name: typed.topic });
  } else {
    throw unreadableForm('Open the page again, and change the topic there.');
  }
  return { redirect: viewLink(context, 'topics') };
}

function refuse(_: WorkspaceContext, refusal: Refusal): PageFault | undefined {
  if (refusal.code === 'tag_not_found' || refusal.code === 'tag_not_topic') return notFound();
  if (refusal.code === 'tag_malformed') {
    return new PageFault(400, 'This cannot be a topic', refusalText(refusal));
  }
  if (refusal.code !== 'prompt_not_found') return undefined;
  const words =
    'Open the page again, because an import may have been reverted. Topics before it were accepted.';
  return new PageFault(404, 'A prompt is not in this workspace', words);
}
