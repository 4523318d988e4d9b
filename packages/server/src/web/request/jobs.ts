import { listJobs } from '../../jobs/jobs.ts';
import type { Job } from '../../jobs/jobs.ts';
import type { JobRunner } from '../../jobs/job-runner.ts';
import type { Work } from '../../jobs/work.ts';
import { formId } from './forms.ts';
import { personOf } from './page-context.ts';
import type { PageContext } from './page-context.ts';

/** The latest job of a kind in the workspace. */
export async function latestJob(
  { store, workspace }: Pick<PageContext, 'store' | 'workspace'>,
  kind: Work['kind'],
): Promise<Job | undefined> {
  const workspaceId = workspace?.id ?? '';
  const [job] = await listJobs(store.access, { workspaceId, kind, limit: 1 });
  return job;
}

/** Whether a job is not over yet. */
export function isActive(job: Job | undefined): boolean {
  return job?.state === 'waiting' || job?.state === 'running';
}

/**
 * Adds the job of a form that a person sent, under the form's own id, so that sending it twice adds
 * one. Throws a `PageFault` if that is no id.
 */
export function addJob(
  context: PageContext,
  form: string,
  work: Work,
): ReturnType<JobRunner['add']> {
  const workspaceId = context.workspace?.id ?? '';
  const userId = personOf(context).user.id;
  return context.runner.add({ workspaceId, id: formId(form), work, userId });
}
