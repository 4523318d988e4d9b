import { exportRows } from '../../../transfer/export-rows.ts';
import { resources } from '../../../transfer/all-resources.ts';
import { notFound } from '../../request/page-fault.ts';
import { html } from '../../markup/html.ts';
import type { Html } from '../../markup/html.ts';
import { streamFile } from '../../parts/stream-file.ts';
import { noParameters } from '../../request/no-parameters.ts';
import { pathPart } from '../../request/page-context.ts';
import type { Result, WorkspaceRoute, WorkspaceContext } from '../../request/page-context.ts';

/** Exports rows of one kind as a file. */
export const exportRoutes: readonly WorkspaceRoute[] = [
  { method: 'GET', path: '/w/:slug/settings/data/export/:file', role: 'viewer', run: download },
];

/** Links to the files. */
export function exportPart(context: WorkspaceContext): Html {
  const { slug } = context.workspace;
  const place = `/w/${slug}/settings/data/export`;
  return html`<section class="card">
    <h2>Exports</h2>
    <p class="hint">
      Every row, as it is stored. NDJSON can be imported again. CSV is for spreadsheets: text that
      they would run begins with an apostrophe.
    </p>
    <ul>
      ${resources.map(
        ({ name }) =>
          html`<li>
            ${name}: <a href="${place}/${name}.ndjson" aria-label="${name} as NDJSON">NDJSON</a>,
            <a href="${place}/${name}.csv" aria-label="${name} as CSV">CSV</a>
          </li>`,
      )}
    </ul>
    <p class="hint">Answers are exported on the command line:</p>
    <pre
      tabindex="0"><code>${context.command(`overheard answers export --workspace ${slug}`)}</code></pre>
  </section>`;
}

async function download(context: WorkspaceContext): Promise<Result> {
  noParameters(context);
  const [kind, extension] = pathPart(context, 'file').split('.');
  const resource = resources.find(({ name }) => name === kind);
  const format = (['ndjson', 'csv'] as const).find((each) => each === extension);
  if (resource === undefined || format === undefined) throw notFound();
  const options = { workspaceId: context.workspace.id, resource, format, isForSpreadsheets: true };
  return streamFile(context, { name: resource.name, format }, (write) =>
    exportRows(context.store, { ...options, write }),
  );
}
