import type { Job } from '../../../jobs/jobs.ts';
import { rawFormats } from '../../../collect/raw/raw-formats.ts';
import type { ImportWork, Work } from '../../../jobs/work.ts';
import { formats } from '../../../rows/format.ts';
import { resources } from '../../../transfer/all-resources.ts';
import { amount, amountOrNo, thousands } from '../../../values/plural.ts';
import { normaliseHost } from '../../../values/sites/host.ts';
import { parseWhen } from '../../../values/time/when.ts';
import { newId } from '../../../values/uuid.ts';
import { faultsOf, formId, readForm } from '../../request/forms.ts';
import type { FormState } from '../../request/forms.ts';
import type { ReceivedFile, UploadForm } from '../../request/receive-file.ts';
import { html } from '../../markup/html.ts';
import type { Content, Html } from '../../markup/html.ts';
import type { WorkspaceContext } from '../../request/page-context.ts';
import { checkField, fileField, selectField, textField } from '../../parts/fields.ts';
import { fold } from '../../parts/fold.ts';
import { sharedTextsPart } from './page-texts-part.ts';
import { jobPart, newGaps } from '../../parts/job-part.ts';
import { accessLog, siteHint, sizeWords } from '../../parts/log-form.ts';

/** Begins the choice of a raw format among the kinds of rows. */
const rawPrefix = 'as:';

/** What a choice in the form means; undefined if it is none. */
function readKind(choice: string): Pick<ImportWork, 'rows' | 'as'> | undefined {
  const raw = rawFormats.find(({ name }) => `${rawPrefix}${name}` === choice);
  if (raw !== undefined) return { rows: 'answers', as: raw.name };
  return importedRows.includes(choice) ? { rows: choice } : undefined;
}

/** The kinds of rows that a file may have. */
const robots = 'robots.txt';
const importedRows: readonly string[] = [
  'answers',
  accessLog,
  robots,
  ...resources.map(({ name }) => name),
];
const titles: Readonly<Record<string, string>> = {
  answers: 'answers, in any columns',
  [accessLog]: 'an access log of your site',
  [robots]: 'a robots.txt of your site',
};

function isOfSites(rows: string): boolean {
  return rows === accessLog || rows === robots;
}

const kindOptions = [
  ...importedRows.map((rows) => [rows, titles[rows] ?? rows] as const),
  ...rawFormats.map(({ name }) => [`${rawPrefix}${name}`, `answers, as ${name} has them`] as const),
];

const formatTitles = { ndjson: 'NDJSON', json: 'JSON', csv: 'CSV' } as const;

/** The form that imports a file. */
export function importForm(context: WorkspaceContext, form: FormState): Html {
  const { slug } = context.workspace;
  const hint = `NDJSON, JSON or CSV in UTF-8, or a log as your server writes it; also packed as .gz, .zst or .br. ${sizeWords(context)}`;
  return html`<section class="panel">
    <h2>Import a file</h2>
    <p class="hint">
      A file is imported completely or not at all, but for an access log: what can be read of it is
      kept. Importing it again changes nothing.
    </p>
    <form method="post" enctype="multipart/form-data" action="/w/${slug}/settings/data/import">
      <input type="hidden" name="form" value="${newId(context.clock)}" />
      ${selectField(form, { name: 'rows', label: 'What it holds', options: kindOptions })}
      ${fileField(form, { name: 'file', label: 'File', hint })}
      ${fold(
        'Format, site and date',
        html`${selectField(form, { name: 'format', label: 'Format', options: [['', 'found out from its name or content'], ...formats.map((format) => [format, formatTitles[format]] as const)] })}
      ${checkField(form, { name: 'new_engine', label: 'Accept engines with names that are not known' })}
      ${textField(form, { name: 'site', label: 'Site, of a log or a robots.txt', isOptional: true, hint: siteHint })}
      ${textField(form, { name: 'at', label: 'In force since, of a robots.txt', isOptional: true, hint: 'A day such as 2026-11-01. Now, if you leave it empty.' })}`,
        { isOpen: Object.keys(form.faults).some((name) => name !== 'file' && name !== 'rows') },
      )}
      <p class="actions"><button class="button primary">Import</button></p>
    </form>
  </section>`;
}

/** Reads the form of an import. Without work if it has a fault. */
export function readImport(
  body: UploadForm['body'],
  file: ReceivedFile | undefined,
  { uploadBytesMax, clock }: WorkspaceContext,
): { id: string; form: FormState; work: Work | undefined } {
  const typed = readForm(body, ['form', 'rows', 'format', 'new_engine', 'site', 'at']);
  const id = formId(typed.form);
  const format = formats.find((each) => each === typed.format);
  const kind = readKind(typed.rows);
  const site = normaliseHost(typed.site);
  const since = typed.at.trim();
  const atMs = parseWhen(since, { nowMs: clock(), spans: 'ago' });
  const needsSite = kind?.rows === robots;
  const faults = faultsOf({
    rows: kind !== undefined ? undefined : 'Choose the kind of rows in the file.',
    format: format === undefined && typed.format !== '' ? 'Choose a format.' : undefined,
    site: siteFault(typed.site, { site, needsSite }),
    at:
      since === '' || atMs !== undefined
        ? undefined
        : 'It must be a day such as 2026-11-01, or a moment with its zone.',
    file: fileFault(file, uploadBytesMax),
  });
  const form = { typed, faults };
  if (kind === undefined || file === undefined || Object.keys(faults).length > 0)
    return { id, form, work: undefined };
  const hasNewEngine = typed.new_engine === 'on';
  const { name, bytes } = file;
  const at = atMs === undefined ? undefined : new Date(atMs).toISOString();
  const work = { kind: 'import', ...kind, file: name, bytes, format, hasNewEngine } as const;
  return { id, form, work: { ...work, ...(isOfSites(kind.rows) && { site, at }) } };
}

function siteFault(
  typed: string,
  { site, needsSite }: { site: string | undefined; needsSite: boolean },
): string | undefined {
  if (typed.trim() === '') return needsSite ? 'Name the site of the robots.txt.' : undefined;
  return site === undefined ? 'It must be the name of a host, such as www.acme.com.' : undefined;
}

function fileFault(file: ReceivedFile | undefined, bytesMax: number): string | undefined {
  if (file === undefined) return 'Choose a file.';
  if (!file.isTooLarge) return undefined;
  return `The file is larger than ${bytesMax / 1_000_000} MB. Split it, or import it on the command line.`;
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

function importWords(context: WorkspaceContext, { work, outcome }: Job): Content {
  if (outcome === undefined || !('result' in outcome)) return undefined;
  if (work.kind === 'import' && isOfSites(work.rows)) {
    return siteWords(context, { rows: work.rows, result: outcome.result });
  }
  const { read, new: fresh, changed, unchanged, prompts, citations, scores } = outcome.result;
  const { newEngines, warnings, gaps, sharedTexts } = outcome.result;
  const engines = Array.isArray(newEngines) ? newEngines : [];
  return html`<p>
      ${read === 0 ? 'The file has no rows.' : `${amount(Number(read), 'row')}: ${thousands(Number(fresh))} new, ${thousands(Number(changed))} changed, ${thousands(Number(unchanged))} unchanged.`}
      ${
        citations !== undefined &&
        html`New prompts: ${thousands(Number(prompts))}.
        ${Number(citations) === 0 ? 'No tracked name appears' : `Tracked names appear ${amount(Number(citations), 'time')}`};
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

/** The result of a log or a robots.txt, and where it is shown. */
function siteWords(
  { workspace: { slug } }: WorkspaceContext,
  {
    rows,
    result,
  }: { rows: string; result: Extract<NonNullable<Job['outcome']>, { result: unknown }>['result'] },
): Html {
  const countOf = (name: string) => Number(result[name] ?? 0);
  const { warnings } = result;
  if (rows === robots) {
    const words = countOf('new') === 0 ? 'It is stored already.' : 'It is stored.';
    return html`<p>${words} <a href="/w/${slug}/crawlers?by=robots">Which crawlers obey it</a></p>`;
  }
  return html`<p>
      ${amount(countOf('read'), 'line')}: ${amount(countOf('new'), 'request')} of AI crawlers new,
      ${thousands(countOf('unchanged'))} known, ${thousands(countOf('other'))} of others,
      ${thousands(countOf('skipped'))} skipped.
      ${countOf('referrals') > 0 && `People who came from an answer: ${thousands(countOf('referrals'))}.`}
      <a href="/w/${slug}/crawlers">Crawlers</a>
    </p>
    ${Array.isArray(warnings) && warnings.map((words) => html`<p>${words}</p>`)}`;
}
