import { PassThrough } from 'node:stream';
import { exportRows } from '../../../transfer/export-rows.ts';
import { writeToStream } from '../../../transfer/write-output.ts';
import { resources } from '../../../transfer/all-resources.ts';
import { utcDay } from '../../../values/time/utc-day.ts';
import { notFound } from '../../request/page-fault.ts';
import { html } from '../../markup/html.ts';
import type { Html } from '../../markup/html.ts';
import { noParameters } from '../../request/no-parameters.ts';
import { pathPart } from '../../request/page-context.ts';
import type { Result, WorkspaceRoute, WorkspaceContext } from '../../request/page-context.ts';

const types = {
  ndjson: 'application/x-ndjson; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
} as const;

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
  const { id: workspaceId, slug } = context.workspace;
  const stream = new PassThrough();
  const closed = new Promise<false>((resolve) => stream.once('close', () => resolve(false)));
  const begun = Promise.withResolvers<void>();
  const writtenCount = writeToStream(stream, (write) =>
    exportRows(context.store, {
      workspaceId,
      resource,
      format,
      isForSpreadsheets: true,
      write: (text) => {
        begun.resolve();
        // Also wait for the connection to close, because a write to a browser that has left never
        // ends.
        return Promise.race([write(text), closed]);
      },
    }),
  );
  writtenCount.then(
    () => stream.end(),
    (error: Error) => {
      begun.reject(error);
      stream.destroy(error);
    },
  );
  // A refusal before the first byte is shown as a page.
  await begun.promise;
  const name = `${slug}-${resource.name}-${utcDay(context.clock())}.${format}`;
  return { download: { name, type: types[format], stream } };
}
