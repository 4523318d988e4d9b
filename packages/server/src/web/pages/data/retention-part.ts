import { keepAddresses, readKeptDays } from '../../../crawlers/settings.ts';
import { allows } from '../../../people/roles.ts';
import { plural } from '../../../values/plural.ts';
import { readForm } from '../../request/forms.ts';
import type { FormState } from '../../request/forms.ts';
import { html } from '../../markup/html.ts';
import type { Html } from '../../markup/html.ts';
import { textField } from '../../parts/fields.ts';
import { note } from '../../request/note.ts';
import type { WorkspaceContext } from '../../request/page-context.ts';

const daysMax = 3650;

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
              ${textField(form, {
                name: 'days',
                label: `Days to keep addresses of clients, 0 to ${daysMax}`,
                value: String(keepAddressesDays),
                lengthMax: 4,
              })}
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
