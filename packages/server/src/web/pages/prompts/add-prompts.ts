import { hash } from 'node:crypto';
import { pastedMax, previewPaste, readUsualLocale } from '../../../answers/paste-prompts.ts';
import type { PastedPrompts } from '../../../answers/paste-prompts.ts';
import { addPrompts } from '../../../transfer/add-prompts.ts';
import { canonicalTag, hasRegion, languageOf } from '../../../values/language-tag.ts';
import { amount } from '../../../values/plural.ts';
import { emptyForm, faultsOf, readForm } from '../../request/forms.ts';
import type { FormState, TypedFields } from '../../request/forms.ts';
import { html } from '../../markup/html.ts';
import type { Content } from '../../markup/html.ts';
import { noParameters } from '../../request/no-parameters.ts';
import { linesField, textField } from '../../parts/fields.ts';
import { pastePreview } from './paste-preview.ts';
import { workspacePage } from '../../parts/workspace-page.ts';
import { personOf } from '../../request/page-context.ts';
import { note } from '../../request/note.ts';
import type { Result, WorkspaceRoute, WorkspaceContext } from '../../request/page-context.ts';

const path = '/w/:slug/prompts/add';

/**
 * Enough for a thousand questions in a script whose letters take nine characters each in a form.
 */
const formBytesMax = 2 * 1024 * 1024;

/** The page that adds pasted prompts, one per line. */
export const addPromptsRoutes: readonly WorkspaceRoute[] = [
  { method: 'GET', path, role: 'editor', run: show },
  { method: 'POST', path, role: 'editor', does: 'add prompts', formBytesMax, run: submit },
];

async function show(context: WorkspaceContext): Promise<Result> {
  noParameters(context);
  const usual = await readUsualLocale(context.store.reader, context.workspace.id);
  const typed = { locale: usual ?? context.workspace.locale ?? 'en-US' };
  return addPage(context, { form: { ...emptyForm, typed } });
}

const fields = ['do', 'seen', 'lines', 'locale', 'language'] as const;

async function submit(context: WorkspaceContext): Promise<Result> {
  noParameters(context);
  const typed = readForm(context.request.body, fields);
  const place = readPlace(typed);
  const form = { typed, faults: place.faults };
  if (Object.keys(place.faults).length > 0) return addPage(context, { form, status: 400 });
  const { id: workspaceId, slug } = context.workspace;
  const { locale, language } = place;
  const paste = { pasted: typed.lines, locale, language };
  const preview = await previewPaste(context.store.reader, workspaceId, paste);
  const previewed = hash('sha256', JSON.stringify(paste), 'base64url').slice(0, 16);
  const isSave = typed.do === 'save';
  if (!isSave || typed.seen !== previewed) {
    const notice =
      isSave &&
      html`<p class="notice warn" role="alert">
        You changed the form after the preview. Nothing was saved: look again, then save.
      </p>`;
    return addPage(context, { form, previewed, preview, notice });
  }
  if (preview.fresh.length > 0) await save(context, preview, place);
  return { redirect: `/w/${slug}/prompts` };
}

/** Writes the prompts as an import in one transaction, so that it is listed and can be reverted. */
async function save(
  context: WorkspaceContext,
  { fresh }: PastedPrompts,
  { locale, language }: { locale: string; language: string },
): Promise<void> {
  const { id: workspaceId } = context.workspace;
  const { clock, store } = context;
  const userId = personOf(context).user.id;
  const added = await addPrompts(store, {
    workspaceId,
    texts: fresh.map(({ text }) => text),
    locale,
    language,
    name: 'pasted prompts',
    importedBy: userId,
    clock,
  });
  if (added === 0) return;
  await note(context, 'prompts_added', { name: amount(added, 'prompt') });
}

function readPlace(typed: TypedFields): {
  locale: string;
  language: string;
  faults: FormState['faults'];
} {
  const locale = canonicalTag((typed['locale'] ?? '').trim()) ?? '';
  const hasLocale = hasRegion(locale);
  const named = (typed['language'] ?? '').trim();
  const language = named === '' ? languageOf(locale) : canonicalTag(named);
  const faults = faultsOf({
    lines: (typed['lines'] ?? '').trim() === '' ? 'Paste at least one prompt.' : undefined,
    locale: hasLocale ? undefined : 'Expected a language with its region, such as en-US.',
    language: language === undefined ? 'Expected a language, such as en.' : undefined,
  });
  return { locale, language: language ?? '', faults };
}

function addPage(
  context: WorkspaceContext,
  {
    form,
    previewed = '',
    preview,
    notice,
    status = 200,
  }: {
    form: FormState;
    /** The hash of the previewed change. */
    previewed?: string;
    preview?: PastedPrompts;
    notice?: Content;
    status?: number;
  },
): Result {
  const place = `/w/${context.workspace.slug}/prompts`;
  const mayCount = preview?.fresh.length ?? 0;
  const content = html`${notice} ${preview !== undefined && pastePreview(preview)}
    <form method="post" class="panel" action="${place}/add">
      ${linesField(form, {
        name: 'lines',
        label: 'Prompts',
        hint: `One a line, at most ${amount(pastedMax, 'prompt')}. More of them come from a file, in Settings, Data.`,
      })}
      ${textField(form, { name: 'locale', label: 'Locale of all', hint: 'Language and region, such as en-US.', lengthMax: 35 })}
      ${textField(form, { name: 'language', label: 'Language of all', hint: 'Only if it is not that of the locale.', isOptional: true, lengthMax: 35 })}
      <input type="hidden" name="seen" value="${previewed}" />
      <div class="actions">
        <button class="button${mayCount > 0 ? '' : ' primary'}" name="do" value="look">
          Show what it would add
        </button>
        ${
          mayCount > 0 &&
          html`<button class="button primary" name="do" value="save">
            Add ${amount(mayCount, 'prompt')}
          </button>`
        }
      </div>
    </form>`;
  const lead = html`<a href="${place}">All prompts</a>. Engines are not asked until someone
    switches that on.`;
  return { page: workspacePage(context, { title: 'Add prompts', lead, content }), status };
}
