import type { Collection } from '../../../collect/collection.ts';
import { setAllowance, sweepsPerDay } from '../../../collect/ledger/budgets.ts';
import type { BudgetPeriod } from '../../../collect/ledger/budgets.ts';
import { allows } from '../../../people/roles.ts';
import type { Refusal } from '../../../refusals.ts';
import { timesADay } from '../../../values/plural.ts';
import { dollars, parseUsd } from '../../../values/usd.ts';
import { faultsOf, readForm } from '../../request/forms.ts';
import type { FormState } from '../../request/forms.ts';
import { html } from '../../markup/html.ts';
import type { Html } from '../../markup/html.ts';
import { formFault, textField } from '../../parts/fields.ts';
import { refusalText } from '../../request/refusal-text.ts';
import { note } from '../../request/note.ts';
import type { WorkspaceContext } from '../../request/page-context.ts';

const expected = 'It must be an amount in US dollars such as 5 or 0.25.';
const fieldNames = ['day', 'month', 'sweeps'] as const;

/**
 * Shows the budget and the number of sweeps per day. An admin can change them below the operator's
 * cap.
 */
export function budgetPart(
  context: WorkspaceContext,
  { allowance, caps }: Pick<Collection, 'allowance' | 'caps'>,
  form: FormState,
): Html {
  const mayChange =
    allows(context.role, 'operator') || (allows(context.role, 'admin') && caps !== null);
  const now =
    allowance === null
      ? 'No budget is set, so nothing is asked.'
      : `At most ${dollars(allowance.dayUsd)} a day and ${dollars(allowance.monthUsd)} a month, UTC. ${allowance.sweeps === 0 ? 'Nothing is asked until an editor asks now.' : `Each prompt is asked ${timesADay(allowance.sweeps)} on each engine.`}`;
  const advice =
    caps === null
      ? 'An operator sets the first budget on this page. It is also the highest.'
      : 'An admin of the workspace can change it.';
  return html`<section>
    <h2>Budget and schedule</h2>
    <p>${now} ${allowance?.periods.map(spentWords)}</p>
    ${mayChange ? fields(context, { allowance, caps }, form) : html`<p class="hint">${advice}</p>`}
  </section>`;
}

/** What was spent in a day or month, and what open questions may still cost. */
function spentWords({ period, spentUsd, heldUsd }: BudgetPeriod): string {
  const held = heldUsd > 0 ? `, and up to ${dollars(heldUsd)} for open questions` : '';
  return `Spent in ${period}: ${dollars(spentUsd)}${held}. `;
}

function fields(
  context: WorkspaceContext,
  { allowance, caps }: Pick<Collection, 'allowance' | 'caps'>,
  form: FormState,
): Html {
  const words = (usd: number | undefined): string => (usd === undefined ? '' : String(usd));
  const cap = (usd: number | undefined): string | undefined =>
    usd === undefined || allows(context.role, 'operator')
      ? undefined
      : `The operator allows ${dollars(usd)}.`;
  return html`${form.faults['form'] !== undefined && formFault(form.faults['form'])}
    <form method="post" class="inline" action="/w/${context.workspace.slug}/settings/collection">
      ${textField(form, { name: 'day', label: 'US dollars a day', value: words(allowance?.dayUsd), lengthMax: 14, hint: cap(caps?.dayCapUsd) })}
      ${textField(form, { name: 'month', label: 'US dollars a month', value: words(allowance?.monthUsd), lengthMax: 14, hint: cap(caps?.monthCapUsd) })}
      ${textField(form, { name: 'sweeps', label: `Times a day, ${sweepsPerDay.min} to ${sweepsPerDay.max}`, value: String(Math.max(sweepsPerDay.min, allowance?.sweeps ?? sweepsPerDay.initial)), lengthMax: 2, hint: caps !== null && !allows(context.role, 'operator') ? 'Each prompt, on each engine.' : undefined })}
      <button class="button primary">Save</button>
    </form>
    <p class="hint">
      It applies from the next question on. A question is not sent if the most that it can cost
      would pass the budget.
    </p>`;
}

/** Saves the form. Returns it if it has a fault. */
export async function saveBudget(context: WorkspaceContext): Promise<FormState | undefined> {
  const typed = readForm(context.request.body, fieldNames);
  const [dayUsd, monthUsd] = [parseUsd(typed.day.trim()), parseUsd(typed.month.trim())];
  const sweeps = Number(typed.sweeps);
  const isSweeps =
    /^[1-9]\d*$/.test(typed.sweeps.trim()) &&
    sweeps >= sweepsPerDay.min &&
    sweeps <= sweepsPerDay.max;
  const faults = faultsOf({
    day: dayUsd === undefined ? expected : undefined,
    month: monthUsd === undefined ? expected : undefined,
    sweeps: isSweeps
      ? undefined
      : `It must be a whole number from ${sweepsPerDay.min} to ${sweepsPerDay.max}.`,
  });
  if (dayUsd === undefined || monthUsd === undefined || Object.keys(faults).length > 0) {
    return { typed, faults };
  }
  const { id: workspaceId } = context.workspace;
  const allowance = { dayUsd, monthUsd, sweeps };
  const isOperator = allows(context.role, 'operator');
  if (!(await setAllowance(context.store, workspaceId, allowance, { isOperator })))
    return undefined;
  const name = `${dollars(dayUsd)} a day, ${dollars(monthUsd)} a month, ${timesADay(sweeps)}`;
  await note(context, 'budget_changed', { name });
  return undefined;
}

/** The form again, with why its budget was refused. */
export function refusedBudget(context: WorkspaceContext, refusal: Refusal): FormState {
  const typed = readForm(context.request.body, fieldNames);
  return { typed, faults: { form: refusalText(refusal) } };
}
