import { listJobs } from '../../../jobs/jobs.ts';
import type { Job } from '../../../jobs/jobs.ts';
import { allows } from '../../../people/roles.ts';
import { newId } from '../../../values/uuid.ts';
import { html } from '../../markup/html.ts';
import type { Html } from '../../markup/html.ts';
import { jobPart, newGaps } from '../../parts/job-part.ts';
import { formId, readForm } from '../../request/forms.ts';
import { personOf } from '../../request/page-context.ts';
import type { Result, WorkspaceContext, WorkspaceRoute } from '../../request/page-context.ts';

/** The form that looks for gaps. */
export const findGapsRoute: WorkspaceRoute = {
  method: 'POST',
  path: '/w/:slug/gaps/find',
  role: 'editor',
  does: 'find gaps now',
  run: find,
};

async function find(context: WorkspaceContext): Promise<Result> {
  const { form } = readForm(context.request.body, ['form']);
  const { id: workspaceId, slug } = context.workspace;
  const userId = personOf(context).user.id;
  // An unfinished search does the same, so ignore `busy`.
  const job = { workspaceId, id: formId(form), work: { kind: 'gaps' }, userId } as const;
  await context.runner.add(job);
  return { redirect: `/w/${slug}/gaps` };
}

export async function latestSearch(context: WorkspaceContext): Promise<Job | undefined> {
  const { id: workspaceId } = context.workspace;
  const [job] = await listJobs(context.store.access, { workspaceId, kind: 'gaps', limit: 1 });
  return job;
}

/** The last search for gaps, and for editors a button that searches now. */
export async function findGapsPart(context: WorkspaceContext): Promise<Html> {
  const job = await latestSearch(context);
  const outcome = job?.outcome;
  const gaps = outcome !== undefined && 'result' in outcome ? outcome.result['gaps'] : 0;
  const lostAdvice = 'Its server ended. Find gaps again.';
  return html`${
    job !== undefined &&
    jobPart(context, job, {
      title: `Search for gaps${job.endedAt === null ? '' : `, ${job.endedAt.slice(0, 16).replace('T', ' ')} UTC`}`,
      done: html`<p>${newGaps(context, Number(gaps))}</p>`,
      lostAdvice,
    })
  }
  ${
    allows(context.role, 'editor') &&
    html`<form class="actions" method="post" action="/w/${context.workspace.slug}/gaps/find">
      <input type="hidden" name="form" value="${newId(context.clock)}" />
      <button class="button">Find gaps now</button>
    </form>`
  }`;
}
