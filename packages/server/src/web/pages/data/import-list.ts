import type { ImportRecord } from '../../../imports/list-imports.ts';
import type { Job } from '../../../jobs/jobs.ts';
import { amount, thousands } from '../../../values/plural.ts';
import { newId } from '../../../values/uuid.ts';
import { html } from '../../markup/html.ts';
import type { Content, Html } from '../../markup/html.ts';
import type { WorkspaceContext } from '../../request/page-context.ts';
import { confirmForm } from '../../parts/button-form.ts';
import { jobPart } from '../../parts/job-part.ts';
import { ago } from '../../parts/moment-words.ts';
import { table } from '../../parts/table.ts';
import type { Columns } from '../../parts/table.ts';

/** The latest imports. A person with the right can revert one. */
export function importList(
  context: WorkspaceContext,
  {
    imports,
    isMore,
    mayRevert,
  }: { imports: readonly ImportRecord[]; isMore: boolean; mayRevert: boolean },
): Html {
  return html`<section>
    <h2>Imports</h2>
    <p class="hint">
      Reverting an import removes the rows that it created. Rows stay that another import has, too,
      or that were changed since. ${isMore && `These are the latest ${imports.length}.`}
    </p>
    ${table({ columns: importColumns(context, mayRevert), isPast: ({ reverted_at: at }) => at !== null, empty: '' }, imports)}
  </section>`;
}

function importColumns(context: WorkspaceContext, mayRevert: boolean): Columns<ImportRecord> {
  const nowMs = context.clock();
  return [
    { title: 'File', cell: ({ id, file }) => `${id}: ${file}` },
    { title: 'Rows', cell: ({ kind }) => kind },
    { title: 'Imported', cell: ({ imported_at: at }) => ago(at, nowMs) },
    { title: 'New', cell: ({ rows_new: count }) => thousands(count) },
    { title: 'Changed', cell: ({ rows_changed: count }) => thousands(count) },
    { title: 'Unchanged', cell: ({ rows_unchanged: count }) => thousands(count) },
    {
      title: 'Change',
      cell: (each) =>
        each.reverted_at === null
          ? mayRevert && revertForm(context, each)
          : html`reverted ${ago(each.reverted_at, nowMs)}`,
      isAction: true,
    },
  ];
}

function revertForm(
  context: WorkspaceContext,
  { id, file, rows_new: created }: ImportRecord,
): Html {
  const action = `/w/${context.workspace.slug}/settings/data/revert`;
  const fields = { form: newId(context.clock), import: String(id) };
  return confirmForm(action, fields, {
    opens: 'Revert',
    label: `Revert import ${id} of ${file}`,
    hint: `It created ${amount(created, 'row')}. Scores, reports and derived actions follow. Import the file again to undo this.`,
    words: 'Revert it',
  });
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
