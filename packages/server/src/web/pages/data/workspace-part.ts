import { keepAddresses, readKeptDays } from '../../../crawlers/settings.ts';
import { allows } from '../../../people/roles.ts';
import type { Refusal } from '../../../refusals.ts';
import { canonicalTag, hasRegion } from '../../../values/language-tag.ts';
import { plural } from '../../../values/plural.ts';
import { newId } from '../../../values/uuid.ts';
import { archiveWorkspace, setWorkspace } from '../../../workspaces/workspaces.ts';
import type { Workspace } from '../../../workspaces/workspaces.ts';
import { html } from '../../markup/html.ts';
import type { Html } from '../../markup/html.ts';
import { textField } from '../../parts/fields.ts';
import { addJob } from '../../request/jobs.ts';
import { faultsOf, readForm } from '../../request/forms.ts';
import type { FormState } from '../../request/forms.ts';
import { note } from '../../request/note.ts';
import type { WorkspaceContext } from '../../request/page-context.ts';
import { refusalText } from '../../request/refusal-text.ts';

const daysMax = 3650;
const fields = ['name', 'address', 'market'] as const;

/** The forms with which an operator renames a workspace, and archives it or brings it back. */
export function workspacePart({ workspace }: WorkspaceContext, form: FormState): Html {
  const { slug, name, locale, archived_at: archivedAt } = workspace;
  const place = `/w/${slug}/settings/data`;
  return html`<section class="panel">
    <h2>This workspace</h2>
    <form method="post" action="${place}/rename">
      ${textField(form, { name: 'name', label: 'Name', value: name, lengthMax: 200 })}
      ${textField(form, { name: 'address', label: 'Short name in addresses', value: slug, hint: 'Links to the old addresses end.', lengthMax: 63 })}
      ${textField(form, { name: 'market', label: 'Language and market', value: locale ?? '', hint: 'Such as en-US. New prompts begin with it.', isOptional: true, lengthMax: 35 })}
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

/** Renames the workspace. Returns the form if it has a fault, else the workspace. */
export async function saveName(context: WorkspaceContext): Promise<FormState | Workspace> {
  const typed = readForm(context.request.body, fields);
  const locale = canonicalTag(typed.market.trim()) ?? '';
  const faults = faultsOf({
    market:
      typed.market.trim() === '' || hasRegion(locale)
        ? undefined
        : 'Expected a language with its region, such as en-US.',
  });
  if (Object.keys(faults).length > 0) return { typed, faults };
  const change = {
    name: typed.name,
    slug: typed.address.trim(),
    locale: locale === '' ? null : locale,
  };
  const { workspace, hasChanged } = await setWorkspace(context.store, context.workspace, change);
  if (hasChanged) await note(context, 'workspace_changed');
  return workspace;
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
export async function archive(context: WorkspaceContext): Promise<undefined> {
  const isArchived = readForm(context.request.body, ['archive']).archive === 'yes';
  const archivedAt = isArchived ? new Date(context.clock()).toISOString() : null;
  await archiveWorkspace(context.store, context.workspace.id, { archivedAt });
  await note(context, isArchived ? 'workspace_archived' : 'workspace_restored');
  return undefined;
}

/** How long addresses are kept; an admin can change it. */
export async function retentionPart(context: WorkspaceContext, form: FormState): Promise<Html> {
  const { id, slug } = context.workspace;
  const keepAddressesDays = await readKeptDays(context.store.reader, id);
  return html`<section class="panel">
    <h2>What is kept</h2>
    ${
      allows(context.role, 'admin')
        ? html`<p class="hint">
              A new number is applied by the next ingest of a log, or by overheard prune.
            </p>
            <form method="post" class="inline" action="/w/${slug}/settings/data/keep">
              ${textField(form, { name: 'days', label: `Days to keep addresses of clients, 0 to ${daysMax}`, value: String(keepAddressesDays), lengthMax: 4 })}
              <button class="button">Save</button>
            </form>`
        : html`<p>The addresses of clients are kept for ${plural(keepAddressesDays, 'day')}.</p>`
    }
  </section>`;
}

/** Saves the form. Returns it if it has a fault. */
export async function saveRetention(context: WorkspaceContext): Promise<FormState | undefined> {
  const typed = readForm(context.request.body, ['days']);
  const isDays = /^\d{1,4}$/.test(typed.days) && Number(typed.days) <= daysMax;
  if (!isDays) {
    return { typed, faults: { days: `It must be a number of days from 0 to ${daysMax}.` } };
  }
  const { id: workspaceId } = context.workspace;
  await keepAddresses(context.store, workspaceId, { days: Number(typed.days) });
  await note(context, 'retention_changed', { name: plural(Number(typed.days), 'day') });
  return undefined;
}

/** The form that removes the whole workspace: its slug has to be typed. */
export function removePart(context: WorkspaceContext, form: FormState): Html {
  const { slug } = context.workspace;
  return html`<section class="panel">
    <h2>Remove the workspace</h2>
    <p class="hint">
      Everything in it is removed for good, including its keys and members. Download what you need
      first.
    </p>
    <form method="post" class="inline" action="/w/${slug}/settings/data/remove">
      <input type="hidden" name="form" value="${newId(context.clock)}" />
      ${textField(form, { name: 'slug', label: `Type ${slug} to remove it`, lengthMax: 63 })}
      <button class="button danger">Remove it</button>
    </form>
  </section>`;
}

/** Removes the workspace as a job. Returns the form if its slug was not typed. */
export async function removeIt(context: WorkspaceContext): Promise<FormState | undefined> {
  const typed = readForm(context.request.body, ['form', 'slug']);
  const { slug } = context.workspace;
  if (typed.slug !== slug) {
    return { typed, faults: { slug: `Nothing was removed. To remove it, type ${slug}.` } };
  }
  await addJob(context, typed.form, { kind: 'remove', slug });
  return undefined;
}
