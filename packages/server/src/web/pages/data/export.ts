import { answers } from '@overheard/contract';
import { exportedFields } from '../../../answers/import/parse-answer.ts';
import { readAnswerPages } from '../../../reports/answers.ts';
import { readPromptNames } from '../../../reports/known-names.ts';
import { answerSlices } from '../../../transfer/answer-slices.ts';
import { exportRows, writeSlices } from '../../../transfer/export-rows.ts';
import type { SliceOptions } from '../../../transfer/export-rows.ts';
import { resources } from '../../../transfer/all-resources.ts';
import { notFound } from '../../request/page-fault.ts';
import { html } from '../../markup/html.ts';
import type { Html } from '../../markup/html.ts';
import { streamFile } from '../../parts/stream-file.ts';
import { noParameters } from '../../request/parameters.ts';
import { get, pathPart } from '../../request/page-context.ts';
import type { Result, WorkspaceRoute, WorkspaceContext } from '../../request/page-context.ts';

const exported: readonly string[] = [answers.array, ...resources.map(({ name }) => name)];
/** Most answers in memory at once. Fewer if they are long. */
const answersAtOnce = 500;

/** Exports rows of one kind as a file. */
export const exportRoutes: readonly WorkspaceRoute[] = [
  get('/w/:slug/settings/data/export/:file', 'viewer', download),
];

/** Links to the files. */
export function exportPart(context: WorkspaceContext): Html {
  const { slug } = context.workspace;
  const place = `/w/${slug}/settings/data/export`;
  return html`<section>
    <h2>Exports</h2>
    <p class="hint">
      Every row, as it is stored. NDJSON can be imported again. CSV is for spreadsheets: text that
      they would run begins with an apostrophe.
    </p>
    <ul>
      ${exported.map(
        (name) =>
          html`<li>
            ${name}: <a href="${place}/${name}.ndjson" aria-label="${name} as NDJSON">NDJSON</a>,
            <a href="${place}/${name}.csv" aria-label="${name} as CSV">CSV</a>
          </li>`,
      )}
    </ul>
    </section>`;
}

async function download(context: WorkspaceContext): Promise<Result> {
  noParameters(context);
  const [kind, extension] = pathPart(context, 'file').split('.');
  const resource = resources.find(({ name }) => name === kind);
  const format = (['ndjson', 'csv'] as const).find((each) => each === extension);
  if (format === undefined) throw notFound();
  if (kind === answers.array) {
    return streamFile(context, { name: kind, format }, (write) =>
      exportAnswers(context, { format, isForSpreadsheets: true, write }),
    );
  }
  if (resource === undefined) throw notFound();
  const options = { workspaceId: context.workspace.id, resource, format, isForSpreadsheets: true };
  return streamFile(context, { name: resource.name, format }, (write) =>
    exportRows(context.store, { ...options, write }),
  );
}

async function exportAnswers(
  { store, workspace: { id: workspaceId } }: WorkspaceContext,
  options: SliceOptions,
): Promise<number> {
  const { db, release } = await store.snapshot({ workspaceId });
  try {
    const source = { db, workspaceId };
    const pages = readAnswerPages(source, { rowsMax: answersAtOnce });
    const slices = answerSlices(pages, await readPromptNames(source));
    return await writeSlices(slices, { ...options, fields: exportedFields, array: answers.array });
  } finally {
    await release();
  }
}
