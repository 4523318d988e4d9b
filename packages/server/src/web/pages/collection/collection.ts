import { priceDifferenceWords } from '../../../collect/ledger/price-differences.ts';
import type { Collection, CollectionEngine, Forecast } from '../../../collect/collection.ts';
import type {
  CollectEstimate,
  EngineEstimate,
  Plan,
} from '../../../collect/estimate-collecting.ts';
import { longPromptsWords } from '../../../collect/ledger/prompts-to-ask.ts';
import { amount, plural } from '../../../values/plural.ts';
import { dollars } from '../../../values/usd.ts';
import { budgetPart, refusedBudget, saveBudget } from './budget-form.ts';
import { countFigure } from '../../markup/figures.ts';
import { emptyForm, readForm } from '../../request/forms.ts';
import type { FormState } from '../../request/forms.ts';
import { engineName } from '../../../values/engine.ts';
import { html } from '../../markup/html.ts';
import type { Content, Html } from '../../markup/html.ts';
import { counts, table } from '../../parts/table.ts';
import type { Column, Columns } from '../../parts/table.ts';
import { workspacePage } from '../../parts/workspace-page.ts';
import { noParameters } from '../../request/parameters.ts';
import { viewLink } from '../../request/view.ts';
import { authorOf, get, post } from '../../request/page-context.ts';
import type { Result, WorkspaceContext, WorkspaceRoute } from '../../request/page-context.ts';
import { readAskingSwitch, setAskingSwitch } from '../../../collect/ledger/asking-switch.ts';
import { noteEvent } from '../../../people/events.ts';
import { allows } from '../../../people/roles.ts';

/** Says whether servers ask by themselves, with the operator's button. Others read it if nothing is asked. */
async function switchPart(context: WorkspaceContext): Promise<Content> {
  const isOn = (await readAskingSwitch(context.store)) !== null;
  if (!allows(context.role, 'operator')) {
    return (
      !isOn &&
      html`<p class="notice warn">
        The server does not ask by itself yet: its operator switches that on.
      </p>`
    );
  }
  return html`<section class="panel">
    <h2>Who asks</h2>
    <p>
      ${
        isOn
          ? 'Servers ask by themselves what is due, for every workspace that has a schedule.'
          : 'Servers do not ask by themselves. What is due is asked by `overheard serve --collect`, `collect worker` or a timer, if one runs.'
      }
    </p>
    <form method="post" action="/w/${context.workspace.slug}/settings/collection/switch">
      <input type="hidden" name="to" value="${isOn ? 'off' : 'on'}" />
      <p class="actions">
        <button class="button">${isOn ? 'Switch off' : 'Let servers ask by themselves'}</button>
      </p>
    </form>
  </section>`;
}

const path = '/w/:slug/settings/collection';

/** The page of collection: how engines are asked, and what it costs. */
export const collectionRoutes: readonly WorkspaceRoute[] = [
  get(path, 'viewer', (context) => show(context)),
  post(path, 'admin', "set collecting's budget and schedule", save, {
    onRefusal: (context, refusal) => show(context, refusedBudget(context, refusal)),
  }),
  post(
    `${path}/switch`,
    'operator',
    'switch on or off that servers ask engines by themselves',
    switchAsking,
  ),
];

/** Number of days whose readings are counted. */
const days = 7;

async function readNow({ store, clock }: WorkspaceContext): Promise<number> {
  const ledgerClock = await store.ledgerClock(clock);
  return ledgerClock();
}

/** The operator's switch: whether servers ask engines by themselves, for all workspaces. */
async function switchAsking(context: WorkspaceContext): Promise<Result> {
  const isOn = readForm(context.request.body, ['to']).to === 'on';
  const { store, clock, workspace } = context;
  if (await setAskingSwitch(store, { isOn, clock })) {
    const event = { kind: isOn ? 'asking_on' : 'asking_off' } as const;
    await noteEvent(store.access, authorOf(context), event);
  }
  return { redirect: `/w/${workspace.slug}/settings/collection` };
}

async function save(context: WorkspaceContext): Promise<Result> {
  const form = await saveBudget(context);
  if (form !== undefined) return show(context, form);
  return { redirect: `/w/${context.workspace.slug}/settings/collection` };
}

async function show(context: WorkspaceContext, form?: FormState): Promise<Result> {
  noParameters(context);
  const nowMs = await readNow(context);
  const collection = await context.reports.read('collection', { nowMs, days });
  const content = html`${tomorrowPart(context, collection)} ${await switchPart(context)}
  ${budgetPart(context, collection, form ?? emptyForm)} ${enginesPart(collection)}
  ${estimatePart(collection)}`;
  const lead =
    'Overheard asks engines over their APIs, whose answers differ from those of the apps. Their names say API.';
  const status = form !== undefined ? 400 : 200;
  return workspacePage(context, { title: 'Asking engines', lead, content, status });
}

/** Shows the cost of the next day, and its prompts. */
function tomorrowPart(
  context: WorkspaceContext,
  { prompts, allowance, tomorrow, engines }: Collection,
): Html {
  const countPart = html`<p>
    ${countFigure(prompts.on, 'prompt')} of ${countFigure(prompts.active, 'active prompt')}
    ${prompts.on === 1 ? 'is' : 'are'} switched on to be asked. ${longPromptsWords(prompts.long)}
    <a href="${viewLink(context, 'prompts', { collected: 'yes' })}">Show them</a>, or
    <a href="/w/${context.workspace.slug}/start/answers">ask now</a>.
  </p>`;
  return html`<section>
    <h2>Tomorrow</h2>
    ${
      engines.length === 0
        ? html`<p>
            No engine is set up, so nothing is asked. The operator sets one up:
            <a href="/engines">Engines</a>.
          </p>`
        : tomorrow === null
          ? html`<p>
              Nothing is asked, because
              ${allowance === null ? 'no budget is set' : 'every engine is off'}.
            </p>`
          : forecastWords(tomorrow)
    }
    ${countPart}
  </section>`;
}

function forecastWords({ engines, questions, usd, isBound, highUsd, ...budget }: Forecast): Html {
  const { allowedUsd, monthUsd, monthCapUsd } = budget;
  if (questions === 0) {
    return html`<p>
      Nothing is asked:
      ${engines.length === 0 ? 'every engine is off.' : 'no prompt is switched on.'}
    </p>`;
  }
  const high = highUsd > usd ? `, up to ${dollars(highUsd)} if answers are dear` : '';
  return html`<p>
    ${isBound ? 'At most' : 'About'} <strong>${dollars(usd)}</strong>${high} for
    <span class="figure" data-n="${questions}">${amount(questions, 'question')}</span> to
    ${plural(engines.length, 'engine')}: ${engines.map(engineName).join(', ')}. The budget allows
    ${dollars(allowedUsd)}${usd > allowedUsd && ', so questions are missed'}. 30 days like this cost
    ${dollars(monthUsd)}; the budget of a month is
    ${dollars(monthCapUsd)}${monthUsd > monthCapUsd && ', so it ends before the month does'}.
  </p>`;
}

function enginesPart({ engines, priceDifferences }: Collection): Html {
  return html`<section>
    <h2>Engines of the operator</h2>
    <p class="hint">
      Questions and cost of the last ${plural(days, 'day')}, today included. Sent: no answer has
      come yet. Unknown: the engine may have answered, so the most that it can cost is charged.
      Missed: not sent on its day. Skipped: its prompt was switched off, or the schedule was lowered.
    </p>
    ${table({ caption: 'Engines', columns: engineColumns, empty: 'No engine is set up.' }, engines)}
    ${priceDifferences.map((each) => {
      const { happened, advice } = priceDifferenceWords(each);
      return html`<p class="notice warn">${happened} ${advice}</p>`;
    })}
  </section>`;
}

function estimatePart({ estimate }: Collection): Content {
  if (estimate === null) return undefined;
  const rows = estimate.engines.flatMap((engine) => engine.plans.map((plan) => ({ engine, plan })));
  return html`<section>
    <h2>What it would cost, and how exact it would be</h2>
    <p class="hint">${estimateWords(estimate)}</p>
    ${table({ caption: 'Forecast', columns: estimateColumns, empty: 'No engine is on.' }, rows)}
  </section>`;
}

function estimateWords({ prompts, isOn }: CollectEstimate): string {
  const promptsWords = isOn ? 'that are switched on' : 'that are active: none is switched on';
  return `For ${amount(prompts, 'prompt')} ${promptsWords}. The brand's rate for these prompts is within this many points of its figure in 19 of 20 cases. Only more prompts show more about other prompts.`;
}

/** A column of amounts in US dollars; null if an amount is not known. */
function amounts<Row>(title: string, usd: (row: Row) => number | null): Column<Row> {
  return {
    title,
    cell: (row) => amountWords(usd(row)),
    isNumber: true,
  };
}

function amountWords(usd: number | null): string {
  return usd === null ? 'unknown' : dollars(usd);
}

/** Explains whether an engine is asked and, if not, why and what an operator does on the page Engines. */
function stateWords({ offReason, boundUsd, waitUntil }: CollectionEngine): string {
  if (offReason === 'disabled') return 'off: switched on again under Engines';
  if (offReason === 'not_chosen') return 'not among the engines of this workspace';
  if (offReason === 'restored') {
    return 'off because the ledger comes from a backup. Switched on again under Engines, it leaves out the sweeps of the day that have begun by then';
  }
  if (offReason !== null) {
    return `off because of ${offReason}: its key, quota, model and address are set under Engines`;
  }
  if (boundUsd === null) {
    return 'not asked: the cost of an answer is unknown. The most that it may cost is set under Engines';
  }
  return waitUntil === null ? 'on' : `on; it asks clients to wait until ${waitUntil}`;
}

const engineColumns: Columns<CollectionEngine> = [
  { title: 'Engine', cell: ({ engine }) => engineName(engine) },
  { title: 'Model', cell: ({ model }) => model },
  { title: 'State', cell: stateWords },
  counts('Planned', ({ readings }) => readings.planned),
  counts('Sent', ({ readings }) => readings.sent),
  counts('Done', ({ readings }) => readings.done),
  counts('Failed', ({ readings }) => readings.failed),
  counts('Unknown', ({ readings }) => readings.unknown),
  counts('Missed', ({ readings }) => readings.missed),
  counts('Skipped', ({ readings }) => readings.skipped),
  amounts('Cost', ({ costUsd }) => costUsd),
  amounts('An answer up to', ({ boundUsd }) => boundUsd),
];

interface EstimateRow {
  readonly engine: EngineEstimate;
  readonly plan: Plan;
}

const bySource = {
  ledger: 'the last answers',
  prices: 'the price list',
  bound: 'the most it may cost',
  unknown: 'unknown',
} as const satisfies Record<EngineEstimate['basis'], string>;

const estimateColumns: Columns<EstimateRow> = [
  { title: 'Engine', cell: ({ engine }) => engineName(engine.engine) },
  counts('Times a day', ({ plan }) => plan.sweeps),
  counts('Questions a day', ({ plan }) => plan.readingsDay),
  amounts('Cost a day', ({ plan }) => plan.dayUsd),
  amounts('Up to', ({ plan }) => plan.dayHighUsd),
  amounts('Cost in 30 days', ({ plan }) => plan.monthUsd),
  { title: 'Cost by', cell: ({ engine }) => bySource[engine.basis] },
  points('Exact by day', ({ halfWidthDay }) => halfWidthDay),
  points('Exact by week', ({ halfWidthWeek }) => halfWidthWeek),
];

/** Half of an interval, in points. */
function points(title: string, half: (plan: Plan) => number | null): Column<EstimateRow> {
  return {
    title,
    cell: ({ plan }) => {
      const width = half(plan);
      return width === null ? 'unknown' : `± ${(width * 100).toFixed(1)} points`;
    },
    isNumber: true,
  };
}
