import { z } from 'zod';
import { promptsOf } from '../../../storage/gaps.ts';
import type { GapDetails } from '../../../answers/actions/gap-details.ts';
import { noteLengthMax } from '../../../answers/actions/stored-actions.ts';
import type { StatusChange } from '../../../answers/actions/stored-actions.ts';
import type { ActionStatus, StoredAction } from '../../../storage/queries/list-actions.ts';
import { allows } from '../../../people/roles.ts';
import type { GapEngines } from '../../../reports/gap-engines.ts';
import { engineName, withEngineNames } from '../../../values/engine.ts';
import { plural, twoDecimals } from '../../../values/plural.ts';
import { printable } from '../../../values/printable.ts';
import { utcDay } from '../../../values/time/utc-day.ts';
import { rateDot, ruler } from '../../charts/ruler.ts';
import { rateCell } from '../../markup/figures.ts';
import { html } from '../../markup/html.ts';
import type { Content, Html } from '../../markup/html.ts';
import { facts } from '../../parts/facts.ts';
import { fold } from '../../parts/fold.ts';
import { gapKind, gapSentences } from '../../parts/gap-sentences.ts';
import { dayWords, shortMinute } from '../../parts/moment-words.ts';
import { drawn, table } from '../../parts/table.ts';
import type { Column, Columns } from '../../parts/table.ts';
import { workspacePage } from '../../parts/workspace-page.ts';
import { emptyForm } from '../../request/forms.ts';
import type { FormState } from '../../request/forms.ts';
import { faultOf, notFound } from '../../request/page-fault.ts';
import { readView, viewLink } from '../../request/view.ts';
import { get, pathPart } from '../../request/page-context.ts';
import type { Result, WorkspaceContext, WorkspaceRoute } from '../../request/page-context.ts';
import { assigneeOf, readAssignees } from './assignees.ts';
import type { Assignees } from './assignees.ts';
import { evidencePart } from './gap-evidence.ts';
import { moveForm, resultWords, statusWords } from './gap-row.ts';
import { impactWord } from '../../../answers/actions/impact.ts';

/** The page of one gap: how to fix it, what engines say, who is on it, and its history. */
export const gapPageRoute: WorkspaceRoute = get(
  '/w/:slug/gaps/:id',
  'viewer',
  (context) => showGap(context),
  {
    // The page also depends on users, because it names them.
    dependsOn: readAssignees,
    onRefusal: faultOf('action_not_found', notFound),
  },
);

/** The gap's id in the path. Throws if no gap can have it. */
export function gapId(context: WorkspaceContext): string {
  const id = z.guid().safeParse(pathPart(context, 'id')).data;
  if (id === undefined) throw notFound();
  return id.toLowerCase();
}

/** Shows the page, with the typed note if it was refused. */
export async function showGap(
  context: WorkspaceContext,
  { form = emptyForm, status = 200 }: { form?: FormState; status?: number } = {},
): Promise<Result> {
  readView(context);
  const id = gapId(context);
  const gap = await context.reports.read('gap', { id });
  const people = await readAssignees(context);
  const { action, changes, derived } = gap;
  const { title, reason } = gapSentences(action.recommendation);
  const isEditor = allows(context.role, 'editor');
  const content = html`<h1 class="story" id="gap-${id}" data-foreign>${printable(title)}</h1>
    ${reason !== '' && html`<p class="sub" data-foreign>${printable(reason)}</p>`}
    ${action.status === 'done' && (await resultPart(context, gap))}
    <div class="cols wide-left">
      <div>
        ${stepsPart(derived?.parts.steps, action.recommendation)}
        ${derived !== null && evidencePart(context, derived)}
        <section>${fold('How the impact is worked out', formulaPart(gap))}</section>
        <section>
          ${fold(
            'History',
            table(
              {
                caption: 'History',
                columns: historyColumns(context.clock(), people),
                empty: 'Its status has not changed yet.',
              },
              changes,
            ),
          )}
        </section>
      </div>
      <aside>
        ${facts([
          ['Impact', action.priority],
          ['Kind', gapKind(action.kind)],
          ['Assigned to', assigneeOf(people, action.assigned_to) ?? 'nobody'],
        ])}
        ${derived !== null && action.prompt_id !== null && enginesPart(await context.reports.read('gapEngines', { promptId: action.prompt_id, ...derived.parts.days }), context.workspace.name)}
        ${isEditor ? noteForm(context, { id, note: action.note ?? '', form }) : action.note !== null && html`<section><h2>Note</h2><p class="note" data-foreign>${action.note}</p></section>`}
      </aside>
    </div>`;
  const lead = html`<a href="${viewLink(context, 'gaps')}">All gaps</a>. ${statusWords[action.status]}, found on ${dayWords(action.created_at)}`;
  const forms = isEditor && [
    assignMenu(context, { id, people, assigned: action.assigned_to }),
    moveForm(context, action, { back: 'gap', next: nextStatuses[action.status] }),
  ];
  return workspacePage(context, { title: 'Gap', lead, action: forms, content, status });
}

/** The usual next statuses of each: the last one is the button that stands out. */
const nextStatuses: Readonly<Record<ActionStatus, readonly ActionStatus[]>> = {
  open: ['dismissed', 'done', 'in_progress'],
  in_progress: ['open', 'dismissed', 'done'],
  done: ['open'],
  dismissed: ['open'],
};

function assignMenu(
  context: WorkspaceContext,
  { id, people, assigned }: { id: string; people: Assignees; assigned: string | null },
): Html {
  const choices = [
    ['', 'Nobody'] as const,
    ...people.members.map(({ user_id: userId, name }) => [userId, name] as const),
  ];
  return html`<details class="pick" name="pick">
    <summary class="button small">Assign to</summary>
    <form method="post" action="${viewLink(context, `gaps/${id}/assigned`)}">
      ${choices.map(
        ([userId, name]) =>
          html`<button name="assigned" value="${userId}" ${userId === (assigned ?? '') && html` aria-current="true"`}>${name}</button>`,
      )}
    </form>
  </details>`;
}

function noteForm(
  context: WorkspaceContext,
  { id, note, form }: { id: string; note: string; form: FormState },
): Html {
  const fault = form.faults['note'];
  // The parser drops one line feed after the tag.
  return html`<form class="field" method="post" action="${viewLink(context, `gaps/${id}/note`)}">
    <input type="hidden" name="was" value="${note}" />
    <label for="note">Note</label>
    <textarea id="note" name="note" rows="3" maxlength="${noteLengthMax}" placeholder="What have you tried?" ${fault !== undefined && html` aria-invalid="true" aria-describedby="note-fault" autofocus`}>
${form.typed['note'] ?? note}</textarea>
    ${fault !== undefined && html`<p class="fault" id="note-fault">${fault}</p>`}
    <p><button class="button small">Save</button></p>
  </form>`;
}

async function resultPart(
  { reports, clock }: WorkspaceContext,
  { action, changes }: GapDetails,
): Promise<Html> {
  const about = promptsOf(action);
  const doneAt = changes.findLast(({ status }) => status === 'done')?.changed_at;
  const query = doneAt !== undefined && {
    gaps: [{ promptIds: about, day: utcDay(Date.parse(doneAt)) }],
    today: utcDay(clock()),
  };
  const [result] = query === false ? [] : await reports.read('gapResults', query);
  const over =
    about.length === 0
      ? 'all prompts'
      : about.length === 1
        ? 'this prompt'
        : `its ${plural(about.length, 'prompt')}`;
  return html`<p class="sub">Done${doneAt !== undefined && ` on ${dayWords(doneAt)}`}, over ${over}. ${resultWords(result)}</p>`;
}

/** How to fix the gap; the whole recommendation if older rules derived it, or it was imported. */
function stepsPart(steps: readonly string[] | null | undefined, recommendation: string): Html {
  if (steps === null || steps === undefined)
    return html`<section><p data-foreign>${printable(withEngineNames(recommendation))}</p></section>`;
  return html`<section>
    <h2>How to fix it</h2>
    <ol class="howto">
      ${steps.map((step) => html`<li data-foreign>${printable(withEngineNames(step))}</li>`)}
    </ol>
    <p class="hint">Mark it as done afterwards. The answers of the next 28 days are compared with those of the 28 days before.</p>
  </section>`;
}

function enginesPart({ rival, engines }: GapEngines, brandName: string): Content {
  type Row = GapEngines['engines'][number];
  if (engines.length === 0) return undefined;
  const ofRival = (title: string): Column<Row> => ({
    title,
    cell: (row) => row.rival !== null && rateCell(row.rival),
    isNumber: true,
  });
  const columns: Columns<Row> = [
    { title: 'Engine', cell: ({ brand }) => engineName(brand.engine ?? '') },
    drawn((row) =>
      ruler(
        [row.rival, row.brand].flatMap((each) => (each === null ? [] : [rateDot(each)])),
        { hasGap: true },
      ),
    ),
    { title: brandName, cell: ({ brand }) => rateCell(brand), isNumber: true },
    ...(rival === null ? [] : [ofRival(rival)]),
  ];
  return html`<section aria-labelledby="by-engine">
    <h3 id="by-engine">By engine</h3>
    ${table({ caption: 'By engine', columns, empty: '' }, engines)}
  </section>`;
}

function historyColumns(nowMs: number, people: Assignees): Columns<StatusChange> {
  return [
    { title: 'When', cell: ({ changed_at: at }) => shortMinute(at, nowMs) },
    {
      title: 'Who',
      cell: ({ changed_by: id }) => (id === null ? 'the server' : assigneeOf(people, id)),
    },
    { title: 'From', cell: ({ before }) => (before === null ? 'not known' : statusWords[before]) },
    { title: 'To', cell: ({ status }) => statusWords[status] },
  ];
}

/** Shows how the impact of a gap is computed, with its numbers. */
function formulaPart({ action, derived }: GapDetails): Html {
  return html`<p>Impact: ${impactWord(action.impact_score) ?? 'not known'}.</p>
    ${
      derived === null
        ? html`<p>
            ${
              action.kind === null
                ? 'It was imported, so the inputs of its impact are unknown.'
                : 'It was derived by older rules. Deriving again shows its formula if the gap is still there.'
            }
          </p>`
        : formula(action, derived)
    }`;
}

function formula(
  { impact_score: stored }: StoredAction,
  { parts, impact, measure, unit }: NonNullable<GapDetails['derived']>,
): Html {
  const { from, band, atStake, half, days, stake } = parts;
  const { part, whole } = stake.share;
  const start = from === 0 ? '' : `${from} + `;
  return html`<pre tabindex="0"><code>impact = ${start}${band} x stake / (stake + half)
       = ${start}${band} x ${atStake} / (${atStake} + ${twoDecimals(half)}) = ${impact.toFixed(2)}</code></pre>
    <dl class="facts">
      <dt>Stake ${atStake}</dt>
      <dd>
        at least ${twoDecimals(stake.low)} ${unit}s, the lower end of the 95 % interval of ${part}
        of ${whole}: ${measure}${stake.worth !== 1 && `. Each is worth ${twoDecimals(stake.worth)}`}
      </dd>
      <dt>Half ${twoDecimals(half)}</dt>
      <dd>
        ${unit === 'run' ? 'half of the runs of a typical prompt' : 'this many requests give an impact in the middle of the range'}
      </dd>
    </dl>
    <p class="hint">
      Counted from ${dayWords(days.from)} to ${dayWords(days.to)}, UTC. Priority is high from 60,
      medium from 30.
      ${stored !== impact && 'An import has set another impact. Deriving again, while the gap is open, undoes that.'}
    </p>`;
}
