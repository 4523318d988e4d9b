import type { Job } from '../../../jobs/jobs.ts';
import { allows } from '../../../people/roles.ts';
import { amount, amountOrNo, plural, thousands } from '../../../values/plural.ts';
import { newId } from '../../../values/uuid.ts';
import { listSubjects } from '../../../workspaces/subject.ts';
import type { Subject } from '../../../workspaces/subject.ts';
import { html } from '../../markup/html.ts';
import type { Content, Html } from '../../markup/html.ts';
import { noParameters } from '../../request/parameters.ts';
import { buttonForm } from '../../parts/button-form.ts';
import { jobPart, newGaps } from '../../parts/job-part.ts';
import { table } from '../../parts/table.ts';
import type { Column, Columns } from '../../parts/table.ts';
import { workspacePage } from '../../parts/workspace-page.ts';
import type { Result, WorkspaceContext } from '../../request/page-context.ts';
import { latestJob } from '../../request/jobs.ts';

/** Shows the tracked names of a workspace, and the job of the last change. */
export async function showSubjectList(context: WorkspaceContext): Promise<Result> {
  noParameters(context);
  const { store } = context;
  const { id: workspaceId, slug } = context.workspace;
  const subjects = await listSubjects(store.reader, workspaceId);
  const job = await latestJob(context, 'redetect');
  const place = `/w/${slug}/settings/subjects`;
  const mayChange = allows(context.role, 'editor');
  const content = html`${job !== undefined && redetectPart(context, job)}
    <section>
      <h2>
        The brand and
        ${subjects.length === 1 ? 'no competitors' : plural(subjects.length - 1, 'competitor')}
      </h2>
      ${
        subjects.length === 1 &&
        html`<p class="hint">
          Share of voice compares you with the names that are tracked: add those that answers name
          beside you.
        </p>`
      }
      ${table({ columns: mayChange ? [...columns, changeColumn(place)] : columns, empty: '' }, subjects)}
    </section>
    ${mayChange && redetectForm(context)}`;
  const action =
    mayChange &&
    html`<a class="button primary" href="${place}/new" data-key="n">Track a competitor <kbd>n</kbd></a>`;
  const lead =
    'The names, domains and pages by which you and your competitors are found in answers.';
  return workspacePage(context, { title: 'Brand and competitors', lead, action, content });
}

function redetectForm(context: WorkspaceContext): Html {
  return html`<section class="panel">
    <h2>Count the stored answers again</h2>
    <p class="hint">
      After a change of names this happens by itself. It is also worth doing after an update of
      Overheard that finds names better.
    </p>
    ${buttonForm(`/w/${context.workspace.slug}/settings/redetect`, { form: newId(context.clock) }, 'Count them again', { look: '' })}
  </section>`;
}

const columns: Columns<Subject> = [
  {
    title: 'Name',
    cell: ({ name, subject_type: type }) =>
      html`${name}${type === 'brand' && html` <span class="tag">brand</span>`}`,
  },
  {
    title: 'Aliases',
    cell: ({ aliases }) =>
      aliases
        .map(({ alias, match }) => (match === 'default' ? alias : `${alias} (${match})`))
        .join(', '),
  },
  { title: 'Domains', cell: ({ domains }) => domains.join(', ') },
  { title: 'Owned paths', cell: ({ paths }) => paths.join(', ') },
];

function changeColumn(place: string): Column<Subject> {
  return {
    title: 'Change',
    cell: ({ id, name }) => html`<a href="${place}/${id}" aria-label="Change ${name}">Change</a>`,
    isAction: true,
  };
}

/** Shows the last change of a subject, with the redetection that follows. */
function redetectPart(context: WorkspaceContext, job: Job): Html {
  const change = job.work.kind === 'redetect' ? job.work.change : undefined;
  const title = {
    add: 'Track',
    set: 'Change',
    archive: 'Archive',
    none: 'Count the stored answers again',
  }[change?.action ?? 'none'];
  const name = change === undefined ? '' : 'words' in change ? change.words.name : change.name;
  return jobPart(context, job, {
    title: `${title} ${name}`,
    done: redetectWords(context, job),
    lostAdvice: 'The server ended three times before it was done. Save the change again.',
  });
}

function redetectWords(context: WorkspaceContext, { outcome }: Job): Content {
  if (outcome === undefined || !('result' in outcome)) return undefined;
  const { judged, recited, scores, warnings, gaps } = outcome.result;
  return html`<p>
      ${amount(Number(judged), 'stored answer')} ${Number(judged) === 1 ? 'was' : 'were'} counted
      again: who appears changed in ${Number(recited) === 0 ? 'none' : thousands(Number(recited))};
      ${amountOrNo(Number(scores), 'daily score')} changed.
      ${gaps !== undefined && newGaps(context, Number(gaps))}
    </p>
    ${Array.isArray(warnings) && warnings.map((words) => html`<p>${words}</p>`)}`;
}
