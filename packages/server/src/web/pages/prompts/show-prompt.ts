import { shares } from '@overheard/contract';
import type { ShareRow } from '@overheard/contract';
import { z } from 'zod';
import { allows } from '../../../people/roles.ts';
import type { PromptPageReport } from '../../../reports/prompt-pages/prompt-page.ts';
import { engineName } from '../../../values/engine.ts';
import { amount } from '../../../values/plural.ts';
import { printable } from '../../../values/printable.ts';
import { utcDay } from '../../../values/time/utc-day.ts';
import { rateRuler } from '../../charts/ruler.ts';
import { drawTrend } from '../../charts/trend.ts';
import { changeCell, rateCell } from '../../markup/figures.ts';
import { html } from '../../markup/html.ts';
import type { Content, Html } from '../../markup/html.ts';
import { lineupPart, sampleSentence } from '../../parts/lineup.ts';
import { dayWords, periodWords } from '../../parts/moment-words.ts';
import { surfaceNote } from '../../parts/surface-note.ts';
import { columnsOfFields, counts, csvOf, drawn, table } from '../../parts/table.ts';
import type { Column, Columns } from '../../parts/table.ts';
import { titleLine } from '../../parts/title-line.ts';
import { nextPart } from '../../parts/todo.ts';
import { viewControls } from '../../parts/view-controls.ts';
import { workspacePage } from '../../parts/workspace-page.ts';
import { notFound } from '../../request/page-fault.ts';
import { readView, viewLink } from '../../request/view.ts';
import { pathPart } from '../../request/page-context.ts';
import type { Result, WorkspaceContext } from '../../request/page-context.ts';
import type { ReportResult } from '../../reader/run-report.ts';
import { evidencePart } from '../gaps/gap-evidence.ts';
import { pageLink } from '../sources/source-columns.ts';
import { promptTags } from './prompt-columns.ts';
import { onePromptButtons } from './prompt-switch.ts';

const titleLengthMax = 300;
const answersMax = 20;
const pagesMax = 5;
const gapsMax = 3;
const uuid = z.uuid();
const none = { total: 0, items: [] };

/**
 * The page of one prompt: who appears in its answers, what to do about it, what engines say, and
 * which pages they link.
 */
export async function showPrompt(context: WorkspaceContext): Promise<Result> {
  const { view, isCsv } = readView(context);
  const promptId = uuid.safeParse(pathPart(context, 'prompt')).data?.toLowerCase();
  if (promptId === undefined) throw notFound();
  const { reports, clock } = context;
  const query = { ...view.period, engine: view.engine, promptId };
  const report = await reports.read('prompt', { ...query, today: utcDay(clock()) });
  if (report === null) throw notFound();
  if (isCsv) {
    const rows = [...report.subjects, ...report.engines];
    return csvOf(context, 'prompt', columnsOfFields(shares.fields), rows);
  }
  const { engines, tags } = await reports.read('filters', {});
  const { prompt } = report;
  const runs = await reports.read('quotes', { ...query, rowsMax: answersMax });
  const pages = await reports.read('sources', { ...query, by: 'page', start: 0, limit: pagesMax });
  const open = await reports.read('gaps', { promptId, status: 'open', rowsMax: gapsMax });
  const choices = { engines, hasCsv: true, hasPromptFilter: false };
  const prompts = { total: 1, items: [prompt] };
  const content = html`<div class="hero">
      <h1 class="story" dir="auto" lang="${prompt.language}">${printable(prompt.text, { lengthMax: titleLengthMax })}</h1>
      ${figuresPart(context, report, runs.total)}
      ${nextPart(context, open.gaps)}
    </div>
    ${
      prompt.text.length > titleLengthMax &&
      html`<p class="notice" dir="auto" lang="${prompt.language}">${printable(prompt.text)}</p>`
    }
    ${tablesPart(context, report)}
    <div class="cols">
      <div>${evidencePart(context, { prompts, runs, runsBefore: none, requests: none })}</div>
      <div>${pagesPart(context, pages)} ${askingPart(context, report, tags)}</div>
    </div>`;
  const lead = html`<a href="${viewLink(context, 'prompts')}">All prompts</a>.
  ${periodWords(view.period)}, UTC. ${prompt.locale} ${promptTags(prompt)}`;
  const controls = viewControls(context, view, choices);
  return workspacePage(context, { title: 'Prompt', lead, controls, content });
}

/** The brand beside its best rival, or why there are no figures. */
function figuresPart(
  context: WorkspaceContext,
  { prompt, subjects, trend, surfaces }: PromptPageReport,
  answers: number,
): Content {
  const brand = subjects.find(({ subject_type: type }) => type === 'brand');
  if (brand === undefined) {
    const words =
      prompt.last_run_at === null
        ? 'No engine was asked this yet. Import its answers, or have it asked.'
        : answers === 0
          ? 'There are no answers in this period. Choose more weeks.'
          : prompt.branded === true
            ? 'It names the brand, so its answers are not counted: the rate would be too high.'
            : 'None of its answers in this period is counted.';
    return html`<p class="sub">${words}</p>`;
  }
  const [rival] = subjects
    .filter((row) => row !== brand && row.cited > 0)
    .toSorted((left, right) => right.cited - left.cited);
  const title = `Answers in which ${brand.name} appears, by week`;
  return html`<p class="sub">
      ${brand.name} is in ${brand.cited} of ${amount(brand.runs, 'answer')}${rival && `, ${rival.name} in ${rival.cited}`}.
    </p>
    ${lineupPart(brand, rival ?? null)}
    <section class="chart" aria-label="Trend">
      ${drawTrend({ buckets: trend, title, name: brand.name, sentence: sampleSentence(brand) })}
      ${surfaceNote(context, surfaces)}
    </section>`;
}

/** Whether engines are asked this prompt, with the buttons that change it. */
function askingPart(
  context: WorkspaceContext,
  { prompt }: PromptPageReport,
  tags: readonly string[],
): Html {
  const state = !prompt.active
    ? 'It is inactive: no engine is asked.'
    : prompt.collected
      ? 'Engines of this workspace are asked this.'
      : 'Engines are not asked this: its answers come only from imports.';
  const { last_run_at: last } = prompt;
  return html`<section>
    ${titleLine('Asking engines')}
    <p>${state} ${last !== null && `The last answer is of ${dayWords(last)}.`}</p>
    ${allows(context.role, 'editor') && onePromptButtons(context, prompt, { action: viewLink(context, `prompts/${prompt.id}/switch`), tags })}
  </section>`;
}

const figureColumns: Columns<ShareRow> = [
  drawn(rateRuler),
  { title: 'Appears in', cell: rateCell, isNumber: true },
  { title: 'Change', cell: (row) => changeCell(row, 'rate') },
];

/** Who appears, and the brand on each engine. Each row links to its answers. */
function tablesPart(
  context: WorkspaceContext,
  { prompt: { id }, subjects, engines }: PromptPageReport,
): Content {
  if (subjects.length === 0) return undefined;
  const answers = (words: string, filters: Readonly<Record<string, string>>): Html =>
    html`<a href="${viewLink(context, 'answers', { prompt_id: id, ...filters })}">${words}</a>`;
  const name = ({ subject_id, subject_type, name: words }: ShareRow): Html =>
    answers(words, { cited: 'true', ...(subject_type === 'competitor' && { subject_id }) });
  const engineCell = ({ engine }: ShareRow): Html =>
    answers(engineName(engine ?? ''), { engine: engine ?? '' });
  const part = (title: string, first: Column<ShareRow>, rows: readonly ShareRow[]): Html =>
    html`<section>${table({ title, columns: [first, ...figureColumns], empty: '' }, rows)}</section>`;
  return html`<div class="cols">
    ${part('Who appears', { title: 'Name', cell: name }, subjects)}
    ${part('By engine', { title: 'Engine', cell: engineCell }, engines)}
  </div>`;
}

/** The pages that its answers link most. */
function pagesPart(context: WorkspaceContext, { runs, rows }: ReportResult<'sources'>): Content {
  const columns: Columns<(typeof rows)[number]> = [
    { title: 'Page', cell: (row) => pageLink(context, row) },
    counts('Answers', ({ runs: count }) => count),
    counts('Without you', ({ gap_runs: count }) => count),
  ];
  return (
    rows.length > 0 &&
    html`<section>
      ${titleLine('Sources', `of ${amount(runs, 'answer')}; without you, but with a competitor`)}
      ${table({ caption: 'Sources', columns, empty: '' }, rows)}
    </section>`
  );
}
