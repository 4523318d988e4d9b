import type { AskingPrice } from '../../../collect/ask-now.ts';
import { readAskingSwitch, setAskingSwitch } from '../../../collect/ledger/asking-switch.ts';
import { setAllowance } from '../../../collect/ledger/budgets.ts';
import { noteEvent } from '../../../people/events.ts';
import { allows } from '../../../people/roles.ts';
import { timesADay } from '../../../values/plural.ts';
import { dollars } from '../../../values/usd.ts';
import { html } from '../../markup/html.ts';
import type { Content, Html } from '../../markup/html.ts';
import { readForm } from '../../request/forms.ts';
import { note } from '../../request/note.ts';
import { personOf } from '../../request/page-context.ts';
import type { WorkspaceContext } from '../../request/page-context.ts';

/** A schedule that a person can choose, with its cost and the budget that it gets. */
interface Offer {
  readonly sweeps: number;
  /** The usual cost of a month. */
  readonly monthUsd: number;
  readonly budget: { readonly dayUsd: number; readonly monthUsd: number };
  /** The day of the month on which the budget would end if each answer cost its most. */
  readonly lastDay: number;
}

/** The budget is higher than the usual cost by this factor, so that a dear day misses nothing. */
const spare = 1.25;
const monthDays = 30;

/** The schedules on offer; none if the cost of an engine is not known. */
function offersOf({ estimate, engines, prompts }: AskingPrice): Offer[] {
  const plans = (estimate?.engines ?? []).flatMap((engine) => engine.plans);
  const boundUsd = engines.reduce((sum, engine) => sum + engine.boundUsd, 0);
  return [...Map.groupBy(plans, (plan) => plan.sweeps)].flatMap(([sweeps, ofSweeps]) => {
    const costs = ofSweeps.map((plan) => plan.monthUsd);
    if (costs.includes(null)) return [];
    const monthUsd = costs.reduce<number>((sum, cost) => sum + (cost ?? 0), 0);
    const budgetUsd = Math.ceil(monthUsd * spare + boundUsd);
    // Half as much again as a day's part, and room for the most that open questions may cost.
    const dayUsd = Math.ceil(((budgetUsd / 30) * 1.5 + boundUsd) * 100) / 100;
    const budget = { dayUsd: Math.min(dayUsd, budgetUsd), monthUsd: budgetUsd };
    const mostUsd = Math.min(budget.dayUsd, boundUsd * prompts * sweeps);
    const lastDay = mostUsd === 0 ? monthDays : Math.ceil(budgetUsd / mostUsd);
    return [{ sweeps, monthUsd, budget, lastDay }];
  });
}

/** The choice of a schedule, or the present one. */
export async function schedulePart(
  context: WorkspaceContext,
  price: AskingPrice,
): Promise<Content> {
  const { slug } = context.workspace;
  const isOn = (await readAskingSwitch(context.store)) !== null;
  const settings = html`<a href="/w/${slug}/settings/collection">Settings, Collection</a>`;
  if (price.sweeps !== null && price.sweeps > 0) {
    return html`<section>
      <h2>Every day</h2>
      <p>
        Each prompt that is on is asked ${timesADay(price.sweeps)} on each engine.
        ${settings} has the budget and the schedule.
      </p>
      ${!isOn && html`<p class="notice warn">${offWords(context)}</p>`}
    </section>`;
  }
  const offers = offersOf(price);
  if (!allows(context.role, 'admin') || offers.length === 0) return undefined;
  return html`<section class="panel">
    <h2>Every day, by itself</h2>
    <p>
      One round shows what engines say. A trend needs answers of every day: with one a day, real
      changes show after about two weeks.
    </p>
    <form method="post" action="/w/${slug}/start/answers/schedule">
      <fieldset class="choices">
        <legend>How often</legend>
        ${offers.map((offer, place) => offerChoice(offer, place === 0))}
      </fieldset>
      <p class="hint">
        Once the month's budget is spent, nothing more is asked until the next month. ${settings}
        changes it at any time. ${!allows(context.role, 'operator') && !isOn && offWords(context)}
      </p>
      <p class="actions"><button class="button primary">Switch on</button></p>
    </form>
  </section>`;
}

function offerChoice({ sweeps, monthUsd, budget, lastDay }: Offer, isFirst: boolean): Html {
  return html`<label class="check"
    ><input type="radio" name="sweeps" value="${sweeps}" ${isFirst && html` checked`} />
    <span>
      ${timesADay(sweeps)}: usually ${dollars(monthUsd)} a month. Budget: ${dollars(budget.monthUsd)}
      a month, ${dollars(budget.dayUsd)} a day.
      ${lastDay < monthDays && `If every answer cost its most, it would end on day ${lastDay} of the month.`}
    </span></label
  >`;
}

function offWords(context: WorkspaceContext): Content {
  return allows(context.role, 'operator')
    ? 'The server does not ask by itself. Settings, Collection switches that on.'
    : 'The server does not ask by itself yet: its operator switches that on.';
}

/**
 * Saves the chosen schedule with its budget. If an operator does, servers ask by themselves from
 * now on. Returns what is wrong with the form.
 */
export async function saveSchedule(
  context: WorkspaceContext,
  price: AskingPrice,
): Promise<string | undefined> {
  const { sweeps } = readForm(context.request.body, ['sweeps']);
  const offer = offersOf(price).find((each) => String(each.sweeps) === sweeps);
  if (offer === undefined) return 'Choose how often prompts are asked.';
  const { store, clock } = context;
  const { id: workspaceId } = context.workspace;
  const isOperator = allows(context.role, 'operator');
  await setAllowance(store, workspaceId, { ...offer.budget, sweeps: offer.sweeps }, { isOperator });
  const { dayUsd, monthUsd } = offer.budget;
  const name = `${dollars(dayUsd)} a day, ${dollars(monthUsd)} a month, ${timesADay(offer.sweeps)}`;
  await note(context, 'budget_changed', { name });
  if (isOperator && (await setAskingSwitch(store, { isOn: true, clock }))) {
    const author = { userId: personOf(context).user.id, clock };
    await noteEvent(store.access, author, { kind: 'asking_on' });
  }
  return undefined;
}
