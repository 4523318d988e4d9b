import type { Judging } from '../../../collect/stances/judging.ts';
import {
  removeStanceBudget,
  setStanceBudget,
  usualSample,
} from '../../../collect/stances/stance-budgets.ts';
import type { StanceEstimate } from '../../../collect/stances/estimate-stances.ts';
import type { Job } from '../../../jobs/jobs.ts';
import { stopAsking } from '../../../jobs/stop-asking.ts';
import { allows } from '../../../people/roles.ts';
import { engineName } from '../../../values/engine.ts';
import { amount, plural } from '../../../values/plural.ts';
import { dollars, parseUsd } from '../../../values/usd.ts';
import { newId } from '../../../values/uuid.ts';
import { html } from '../../markup/html.ts';
import type { Content, Html } from '../../markup/html.ts';
import { checkField, formFault, selectField, textField } from '../../parts/fields.ts';
import { table } from '../../parts/table.ts';
import { refusedPart } from '../../parts/job-part.ts';
import { workspacePage } from '../../parts/workspace-page.ts';
import { addJob, isActive, latestJob } from '../../request/jobs.ts';
import { emptyForm, faultsOf, formId, readForm } from '../../request/forms.ts';
import type { FormState } from '../../request/forms.ts';
import { noParameters } from '../../request/parameters.ts';
import { note } from '../../request/note.ts';
import { refusalText } from '../../request/refusal-text.ts';
import { get, post } from '../../request/page-context.ts';
import type { Result, WorkspaceContext, WorkspaceRoute } from '../../request/page-context.ts';

const path = '/w/:slug/stances/judge';

/** The page on which an admin chooses who judges answers, for how much, and starts judging. */
export const judgeRoutes: readonly WorkspaceRoute[] = [
  get(path, 'admin', (context) => show(context, emptyForm)),
  post(path, 'admin', 'choose the judge of answers and its budget', save, {
    onRefusal: (context, refusal) =>
      show(context, {
        typed: readForm(context.request.body, fieldNames),
        faults: { form: refusalText(refusal) },
      }),
  }),
  post(`${path}/run`, 'admin', 'judge answers now', start),
  post(`${path}/stop`, 'admin', 'stop judging', stop),
];

const fieldNames = ['engine', 'day', 'month', 'sample', 'daily', 'do'] as const;
const samples: ReadonlyArray<readonly [value: string, title: string]> = [
  ['1', 'the first answer of each prompt, engine and week'],
  [String(usualSample), `the first ${usualSample} answers of each prompt, engine and week`],
  ['all', 'every answer that cites someone'],
];

function placeOf({ workspace }: WorkspaceContext): string {
  return `/w/${workspace.slug}/stances/judge`;
}

async function save(context: WorkspaceContext): Promise<Result> {
  const typed = readForm(context.request.body, fieldNames);
  const { store } = context;
  const { id: workspaceId } = context.workspace;
  if (typed.do === 'off') {
    if (await removeStanceBudget(store, workspaceId)) {
      await note(context, 'judge_removed', { name: typed.engine });
    }
    return { redirect: placeOf(context) };
  }
  const [dayUsd, monthUsd] = [parseUsd(typed.day.trim()), parseUsd(typed.month.trim())];
  const expected = 'It must be an amount in US dollars such as 5 or 0.25.';
  const isSample = /^(?:all|[1-9]\d{0,2})$/.test(typed.sample);
  const faults = faultsOf({
    day: dayUsd === undefined ? expected : undefined,
    month: monthUsd === undefined ? expected : undefined,
    sample: isSample ? undefined : 'Choose one of the list.',
  });
  if (dayUsd === undefined || monthUsd === undefined || !isSample) {
    return show(context, { typed, faults });
  }
  const sample = typed.sample === 'all' ? null : Number(typed.sample);
  const isDaily = typed.daily !== '';
  const budget = { engine: typed.engine, dayUsd, monthUsd, sample, isDaily };
  const isOperator = allows(context.role, 'operator');
  if (await setStanceBudget(store, workspaceId, budget, { isOperator })) {
    const name = `${engineName(typed.engine)}, ${dollars(dayUsd)} a day, ${dollars(monthUsd)} a month`;
    await note(context, 'judge_changed', { name });
  }
  return { redirect: placeOf(context) };
}

async function start(context: WorkspaceContext): Promise<Result> {
  const { form } = readForm(context.request.body, ['form']);
  // Unfinished judging does the same, so ignore `busy`.
  if ((await addJob(context, form, { kind: 'judge' })) === 'added') {
    const { budget } = await readNow(context);
    await note(context, 'judged_now', { name: engineName(budget?.engine ?? '') });
  }
  return { redirect: placeOf(context) };
}

async function stop(context: WorkspaceContext): Promise<Result> {
  const { job } = readForm(context.request.body, ['job']);
  const key = { workspaceId: context.workspace.id, id: formId(job) };
  if (await stopAsking(context.store.access, key, context)) await note(context, 'asking_stopped');
  return { redirect: placeOf(context) };
}

async function readNow({ store, clock, reports }: WorkspaceContext): Promise<Judging> {
  const ledgerClock = await store.ledgerClock(clock);
  return reports.read('judging', { nowMs: ledgerClock() });
}

async function show(context: WorkspaceContext, form: FormState): Promise<Result> {
  noParameters(context);
  const { slug } = context.workspace;
  const judging = await readNow(context);
  const { budget, estimates } = judging;
  const job = await latestJob(context, 'judge');
  const words =
    budget === null
      ? 'Nobody judges your answers yet'
      : `${engineName(budget.engine)} judges ${sampleWords(budget.sample)}`;
  const content = html`<h1 class="story">${words}</h1>
    <p class="sub">
      The judge reads the parts of an answer that name someone, and says how they are presented, with a
      quote. These parts are sent to the engine that you choose.
      ${budget !== null && budget.periods.map(({ period, spentUsd, capUsd }) => `Spent in ${period}: ${dollars(spentUsd)} of ${dollars(capUsd)}. `)}
    </p>
    ${job !== undefined && jobPart(context, job)}
    ${estimates.length === 0 ? noEngine(context) : [costPart(context, judging, job), formPart(context, judging, form)]}`;
  const lead = html`<a href="/w/${slug}/stances">How you are presented</a>`;
  const status = Object.keys(form.faults).length > 0 ? 400 : 200;
  return workspacePage(context, { title: 'The judge', lead, content, status });
}

function sampleWords(sample: number | null): string {
  if (sample === null) return 'every answer that cites someone';
  return `the first ${sample === 1 ? 'answer' : plural(sample, 'answer')} of each prompt, engine and week`;
}

function noEngine(context: WorkspaceContext): Html {
  return html`<section>
    <p>No engine can judge: none is set up, or every one is off.</p>
    ${
      allows(context.role, 'operator')
        ? html`<p class="actions"><a class="button primary" href="/engines">Add an engine</a></p>`
        : html`<p class="hint">The operator of this server sets one up.</p>`
    }
  </section>`;
}

function costPart(context: WorkspaceContext, { budget, estimates }: Judging, job?: Job): Html {
  const [first] = estimates;
  const own = estimates.find(({ engine }) => engine === budget?.engine);
  return html`<section>
    ${table<StanceEstimate>(
      {
        title: 'What it costs',
        empty: '',
        columns: [
          { title: 'Judge', cell: ({ engine }) => engineName(engine) },
          { title: 'Answers', cell: ({ answers }) => answers, isNumber: true },
          { title: 'Questions', cell: ({ questions }) => questions, isNumber: true },
          { title: 'Cost', cell: (estimate) => costWords(estimate), isNumber: true },
        ],
      },
      estimates,
    )}
    <p class="hint">Of ${first?.from ?? ''} to ${first?.to ?? ''}, ${sampleWords(first?.sample ?? null)}, as far as each has not judged them. Some answers need no question.</p>
    ${
      own !== undefined &&
      own.answers > 0 &&
      !isActive(job) &&
      html`<form class="actions" method="post" action="${placeOf(context)}/run">
        <input type="hidden" name="form" value="${newId(context.clock)}" />
        <button class="button primary">Judge ${amount(own.answers, 'answer')} now${own.usd !== null && `, ${costWords(own)}`}</button>
      </form>`
    }
  </section>`;
}

/** A bound is the most that the questions may cost. */
function costWords({ usd, basis }: StanceEstimate): string {
  if (usd === null) return 'unknown';
  return `${basis === 'bound' ? 'at most' : 'about'} ${dollars(usd)}`;
}

function formPart(
  context: WorkspaceContext,
  { budget, estimates, caps }: Judging,
  form: FormState,
): Html {
  const usd = (value: number | undefined): string => (value === undefined ? '' : String(value));
  const isOperator = allows(context.role, 'operator');
  const cap = (value: number | undefined): string | undefined =>
    value === undefined || isOperator ? undefined : `The operator allows ${dollars(value)}.`;
  const engines = new Set([
    ...estimates.map(({ engine }) => engine),
    ...(budget === null ? [] : [budget.engine]),
  ]);
  const sample = budget === null ? String(usualSample) : String(budget.sample ?? 'all');
  const offered = samples.some(([value]) => value === sample)
    ? samples
    : [...samples, [sample, sampleWords(Number(sample))] as const];
  return html`<section>
    <h2>Judge and budget</h2>
    ${caps === null && !isOperator && html`<p class="notice warn">The operator must allow this workspace a budget first.</p>`}
    ${form.faults['form'] !== undefined && formFault(form.faults['form'])}
    <form method="post" action="${placeOf(context)}">
      ${selectField(form, { name: 'engine', label: 'Judge', value: budget?.engine ?? '', options: [...engines].map((name) => [name, engineName(name)] as const), hint: budget === null ? undefined : 'Another judge judges again what this one has judged: figures never mix two.' })}
      ${textField(form, { name: 'day', label: 'US dollars a day', value: usd(budget?.dayUsd), lengthMax: 14, hint: cap(caps?.dayCapUsd) })}
      ${textField(form, { name: 'month', label: 'US dollars a month', value: usd(budget?.monthUsd), lengthMax: 14, hint: cap(caps?.monthCapUsd) })}
      ${selectField(form, { name: 'sample', label: 'Answers', value: sample, options: offered })}
      ${checkField(form, { name: 'daily', label: 'Judge new answers every day', isTicked: budget?.isDaily ?? false })}
      <p class="actions">
        <button class="button primary" name="do" value="save">Save</button>
        ${budget !== null && html`<button class="button" name="do" value="off" formnovalidate>Judge no more</button>`}
      </p>
    </form>
    <p class="hint">This budget is not part of that of asking engines.</p>
  </section>`;
}

function jobPart(context: WorkspaceContext, job: Job): Html {
  const active = isActive(job);
  const { count = 0, total = 0 } = job.progress ?? {};
  return html`<live-part id="judging" ${active && html` waiting`}>
    <section role="status">
      ${
        active
          ? html`<p>
              <label for="judged">Judged ${count} of ${amount(total, 'answer')}.</label> <progress id="judged" value="${count}" max="${Math.max(1, total)}"></progress>
            </p>
            <form class="actions" method="post" action="${placeOf(context)}/stop">
              <input type="hidden" name="job" value="${job.id}" />
              <a class="button small" href="${placeOf(context)}">Look again</a>
              <button class="button small">Stop judging</button>
            </form>`
          : endPart(job)
      }
    </section>
  </live-part>`;
}

function endPart({ outcome }: Job): Content {
  if (outcome === undefined) return undefined;
  if ('refusal' in outcome) return refusedPart(outcome.refusal);
  if ('failure' in outcome) {
    return html`<p class="notice warn">Judging ended early. What was judged is kept: judge again.</p>`;
  }
  const { stopped, judged, costUsd, isOverBudget, warnings, ...counts } = outcome.result;
  return html`<p class="notice good">
      ${Number(stopped) === 1 ? 'You stopped it. What was judged is kept.' : `The last time: ${amount(Number(judged ?? 0), 'stance')} for ${dollars(Number(costUsd ?? 0))}.`}
      ${Number(counts['void']) > 0 && `${amount(Number(counts['void']), 'verdict')} had no quote of the answer.`}
      ${Number(isOverBudget) === 1 && 'The budget was used up before the end.'}
    </p>
    ${(Array.isArray(warnings) ? warnings : []).map((words) => html`<p class="notice warn">${words}</p>`)}`;
}
