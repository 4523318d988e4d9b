import type { ImportRecord } from '../../../reverts/list-imports.ts';
import type { Job } from '../../../jobs/jobs.ts';
import { amount, thousands } from '../../../values/plural.ts';
import { newId } from '../../../values/uuid.ts';
import { html } from '../../markup/html.ts';
import type { Content, Html } from '../../markup/html.ts';
import type { WorkspaceContext } from '../../request/page-context.ts';
import { jobPart } from '../../parts/job-part.ts';
import { ago } from '../../parts/moment-words.ts';

/** The latest imports. A person with the right can revert one. */
export function importList(
  context: WorkspaceContext,
  {
    imports,
    isMore,
    mayRevert,
  }: { imports: readonly ImportRecord[]; isMore: boolean; mayRevert: boolean },
): Html {
  return html`<section class="card">
    <h2>Imports</h2>
    <p class="hint">
      Reverting an import removes the rows that it created. Rows stay that another import has, too,
      or that were changed since. ${isMore && `These are the latest ${imports.length}.`}
    </p>
    <div class="table">
      <table class="stack">
        <thead>
          <tr>
            <th scope="col">File</th>
            <th scope="col">Rows</th>
            <th scope="col">Imported</th>
            <th scope="col">New</th>
            <th scope="col">Changed</th>
            <th scope="col">Unchanged</th>
            <th scope="col"><span class="unseen">Change</span></th>
          </tr>
        </thead>
        <tbody>
          ${imports.map((each) => importRow(context, each, mayRevert))}
        </tbody>
      </table>
    </div>
  </section>`;
}

function importRow(context: WorkspaceContext, each: ImportRecord, mayRevert: boolean): Html {
  const { id, kind, file, reverted_at: revertedAt } = each;
  const isReverted = revertedAt !== null;
  const nowMs = context.clock();
  return html`<tr${isReverted && html` class="past"`}><td class="name">${id}: ${file}</td>
<td data-label="Rows">${kind}</td>
<td data-label="Imported">${ago(each.imported_at, nowMs)}</td>
<td data-label="New">${thousands(each.rows_new)}</td>
<td data-label="Changed">${thousands(each.rows_changed)}</td>
<td data-label="Unchanged">${thousands(each.rows_unchanged)}</td>
<td class="do">${isReverted ? html`reverted ${ago(revertedAt, nowMs)}` : mayRevert && revertForm(context, each)}</td></tr>`;
}

function revertForm(
  context: WorkspaceContext,
  { id, file, rows_new: created }: ImportRecord,
): Html {
  return html`<details>
    <summary class="danger" aria-label="Revert import ${id} of ${file}">Revert</summary>
    <form method="post" action="/w/${context.workspace.slug}/settings/data/revert">
      <input type="hidden" name="form" value="${newId(context.clock)}" />
      <input type="hidden" name="import" value="${id}" />
      <p class="hint">
        It created ${amount(created, 'row')}. Scores, reports and derived actions follow. Import the
        file again to undo this.
      </p>
      <button class="button small danger">Revert it</button>
    </form>
  </details>`;
}

/** The progress or the result of the last revert. */
export function revertProgress(context: WorkspaceContext, job: Job): Html {
  const { work } = job;
  return jobPart(context, job, {
    title: work.kind === 'revert' && `Reverting import ${work.importId} of ${work.file}`,
    done: revertWords(job),
    lostAdvice: 'The server ended before it was done. Revert it again.',
  });
}

const removable = ['prompts', 'runs', 'detections', 'scores', 'actions', 'hits'];

function revertWords({ outcome }: Job): Content {
  if (outcome === undefined || !('result' in outcome)) return undefined;
  const { result } = outcome;
  const countOf = (name: string) => Number(result[name] ?? 0);
  const removed = removable
    .filter((name) => countOf(name) > 0)
    .map((name) => amount(countOf(name), name.slice(0, -1)));
  const [keptRows, scores] = [countOf('keptRows'), countOf('changedScores')];
  return html`<p>
    Removed ${removed.length === 0 ? 'no row' : removed.join(', ')}.
    ${scores > 0 && `${amount(scores, 'daily score')} changed.`}
    ${keptRows > 0 && `${amount(keptRows, 'row')} stayed, because another import has them, too, or they were changed since.`}
  </p>`;
}
