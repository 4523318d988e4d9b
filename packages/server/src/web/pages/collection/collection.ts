import { priceDifferenceWords } from '../../../collect/ledger/price-differences.ts';
import { z } from 'zod';
import type { Collection, Forecast } from '../../../collect/collection.ts';
import { longPromptsWords } from '../../../collect/ledger/prompts-to-ask.ts';
import { readingStates } from '../../../storage/tables/ledger-tables.ts';
import { amount, plural, thousands } from '../../../values/plural.ts';
import { dollars } from '../../../values/usd.ts';
import {
  engineColumns,
  estimateColumns,
  periodColumns,
  questionsWords,
  readingColumns,
  spendingColumns,
} from './collection-columns.ts';
import { switchPart, switchRoute } from './asking-switch.ts';
import { budgetPart, refusedBudget, saveBudget } from './budget-form.ts';
import { countFigure } from '../../markup/figures.ts';
import { emptyForm } from '../../request/forms.ts';
import type { FormState } from '../../request/forms.ts';
import { engineName } from '../../../values/engine.ts';
import { html } from '../../markup/html.ts';
import type { Html } from '../../markup/html.ts';
import { pick } from '../../parts/pick.ts';
import { tabs } from '../../parts/tabs.ts';
import { csvOf, table } from '../../parts/table.ts';
import { workspacePage } from '../../parts/workspace-page.ts';
import { readView, viewLink } from '../../request/view.ts';
import type { Result, WorkspaceRoute, WorkspaceContext } from '../../request/page-context.ts';

const path = '/w/:slug/settings/collection';

/** The page of collection: how engines are asked, the cost, and the readings. */
export const collectionRoutes: readonly WorkspaceRoute[] = [
  { method: 'GET', path, role: 'viewer', run: (context) => show(context) },
  {
    method: 'POST',
    path,
    role: 'admin',
    does: "set collecting's budget and schedule",
    run: save,
    onRefusal: (context, refusal) => show(context, refusedBudget(context, refusal)),
  },
  switchRoute,
];

/** Number of days whose readings are counted and listed. */
const days = 7;
const readingsMax = { page: 50, file: 1000 } as const;

const tables = ['engine', 'cost', 'estimate', 'reading'] as const;
type CollectionTable = (typeof tables)[number];
const parameterShape = { by: z.enum(tables).optional(), state: z.enum(readingStates).optional() };

async function readNow({ store, clock }: WorkspaceContext): Promise<number> {
  const ledgerClock = await store.ledgerClock(clock);
  return ledgerClock();
}

async function save(context: WorkspaceContext): Promise<Result> {
  const form = await saveBudget(context);
  if (form !== undefined) return show(context, form);
  return { redirect: `/w/${context.workspace.slug}/settings/collection` };
}

async function show(context: WorkspaceContext, form?: FormState): Promise<Result> {
  const { parameters, isCsv } = readView(context, parameterShape);
  const tableName = parameters.by ?? 'engine';
  const nowMs = await readNow(context);
  const collection = await context.reports.read('collection', { nowMs, days });
  const listing = await showTable(context, collection, { tableName, isCsv });
  if ('download' in listing) return listing;
  if (!('page' in listing)) throw new Error('A table was expected');
  const content = html`${tomorrowPart(context, collection)} ${await switchPart(context)}
  ${budgetPart(context, collection, form ?? emptyForm)} ${tablesPart(context, tableName)} ${listing.page}`;
  const lead =
    'Overheard asks engines over their APIs, whose answers differ from those of the apps. Their names say API.';
  const action = exportLink(context, tableName);
  const page = workspacePage(context, { title: 'Asking engines', lead, action, content });
  return { page, ...(form !== undefined && { status: 400 }) };
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
    <span class="figure" data-n="${questions}">${questionsWords(questions)}</span> to
    ${plural(engines.length, 'engine')}: ${engines.map(engineName).join(', ')}. The budget allows
    ${dollars(allowedUsd)}${usd > allowedUsd && ', so questions are missed'}. 30 days like this cost
    ${dollars(monthUsd)}; the budget of a month is
    ${dollars(monthCapUsd)}${monthUsd > monthCapUsd && ', so it ends before the month does'}.
  </p>`;
}

async function showTable(
  context: WorkspaceContext,
  { engines, periods, spending, estimate, priceDifferences }: Collection,
  { tableName, isCsv }: { tableName: CollectionTable; isCsv: boolean },
): Promise<Result> {
  if (tableName === 'reading') return readingPart(context, { isCsv });
  if (isCsv) {
    if (tableName === 'engine') return csvOf(context, 'engines', engineColumns, engines);
    if (tableName === 'cost') return csvOf(context, 'cost', spendingColumns, spending);
    return csvOf(context, 'estimate', estimateColumns, rowsOf(estimate));
  }
  const parts = {
    engine: () =>
      html`<section>
        <h2>Engines of the operator</h2>
        <p class="hint">
          Readings and cost of the last ${plural(days, 'day')}, today included. Sent: no answer has
          come yet. Unknown: the engine may have answered, so the most that it can cost is charged.
          Missed: not sent on its day. Skipped: its prompt was switched off, or the schedule was
          lowered.
        </p>
        ${table({ caption: 'Engines', columns: engineColumns, empty: 'No engine is set up.' }, engines)}
      </section>`,
    cost: () =>
      html`<section>
        <h2>Cost so far</h2>
        ${table({ caption: 'Budget', columns: periodColumns, empty: 'No budget is set.' }, periods)}
        <h3>How the cost is known</h3>
        ${table({ caption: 'Cost by how it is known', columns: spendingColumns, empty: 'Nothing was asked this month.' }, spending)}
        ${priceDifferences.map((each) => {
          const { happened, advice } = priceDifferenceWords(each);
          return html`<p class="notice warn">${happened} ${advice}</p>`;
        })}
      </section>`,
    estimate: () =>
      html`<section>
        <h2>What it would cost, and how exact it would be</h2>
        <p class="hint">${estimateWords(estimate)}</p>
        ${table({ caption: 'Forecast', columns: estimateColumns, empty: 'No engine is on.' }, rowsOf(estimate))}
      </section>`,
  } as const;
  return { page: parts[tableName]() };
}

function rowsOf(estimate: Collection['estimate']) {
  return (estimate?.engines ?? []).flatMap((engine) =>
    engine.plans.map((plan) => ({ engine, plan })),
  );
}

function estimateWords(estimate: Collection['estimate']): string {
  if (estimate === null) return '';
  const { prompts, isOn } = estimate;
  const promptsWords = isOn ? 'that are switched on' : 'that are active: none is switched on';
  return `For ${amount(prompts, 'prompt')} ${promptsWords}. The brand's rate for these prompts is within this many points of its figure in 19 of 20 cases. Only more prompts show more about other prompts.`;
}

async function readingPart(
  context: WorkspaceContext,
  { isCsv }: { isCsv: boolean },
): Promise<Result> {
  const { view, parameters } = readView(context, parameterShape);
  const { state } = parameters;
  const { engine } = view;
  const limit = isCsv ? readingsMax.file : readingsMax.page;
  const query = { nowMs: await readNow(context), days, engine, state, limit };
  const rows = await context.reports.read('readings', query);
  if (isCsv) return csvOf(context, 'readings', readingColumns(query.nowMs), rows);
  const options = [undefined, ...readingStates].map((each) => ({
    words: each ?? 'All states',
    isOn: each === state,
    href: viewLink(context, place, { by: 'reading', state: each }),
  }));
  const page = html`<section>
    <h2>Readings</h2>
    <p class="hint">
      One reading is one prompt put to one engine: the last due of ${plural(days, 'day')}, at most
      ${limit}, in the file ${thousands(readingsMax.file)}.
    </p>
    ${pick('State', options)}
    ${table({ caption: 'Readings', columns: readingColumns(query.nowMs), empty: 'No such reading in this time.' }, rows)}
  </section>`;
  return { page };
}

const place = 'settings/collection';
const titles = {
  engine: 'Engines',
  cost: 'Cost so far',
  estimate: 'Forecast',
  reading: 'Readings',
} as const satisfies Record<CollectionTable, string>;

function tablesPart(context: WorkspaceContext, tableName: CollectionTable): Html {
  return tabs(
    'What is listed',
    tables.map((each) => ({
      words: titles[each],
      isOn: each === tableName,
      href: viewLink(context, place, { by: each }),
    })),
  );
}

function exportLink(context: WorkspaceContext, tableName: CollectionTable): Html {
  const { state } = readView(context, parameterShape).parameters;
  const file = viewLink(context, place, { by: tableName, state, format: 'csv' });
  return html`<a class="button small" href="${file}">Export</a>`;
}
