import { allowOnce } from '../../../collect/ask-now.ts';
import type { AskingPrice, AskingProgress } from '../../../collect/ask-now.ts';
import type { Job } from '../../../jobs/jobs.ts';
import { stopAsking } from '../../../jobs/stop-asking.ts';
import { allows } from '../../../people/roles.ts';
import type { Refusal } from '../../../refusals.ts';
import { engineName } from '../../../values/engine.ts';
import { amount, thousands, timesADay } from '../../../values/plural.ts';
import { dollars } from '../../../values/usd.ts';
import { newId } from '../../../values/uuid.ts';
import { addJob, isActive, latestJob } from '../../request/jobs.ts';
import { html } from '../../markup/html.ts';
import type { Content, Html } from '../../markup/html.ts';
import { newGaps, refusedPart } from '../../parts/job-part.ts';
import { table } from '../../parts/table.ts';
import { workspacePage } from '../../parts/workspace-page.ts';
import { formId, readForm } from '../../request/forms.ts';
import { noParameters } from '../../request/parameters.ts';
import { refusalText } from '../../request/refusal-text.ts';
import { note } from '../../request/note.ts';
import { get, post } from '../../request/page-context.ts';
import type { Result, WorkspaceContext, WorkspaceRoute } from '../../request/page-context.ts';
import { answerColumns } from '../answers/answer-columns.ts';

const path = '/w/:slug/start/answers';

/** The page that asks every prompt once, and shows the answers as they come. */
export const askNowRoutes: readonly WorkspaceRoute[] = [
  get(path, 'viewer', (context) => show(context)),
  post(path, 'editor', 'ask now within the budget', ask, { onRefusal: show }),
  post(`${path}/stop`, 'editor', 'stop asking', stop),
];

const answersShown = 10;

function placeOf({ workspace }: WorkspaceContext): string {
  return `/w/${workspace.slug}/start/answers`;
}

async function readNow({ store, clock }: WorkspaceContext): Promise<number> {
  const ledgerClock = await store.ledgerClock(clock);
  return ledgerClock();
}

async function ask(context: WorkspaceContext): Promise<Result> {
  const { form, most } = readForm(context.request.body, ['form', 'most']);
  const price = await context.reports.read('askingPrice', { nowMs: await readNow(context) });
  if (price.questions === 0) return { redirect: placeOf(context) };
  if (!(price.mostUsd <= Number(most))) {
    return show(context, undefined, 'The price has changed. Nothing was asked: look, then ask.');
  }
  const { store, clock } = context;
  const { id: workspaceId } = context.workspace;
  if (allows(context.role, 'admin')) {
    const isOperator = allows(context.role, 'operator');
    await allowOnce(store, workspaceId, { usd: price.mostUsd, isOperator, clock });
  }
  // Unfinished asking does the same, so ignore `busy`.
  if ((await addJob(context, form, { kind: 'ask' })) === 'added') {
    const name = `${amount(price.questions, 'question')}, at most ${dollars(price.mostUsd)}`;
    await note(context, 'asked_now', { name });
  }
  return { redirect: placeOf(context) };
}

async function stop(context: WorkspaceContext): Promise<Result> {
  const { job } = readForm(context.request.body, ['job']);
  const { id: workspaceId } = context.workspace;
  const key = { workspaceId, id: formId(job) };
  if (await stopAsking(context.store.access, key, context)) await note(context, 'asking_stopped');
  return { redirect: placeOf(context) };
}

async function show(
  context: WorkspaceContext,
  refusal?: Refusal,
  fault: string | undefined = refusal && refusalText(refusal),
): Promise<Result> {
  noParameters(context);
  const { slug } = context.workspace;
  const nowMs = await readNow(context);
  const price = await context.reports.read('askingPrice', { nowMs });
  const job = await latestJob(context, 'ask');
  const content = html`${fault !== undefined && html`<p class="notice warn" role="alert">${fault}</p>`}
  ${job !== undefined && (await progressPart(context, job, { price, nowMs }))}
  ${!isActive(job) && askPart(context, price)}
  ${job !== undefined && dailyPart(context, price)}`;
  const lead = html`<a href="/w/${slug}/start">Getting started</a>. Each prompt that is on is put to
    each engine that is on, once.`;
  const status = fault !== undefined ? 400 : 200;
  return workspacePage(context, { title: 'Ask now', lead, content, status });
}

/** Where prompts are asked every day, or that they are. */
function dailyPart({ workspace }: WorkspaceContext, { sweeps }: AskingPrice): Html {
  const words =
    (sweeps ?? 0) > 0
      ? `Each prompt that is on is asked ${timesADay(sweeps ?? 0)} on each engine.`
      : 'One round shows what engines say. A trend needs answers of every day: with one a day, real changes show after about two weeks.';
  return html`<section>
    <h2>Every day, by itself</h2>
    <p>${words} <a href="/w/${workspace.slug}/settings/collection">Set the schedule and its budget</a></p>
  </section>`;
}

/** The price, and the button; or what is missing first. */
function askPart(context: WorkspaceContext, price: AskingPrice): Html {
  const { slug } = context.workspace;
  return html`<section>
    <h2>What it costs</h2>
    ${price.notes.map((words) => html`<p class="notice warn">${words}</p>`)}
    ${missing(context, price) ?? priceForm(context, price)}
    <p class="hint">
      Answers over APIs differ from those of the apps, and their engines say API. Have answers of
      the apps? <a href="/w/${slug}/settings/data">Import them</a>.
    </p>
  </section>`;
}

function priceForm(context: WorkspaceContext, price: AskingPrice): Html {
  const { prompts, engines, questions, mostUsd, usualUsd } = price;
  return html`<p>
      ${amount(questions, 'question')}: ${amount(prompts, 'prompt')} to
      ${engines.map(({ engine }) => engineName(engine)).join(', ')}.
      ${usualUsd !== null && html`Usually about <strong>${dollars(usualUsd)}</strong>, at`}
      ${usualUsd === null && 'At'} most <strong>${dollars(mostUsd)}</strong>.
    </p>
    ${
      allows(context.role, 'editor') &&
      html`<form class="actions" method="post" action="${placeOf(context)}">
        <input type="hidden" name="form" value="${newId(context.clock)}" />
        <input type="hidden" name="most" value="${mostUsd}" />
        <button class="button primary">Ask ${amount(questions, 'question')} now</button>
      </form>`
    }`;
}

function missing(context: WorkspaceContext, price: AskingPrice): Html | undefined {
  const { slug } = context.workspace;
  if (price.engines.length === 0) {
    return html`<p>No engine can be asked: none is set up, or every one is off.</p>
      ${
        allows(context.role, 'operator')
          ? html`<p class="actions"><a class="button primary" href="/engines">Add an engine</a></p>`
          : html`<p class="hint">The operator of this server sets one up.</p>`
      }`;
  }
  if (price.prompts === 0) {
    return html`<p>No prompt is on.</p>
      <p class="actions">
        <a class="button" href="/w/${slug}/start/prompts">Choose prompts</a>
        <a class="button" href="/w/${slug}/prompts">Switch prompts on</a>
      </p>`;
  }
  const mayPay = allows(context.role, 'operator') || price.isAllowed || price.sweeps !== null;
  if (!mayPay) return html`<p>The operator must allow this workspace a budget first.</p>`;
  if (price.questions > 0) return undefined;
  return html`<p>${(price.sweeps ?? 0) === 0 ? 'Every prompt was asked today (UTC).' : 'Every prompt was asked in this part of the day.'} Asking more often shows little more.</p>`;
}

async function progressPart(
  context: WorkspaceContext,
  job: Job,
  { price, nowMs }: { price: AskingPrice; nowMs: number },
): Promise<Html> {
  const since = job.createdAt;
  const progress = await context.reports.read('askingProgress', { since, nowMs });
  const query = { from: since.slice(0, 10), rowsMax: answersShown };
  const { rows } = await context.reports.read('answers', query);
  const answers = rows.filter(({ run_at: at }) => at >= since);
  const active = isActive(job);
  return html`<live-part id="asking" ${active && html` waiting`}>
    <section>
      <div role="status"><h2>${progressWords(progress, { questions: price.questions, active })}</h2></div>
      ${active && activePart(context, job, { progress, questions: price.questions })}
      ${!active && endPart(context, job)} ${faultsPart(progress)}
      ${
        answers.length > 0 &&
        table(
          { caption: 'Latest answers', columns: answerColumns(context, {}), empty: '' },
          answers,
        )
      }
    </section>
  </live-part>`;
}

function countFailed({ failed }: AskingProgress): number {
  return failed.reduce((sum, { count }) => sum + count, 0);
}

function progressWords(
  progress: AskingProgress,
  { questions, active }: { questions: number; active: boolean },
): string {
  const { done, open, costUsd } = progress;
  const failed = countFailed(progress);
  const all = done + open + failed + (active ? questions : 0);
  const are = done === 1 ? 'is' : 'are';
  return `${thousands(done)} of ${amount(all, 'answer')} ${are} in. Cost so far: ${dollars(costUsd)}.`;
}

function activePart(
  context: WorkspaceContext,
  { id }: Job,
  { progress, questions }: { progress: AskingProgress; questions: number },
): Html {
  const ended = progress.done + countFailed(progress);
  const total = ended + progress.open + questions;
  return html`<p>
      <label for="asked">${amount(progress.open, 'question')} open.</label>
      <progress id="asked" value="${ended}" max="${Math.max(1, total)}"></progress>
    </p>
    <form class="actions" method="post" action="${placeOf(context)}/stop">
      <input type="hidden" name="job" value="${id}" />
      <a class="button small" href="${placeOf(context)}">Look again</a>
      ${allows(context.role, 'editor') && html`<button class="button small">Stop asking</button>`}
    </form>
    <p class="hint">You may close this page: asking goes on. What is open is paid for, so its answers are kept.</p>`;
}

function endPart(context: WorkspaceContext, { outcome }: Job): Content {
  if (outcome === undefined) return undefined;
  if ('refusal' in outcome) return refusedPart(outcome.refusal);
  if ('failure' in outcome) return html`<p>Asking ended early. What came is kept: ask again.</p>`;
  const { stopped, gaps, isOverBudget, warnings } = outcome.result;
  return html`${Boolean(stopped) && html`<p>You stopped it. What came is kept.</p>`}
    ${Number(gaps) > 0 && html`<p>${newGaps(context, Number(gaps))}</p>`}
    ${Number(isOverBudget) === 1 && html`<p>The budget was used up before the end.</p>`}
    ${(Array.isArray(warnings) ? warnings : []).map((words) => html`<p class="notice warn">${words}</p>`)}`;
}

/** Why questions have no answer, and which engines wait or are off. */
function faultsPart({ failed, stopped }: AskingProgress): Html {
  return html`${failed.map(
    ({ engine, fault, count }) =>
      html`<p class="notice warn">
        ${engineName(engine)}: ${amount(count, 'question')} without an answer (<code>${fault}</code>).
      </p>`,
  )}
  ${stopped.map(
    ({ engine, offReason, waitUntil }) =>
      html`<p class="notice warn">
        ${engineName(engine)}
        ${
          offReason === null
            ? `asked us to wait until ${(waitUntil ?? '').slice(11, 16)} UTC. None of its questions is lost.`
            : html`is off: it failed with <code>${offReason}</code>. The operator checks its key,
              credit, model and address, then switches it on again.`
        }
      </p>`,
  )}`;
}
