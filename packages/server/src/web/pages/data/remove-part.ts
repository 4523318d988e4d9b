import { readForm } from '../../request/forms.ts';
import type { FormState } from '../../request/forms.ts';
import { addJob } from '../../request/add-job.ts';
import { html } from '../../markup/html.ts';
import type { Html } from '../../markup/html.ts';
import { newId } from '../../../values/uuid.ts';
import { textField } from '../../parts/fields.ts';
import type { WorkspaceContext } from '../../request/page-context.ts';

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
