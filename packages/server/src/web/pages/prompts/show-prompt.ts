import { allows } from '../../../people/roles.ts';
import type { AskedEngine, PromptPageReport } from '../../../reports/prompt-pages/prompt-page.ts';
import { shares } from '@overheard/contract';
import type { ShareRow } from '@overheard/contract';
import { z } from 'zod';
import { thousands } from '../../../values/plural.ts';
import { printable } from '../../../values/printable.ts';
import { utcDay } from '../../../values/time/utc-day.ts';
import { rateRuler } from '../../charts/ruler.ts';
import { drawTrend } from '../../charts/trend.ts';
import { notFound } from '../../request/page-fault.ts';
import { changeCell, changeFigure, rateCell, rateFigure, sovCell } from '../../markup/figures.ts';
import { engineName } from '../../../values/engine.ts';
import { html } from '../../markup/html.ts';
import type { Content, Html } from '../../markup/html.ts';
import { answerColumns } from '../answers/answer-columns.ts';
import { periodWords, shortDay, shortMinute } from '../../parts/moment-words.ts';
import { promptTags } from './prompt-columns.ts';
import { onePromptButtons } from './prompt-switch.ts';
import { columnsOfFields, csvOf, table } from '../../parts/table.ts';
import type { Column } from '../../parts/table.ts';
import { surfaceNote } from '../../parts/surface-note.ts';
import { viewControls } from '../../parts/view-controls.ts';
import { workspacePage } from '../../parts/workspace-page.ts';
import { readView, viewLink } from '../../request/view.ts';
import { pathPart } from '../../request/page-context.ts';
import type { Result, WorkspaceContext } from '../../request/page-context.ts';

const titleLengthMax = 300;
const uuid = z.uuid();

/**
 * The page of one prompt: how often its answers cite the brand and on which engines, who else is
 * cited, and the latest answers.
 */
export async function showPrompt(context: WorkspaceContext): Promise<Result> {
  const { view, isCsv } = readView(context);
  const promptId = uuid.safeParse(pathPart(context, 'prompt')).data?.toLowerCase();
  if (promptId === undefined) throw notFound();
  const today = utcDay(context.clock());
  const query = { ...view.period, engine: view.engine, promptId, today };
  const report = await context.reports.read('prompt', query);
  if (report === null) throw notFound();
  if (isCsv) {
    const rows = [...report.subjects, ...report.engines];
    return csvOf(context, 'prompt', columnsOfFields(shares.fields), rows);
  }
  const { engines } = await context.reports.read('filters', {});
  const { prompt } = report;
  const isCut = prompt.text.length > titleLengthMax;
  const whole =
    isCut &&
    html`<p class="notice" dir="auto" lang="${prompt.language}">${printable(prompt.text)}</p>`;
  const choices = { engines, hasCsv: true, hasPromptFilter: false };
  const controls = viewControls(context, view, choices);
  const content = html`${whole}
  ${report.subjects.length === 0 ? noFiguresPart(report) : figures(context, report)}
  ${answersPart(context, report)} ${askedPart(context, report)}`;
  const lead = html`${periodWords(view.period)}, UTC. ${prompt.language}, ${prompt.locale}.
  ${promptTags(prompt)}`;
  const title = printable(prompt.text, { lengthMax: titleLengthMax });
  return { page: workspacePage(context, { title, lead, controls, content }) };
}

/** Explains why there are no figures. */
function noFiguresPart({ prompt, latest, askedEngines }: PromptPageReport): Html {
  const words =
    askedEngines.length === 0
      ? 'No engine was asked this yet. Import its answers, or have it collected.'
      : latest.length === 0
        ? 'There are no answers in this period. Choose more weeks.'
        : prompt.branded === true
          ? 'It names the brand, so its answers are not counted: the rate would be too high.'
          : 'None of its answers in this period is counted.';
  return html`<section>
    <h2>No figures</h2>
    <p>${words}</p>
  </section>`;
}

function figures(
  context: WorkspaceContext,
  { prompt, subjects, engines, trend: buckets, surfaces }: PromptPageReport,
): Html {
  const [brand] = subjects;
  return html`${
    brand !== undefined &&
    html`<section>
        <h2>${brand.name} appears in</h2>
        <p>${rateFigure(brand)}</p>
        <p>${changeFigure(brand, 'rate')}, against the equal period before.</p>
        ${drawTrend({ buckets, title: `Answers in which ${brand.name} appears, by week` })}
      </section>`
  }
    <section>
      <h2>Who appears</h2>
      ${table({ caption: 'Who appears', columns: subjectColumns(context, prompt.id), empty: 'Nobody.' }, subjects)}
      ${surfaceNote(surfaces)}
    </section>
    <section>
      <h2>By engine</h2>
      ${table({ caption: 'By engine', columns: engineColumns(context, prompt.id), empty: 'No engine.' }, engines)}
    </section>`;
}

const figureColumns: ReadonlyArray<Column<ShareRow>> = [
  { title: 'Drawn', cell: rateRuler, isDrawn: true },
  { title: 'Appears in', cell: rateCell, isNumber: true },
  { title: 'Share of voice', cell: sovCell, isNumber: true },
  {
    title: 'Change',
    cell: (row) => changeCell(row, 'rate'),
  },
];

function subjectColumns(
  context: WorkspaceContext,
  promptId: string,
): ReadonlyArray<Column<ShareRow>> {
  const answers = ({ subject_id: id, subject_type: type, name }: ShareRow): Content => {
    const subject = type === 'brand' ? {} : { subject_id: id };
    const target = viewLink(context, 'answers', { prompt_id: promptId, cited: 'true', ...subject });
    return html`<a href="${target}">${name}</a>`;
  };
  return [{ title: 'Name', cell: answers }, ...figureColumns];
}

function engineColumns(
  context: WorkspaceContext,
  promptId: string,
): ReadonlyArray<Column<ShareRow>> {
  const answers = ({ engine }: ShareRow) =>
    html`<a href="${viewLink(context, 'answers', { prompt_id: promptId, engine: engine ?? '' })}">${engineName(engine ?? '')}</a>`;
  return [{ title: 'Engine', cell: answers }, ...figureColumns];
}

function answersPart(context: WorkspaceContext, { prompt, latest }: PromptPageReport): Html {
  const [, ...columns] = answerColumns(context, { prompt_id: prompt.id });
  const opened: Column<PromptPageReport['latest'][number]> = {
    title: 'Asked at (UTC)',
    cell: ({ run_id: run, run_at: at }) =>
      html`<a href="${viewLink(context, `answers/${run}`, { prompt_id: prompt.id })}">${shortMinute(at, context.clock())}</a>`,
  };
  const others = columns.filter(({ title }) => title !== opened.title && title !== 'Locale');
  return html`<section>
    <h2>Latest answers</h2>
    ${table({ caption: 'Latest answers', columns: [opened, ...others], empty: 'No answers in this period.' }, latest)}
    ${
      latest.length > 0 &&
      html`<p>
        <a href="${viewLink(context, 'answers', { prompt_id: prompt.id })}">All its answers</a>
      </p>`
    }
  </section>`;
}

const askedColumns = (nowMs: number): ReadonlyArray<Column<AskedEngine>> => [
  { title: 'Engine', cell: ({ engine }) => engineName(engine) },
  { title: 'Stored runs', cell: ({ runs }) => thousands(runs), isNumber: true },
  {
    title: 'Last run',
    cell: ({ last_run_at: last }) => shortDay(last, nowMs),
  },
];

function askedPart(context: WorkspaceContext, { prompt, askedEngines }: PromptPageReport): Html {
  const state = !prompt.active
    ? 'This prompt is inactive: it is put to no engine.'
    : prompt.collected
      ? 'This prompt is collected: it is put to the engines of this workspace.'
      : 'This prompt is active, but not collected: its answers come only from imports.';
  return html`<section>
    <h2>Where it was asked</h2>
    <p>${state}</p>
    ${table({ caption: 'Where it was asked, all days', columns: askedColumns(context.clock()), empty: 'No engine was asked yet.' }, askedEngines)}
    ${allows(context.role, 'editor') && onePromptButtons(context, prompt, viewLink(context, `prompts/${prompt.id}/switch`))}
  </section>`;
}
