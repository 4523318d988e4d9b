import type { JobRunner } from '../../jobs/job-runner.ts';
import type { Work } from '../../jobs/work.ts';
import { formId } from './forms.ts';
import { personOf } from './page-context.ts';
import type { PageContext } from './page-context.ts';

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
