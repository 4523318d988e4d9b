import type { Job, JobProgress, StoredRefusal } from '../../jobs/jobs.ts';
import { amount, thousands } from '../../values/plural.ts';
import { html } from '../markup/html.ts';
import type { Content, Html } from '../markup/html.ts';
import { refusalText } from '../request/refusal-text.ts';
import type { WorkspaceContext } from '../request/page-context.ts';
import { isActive } from '../request/jobs.ts';

const steps = { reading: 'Read', writing: 'Wrote', judging: 'Counted' } as const;

/** How many gaps a job has opened, with the way to them. */
export function newGaps({ workspace: { slug } }: WorkspaceContext, gaps: number): Html {
  return html`<a href="/w/${slug}/gaps">${gaps === 0 ? 'No new gaps' : amount(gaps, 'new gap')}</a>.`;
}

/** A job for a person: its state, its progress, and its result. */
export function jobPart(
  context: WorkspaceContext,
  job: Job,
  {
    title,
    done,
    lostAdvice,
  }: {
    title: Content;
    /** The words for a finished job. */
    done: Content;
    /** The advice if its server ended before the job. */
    lostAdvice: string;
  },
): Html {
  const active = isActive(job);
  const look = active ? '' : job.state === 'done' ? ' good' : ' bad';
  return html`<live-part id="job-${job.id}" ${active && html` waiting`}>
    <div class="notice${look}" role="status">
      <p><strong>${title}</strong></p>
      ${active ? progressPart(context, job) : job.state === 'done' ? done : failure(job, lostAdvice)}
    </div>
  </live-part>`;
}

/**
 * Shows the progress. It links to the page of the job, because the address of a refused form cannot
 * be opened.
 */
function progressPart(context: WorkspaceContext, { id, state, progress, work }: Job): Html {
  const page =
    work.kind === 'suggest'
      ? 'competitors'
      : work.kind === 'gaps'
        ? 'gaps'
        : `settings/${work.kind === 'redetect' ? 'subjects' : 'data'}`;
  const place = `/w/${context.workspace.slug}/${page}`;
  return html`${
    state === 'waiting'
      ? html`<p>It waits for its turn.</p>`
      : progress === undefined
        ? html`<p>It has begun.</p>`
        : progressWords(id, progress)
  }
    <p><a class="button small" href="${place}">Look again</a></p>`;
}

function progressWords(id: string, { step, count, total }: JobProgress): Html {
  const noun = step === 'judging' ? 'answer' : 'row';
  if (total === undefined || total < count)
    return html`<p>${steps[step]} ${amount(count, noun)}.</p>`;
  return html`<p>
    <label for="progress-${id}">${steps[step]} ${thousands(count)} of ${amount(total, noun)}.</label><progress id="progress-${id}" value="${count}" max="${total}"></progress>
  </p>`;
}

/** Why a flow refused a job. */
export function refusedPart(refusal: StoredRefusal): Html {
  return html`<pre tabindex="0"><code>${refusalText(refusal)}</code></pre>`;
}

function failure({ outcome }: Job, lostAdvice: string): Html {
  if (outcome !== undefined && 'refusal' in outcome) return refusedPart(outcome.refusal);
  const isLost = outcome !== undefined && 'failure' in outcome && outcome.failure === 'lost';
  return html`<p>
    ${isLost ? lostAdvice : 'It failed, and the server’s log says why. See what was saved before you try again.'}
  </p>`;
}
