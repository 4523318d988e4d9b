import { answers, outcome, stance } from '@overheard/contract';
import { z } from 'zod';
import { evidenceMark } from '../../../collect/ledger/evidence.ts';
import { readCursor, writeCursor } from '../../../api/request/cursor.ts';
import { readAnswerPages } from '../../../reports/answers.ts';
import type { AnswerQuery } from '../../../reports/answers.ts';
import { stanceTitles } from '../../../reports/stances/stance-words.ts';
import type { ListedAnswer } from '../../../reports/answer-pages/answer-list.ts';
import { writeSlices } from '../../../transfer/export-rows.ts';
import { listSubjects } from '../../../workspaces/subject.ts';
import { readAnswerFilters } from './answer-filters.ts';
import type { AnswerFilters } from './answer-filters.ts';
import { printable } from '../../../values/printable.ts';
import { html } from '../../markup/html.ts';
import type { Content } from '../../markup/html.ts';
import { answerColumns } from './answer-columns.ts';
import { periodWords } from '../../parts/moment-words.ts';
import { streamFile } from '../../parts/stream-file.ts';
import { table } from '../../parts/table.ts';
import { viewControls } from '../../parts/view-controls.ts';
import type { Controls, Filter } from '../../parts/view-controls.ts';
import { workspacePage } from '../../parts/workspace-page.ts';
import { viewLink } from '../../request/view.ts';
import { get, pathPart } from '../../request/page-context.ts';
import type { Result, WorkspaceRoute, WorkspaceContext } from '../../request/page-context.ts';
import { showAnswer } from './show-answer.ts';

/** The list of answers, and the page of one answer. */
export const answersRoutes: readonly WorkspaceRoute[] = [
  get('/w/:slug/answers', 'viewer', show, { dependsOn: () => null }),
  get('/w/:slug/answers/:run', 'viewer', showAnswer, {
    dependsOn: (context) =>
      evidenceMark(context.store, context.workspace.id, pathPart(context, 'run').toLowerCase()),
  }),
];

/** Most answers of the file in memory at once. Fewer if they are long. */
const sliceRows = 100;
const parameters = { cursor: z.string().max(500).optional() };

async function show(context: WorkspaceContext): Promise<Result> {
  const filters = readAnswerFilters(context, parameters);
  const { view, isCsv, pageParameters, query, page } = filters;
  const bound = JSON.stringify([
    pageParameters,
    view.engine,
    view.surface,
    view.locale,
    view.tag,
    view.competitorPrompts,
  ]);
  const cursor = page['cursor'];
  const after = cursor === undefined ? undefined : readCursor(cursor, bound);
  if (isCsv) return answersFile(context, query);
  const list = await context.reports.read('answers', { ...query, after });
  const columns = answerColumns(context, pageParameters);
  const controls = await controlsOf(context, filters);
  const content = html`${promptNotice(context, pageParameters, list.rows)} ${siteNotice(context, pageParameters)}
    <section>
      <h2>${after === undefined ? 'The most recent answers' : 'Earlier answers'}</h2>
      ${table({ caption: 'Answers, the most recent first', columns, empty: await noAnswers(context) }, list.rows)}
      ${ways(context, pageParameters, { next: list.next && writeCursor(list.next, bound), isFirst: after === undefined })}
    </section>`;
  const lead = `${periodWords(view.period)}, UTC.`;
  return workspacePage(context, { title: 'Answers', lead, controls, content });
}

/** Every answer that the filters select, as the API has it, from one snapshot. */
async function answersFile(context: WorkspaceContext, query: AnswerQuery): Promise<Result> {
  const { id: workspaceId } = context.workspace;
  return streamFile(context, { name: 'answers', format: 'csv' }, async (write) => {
    const { db, release } = await context.store.snapshot({ workspaceId });
    try {
      const slices = readAnswerPages({ db, workspaceId }, { ...query, rowsMax: sliceRows });
      const { fields, array } = answers;
      return await writeSlices(slices, {
        format: 'csv',
        fields,
        array,
        isForSpreadsheets: true,
        write,
      });
    } finally {
      await release();
    }
  });
}

async function controlsOf(
  context: WorkspaceContext,
  { view, pageParameters }: AnswerFilters,
): Promise<Controls> {
  const { id: workspaceId } = context.workspace;
  const choices = await context.reports.read('filters', {});
  const [brand, ...competitors] = await listSubjects(context.store.reader, workspaceId);
  const appears = [['true', 'Appears'] as const, ['false', 'Does not appear'] as const];
  const names = competitors.map(({ id, name }) => [id, name] as const);
  const stances = stance.options.map((each) => [each, stanceTitles[each]] as const);
  const outcomes = outcome.options.map((each) => [each, each] as const);
  const filter = (
    name: keyof typeof pageParameters,
    label: string,
    all: string,
    options: Filter['options'],
  ): Filter => ({ name, label, all, value: pageParameters[name], options });
  return viewControls(context, view, {
    ...choices,
    hasCsv: true,
    parameters: pageParameters,
    filters: [
      filter('cited', 'Appears or not', 'Appears or not', appears),
      filter('subject_id', 'Name', brand?.name ?? 'The brand', names),
    ],
    more: [
      filter('stance', 'Presented as', 'Presented in any way', stances),
      filter('outcome', 'Outcome', 'All outcomes', outcomes),
    ],
  });
}

/** Names the prompt of the list, with a link to all answers. */
function promptNotice(
  context: WorkspaceContext,
  { prompt_id: id, ...others }: AnswerFilters['pageParameters'],
  rows: readonly ListedAnswer[],
): Content {
  if (id === undefined) return undefined;
  const promptText =
    rows[0] === undefined ? '' : ` “${printable(rows[0].prompt, { lengthMax: 300 })}”`;
  return html`<p class="notice">
    Of one prompt alone:
    <a href="${viewLink(context, `prompts/${id}`)}">its figures${promptText}</a>.
    <a href="${viewLink(context, 'answers', others)}">Answers to every prompt</a>
  </p>`;
}

/** Names the site of the list, with a link to all answers. */
function siteNotice(
  context: WorkspaceContext,
  { site, ...others }: AnswerFilters['pageParameters'],
): Content {
  if (site === undefined) return undefined;
  return html`<p class="notice">
    Of answers that link one site alone:
    <a href="${viewLink(context, `sources/${encodeURIComponent(site)}`)}">${printable(site)}</a>.
    <a href="${viewLink(context, 'answers', others)}">Answers with any source</a>
  </p>`;
}

function ways(
  context: WorkspaceContext,
  pageParameters: AnswerFilters['pageParameters'],
  { next, isFirst }: { next: string | null; isFirst: boolean },
): Content {
  if (next === null && isFirst) return undefined;
  const earlier =
    next !== null &&
    html`<a
      class="button"
      rel="next"
      href="${viewLink(context, 'answers', { ...pageParameters, cursor: next })}">Earlier answers</a>`;
  const newest =
    !isFirst &&
    html`<a class="button" href="${viewLink(context, 'answers', pageParameters)}">The newest</a>`;
  return html`<p class="actions">${newest} ${earlier}</p>`;
}

/** Explains why the list is empty, and what to do. */
async function noAnswers(context: WorkspaceContext): Promise<Content> {
  const { slug } = context.workspace;
  const { rows } = await context.reports.read('answers', { rowsMax: 1 });
  if (rows.length > 0) return 'No answer fits these filters. Choose more weeks, or fewer filters.';
  return html`No answers are stored yet. Scores and detections that were imported have no texts.
    <a href="/w/${slug}/settings/data">Import answers</a>, or have engines asked.`;
}
