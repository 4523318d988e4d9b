import type { Refusal } from '../../../refusals.ts';
import { canonicalTag, hasRegion } from '../../../values/language-tag.ts';
import { archiveWorkspace, setWorkspace } from '../../../workspaces/workspaces.ts';
import { html } from '../../markup/html.ts';
import type { Html } from '../../markup/html.ts';
import { textField } from '../../parts/fields.ts';
import { faultsOf, readForm } from '../../request/forms.ts';
import type { FormState } from '../../request/forms.ts';
import { note } from '../../request/note.ts';
import type { WorkspaceContext } from '../../request/page-context.ts';
import { refusalText } from '../../request/refusal-text.ts';

const fields = ['name', 'address', 'market'] as const;

/** The forms with which an operator renames a workspace, and archives it or brings it back. */
export function workspacePart({ workspace }: WorkspaceContext, form: FormState): Html {
  const { slug, name, locale, archived_at: archivedAt } = workspace;
  const place = `/w/${slug}/settings/data`;
  return html`<section class="panel">
    <h2>This workspace</h2>
    <form method="post" action="${place}/rename">
      ${textField(form, { name: 'name', label: 'Name', value: name, lengthMax: 200 })}
      ${textField(form, {
        name: 'address',
        label: 'Short name in addresses',
        value: slug,
        hint: 'Links to the old addresses end.',
        lengthMax: 63,
      })}
      ${textField(form, {
        name: 'market',
        label: 'Language and market',
        value: locale ?? '',
        hint: 'Such as en-US. New prompts begin with it.',
        isOptional: true,
        lengthMax: 35,
      })}
      <p class="actions"><button class="button">Save</button></p>
    </form>
    <form method="post" class="inline" action="${place}/archive">
      <input type="hidden" name="archive" value="${archivedAt === null ? 'yes' : 'no'}" />
      <p class="hint">
        ${
          archivedAt === null
            ? 'Archived, it is listed apart and none of its prompts is asked. Data, keys and people stay.'
            : 'It is archived: none of its prompts is asked.'
        }
      </p>
      <button class="button">${archivedAt === null ? 'Archive it' : 'Bring it back'}</button>
    </form>
  </section>`;
}

/** Renames the workspace. Returns the form if it has a fault, else the slug. */
export async function rename(
  context: WorkspaceContext,
): Promise<{ form: FormState } | { slug: string }> {
  const typed = readForm(context.request.body, fields);
  const locale = canonicalTag(typed.market.trim()) ?? '';
  const faults = faultsOf({
    market:
      typed.market.trim() === '' || hasRegion(locale)
        ? undefined
        : 'Expected a language with its region, such as en-US.',
  });
  if (Object.keys(faults).length > 0) return { form: { typed, faults } };
  const change = {
    name: typed.name,
    slug: typed.address.trim(),
    locale: locale === '' ? null : locale,
  };
  const { workspace, hasChanged } = await setWorkspace(context.store, context.workspace, change);
  if (hasChanged) await note(context, 'workspace_changed');
  return { slug: workspace.slug };
}

/** A refused name or slug, beside its field. */
export function refusedName(
  { request }: WorkspaceContext,
  refusal: Pick<Refusal, 'code' | 'facts'>,
): FormState {
  const field = refusal.code.startsWith('slug_') ? 'address' : 'name';
  return { typed: readForm(request.body, fields), faults: { [field]: refusalText(refusal) } };
}

/** Archives the workspace, or brings it back. */
export async function archive(context: WorkspaceContext): Promise<void> {
  const isArchived = readForm(context.request.body, ['archive']).archive === 'yes';
  const archivedAt = isArchived ? new Date(context.clock()).toISOString() : null;
  await archiveWorkspace(context.store, context.workspace.id, { archivedAt });
  await note(context, isArchived ? 'workspace_archived' : 'workspace_restored');
}
