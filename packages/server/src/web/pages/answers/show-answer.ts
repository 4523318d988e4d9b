import { z } from 'zod';
import { readAnswerEvidence } from '../../../collect/ledger/evidence.ts';
import type { OtherAnswer } from '../../../reports/answer-pages/answer-report.ts';
import { plural } from '../../../values/plural.ts';
import { printable } from '../../../values/printable.ts';
import { readAnswerFilters } from './answer-filters.ts';
import { notFound } from '../../request/page-fault.ts';
import { engineName } from '../../../values/engine.ts';
import { html } from '../../markup/html.ts';
import type { Content, Html } from '../../markup/html.ts';
import {
  answerFacts,
  citedSubjectsPart,
  evidencePart,
  searchesPart,
  sourcesPart,
} from './answer-parts.ts';
import { answerMarkdown } from '../../markup/answer-markdown.ts';
import { answerText } from '../../markup/answer-text.ts';
import { dayWords } from '../../parts/moment-words.ts';
import { tabs } from '../../parts/tabs.ts';
import { workspacePage } from '../../parts/workspace-page.ts';
import type { MarkedAnswer, MarkedReport } from '../../reader/read-marked-answer.ts';
import { viewLink } from '../../request/view.ts';
import type { ViewChanges } from '../../request/view.ts';
import { pathPart } from '../../request/page-context.ts';
import type { Result, WorkspaceContext } from '../../request/page-context.ts';

const titleLengthMax = 300;
const runId = z
  .string()
  .toLowerCase()
  .regex(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, { error: 'It must be a UUID.' });

/** One answer to read, alone or beside another one. */
export async function showAnswer(context: WorkspaceContext): Promise<Result> {
  const parameters = { beside: runId.optional(), as: z.enum(['raw']).optional() };
  const { query, pageParameters, page } = readAnswerFilters(context, parameters);
  const run = runId.safeParse(pathPart(context, 'run')).data;
  if (run === undefined) throw notFound();
  const report = await context.reports.read('answer', {
    runId: run,
    list: query,
    besideId: page['beside'],
  });
  if (report === null) throw notFound();
  const { answer, beside } = report;
  const evidence = await readAnswerEvidence(context.store, context.workspace.id, run);
  const aside = html`${citedSubjectsPart(context, answer)} ${searchesPart(answer)} ${sourcesPart(answer)}
  ${answerFacts(answer, evidence !== undefined)} ${evidence !== undefined && evidencePart(evidence)}`;
  const isCut = answer.prompt.length > titleLengthMax;
  const whole =
    isCut &&
    html`<p class="notice" dir="auto" lang="${answer.language}">${printable(answer.prompt)}</p>`;
  const isRaw = page['as'] === 'raw';
  const tab = (words: string, as: string | undefined) => ({
    words,
    isOn: as === page['as'],
    href: viewLink(context, `answers/${run}`, { ...pageParameters, beside: page['beside'], as }),
  });
  const content = html`<h1 class="story" dir="auto" lang="${answer.language}">${printable(answer.prompt, { lengthMax: titleLengthMax })}</h1>
    ${whole}
    ${tabs('How to show it', [tab('As an app shows it', undefined), tab('As it came', 'raw')])}
    ${otherAnswersPart(context, report, pageParameters)}
    <div class="cols${beside === null && ' wide-left'}">
      ${reader(answer, isRaw)} ${beside === null ? html`<div>${aside}</div>` : reader(beside, isRaw)}
    </div>
    ${
      beside !== null &&
      html`<div class="cols">
        <div>${citedSubjectsPart(context, answer)}</div>
        <div>${citedSubjectsPart(context, beside)}</div>
      </div>`
    }`;
  const lead = html`<a href="${viewLink(context, `prompts/${answer.prompt_id}`)}">The prompt</a> ·
    <a href="${viewLink(context, 'answers', pageParameters)}">All answers</a>`;
  const action = neighbours(context, report, pageParameters);
  return workspacePage(context, { title: 'Answer', lead, action, content });
}

function reader(answer: MarkedAnswer, isRaw: boolean): Html {
  const { engine, model, run_at: at, text, language, outcome, marks, isWhole } = answer;
  const isPartial = answer.counts_from !== null || answer.counts_to !== null;
  return html`<section>
    <h2>${engineName(engine)}</h2>
    <p class="hint">
      ${model !== null && `${printable(model)}, `}<time datetime="${at}">${dayWords(at)}, ${at.slice(11, 16)} UTC</time>
    </p>
    ${outcome !== 'answered' && html`<p class="notice warn">${outcomeWords[outcome]}</p>`}
    ${!isWhole && html`<p class="hint">This answer is very long: only the first mention of each name is marked.</p>`}
    ${isPartial && html`<p class="hint">The page’s own text around the answer is grey and does not count.</p>`}
    ${text === '' ? html`<p class="hint">The answer has no text.</p>` : (isRaw ? answerText : answerMarkdown)(text, marks, language, answer)}
  </section>`;
}

const outcomeWords = {
  refused: 'The engine refused to answer. Nobody appears, and no figure counts this answer.',
  empty: 'The engine returned an answer without text. No figure counts this answer.',
  failed: 'The answer failed or was cut off. The text so far is below, and no figure counts it.',
} as const;

function neighbours(
  context: WorkspaceContext,
  { newer, older }: MarkedReport,
  pageParameters: ViewChanges,
): Html {
  const way = (run: string | null, rel: 'prev' | 'next', words: Content) =>
    run !== null &&
    html`<a
      class="button small"
      rel="${rel}"
      href="${viewLink(context, `answers/${run}`, pageParameters)}">${words}</a>`;
  return html`<div class="actions">
    ${way(newer, 'prev', html`Newer <kbd>k</kbd>`)} ${way(older, 'next', html`Older <kbd>j</kbd>`)}
  </div>`;
}

/** The closest answers of other engines to the same prompt. */
function otherAnswersPart(
  context: WorkspaceContext,
  { answer, others: closest, beside }: MarkedReport,
  pageParameters: ViewChanges,
): Content {
  if (closest.length === 0) return undefined;
  const alone = viewLink(context, `answers/${answer.run_id}`, pageParameters);
  const link = ({ engine, run_id: run, run_at: at }: OtherAnswer) =>
    html`<li>
      <a
        href="${viewLink(context, `answers/${answer.run_id}`, { ...pageParameters, beside: run })}"
        ${run === beside?.run_id && html` aria-current="true"`}
        >${engineName(engine)}</a>
      <span class="hint">${distance(at, answer.run_at)}</span>
    </li>`;
  return html`<nav class="beside" aria-label="Another engine beside it">
    <span class="hint">Beside it:</span>
    <ul>
      ${closest.map(link)}
      ${beside !== null && html`<li><a href="${alone}">this answer alone</a></li>`}
    </ul>
  </nav>`;
}

/** The time between two answers: `3 hours later`. */
function distance(at: string, from: string): string {
  const minutes = Math.round((Date.parse(at) - Date.parse(from)) / 60_000);
  const size = Math.abs(minutes);
  if (size === 0) return 'at the same time';
  const words =
    size < 60
      ? plural(size, 'minute')
      : size < 48 * 60
        ? plural(Math.round(size / 60), 'hour')
        : plural(Math.round(size / 1440), 'day');
  return `${words} ${minutes < 0 ? 'earlier' : 'later'}`;
}
