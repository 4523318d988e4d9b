import { disableEngine, removeEngine } from '../../../collect/engine-settings.ts';
import { reportEngines } from '../../../collect/engine-report.ts';
import { hasSecretVariable } from '../../../collect/keys/secret-variable.ts';
import type { EngineReport } from '../../../collect/engine-report.ts';
import { switchOnEngine } from '../../../collect/set-up-engine.ts';
import type { Job } from '../../../jobs/jobs.ts';
import { engineName } from '../../../values/engine.ts';
import { plural } from '../../../values/plural.ts';
import { dollars } from '../../../values/usd.ts';
import { newId } from '../../../values/uuid.ts';
import { addJob, isActive, latestJob } from '../../request/jobs.ts';
import { html } from '../../markup/html.ts';
import type { Content, Html } from '../../markup/html.ts';
import { buttonForm } from '../../parts/button-form.ts';
import { table } from '../../parts/table.ts';
import type { Columns } from '../../parts/table.ts';
import { refusedPart } from '../../parts/job-part.ts';
import { workspacePage } from '../../parts/workspace-page.ts';
import { emptyForm, readForm } from '../../request/forms.ts';
import type { FormState } from '../../request/forms.ts';
import { noParameters } from '../../request/parameters.ts';
import { get, pathPart, post } from '../../request/page-context.ts';
import { note } from '../../request/note.ts';
import type { PageContext, Result, Route } from '../../request/page-context.ts';
import { faultWords } from '../../parts/fault-words.ts';
import { engineForm, refusedEngine, saveEngineForm } from './engine-form.ts';

/** The operator's page of engines, for all workspaces. */
export const enginesRoutes: readonly Route[] = [
  get('/engines', 'operator', (context) => show(context)),
  post('/engines', 'operator', 'set up an engine, and paste its key', save, {
    onRefusal: (context, refusal) => show(context, refusedEngine(context, refusal)),
  }),
  post('/engines/:engine/switch', 'operator', 'switch an engine on or off', switchEngine),
  post('/engines/:engine/remove', 'operator', 'remove an engine with its key', remove),
  post('/engines/:engine/test', 'operator', 'put a test question to an engine', test),
];

const testText = 'Which CRM suits a small agency?';

async function save(context: PageContext): Promise<Result> {
  const form = await saveEngineForm(context);
  return form === undefined ? { redirect: '/engines' } : show(context, form);
}

async function switchEngine(context: PageContext): Promise<Result> {
  const engine = pathPart(context, 'engine');
  const { to } = readForm(context.request.body, ['to']);
  const { store, clock } = context;
  if (to === 'on') await switchOnEngine(store, engine, clock);
  else await disableEngine(store.access, engine, clock);
  await note(context, to === 'on' ? 'engine_saved' : 'engine_disabled', { name: engine });
  return { redirect: '/engines' };
}

async function remove(context: PageContext): Promise<Result> {
  readForm(context.request.body, []);
  const engine = pathPart(context, 'engine');
  if (await removeEngine(context.store.access, engine)) {
    await note(context, 'engine_removed', { name: engine });
  }
  return { redirect: '/engines' };
}

async function test(context: PageContext): Promise<Result> {
  const { form } = readForm(context.request.body, ['form']);
  const engine = pathPart(context, 'engine');
  const work = { kind: 'test', engine, text: testText, locale: 'en-US' } as const;
  if ((await addJob(context, form, work)) === 'added') {
    await note(context, 'engine_tested', { name: engine });
  }
  return { redirect: '/engines' };
}

async function show(context: PageContext, form?: FormState): Promise<Result> {
  noParameters(context);
  const { store, clock, prices } = context;
  const engines = await reportEngines(store, { rows: prices, nowMs: clock() }, clock);
  const job = await latestJob(context, 'test');
  const content = html`${job !== undefined && testPart(job)}
    <section>
      <h2>Engines of this installation</h2>
      ${table({ caption: 'Engines', columns: columns(context), empty: 'None is set up yet.' }, engines)}
      <p class="hint">
        Answers over an API differ from those of the app. A model on a machine of your own says
        little about what people see.
      </p>
    </section>
    ${engineForm(form ?? emptyForm)}`;
  const lead = 'Which engines are asked, for every workspace. A workspace pays within its budget.';
  const status = form !== undefined ? 400 : 200;
  return workspacePage(context, { title: 'Engines', lead, content, status });
}

function columns(context: PageContext): Columns<EngineReport> {
  return [
    {
      title: 'Engine',
      cell: ({ name, model, baseUrl, requiresSearch }) =>
        html`<strong>${engineName(name)}</strong>
          <p class="hint">${model}, ${new URL(baseUrl).host}${requiresSearch && ', always searches'}</p>`,
    },
    { title: 'Key', cell: (engine) => keyWords(context, engine) },
    {
      title: 'An answer up to',
      cell: ({ boundUsd, priceChecked }) =>
        boundUsd === null
          ? 'unknown: set a most, or it is not asked'
          : html`${dollars(boundUsd)}
            ${priceChecked !== null && html`<p class="hint">price of ${priceChecked}</p>`}`,
    },
    { title: 'This month', cell: ({ operator }) => monthWords(operator) },
    { title: 'State', cell: ({ offReason }) => stateWords(offReason) },
    { title: 'Do', cell: (engine) => actions(context, engine) },
  ];
}

function keyWords({ environment }: PageContext, { keyTail, keyVariable }: EngineReport): Content {
  if (keyTail !== null) return keyTail === '' ? 'stored' : `stored, ends in ${keyTail}`;
  const isSet = hasSecretVariable(environment, keyVariable);
  return html`<code>${keyVariable}</code>${!isSet && ' (not set)'}`;
}

function monthWords(operator: EngineReport['operator']): Content {
  const month = operator?.periods[1];
  if (month === undefined) return '';
  const { spentUsd, heldUsd, capUsd } = month;
  return html`${dollars(spentUsd)} spent, ${dollars(heldUsd)} held
    ${capUsd !== null && html`<p class="hint">of at most ${dollars(capUsd)}</p>`}`;
}

function stateWords(offReason: string | null): Content {
  if (offReason === null) return html`<span class="tag good">on</span>`;
  if (offReason === 'disabled') return 'off';
  if (offReason === 'restored') return 'off: the ledger comes from a backup';
  return html`off: it failed with <code>${offReason}</code>. Check its key, credit, model and
    address.`;
}

function actions({ clock }: PageContext, { name, offReason, boundUsd }: EngineReport): Html {
  const place = `/engines/${encodeURIComponent(name)}`;
  const button = (action: string, words: string, fields: Readonly<Record<string, string>>): Html =>
    buttonForm(`${place}/${action}`, fields, words, { label: `${words} ${engineName(name)}` });
  const price = boundUsd === null ? '' : `, up to ${dollars(boundUsd)}`;
  return html`<div class="actions">${button('test', `Test${price}`, { form: newId(clock) })}
  ${offReason === null ? button('switch', 'Switch off', { to: 'off' }) : button('switch', 'Switch on', { to: 'on' })}
  ${button('remove', 'Remove', {})}</div>`;
}

/** The latest test: the answer with its sources and cost, or why there is none. */
function testPart(job: Job): Html {
  const { work, outcome } = job;
  const isOpen = isActive(job);
  const name = work.kind === 'test' ? engineName(work.engine) : '';
  return html`<live-part id="test" ${isOpen && html` waiting`}>
    <section role="status">
      <h2>Test of ${name}</h2>
      <p class="hint">“${testText}”</p>
      ${isOpen && html`<p>Waiting for the answer. <a href="/engines">Look again</a></p>`}
      ${outcome !== undefined && resultPart(outcome)}
    </section>
  </live-part>`;
}

function resultPart(outcome: NonNullable<Job['outcome']>): Content {
  if ('refusal' in outcome) return refusedPart(outcome.refusal);
  if ('failure' in outcome) return html`<p>It ended early. The server's log says why.</p>`;
  const { text, sources, model, fault, costMicros } = outcome.result;
  const [kind, code] = lines(fault);
  const links = lines(sources);
  return html`${
    kind !== undefined && html`<p class="notice warn">${faultWords(kind)} <code>${code}</code></p>`
  }
    ${lines(text).map((words) => words !== '' && html`<p class="answer">${words}</p>`)}
    ${
      kind === undefined &&
      html`<p class="hint">
        ${links.length === 0 ? 'It cites no page.' : `It cites ${plural(links.length, 'page')}: ${links.slice(0, 5).join(', ')}`}
      </p>`
    }
    <p>
      ${lines(model).map((each) => `Model: ${each}. `)}
      ${typeof costMicros === 'number' ? `Cost: ${dollars(costMicros / 1e6)}.` : 'Cost: unknown.'}
    </p>`;
}

function lines(value: number | string[] | undefined): readonly string[] {
  return Array.isArray(value) ? value : [];
}
