import type { Job } from '../../../jobs/jobs.ts';
import { rawFormats } from '../../../collect/raw/raw-formats.ts';
import type { ImportWork } from '../../../jobs/work.ts';
import { formats } from '../../../rows/format.ts';
import { resources } from '../../../transfer/all-resources.ts';
import { amount, amountOrNo, thousands } from '../../../values/plural.ts';
import { newId } from '../../../values/uuid.ts';
import type { FormState } from '../../request/forms.ts';
import { html } from '../../markup/html.ts';
import type { Content, Html } from '../../markup/html.ts';
import type { WorkspaceContext } from '../../request/page-context.ts';
import { checkField, fileField, selectField } from '../../parts/fields.ts';
import { sharedTextsPart } from './page-texts-part.ts';
import { jobPart, newGaps } from '../../parts/job-part.ts';

/** Begins the choice of a raw format among the kinds of rows. */
const rawPrefix = 'as:';

/** What a choice in the form means; undefined if it is none. */
export function readKind(choice: string): Pick<ImportWork, 'rows' | 'as'> | undefined {
  const raw = rawFormats.find(({ name }) => `${rawPrefix}${name}` === choice);
  if (raw !== undefined) return { rows: 'answers', as: raw.name };
  return importedRows.includes(choice) ? { rows: choice } : undefined;
}

/** The kinds of rows that a file may have. */
const importedRows: readonly string[] = ['answers', ...resources.map(({ name }) => name)];

const kindOptions = [
  ...importedRows.map(
    (rows) => [rows, rows === 'answers' ? 'answers, in any columns' : rows] as const,
  ),
  ...rawFormats.map(({ name }) => [`${rawPrefix}${name}`, `answers, as ${name} has them`] as const),
];

const formatTitles = { ndjson: 'NDJSON', json: 'JSON', csv: 'CSV' } as const;

/** The form that imports a file. */
export function importForm(context: WorkspaceContext, form: FormState): Html {
  const { slug } = context.workspace;
  const megabytes = thousands(context.uploadBytesMax / 1_000_000);
  const hint = `NDJSON, JSON or CSV in UTF-8, also packed as .gz, .zst or .br. At most ${megabytes} MB.`;
  return html`<section class="card">
    <h2>Import a file</h2>
    <p class="hint">
      The file is imported completely or not at all. Importing it again changes nothing.
    </p>
    <form method="post" enctype="multipart/form-data" action="/w/${slug}/settings/data/import">
      <input type="hidden" name="form" value="${newId(context.clock)}" />
      ${selectField(form, {
        name: 'rows',
        label: 'What it holds',
        options: kindOptions,
      })}
      ${selectField(form, {
        name: 'format',
        label: 'Format',
        options: [
          ['', 'found out from its name or content'],
          ...formats.map((format) => [format, formatTitles[format]] as const),
        ],
      })}
      ${checkField(form, {
        name: 'new_engine',
        label: 'Accept engines that look misspelt (--new-engine)',
      })}
      ${fileField(form, { name: 'file', label: 'File', hint })}
      <p class="actions"><button class="button primary">Import</button></p>
    </form>
  </section>`;
}

/** The progress or the result of the last import. */
export function importProgress(context: WorkspaceContext, job: Job): Html {
  const title = job.work.kind === 'import' ? `Import of ${job.work.file}` : '';
  return jobPart(context, job, {
    title,
    done: importWords(context, job),
    lostAdvice:
      'The server ended before the import did, or has the file no more. Send it again. Rows that are stored already stay as they are.',
  });
}

function importWords(context: WorkspaceContext, { outcome }: Job): Content {
  if (outcome === undefined || !('result' in outcome)) return undefined;
  const { read, new: fresh, changed, unchanged, prompts, citations, scores } = outcome.result;
  const { newEngines, warnings, gaps, sharedTexts } = outcome.result;
  const engines = Array.isArray(newEngines) ? newEngines : [];
  return html`<p>
      ${read === 0 ? 'The file has no rows.' : `${amount(Number(read), 'row')}: ${thousands(Number(fresh))} new, ${thousands(Number(changed))} changed, ${thousands(Number(unchanged))} unchanged.`}
      ${
        citations !== undefined &&
        html`New prompts: ${thousands(Number(prompts))}.
        ${Number(citations) === 0 ? 'No subject was cited' : `Subjects were cited ${amount(Number(citations), 'time')}`};
        ${amountOrNo(Number(scores), 'daily score')} changed.`
      }
      ${gaps !== undefined && newGaps(context, Number(gaps))}
    </p>
    ${
      engines.length > 0 &&
      html`<p>New to Overheard: ${engines.join(', ')}. Check the spelling.</p>`
    }
    ${sharedTextsPart(context, sharedTexts)}
    ${Array.isArray(warnings) && warnings.map((words) => html`<p>${words}</p>`)}`;
}
